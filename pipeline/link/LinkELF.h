//===- LinkELF.h - lld as a library -----------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_LINKELF_H
#define AIRCC_PIPELINE_LINK_LINKELF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// Links one relocatable AMDGPU object into a code object that a driver can
/// load (a shared ELF object), in this process and without using the file
/// system. On failure, the error contains lld's messages.
llvm::Error linkCodeObject(llvm::StringRef object,
                           llvm::SmallVectorImpl<char> &codeObject);

/// Links with `arguments` to the file `output` (which is not among them). The
/// file is written only when the linker has finished.
llvm::Error linkToFile(llvm::ArrayRef<std::string> arguments,
                       llvm::StringRef output);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_LINKELF_H
