//===- Dependencies.h - Dependency files for make and ninja -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_DEPENDENCIES_H
#define AIRCC_DRIVER_FILES_DEPENDENCIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace aircc {

/// Writes the rule "targets: files". Escapes names for make and drops
/// duplicates in `files`. Fails for a name that make cannot represent.
llvm::Error writeDependencies(llvm::raw_ostream &os,
                              llvm::ArrayRef<std::string> targets,
                              llvm::ArrayRef<std::string> files);

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_DEPENDENCIES_H
