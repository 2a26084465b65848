//===- ExposeParallelism.cpp - Create parallel loops ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_EXPOSEPARALLELISM
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

template <typename OpTy> SmallVector<OpTy> collect(Operation *root) {
  SmallVector<OpTy> ops;
  root->walk<WalkOrder::PreOrder>([&](OpTy op) { ops.push_back(op); });
  return ops;
}

/// Returns true if two values are known to be different buffers. Arguments of a
/// kernel may be the same buffer, or a global.
bool areDistinct(Value a, Value b) {
  Operation *aDef = a.getDefiningOp(), *bDef = b.getDefiningOp();
  auto aGlobal = dyn_cast_or_null<memref::GetGlobalOp>(aDef);
  auto bGlobal = dyn_cast_or_null<memref::GetGlobalOp>(bDef);
  if (aGlobal && bGlobal)
    return aGlobal.getNameAttr() != bGlobal.getNameAttr();
  return (aDef && isAllocation(aDef)) || (bDef && isAllocation(bDef));
}

/// Returns true if different memrefs of the loop do not alias, except those
/// that are only read. This is needed because affine analysis finds dependences
/// only within a memref.
bool hasDistinctBuffers(Operation *loop) {
  SmallVector<std::pair<Value, bool>> buffers;
  WalkResult result = loop->walk([&](Operation *op) {
    Value memref;
    bool writes = false;
    // The dependence analysis considers only the first element of a vector.
    if (isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op))
      return WalkResult::interrupt();
    if (auto read = dyn_cast<affine::AffineReadOpInterface>(op)) {
      memref = read.getMemRef();
    } else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op)) {
      memref = write.getMemRef();
      writes = true;
    } else {
      return WalkResult::advance();
    }
    Value buffer = getBuffer(memref);
    // A view may access the same memory with other indices.
    if (!buffer || buffer.getType() != memref.getType())
      return WalkResult::interrupt();
    buffers.push_back({memref, writes});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  for (auto [a, aWrites] : buffers)
    for (auto [b, bWrites] : buffers) {
      if (a == b || !(aWrites || bWrites))
        continue;
      Value aBuffer = getBuffer(a), bBuffer = getBuffer(b);
      if (aBuffer == bBuffer || !areDistinct(aBuffer, bBuffer))
        return false;
    }
  return true;
}

struct ExposeParallelismPass
    : hierarchy::impl::ExposeParallelismBase<ExposeParallelismPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation()))
      if (failed(expose(kernel)))
        return signalPassFailure();
  }

  /// Verifies that cooperative ops are only in structured control flow.
  LogicalResult checkBranches(gpu::GPUFuncOp kernel) {
    WalkResult result = kernel.walk([](Operation *op) {
      for (Region &region : op->getRegions()) {
        if (region.empty() || region.hasOneBlock())
          continue;
        bool inHerd =
            isa<air::HerdOp>(op) || op->getParentOfType<air::HerdOp>();
        bool isCooperative =
            getScope(&region.front().front()) != Scope::Lane ||
            op->walk([&](Operation *inner) {
                return isa<air::HerdOp, air::TransferInterface, memref::CopyOp>(
                           inner) ||
                               (!inHerd && kernel::isWorkgroupBarrier(inner))
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              }).wasInterrupted();
        if (!isCooperative)
          continue;
        op->emitOpError(
            "has unstructured control flow around ops that several lanes "
            "execute together; convert it to structured control flow (scf), "
            "for example with '--lift-cf-to-scf'");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult expose(gpu::GPUFuncOp kernel) {
    if (failed(checkBranches(kernel)))
      return failure();
    IRRewriter rewriter(&getContext());
    for (auto copy : collect<memref::CopyOp>(kernel)) {
      rewriter.setInsertionPoint(copy);
      air::AccessPattern dst, src;
      dst.memref = copy.getTarget();
      src.memref = copy.getSource();
      air::DmaMemcpyNdOp::create(rewriter, copy.getLoc(), ValueRange(), dst,
                                 src);
      rewriter.eraseOp(copy);
    }
    for (auto op : collect<linalg::LinalgOp>(kernel)) {
      if (!op.hasPureBufferSemantics())
        return op->emitOpError("operates on tensors; bufferize the program "
                               "before stage 'hierarchy'");
      rewriter.setInsertionPoint(op);
      bool lanes = getScope(op) == Scope::Lane;
      FailureOr<linalg::LinalgLoops> loops =
          lanes ? linalg::linalgOpToLoops(rewriter, op)
                : linalg::linalgOpToParallelLoops(rewriter, op);
      assert(succeeded(loops) && "ops on buffers become loops");
      rewriter.eraseOp(op);
    }
    for (auto loop : collect<affine::AffineForOp>(kernel))
      if (getScope(loop) != Scope::Lane && loop.getNumResults() == 0 &&
          hasDistinctBuffers(loop) && affine::isLoopParallel(loop))
        (void)affine::affineParallelize(loop);
    if (failed(lowerAffine(kernel)))
      return failure();
    for (auto loop : collect<scf::ForallOp>(kernel)) {
      rewriter.setInsertionPoint(loop);
      if (failed(scf::forallToParallelLoop(rewriter, loop)))
        return loop.emitOpError(
            "has results; bufferize the program before stage 'hierarchy'");
    }
    // A distributed loop must not contain ops that are themselves distributed,
    // or writes that different workers perform.
    while (true) {
      scf::ParallelOp outer;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        bool holdsWork =
            loop.getBody()
                ->walk([](Operation *op) {
                  return isa<air::HerdOp, air::TransferInterface>(op) ||
                                 kernel::isWorkgroupBarrier(op)
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted();
        if (getScope(loop) == Scope::Lane ||
            (!holdsWork && !(isSharedLoop(loop) && writesSeveralKinds(loop))))
          return WalkResult::advance();
        outer = loop;
        return WalkResult::interrupt();
      });
      if (!outer)
        return success();
      rewriter.setInsertionPoint(outer);
      if (failed(scf::parallelForToNestedFors(rewriter, outer)))
        return outer.emitOpError("has reductions and contains herds, transfers "
                                 "or barriers; use scf.for");
    }
  }

  LogicalResult lowerAffine(gpu::GPUFuncOp kernel) {
    ConversionTarget target(getContext());
    target.addIllegalDialect<affine::AffineDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    populateAffineToStdConversionPatterns(patterns);
    populateAffineToVectorConversionPatterns(patterns);
    affine::populateAffineExpandIndexOpsPatterns(patterns);
    return applyPartialConversion(kernel, target, std::move(patterns));
  }
};

} // namespace
