//===- LimitUnrolling.h - Keep loops of large nests -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LIMITUNROLLING_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LIMITUNROLLING_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace aircc::amdgpu {

struct LimitUnrollingPass : LLVMPass<LimitUnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_LIMITUNROLLING_H
