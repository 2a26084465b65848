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

/// Returns true if `op` passes memrefs into or out of its regions.
bool passesMemrefs(Operation *op) {
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  if (op->getNumRegions() && llvm::any_of(op->getResultTypes(), isMemref))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isMemref))
        return true;
  return false;
}

/// Returns the ops in `root` that pass memrefs, and those around them.
DenseSet<Operation *> findMemrefPassers(Operation *root) {
  DenseSet<Operation *> found;
  root->walk([&](Operation *op) {
    if (!passesMemrefs(op))
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
      passers = findMemrefPassers(getOperation());
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
