//===- DistributeParallelLoops.cpp - Distribute iterations ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/transfers/CyclicLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_DISTRIBUTEPARALLELLOOPS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

template <typename OpTy>
Value fold(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<OpTy>(loc, lhs, rhs);
}

/// Replaces `loop` with a cyclic loop over the iterations of this worker.
void distribute(scf::ParallelOp loop, Scope scope) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  // Compute the number of iterations in each dimension, which is 0 for an empty
  // range.
  SmallVector<Value> counts;
  Value total;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Value length = fold<arith::SubIOp>(b, loc, upper, lower);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    length = fold<arith::MaxSIOp>(b, loc, length, zero);
    counts.push_back(createCeilDiv(b, loc, length, step));
    total = total ? fold<arith::MulIOp>(b, loc, total, counts.back())
                  : counts.back();
  }
  createCyclicLoop(
      b, loc, scope, total, [&](OpBuilder &b, const CyclicIndex &index) {
        SmallVector<Value> ivs = delinearize(b, loc, index, counts);
        IRMapping mapping;
        for (auto [arg, iv, lower, step] :
             llvm::zip_equal(loop.getInductionVars(), ivs, loop.getLowerBound(),
                             loop.getStep())) {
          Value offset = fold<arith::MulIOp>(b, loc, iv, step);
          mapping.map(arg, fold<arith::AddIOp>(b, loc, offset, lower));
        }
        for (Operation &op : loop.getBody()->without_terminator())
          b.clone(op, mapping);
      });
  loop.erase();
}

struct DistributeParallelLoopsPass
    : hierarchy::impl::DistributeParallelLoopsBase<
          DistributeParallelLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation())) {
      SmallVector<std::pair<scf::ParallelOp, Scope>> loops;
      forEachPart(
          kernel.getBody(), /*intoHerds=*/true, [&](Operation *op, Role role) {
            if (!isSharedLoop(op) || getScope(op) == Scope::Lane)
              return;
            loops.push_back(
                {cast<scf::ParallelOp>(op),
                 role == Role::EachLane ? Scope::Lane : getWorkScope(op)});
          });
      if (loops.empty())
        continue;
      Uniformity uniformity(kernel);
      for (auto [loop, scope] : loops)
        if (failed(checkSameForWorkers(loop, scope, uniformity)))
          return signalPassFailure();
      for (auto [loop, scope] : loops) {
        if (scope != Scope::Lane) {
          distribute(loop, scope);
          continue;
        }
        // The loop uses only per-lane buffers, so each lane runs all
        // iterations.
        rewriter.setInsertionPoint(loop);
        FailureOr<scf::LoopNest> nest =
            scf::parallelForToNestedFors(rewriter, loop);
        if (succeeded(nest) && !nest->loops.empty())
          nest->loops.front()->setAttr(
              kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
              rewriter.getUnitAttr());
      }
    }
  }
};

} // namespace
