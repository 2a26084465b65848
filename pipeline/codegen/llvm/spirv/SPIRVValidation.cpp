//===- SPIRVValidation.cpp - Checking SPIR-V modules ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVValidation.h"

#include "llvm/ADT/ScopeExit.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <vector>

namespace aircc {

std::optional<std::string> findSPIRVMistake(llvm::StringRef bytes) {
  if (bytes.size() % sizeof(uint32_t) != 0)
    return "its size is not a multiple of 4 bytes";
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  // Validate for the newest supported version rather than for the version of
  // the module.
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_const_binary_t module = {words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  llvm::scope_exit destroy([&] {
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
  });
  if (spvValidate(context, &module, &diagnostic) == SPV_SUCCESS)
    return std::nullopt;
  return diagnostic ? llvm::StringRef(diagnostic->error).trim().str()
                    : "the validator gives no reason";
}

} // namespace aircc
