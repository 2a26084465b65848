//===- LowerControlFlow.cpp - SCF to branches, last op first --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each pattern splits the block of its op. MLIR's convert-scf-to-cf lowers the
// first op of a block first, so each split moves all later ops of the block:
// 4,000 successive scf.if take 7 seconds. This pass lowers the last op first.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERCONTROLFLOW
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// Returns true for types that conversions of structured control flow replace
/// by types that other ops cannot use: memrefs become integers, and vectors
/// with one small float become a scalar that LLVM does not have.
bool isReplaced(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return isa<BaseMemRefType>(type);
  auto element = dyn_cast<FloatType>(vector.getElementType());
  return element && element.getWidth() <= 8 && !vector.isScalable() &&
         vector.getNumElements() == 1;
}

/// Returns true if `op` passes such values into or out of its regions.
bool passesReplaced(Operation *op) {
  if (op->getNumRegions() && llvm::any_of(op->getResultTypes(), isReplaced))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isReplaced))
        return true;
  return false;
}

/// Returns the ops in `root` that pass such values, and those around them.
DenseSet<Operation *> findPassers(Operation *root) {
  DenseSet<Operation *> found;
  root->walk([&](Operation *op) {
    if (!passesReplaced(op))
      return;
    for (Operation *around = op; around && found.insert(around).second;)
      around = around->getParentOp();
  });
  return found;
}

struct LowerControlFlow : aircc::impl::LowerControlFlowBase<LowerControlFlow> {
  using LowerControlFlowBase::LowerControlFlowBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    // Some patterns create structured ops: scf.parallel becomes scf.for.
    for (SmallVector<Operation *> ops = collectOps(); !ops.empty();
         ops = collectOps())
      for (Operation *op : ops) {
        rewriter.setInsertionPoint(op);
        if (failed(applicator.matchAndRewrite(op, rewriter))) {
          op->emitOpError("cannot be lowered to branches");
          return signalPassFailure();
        }
      }
  }

private:
  /// Collects the ops that have a pattern: the last op of a block first, and
  /// each op before the ops it contains, because its pattern moves their
  /// blocks.
  SmallVector<Operation *> collectOps() {
    SmallVector<Operation *> ops;
    DenseSet<Operation *> passers;
    if (memrefs)
      passers = findPassers(getOperation());
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa<scf::ExecuteRegionOp, scf::ForallOp, scf::ForOp, scf::IfOp,
                  scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp>(op) &&
              (!memrefs || passers.contains(op)))
            ops.push_back(op);
        });
    return ops;
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
