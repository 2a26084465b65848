//===- HostPipeline.h - The LLVM pipeline of host code ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_HOSTPIPELINE_H
#define AIRCC_PIPELINE_LINK_HOSTPIPELINE_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace aircc {

struct CheckRuntimeInterfacePass : LLVMPass<CheckRuntimeInterfacePass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct OutlineHalfVectorsPass : LLVMPass<OutlineHalfVectorsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct KeepWrapperCallsPass : LLVMPass<KeepWrapperCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct MergeConstructorsPass : LLVMPass<MergeConstructorsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

/// Registers aircc's passes for host code by name.
void registerHostPasses(LLVMPassRegistry &registry);

/// Returns the passes to run between the translation of a module and code
/// generation. With `wholeProgram`, only `main` is called from outside.
llvm::ModulePassManager buildHostPipeline(llvm::PassBuilder &builder,
                                          unsigned optLevel, bool wholeProgram);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_HOSTPIPELINE_H
