//===- EmptyReshapes.cpp - Reshapes of tensors without elements -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Upstream's tensor and memref dialects disagree on the type of a group of
// dimensions that has a static 0 and a dynamic size. Such a reshape moves no
// elements, so it is replaced with a new tensor.
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {

bool hasZero(ArrayRef<int64_t> shape) { return llvm::is_contained(shape, 0); }

struct ReplaceEmptyCollapse : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &b) const final {
    RankedTensorType source = op.getSrcType(), type = op.getResultType();
    if (!hasZero(source.getShape()) || type.hasStaticShape())
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> sizes;
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = arith::ConstantIndexOp::create(b, loc, 1);
      for (int64_t part : group)
        size = arith::MulIOp::create(
            b, loc, size, tensor::DimOp::create(b, loc, op.getSrc(), part));
      sizes.push_back(size);
    }
    b.replaceOpWithNewOp<tensor::EmptyOp>(op, type, sizes);
    return success();
  }
};

struct ReplaceEmptyExpand : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &b) const final {
    RankedTensorType type = op.getResultType();
    if (!hasZero(type.getShape()) || op.getSrcType().hasStaticShape())
      return failure();
    b.replaceOpWithNewOp<tensor::EmptyOp>(op, type, op.getOutputShape());
    return success();
  }
};

} // namespace

void aircc::dispatch::populateEmptyReshapePatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReplaceEmptyCollapse, ReplaceEmptyExpand>(patterns.getContext());
}
