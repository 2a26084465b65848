//===- FuseElementwise.cpp - Fuse elementwise ops into consumers ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Movements.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns whether `producer` has no tensor operand, so that recomputing it
/// costs no memory traffic.
bool isGenerated(Operation *producer) {
  auto op = dyn_cast<linalg::LinalgOp>(producer);
  return op && op.getNumDpsInputs() == 0;
}

bool shouldFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  // A contraction with anything else in its body does not use matrix
  // instructions.
  if (!producer || !consumer || linalg::isaContractionOpInterface(consumer))
    return false;
  auto structured = dyn_cast<linalg::LinalgOp>(producer);
  return producer->hasOneUse() || isGenerated(producer) ||
         (structured && dispatch::isPermutation(structured));
}

class FuseElementwise
    : public dispatch::impl::FuseElementwiseBase<FuseElementwise> {
public:
  using Base::Base;

  void runOnOperation() final {
    MLIRContext *context = &getContext();
    SmallVector<func::FuncOp> functions =
        dispatch::getTensorFunctions(getOperation());
    if (functions.empty())
      return;
    RewritePatternSet patterns(context);
    if (fuse) {
      dispatch::populateMovementPatterns(patterns);
      linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
      linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldFuse);
    }
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    linalg::FillOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getLoadedDialect<linalg::LinalgDialect>()
        ->getCanonicalizationPatterns(patterns);
    // Do not run these patterns together with the fusion, which replaces the
    // cast of an empty tensor with an empty tensor of dynamic size again.
    RewritePatternSet sizes(context);
    tensor::EmptyOp::getCanonicalizationPatterns(sizes, context);
    FrozenRewritePatternSet fusion(std::move(patterns));
    FrozenRewritePatternSet simplification(std::move(sizes));
    for (func::FuncOp function : functions) {
      dispatch::lowerConcatenations(function, fuse);
      (void)applyPatternsGreedily(function, fusion);
      (void)applyPatternsGreedily(function, simplification);
    }
  }
};

} // namespace
