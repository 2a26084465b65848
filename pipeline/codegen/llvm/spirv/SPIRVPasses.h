//===- SPIRVPasses.h - LLVM passes for SPIR-V code --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The file of each pass describes the defect that it works around or the
// feature that SPIR-V lacks.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPASSES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPASSES_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace aircc::spirv {

//===----------------------------------------------------------------------===//
// Before the optimizer
//===----------------------------------------------------------------------===//

struct RenameIntelFunctionsPass : LLVMPass<RenameIntelFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct SetCallingConventionsPass : LLVMPass<SetCallingConventionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct InternalizeFunctionsPass : LLVMPass<InternalizeFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

//===----------------------------------------------------------------------===//
// In the optimizer
//===----------------------------------------------------------------------===//

void skipClosedFormsOfSums(llvm::PassInstrumentationCallbacks &callbacks);

//===----------------------------------------------------------------------===//
// After the optimizer
//===----------------------------------------------------------------------===//

struct DropPrefetchesPass : LLVMPass<DropPrefetchesPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct LimitAlignmentsPass : LLVMPass<LimitAlignmentsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct SplitAggregatePhisPass : LLVMPass<SplitAggregatePhisPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct AddressVariablesInPhisPass : LLVMPass<AddressVariablesInPhisPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

/// Also runs before the optimizer.
struct ExpandReductionsPass : LLVMPass<ExpandReductionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandBitReversalsPass : LLVMPass<ExpandBitReversalsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandFunnelShiftsPass : LLVMPass<ExpandFunnelShiftsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandSignedBooleansPass : LLVMPass<ExpandSignedBooleansPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandOverflowChecksPass : LLVMPass<ExpandOverflowChecksPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandAtomicsPass : LLVMPass<ExpandAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct StoreBooleansAsBytesPass : LLVMPass<StoreBooleansAsBytesPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct SplitVectorsPass : LLVMPass<SplitVectorsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct WidenIntegersPass : LLVMPass<WidenIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct FuseMultiplyAddsPass : LLVMPass<FuseMultiplyAddsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct MaskTruncatedValuesPass : LLVMPass<MaskTruncatedValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

} // namespace aircc::spirv

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPASSES_H
