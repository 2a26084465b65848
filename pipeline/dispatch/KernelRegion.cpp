//===- KernelRegion.cpp - Group ops into kernels --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"

#include "pipeline/common/kernels/ElementwiseTile.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace aircc;

bool dispatch::isInKernel(Operation *op) {
  auto loop = op->getParentOfType<scf::ForallOp>();
  return loop && loop.getMappingAttr();
}

linalg::GenericOp dispatch::findEpilogue(linalg::LinalgOp op) {
  if (!op->hasOneUse())
    return nullptr;
  OpOperand &use = *op->getUses().begin();
  auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!user || user->getBlock() != op->getBlock() || !user.isDpsInput(&use) ||
      !user.hasPureTensorSemantics() || !isElementwiseOnTiles(user) ||
      !user.getMatchingIndexingMap(&use).isPermutation())
    return nullptr;
  return user;
}

namespace {

/// Returns an uninitialized tensor in workgroup memory.
Value createTile(OpBuilder &b, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  auto tile = bufferization::AllocTensorOp::create(
      b, loc, type, tensor::createDynamicDimValues(b, loc, like));
  tile.setMemorySpaceAttr(b.getI64IntegerAttr(1));
  return tile;
}

/// Clones `op` into the kernel. `destination` is the memory of its result, or
/// null for workgroup memory.
Operation *cloneInto(OpBuilder &b, linalg::LinalgOp op, Value destination,
                     IRMapping &mapping) {
  OpOperand *operand = op.getDpsInitOperand(0);
  Value init = operand->get();
  Location loc = init.getLoc();
  // The op overwrites a result of the kernel.
  if (!destination && mapping.contains(init))
    return b.clone(*op, mapping);
  if (!destination)
    destination = createTile(b, loc, init);
  if (op.payloadUsesValueFromOperand(operand)) {
    Value start = mapping.lookupOrDefault(init);
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      destination = linalg::FillOp::create(b, loc, fill.getInputs(),
                                           ValueRange{destination})
                        .getResult(0);
    else
      destination =
          linalg::CopyOp::create(b, loc, start, destination).getResult(0);
  }
  Operation *copy = b.clone(*op, mapping);
  cast<DestinationStyleOpInterface>(copy).getDpsInitsMutable()[0].set(
      destination);
  return copy;
}

} // namespace

void dispatch::createKernelRegion(ArrayRef<Operation *> ops) {
  auto last = cast<linalg::LinalgOp>(ops.back());
  OpBuilder b(last);
  Location loc = last.getLoc();
  Value init = last.getDpsInits()[0];
  // Code outside the kernel cannot get sizes from the ops that are moved into
  // it.
  Value sized = init;
  while (auto op = sized.getDefiningOp<linalg::LinalgOp>()) {
    if (!llvm::is_contained(ops, op.getOperation()))
      break;
    sized = op.getDpsInits()[0];
  }
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, sized), getElementTypeOrSelf(init));
  auto body = [&](OpBuilder &b, Location, ValueRange outputs) {
    IRMapping mapping;
    for (Operation *op : ops.drop_back())
      if (auto structured = dyn_cast<linalg::LinalgOp>(op))
        cloneInto(b, structured,
                  op->getResult(0) == init ? outputs[0] : Value(), mapping);
      else
        b.clone(*op, mapping);
    Operation *result = cloneInto(
        b, last, mapping.contains(init) ? Value() : outputs[0], mapping);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, outputs[0]);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    auto end = scf::InParallelOp::create(b, loc);
    b.setInsertionPointToStart(end.getBody());
    tensor::ParallelInsertSliceOp::create(b, loc, result->getResult(0),
                                          outputs[0], zeros, sizes, ones);
  };
  auto kernel =
      scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>(), ValueRange{empty},
                            b.getArrayAttr({}), body);
  last->replaceAllUsesWith(kernel);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

void dispatch::resolveSizes(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
