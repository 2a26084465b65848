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

/// Returns whether `bytes` starts like a SPIR-V module in this machine's byte
/// order.
bool isSPIRV(llvm::StringRef bytes);

/// Returns the names of the functions that the module imports, in order. The
/// device compiler must provide them.
std::vector<std::string> getSPIRVImports(llvm::StringRef bytes);

/// Returns the number of lanes in the largest workgroup that a kernel of the
/// module requires, or nothing if no kernel requires a size.
std::optional<uint64_t> getLargestWorkgroup(llvm::StringRef bytes);

/// Removes the declaration of an extension from a module.
void dropSPIRVExtension(llvm::SmallVectorImpl<char> &module,
                        llvm::StringRef extension);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVMODULE_H
