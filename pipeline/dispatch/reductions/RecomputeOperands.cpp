//===- RecomputeOperands.cpp - Compute operands in several kernels --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Work.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_RECOMPUTEOPERANDS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The assumed value of dynamic sizes.
constexpr int64_t kAssumedSize = 4096;

/// Returns whether `op` reduces so many elements that they do not fit in
/// workgroup memory.
bool isLongReduction(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op) || dispatch::isInKernel(op))
    return false;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  bool isRow = false;
  int64_t size = 1;
  for (unsigned loop : loops) {
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(extent))
      return true;
    isRow |= dispatch::visitsAdjacentElements(op, loop);
    size *= extent;
  }
  return dispatch::isReducedInParts(size, isRow);
}

/// Returns the number of bytes in tensors.
int64_t countBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    int64_t size = dispatch::countBytes(type.getElementType());
    for (int64_t extent : type.getShape())
      size *= ShapedType::isDynamic(extent) ? kAssumedSize : extent;
    bytes += size;
  }
  return bytes;
}

/// Fuses a copy of the elementwise producer of `operand` into the operand's
/// owner. Returns the new op, or null if they cannot be fused.
linalg::GenericOp fuseProducer(IRRewriter &rewriter, OpOperand &operand) {
  Operation *user = operand.getOwner();
  if (!linalg::areElementwiseOpsFusable(&operand))
    return nullptr;
  auto result = cast<OpResult>(operand.get());
  bool isDescribed = !getWorks(user).empty();
  rewriter.setInsertionPoint(user);
  Operation *copy = rewriter.clone(*result.getOwner());
  rewriter.modifyOpInPlace(
      user, [&] { operand.set(copy->getResult(result.getResultNumber())); });
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, &operand);
  if (failed(fused)) {
    rewriter.modifyOpInPlace(user, [&] { operand.set(result); });
    rewriter.eraseOp(copy);
    return nullptr;
  }
  for (OpResult old : user->getResults())
    rewriter.replaceAllUsesWith(old, fused->replacements.lookup(old));
  rewriter.eraseOp(user);
  rewriter.eraseOp(copy);
  auto op = cast<linalg::GenericOp>(fused->fusedOp);
  if (isDescribed)
    setWork(op);
  return op;
}

/// Returns whether to recompute `producer` in each kernel that uses it, because
/// reading its operands takes no longer than storing and reading its result.
bool isRecomputed(linalg::GenericOp producer) {
  return producer && producer.getNumReductionLoops() == 0 &&
         producer.hasPureTensorSemantics() && !dispatch::isInKernel(producer) &&
         countBytes(producer.getDpsInputs()) <=
             2 * countBytes(producer->getResults());
}

/// Fuses an elementwise producer of a long reduction into all its users.
/// Returns false if there is none.
bool recomputeOperand(IRRewriter &rewriter, func::FuncOp function) {
  auto isFusable = [](OpOperand &use) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    return user && user->getBlock() == use.get().getParentBlock() &&
           (user.getNumReductionLoops() == 0 || isLongReduction(user)) &&
           linalg::areElementwiseOpsFusable(&use);
  };
  linalg::GenericOp producer;
  function.walk([&](linalg::GenericOp op) {
    if (!isLongReduction(op))
      return WalkResult::advance();
    for (Value input : op.getDpsInputs()) {
      auto candidate = input.getDefiningOp<linalg::GenericOp>();
      if (!isRecomputed(candidate) ||
          !llvm::all_of(candidate->getUses(), isFusable))
        continue;
      producer = candidate;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!producer)
    return false;
  while (!producer->use_empty())
    if (!fuseProducer(rewriter, *producer->getUses().begin()))
      return false;
  rewriter.eraseOp(producer);
  return true;
}

class RecomputeOperands
    : public dispatch::impl::RecomputeOperandsBase<RecomputeOperands> {
public:
  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation())) {
      while (recomputeOperand(rewriter, function))
        continue;
    }
  }
};

} // namespace
