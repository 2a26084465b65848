//===- TargetFolders.h - Folders of target profiles -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_TARGETFOLDERS_H
#define AIRCC_TARGETS_TARGETFOLDERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace aircc {

/// Returns the directories to search for profiles, highest priority first:
/// `extra`, those in AIRCC_TARGETS_PATH (separated by colons), and
/// share/aircc/targets in the installation that contains the program `binary`.
std::vector<std::string>
getTargetFolders(llvm::StringRef binary,
                 llvm::ArrayRef<std::string> extra = {});

} // namespace aircc

#endif // AIRCC_TARGETS_TARGETFOLDERS_H
