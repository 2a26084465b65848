//===- SplitLargeFunctions.h - Compile large functions in parts -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPLITLARGEFUNCTIONS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPLITLARGEFUNCTIONS_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace aircc {

/// Outlines parts of device functions with very many blocks.
struct SplitLargeFunctionsPass : LLVMPass<SplitLargeFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPLITLARGEFUNCTIONS_H
