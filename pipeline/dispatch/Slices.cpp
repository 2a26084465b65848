//===- Slices.cpp - Slices that drop some of their unit dimensions --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Slices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace {

/// Upstream finds the dropped dimensions of a memref.subview by comparing the
/// strides of source and result. This fails if steps change the strides and the
/// sizes leave a choice.
bool isAmbiguous(OffsetSizeAndStrideOpInterface op, int64_t numDropped) {
  if (numDropped == 0)
    return false;
  bool hasSteps = llvm::any_of(op.getMixedStrides(), [](OpFoldResult stride) {
    return !isConstantIntValue(stride, 1);
  });
  return hasSteps && llvm::count_if(op.getMixedSizes(), [](OpFoldResult size) {
                       return isConstantIntValue(size, 1);
                     }) != numDropped;
}

/// Groups the dimensions so that each group contains one that is kept.
SmallVector<ReassociationIndices>
groupDimensions(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (int64_t dim = 0; dim < int64_t(dropped.size()); ++dim) {
    if (!dropped.test(dim)) {
      groups.emplace_back(leading);
      groups.back().push_back(dim);
      leading.clear();
    } else if (groups.empty()) {
      leading.push_back(dim);
    } else {
      groups.back().push_back(dim);
    }
  }
  return groups;
}

/// Returns the type of a slice with all dimensions of its source.
RankedTensorType getFullType(RankedTensorType type,
                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, type.getElementType());
}

struct CollapseExtractedSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const final {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    if (!isAmbiguous(op, dropped.count()))
      return failure();
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(),
        getFullType(op.getSourceType(), op.getMixedSizes()), op.getSource(),
        op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getType(), slice, groupDimensions(dropped));
    return success();
  }
};

struct ExpandInsertedSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const final {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    if (!isAmbiguous(op, dropped.count()))
      return failure();
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    Value source = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), getFullType(op.getSourceType(), sizes),
        op.getSource(), groupDimensions(dropped), sizes);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, source, op.getDest(), op.getMixedOffsets(), sizes,
        op.getMixedStrides());
    return success();
  }
};

} // namespace

void aircc::dispatch::populateSlicePatterns(RewritePatternSet &patterns) {
  patterns.add<CollapseExtractedSlice, ExpandInsertedSlice>(
      patterns.getContext());
}
