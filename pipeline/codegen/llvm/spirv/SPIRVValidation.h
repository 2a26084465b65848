//===- SPIRVValidation.h - Validating SPIR-V modules ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVALIDATION_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVALIDATION_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace aircc {

/// Returns the message of spirv-val about an invalid module in this machine's
/// byte order, or nothing if the module is valid.
std::optional<std::string> findSPIRVMistake(llvm::StringRef bytes);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVALIDATION_H
