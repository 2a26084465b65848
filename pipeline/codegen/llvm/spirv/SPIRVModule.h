//===- SPIRVModule.h - Reading SPIR-V modules ----------------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVMODULE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVMODULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Whether `bytes` start as a SPIR-V module of this machine's byte order does.
bool isSPIRV(llvm::StringRef bytes);

/// The names of the functions that the module imports, in their order: what
/// the device's compiler must have.
std::vector<std::string> getSPIRVImports(llvm::StringRef bytes);

/// The lanes of the largest workgroup that a kernel of the module asks for;
/// none where a kernel takes any.
std::optional<uint64_t> getLargestWorkgroup(llvm::StringRef bytes);

/// Takes the declaration that a module uses an extension out of it.
void dropSPIRVExtension(llvm::SmallVectorImpl<char> &module,
                        llvm::StringRef extension);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVMODULE_H
