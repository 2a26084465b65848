//===- TransferGaps.cpp - Masked writes that skip dimensions --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/VectorLowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace {

/// Returns the memory dimensions that the map omits between others.
llvm::SmallBitVector getGaps(AffineMap map) {
  llvm::SmallBitVector used(map.getNumDims());
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      used.set(dim.getPosition());
  llvm::SmallBitVector gaps(map.getNumDims());
  if (used.any())
    for (int i = used.find_first(), end = used.find_last(); i < end; ++i)
      if (!used[i])
        gaps.set(i);
  return gaps;
}

/// Writes to a view of the memory without the dimensions that a masked write
/// omits. The upstream pattern for such writes inserts unit dimensions at
/// different positions into the vector and the mask (LLVM 22.1.8).
struct WriteWithoutGaps : OpRewritePattern<vector::TransferWriteOp> {
  WriteWithoutGaps(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(vector::TransferWriteOp op,
                                PatternRewriter &b) const override {
    auto memory = dyn_cast<MemRefType>(op.getShapedType());
    AffineMap map = op.getPermutationMap();
    llvm::SmallBitVector gaps = getGaps(map);
    if (!op.getMask() || !memory || !memory.isStrided() || gaps.none())
      return failure();
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        memref::getMixedSizes(b, loc, op.getBase());
    SmallVector<OpFoldResult> offsets(memory.getRank(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(memory.getRank(), b.getIndexAttr(1));
    SmallVector<int64_t> shape;
    SmallVector<Value> indices;
    SmallVector<AffineExpr> places(map.getNumDims());
    for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
      if (gaps[dim]) {
        offsets[dim] = getAsOpFoldResult(index);
        sizes[dim] = b.getIndexAttr(1);
        continue;
      }
      places[dim] = b.getAffineDimExpr(shape.size());
      shape.push_back(memory.getDimSize(dim));
      indices.push_back(index);
    }
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        shape, memory, offsets, sizes, strides);
    Value part = memref::SubViewOp::create(b, loc, type, op.getBase(), offsets,
                                           sizes, strides);
    SmallVector<AffineExpr> results =
        llvm::map_to_vector(map.getResults(), [&](AffineExpr result) {
          return places[cast<AffineDimExpr>(result).getPosition()];
        });
    AffineMap without =
        AffineMap::get(shape.size(), 0, results, b.getContext());
    b.replaceOpWithNewOp<vector::TransferWriteOp>(
        op, TypeRange(), op.getValueToStore(), part, indices,
        AffineMapAttr::get(without), op.getMask(), op.getInBoundsAttr());
    return success();
  }
};

} // namespace

void aircc::populateTransferGapPatterns(RewritePatternSet &patterns) {
  patterns.add<WriteWithoutGaps>(patterns.getContext());
}
