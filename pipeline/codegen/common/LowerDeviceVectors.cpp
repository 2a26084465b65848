//===- LowerDeviceVectors.cpp - Lower vector ops without an LLVM form -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"

#include "pipeline/common/GreedyPass.h"
#include "pipeline/common/VectorLowering.h"

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
  populateContractionPatterns(patterns);
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
  // Sizes of memory may exceed 32 bits, and masks are computed from them.
  populateVectorMaskMaterializationPatterns(patterns,
                                            /*force32BitVectorIndices=*/false);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorGatherLoweringPatterns(patterns);
  populateVectorFromElementsUnrollPatterns(patterns);
  populateVectorToElementsUnrollPatterns(patterns);
  populateNarrowVectorMemoryPatterns(patterns);
  populateTransferBoundsPatterns(patterns);
  populateTransferGapPatterns(patterns);
  populateVectorExpansionPatterns(patterns);
}
} // namespace aircc

namespace {

struct LowerDeviceVectors
    : aircc::GreedyPass<
          aircc::impl::LowerDeviceVectorsBase<LowerDeviceVectors>> {
  using GreedyPass::GreedyPass;

  void addPatterns(RewritePatternSet &patterns) final {
    aircc::populateVectorLoweringPatterns(patterns);
  }
};

} // namespace
