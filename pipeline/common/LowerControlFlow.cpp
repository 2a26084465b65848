//===- LowerControlFlow.cpp - SCF to branches, last op first --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pattern splits the block of its op. MLIR's convert-scf-to-cf lowers the
// first op of a block first, so each split moves all later ops of the block:
// 4,000 successive scf.if take 7 seconds. Here, the last op is lowered first.
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

/// True if `root`, or an op in it, passes memrefs into or out of its regions.
bool passesMemrefs(Operation *root) {
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  return root
      ->walk([&](Operation *op) {
        bool passes =
            llvm::any_of(op->getResultTypes(), isMemref) && op->getNumRegions();
        for (Region &region : op->getRegions())
          for (Block &block : region)
            passes |= llvm::any_of(block.getArgumentTypes(), isMemref);
        return passes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
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
  /// Ops that have a pattern: the last op of a block first, and an op before
  /// those that it contains, whose blocks its pattern moves.
  SmallVector<Operation *> collectOps() {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (isa<scf::ExecuteRegionOp, scf::ForallOp, scf::ForOp, scf::IfOp,
                  scf::IndexSwitchOp, scf::ParallelOp, scf::WhileOp>(op) &&
              (!memrefs || passesMemrefs(op)))
            ops.push_back(op);
        });
    return ops;
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
