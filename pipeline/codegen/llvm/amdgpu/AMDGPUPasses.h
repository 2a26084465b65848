//===- AMDGPUPasses.h - LLVM passes for AMDGPU code -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each pass's file describes the defect that it works around.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPASSES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPASSES_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace aircc::amdgpu {

//===----------------------------------------------------------------------===//
// Before the optimizer
//===----------------------------------------------------------------------===//

struct SetFunctionAttributesPass : LLVMPass<SetFunctionAttributesPass> {
  explicit SetFunctionAttributesPass(const llvm::TargetMachine *machine)
      : machine(machine) {}
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
  const llvm::TargetMachine *machine;
};

struct InternalizeFunctionsPass : LLVMPass<InternalizeFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &);
};

struct KeepWideLoadsPass : LLVMPass<KeepWideLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct MarkJoinsPass : LLVMPass<MarkJoinsPass> {
  explicit MarkJoinsPass(const llvm::TargetMachine *machine)
      : machine(machine) {}
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
  const llvm::TargetMachine *machine;
};

//===----------------------------------------------------------------------===//
// In the optimizer
//===----------------------------------------------------------------------===//

void skipAllocaPromotion(llvm::PassInstrumentationCallbacks &callbacks);

//===----------------------------------------------------------------------===//
// After the optimizer
//===----------------------------------------------------------------------===//

struct ChooseSchedulersPass : LLVMPass<ChooseSchedulersPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct HoistAddressesPass : LLVMPass<HoistAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct PackLoadedBytesPass : LLVMPass<PackLoadedBytesPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct PutSumsInAGPRsPass : LLVMPass<PutSumsInAGPRsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct InterleaveProductsPass : LLVMPass<InterleaveProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

/// The attribute of functions on whose accesses LoadStoreVectorizer has run.
inline constexpr llvm::StringLiteral kVectorizedAttr = "aircc-vectorized";

struct VectorizeLongBlocksPass : LLVMPass<VectorizeLongBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct RemoveJoinMarksPass : LLVMPass<RemoveJoinMarksPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct AvoidDot4CombinePass : LLVMPass<AvoidDot4CombinePass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct FreezeStoredLoadsPass : LLVMPass<FreezeStoredLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandBallotsPass : LLVMPass<ExpandBallotsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct KeepProductSignsPass : LLVMPass<KeepProductSignsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct KeepDifferenceZerosPass : LLVMPass<KeepDifferenceZerosPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct KeepProductsFromDPPPass : LLVMPass<KeepProductsFromDPPPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct PinHalfSwapsPass : LLVMPass<PinHalfSwapsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct ExpandAtomicsPass : LLVMPass<ExpandAtomicsPass> {
  explicit ExpandAtomicsPass(const llvm::TargetMachine *machine)
      : machine(machine) {}
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
  const llvm::TargetMachine *machine;
};

struct SplitHalfConversionsPass : LLVMPass<SplitHalfConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct PinMatrixProductsPass : LLVMPass<PinMatrixProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct WidenDivisionsPass : LLVMPass<WidenDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

struct KeepUnsignedQuotientsPass : LLVMPass<KeepUnsignedQuotientsPass> {
  llvm::PreservedAnalyses run(llvm::Function &,
                              llvm::FunctionAnalysisManager &);
};

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPASSES_H
