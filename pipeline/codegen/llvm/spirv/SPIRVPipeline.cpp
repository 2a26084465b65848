//===- SPIRVPipeline.cpp - The LLVM pipeline of SPIR-V code ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPipeline.h"

#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/codegen/llvm/SplitLargeFunctions.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"

using namespace aircc::spirv;

namespace aircc {

/// This pass also runs before the optimizer.
static constexpr unsigned kGenericAddressSpace = 4;

void registerSPIRVPasses(LLVMPassRegistry &registry) {
  registry.addModulePass("aircc-spirv-rename-intel-functions",
                         "Call Intel's functions by the names that they have",
                         [] { return RenameIntelFunctionsPass(); });
  registry.addModulePass("aircc-spirv-set-calling-conventions",
                         "Make functions those of SPIR-V, without jump tables",
                         [] { return SetCallingConventionsPass(); });
  registry.addModulePass("aircc-spirv-internalize-functions",
                         "Make all functions but kernels internal",
                         [] { return InternalizeFunctionsPass(); });
  registry.addFilter("aircc-spirv-skip-closed-forms-of-sums",
                     "Skip IndVarSimplify where it needs 65-bit integers",
                     skipClosedFormsOfSums);
  registry.addFunctionPass("aircc-spirv-drop-prefetches",
                           "Remove prefetches, which cannot be selected",
                           [] { return DropPrefetchesPass(); });
  registry.addFunctionPass("aircc-spirv-limit-alignments",
                           "Align local variables to 64 bytes at most",
                           [] { return LimitAlignmentsPass(); });
  registry.addFunctionPass("aircc-spirv-split-aggregate-phis",
                           "Merge the fields of aggregates one by one",
                           [] { return SplitAggregatePhisPass(); });
  registry.addFunctionPass("aircc-spirv-address-variables-in-phis",
                           "Keep the types of variables that phis address",
                           [] { return AddressVariablesInPhisPass(); });
  registry.addFunctionPass("aircc-spirv-expand-reductions",
                           "Reduce vectors element by element",
                           [] { return ExpandReductionsPass(); });
  registry.addFunctionPass("aircc-spirv-expand-bit-reversals",
                           "Reverse bits by swapping them",
                           [] { return ExpandBitReversalsPass(); });
  registry.addFunctionPass("aircc-spirv-expand-funnel-shifts",
                           "Expand funnel shifts, selected wrong for 0",
                           [] { return ExpandFunnelShiftsPass(); });
  registry.addFunctionPass("aircc-spirv-expand-signed-booleans",
                           "Convert signed booleans to -1, not 1",
                           [] { return ExpandSignedBooleansPass(); });
  registry.addFunctionPass("aircc-spirv-expand-overflow-checks",
                           "Expand sums of vectors with their carries",
                           [] { return ExpandOverflowChecksPass(); });
  registry.addModulePass("aircc-spirv-expand-atomics",
                         "Expand atomics that Intel GPUs or the backend lack",
                         [] { return ExpandAtomicsPass(); });
  registry.addModulePass("aircc-spirv-store-booleans-as-bytes",
                         "Give values in memory types that SPIR-V has there",
                         [] { return StoreBooleansAsBytesPass(); });
  registry.addFunctionPass("aircc-spirv-split-vectors",
                           "Split vectors of sizes that SPIR-V lacks",
                           [] { return SplitVectorsPass(); });
  registry.addFunctionPass("aircc-spirv-widen-integers",
                           "Widen integers of sizes that SPIR-V lacks",
                           [] { return WidenIntegersPass(); });
  registry.addFunctionPass("aircc-spirv-fuse-multiply-adds",
                           "Fuse products and sums that may be contracted",
                           [] { return FuseMultiplyAddsPass(); });
  registry.addFunctionPass("aircc-spirv-mask-truncated-values",
                           "Mask values that are truncated and extended again",
                           [] { return MaskTruncatedValuesPass(); });
}

llvm::PipelineTuningOptions getSPIRVTuning() {
  llvm::PipelineTuningOptions tuning;
  // Each lane computes scalars, and SPIR-V supports only a few vector sizes.
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  return tuning;
}

/// Adds passes at the extension points of LLVM's pipeline.
static void extendDefaultPipeline(llvm::PassBuilder &builder) {
  // Run them early for code that depends on aliasing, and again after inlining
  // and unrolling.
  builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::InferAddressSpacesPass(kGenericAddressSpace));
      });
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::InferAddressSpacesPass(kGenericAddressSpace));
        passes.addPass(llvm::InstCombinePass());
      });
  // SPIR-V has no masked memory accesses. Turn them into branches around each
  // element, which the optimizer may simplify.
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(
            llvm::ScalarizeMaskedMemIntrinPass()));
      });
}

llvm::ModulePassManager buildSPIRVPipeline(llvm::PassBuilder &builder,
                                           unsigned optLevel) {
  llvm::ModulePassManager passes;
  auto add = [&](auto pass) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  };
  passes.addPass(RenameIntelFunctionsPass());
  // Run this before the optimizer turns vectors of booleans into integers.
  add(ExpandReductionsPass());
  if (optLevel > 0)
    passes.addPass(SplitLargeFunctionsPass());
  passes.addPass(SetCallingConventionsPass());
  passes.addPass(InternalizeFunctionsPass());
  extendDefaultPipeline(builder);
  passes.addPass(buildDefaultPipeline(builder, optLevel));
  add(FuseMultiplyAddsPass());
  add(DropPrefetchesPass());
  add(LimitAlignmentsPass());
  add(SplitAggregatePhisPass());
  add(AddressVariablesInPhisPass());
  add(ExpandReductionsPass());
  add(ExpandBitReversalsPass());
  add(ExpandFunnelShiftsPass());
  add(ExpandSignedBooleansPass());
  add(ExpandOverflowChecksPass());
  passes.addPass(ExpandAtomicsPass());
  // Rewrite booleans and memory before the types of the remaining values.
  passes.addPass(StoreBooleansAsBytesPass());
  add(SplitVectorsPass());
  add(WidenIntegersPass());
  add(MaskTruncatedValuesPass());
  return passes;
}

} // namespace aircc
