//===- DevicePipelines.cpp - What the backends' pass lists share ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DevicePipelines.h"

#include "pipeline/codegen/Passes.h"
#include "pipeline/common/Passes.h"
#include "pipeline/common/passes/RunIfUsed.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace aircc {

void buildStructurePipeline(OpPassManager &pm, const TargetProfile &profile) {
  // Handle kernels that this stage outlined.
  pm.addPass(createPlaceWorkgroupBuffers());
  CheckDeviceCodeOptions check;
  check.backend = profile.backend;
  check.fp8 = profile.fp8;
  check.ldsBytes = profile.limits.ldsBytes;
  pm.addPass(createCheckDeviceCode(check));
  CheckRegisterDemandOptions demand;
  demand.registers = profile.limits.vgprs;
  pm.addPass(createCheckRegisterDemand(demand));

  // Lower structured ops to loops and scalars.
  LowerPrintsOptions prints;
  prints.backend = profile.backend;
  pm.addPass(createLowerPrints(prints));
  LowerAssertsOptions asserts;
  asserts.backend = profile.backend;
  pm.addPass(createLowerAsserts(asserts));
  addPassIfUsed(pm, {"complex"}, createConvertComplexToStandardPass());
  pm.addPass(createExpandMath());
  pm.addPass(createWidenIndexProducts());
  pm.addPass(createLowerDeviceMemory());
  addPassIfUsed(pm, {"linalg"}, createConvertLinalgToLoopsPass());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createLowerDeviceVectors());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  addPassIfUsed(pm, {"vector"}, createConvertVectorToSCFPass(transfers));

  // Lower ops that lanes execute together while control flow is still
  // structured.
  addPassIfUsed(pm, {"affine"}, createLowerAffinePass());
  LowerReductionsOptions reductions;
  reductions.backend = profile.backend;
  reductions.chip = profile.chip;
  reductions.waveSize = profile.waveSize;
  reductions.maxThreads = profile.limits.threadsPerWorkgroup;
  pm.addPass(createLowerReductions(reductions));
  pm.addPass(createPlaceBarriers());
  LowerShufflesOptions shuffles;
  shuffles.backend = profile.backend;
  shuffles.chip = profile.chip;
  shuffles.waveSize = profile.waveSize;
  pm.addPass(createLowerShuffles(shuffles));
  LowerLaunchSizesOptions sizes;
  sizes.backend = profile.backend;
  sizes.waveSize = profile.waveSize;
  pm.addPass(createLowerLaunchSizes(sizes));
}

void buildAddressPipeline(OpPassManager &pm,
                          function_ref<void(OpPassManager &)> addMore) {
  addPassesIfUsed(pm,
                  {"memref.subview", "memref.expand_shape",
                   "memref.collapse_shape", "memref.extract_strided_metadata",
                   "memref.extract_aligned_pointer_as_index"},
                  [&](OpPassManager &pm) {
                    pm.addPass(createExpandDynamicReshapes());
                    pm.addPass(memref::createExpandStridedMetadataPass());
                    if (addMore)
                      addMore(pm);
                  });
  addPassIfUsed(pm, {"affine"}, createLowerAffinePass());
}

void buildArithmeticPipeline(
    OpPassManager &pm, const TargetProfile &profile,
    ArrayRef<StringRef> emulated,
    function_ref<void(OpPassManager &)> addConversions) {
  addPassIfUsed(pm, {"math"}, createExtendMath({profile.backend}));
  addPassIfUsed(pm, {"math"}, createApproximateMath({profile.backend}));
  if (profile.backend == Backend::ROCDL)
    addPassIfUsed(pm, {"arith.divf"}, createDivideNarrowFloats());
  pm.addPass(createCallMathFunctions());
  pm.addPass(createExpandConversions());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  for (StringRef type : emulated)
    floats.sourceTypeStrs.push_back(type.str());
  floats.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  pm.addPass(createRoundEachOp());
  if (addConversions)
    addConversions(pm);
  pm.addPass(createExpandSmallFloats());
  pm.addPass(createExpandIntegerPowers());
  pm.addPass(createExpandWideDivision());
  pm.addPass(createExpandArith({profile.backend}));
}

void buildFlatPipeline(OpPassManager &pm) {
  pm.addPass(createCountLoopIterations());
  pm.addPass(createLowerControlFlow());
  // Nested ops leave chains of branches to branches. Top-down, each branch
  // would be redirected along the rest of its chain, in quadratic time.
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setUseTopDownTraversal(false)));
  pm.addPass(createCSEPass());
  // Unrolled transfers have more than one dimension again, as do canonicalized
  // ones.
  pm.addPass(createLowerDeviceVectors());
}

} // namespace aircc
