//===- LowerDeviceVectors.cpp - Vector ops that LLVM has no form of -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "pipeline/codegen/VectorLowering.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERDEVICEVECTORS
#include "pipeline/codegen/Passes.h.inc"

void populateVectorLoweringPatterns(RewritePatternSet &patterns) {
  using namespace vector;
  populateVectorToVectorCanonicalizationPatterns(patterns);
  populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateVectorContractLoweringPatterns(patterns,
                                         VectorContractLowering::OuterProduct);
  populateVectorOuterProductLoweringPatterns(patterns);
  populateVectorMultiReductionLoweringPatterns(
      patterns, VectorMultiReductionLowering::InnerParallel);
  populateVectorScanLoweringPatterns(patterns);
  populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorBitCastLoweringPatterns(patterns);
  populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorShapeCastLoweringPatterns(patterns);
  populateVectorInterleaveLoweringPatterns(patterns);
  populateVectorShuffleLoweringPatterns(patterns);
  populateVectorTransposeLoweringPatterns(patterns,
                                          VectorTransposeLowering::EltWise);
  populateVectorTransferPermutationMapLoweringPatterns(patterns);
  populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  // A memory extent may exceed 32 bits, and masks are made of extents.
  populateVectorMaskMaterializationPatterns(patterns,
                                            /*force32BitVectorIndices=*/false);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorGatherLoweringPatterns(patterns);
  populateVectorFromElementsUnrollPatterns(patterns);
  populateVectorToElementsUnrollPatterns(patterns);
}
} // namespace aircc

namespace {

struct LowerDeviceVectors
    : aircc::impl::LowerDeviceVectorsBase<LowerDeviceVectors> {
  using LowerDeviceVectorsBase::LowerDeviceVectorsBase;

  LogicalResult initialize(MLIRContext *ctx) override {
    FailureOr<amdgpu::Chipset> parsed = amdgpu::Chipset::parse(chip);
    if (failed(parsed))
      return emitError(UnknownLoc::get(ctx))
             << "'" << chip << "' is not an AMD processor name";
    chipset = *parsed;
    RewritePatternSet patterns(ctx);
    aircc::populateVectorLoweringPatterns(patterns);
    // DPP moves where the chip has them, else shuffles.
    populateGpuBreakDownSubgroupReducePatterns(patterns,
                                               /*maxShuffleBitwidth=*/32,
                                               PatternBenefit(3));
    populateGpuLowerSubgroupReduceToDPPPatterns(patterns, waveSize, chipset,
                                                PatternBenefit(2));
    populateGpuLowerClusteredSubgroupReduceToDPPPatterns(
        patterns, waveSize, chipset, PatternBenefit(2));
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, waveSize);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns,
                                                             waveSize);
    frozen = FrozenRewritePatternSet(std::move(patterns));
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), frozen)))
      signalPassFailure();
  }

  amdgpu::Chipset chipset;
  FrozenRewritePatternSet frozen;
};

} // namespace
