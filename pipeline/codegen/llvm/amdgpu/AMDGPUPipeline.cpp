//===- AMDGPUPipeline.cpp - The LLVM pipeline of AMDGPU code --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPipeline.h"

#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/codegen/llvm/SplitLargeFunctions.h"
#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/LimitUnrolling.h"
#include "pipeline/codegen/llvm/amdgpu/machine/MachinePasses.h"

using namespace aircc::amdgpu;

namespace aircc {

static void registerEarlyPasses(LLVMPassRegistry &registry,
                                const llvm::TargetMachine *machine) {
  registry.addFunctionPass(
      "aircc-amdgpu-set-function-attributes",
      "Set attributes for the chip and for known launch bounds",
      [machine] { return SetFunctionAttributesPass(machine); });
  registry.addModulePass("aircc-amdgpu-internalize-functions",
                         "Make all functions but kernels internal",
                         [] { return InternalizeFunctionsPass(); });
  registry.addFunctionPass("aircc-amdgpu-limit-unrolling",
                           "Keep loops of nests that would be very long",
                           [] { return LimitUnrollingPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-mark-joins",
      "Mark where lanes reconverge in loops, against jump threading",
      [machine] { return MarkJoinsPass(machine); });
  registry.addFilter("aircc-amdgpu-skip-alloca-promotion",
                     "Skip AMDGPUPromoteAlloca where it uses a deleted load",
                     skipAllocaPromotion);
  registry.addFunctionPass("aircc-amdgpu-choose-schedulers",
                           "Choose the scheduler of long blocks of matrix "
                           "instructions and of loops that gather tiles",
                           [] { return ChooseSchedulersPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-hoist-addresses",
      "Compute addresses before loops of matrix instructions",
      [] { return HoistAddressesPass(); });
  registry.addFunctionPass("aircc-amdgpu-pack-loaded-bytes",
                           "Pack bytes for matrix instructions by shifts",
                           [] { return PackLoadedBytesPass(); });
  registry.addFunctionPass("aircc-amdgpu-put-sums-in-agprs",
                           "Accumulate in AGPRs in loops of matrix products",
                           [] { return PutSumsInAGPRsPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-interleave-products",
      "Put accesses between the matrix instructions of a loop",
      [] { return InterleaveProductsPass(); });
  registry.addFunctionPass("aircc-amdgpu-vectorize-long-blocks",
                           "Combine the accesses of very long blocks in parts",
                           [] { return VectorizeLongBlocksPass(); });
  registry.addFunctionPass("aircc-amdgpu-remove-join-marks",
                           "Remove what aircc-amdgpu-mark-joins inserted",
                           [] { return RemoveJoinMarksPass(); });
}

static void registerWorkarounds(LLVMPassRegistry &registry,
                                const llvm::TargetMachine *machine) {
  registry.addFunctionPass("aircc-amdgpu-avoid-dot4-combine",
                           "Keep products of bytes from becoming wrong v_dot4",
                           [] { return AvoidDot4CombinePass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-freeze-stored-loads",
      "Freeze loads that are stored to the same private array",
      [] { return FreezeStoredLoadsPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-expand-ballots",
      "Expand ballots of `fcmp one`, selected as unordered",
      [] { return ExpandBallotsPass(); });
  registry.addFunctionPass("aircc-amdgpu-keep-product-signs",
                           "Keep -0 in products that are truncated to f16",
                           [] { return KeepProductSignsPass(); });
  registry.addFunctionPass("aircc-amdgpu-keep-difference-zeros",
                           "Keep 0 - x from being selected as -x",
                           [] { return KeepDifferenceZerosPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-keep-products-from-dpp",
      "Keep DPP moves out of the operands of integer products",
      [] { return KeepProductsFromDPPPass(); });
  registry.addFunctionPass("aircc-amdgpu-pin-half-swaps",
                           "Keep v_permlane64 out of branches",
                           [] { return PinHalfSwapsPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-expand-atomics",
      "Expand atomics that the chip lacks before LDS has addresses",
      [machine] { return ExpandAtomicsPass(machine); });
  registry.addFunctionPass("aircc-amdgpu-split-half-conversions",
                           "Convert vectors of 5 to 7 f16 by element",
                           [] { return SplitHalfConversionsPass(); });
  registry.addFunctionPass("aircc-amdgpu-pin-matrix-products",
                           "Keep WMMA and scaled MFMA where all lanes are "
                           "active",
                           [] { return PinMatrixProductsPass(); });
  registry.addFunctionPass("aircc-amdgpu-keep-wide-loads",
                           "Keep loads of bytes in matmul loops from being "
                           "divided",
                           [] { return KeepWideLoadsPass(); });
  registry.addFunctionPass("aircc-amdgpu-widen-divisions",
                           "Do divisions of narrow integers in 32 bits (-O0)",
                           [] { return WidenDivisionsPass(); });
  registry.addFunctionPass(
      "aircc-amdgpu-keep-unsigned-quotients",
      "Keep unsigned dividends from being taken for 24 bits (-O0)",
      [] { return KeepUnsignedQuotientsPass(); });
  registry.addBackendFilter("aircc-amdgpu-skip-strength-reduction",
                            "Skip straight-line strength reduction in "
                            "functions that it takes very long for");
  registry.addBackendFilter("aircc-amdgpu-order-crowded-registers",
                            "Allocate registers in the order of spill costs "
                            "where very many values spill");
  for (const MachinePass *pass : getMachinePasses())
    registry.addMachinePass(pass->name, pass->summary);
}

void registerAMDGPUPasses(LLVMPassRegistry &registry,
                          const llvm::TargetMachine *machine) {
  registerEarlyPasses(registry, machine);
  registerWorkarounds(registry, machine);
}

llvm::ModulePassManager buildAMDGPUPipeline(llvm::PassBuilder &builder,
                                            const llvm::TargetMachine *machine,
                                            unsigned optLevel) {
  llvm::ModulePassManager passes;
  auto add = [&](auto pass) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  };
  add(SetFunctionAttributesPass(machine));
  passes.addPass(InternalizeFunctionsPass());
  if (optLevel > 0) {
    passes.addPass(SplitLargeFunctionsPass());
    add(LimitUnrollingPass());
    add(KeepWideLoadsPass());
    add(MarkJoinsPass(machine));
  }
  passes.addPass(buildDefaultPipeline(builder, optLevel));
  add(ChooseSchedulersPass());
  add(RemoveJoinMarksPass());
  add(AvoidDot4CombinePass());
  add(FreezeStoredLoadsPass());
  add(ExpandBallotsPass());
  add(KeepProductSignsPass());
  add(KeepDifferenceZerosPass());
  add(KeepProductsFromDPPPass());
  add(PinHalfSwapsPass());
  add(ExpandAtomicsPass(machine));
  add(SplitHalfConversionsPass());
  add(PinMatrixProductsPass());
  if (optLevel > 0) {
    add(HoistAddressesPass());
    add(PackLoadedBytesPass());
    add(PutSumsInAGPRsPass());
    add(InterleaveProductsPass());
    add(VectorizeLongBlocksPass());
  }
  if (optLevel == 0) {
    add(WidenDivisionsPass());
    add(KeepUnsignedQuotientsPass());
  }
  return passes;
}

} // namespace aircc
