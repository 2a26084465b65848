//===- Relayouts.cpp - Data movement as structured ops --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Relayouts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace aircc::dispatch;

Value aircc::dispatch::createGenerated(
    OpBuilder &b, Location loc, Value dest,
    function_ref<Value(OpBuilder &, Location, ValueRange)> getElement) {
  auto type = cast<RankedTensorType>(dest.getType());
  int64_t rank = type.getRank();
  auto map = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, loc, type, /*inputs=*/ValueRange(), dest, ArrayRef(map), iterators,
      [&](OpBuilder &inner, Location loc, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < rank; ++dim)
          indices.push_back(linalg::IndexOp::create(inner, loc, dim));
        linalg::YieldOp::create(inner, loc, getElement(inner, loc, indices));
      });
  return op.getResult(0);
}

namespace {

Value createIndex(OpBuilder &b, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

/// Reads the source at an index that is clamped to its bounds, and selects
/// either that element or the constant.
struct PadToGeneric : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const final {
    Value constant = op.getConstantPaddingValue();
    RankedTensorType source = op.getSourceType(), type = op.getResultType();
    // A source without elements has no valid index.
    if (!constant || !source.hasStaticShape() || !type.hasStaticShape() ||
        source.getNumElements() == 0)
      return failure();
    SmallVector<OpFoldResult> low = op.getMixedLowPad();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    auto getElement = [&](OpBuilder &b, Location loc, ValueRange indices) {
      Value isInside, zero = createIndex(b, loc, b.getIndexAttr(0));
      SmallVector<Value> place;
      for (auto [dim, index] : llvm::enumerate(indices)) {
        if (source.getDimSize(dim) == type.getDimSize(dim)) {
          place.push_back(index);
          continue;
        }
        Value last =
            createIndex(b, loc, b.getIndexAttr(source.getDimSize(dim) - 1));
        Value at =
            arith::SubIOp::create(b, loc, index, createIndex(b, loc, low[dim]));
        Value clamped = arith::MaxSIOp::create(
            b, loc, arith::MinSIOp::create(b, loc, at, last), zero);
        Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             clamped, at);
        isInside =
            isInside
                ? arith::AndIOp::create(b, loc, isInside, isHere).getResult()
                : isHere;
        place.push_back(clamped);
      }
      Value element = tensor::ExtractOp::create(b, loc, op.getSource(), place);
      return isInside
                 ? arith::SelectOp::create(b, loc, isInside, element, constant)
                       .getResult()
                 : element;
    };
    rewriter.replaceOp(
        op, createGenerated(rewriter, op.getLoc(), empty, getElement));
    return success();
  }
};

/// Returns the dimension of the source from which the outer dimension `outer`
/// of the packed tensor comes.
int64_t getSourceDim(ArrayRef<int64_t> outerDimsPerm, int64_t outer) {
  return outerDimsPerm.empty() ? outer : outerDimsPerm[outer];
}

struct PackToGeneric : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const final {
    auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
    if (!source)
      return failure();
    SmallVector<OpFoldResult> tiles = op.getMixedTiles();
    Value packed = createGenerated(
        rewriter, op.getLoc(), op.getDest(),
        [&](OpBuilder &b, Location loc, ValueRange indices) {
          return createElement(b, loc, op, source, tiles, indices);
        });
    rewriter.replaceOp(op, packed);
    return success();
  }

private:
  static Value createElement(OpBuilder &b, Location loc, linalg::PackOp op,
                             RankedTensorType source,
                             ArrayRef<OpFoldResult> tiles, ValueRange indices) {
    int64_t rank = source.getRank();
    SmallVector<Value> at(rank);
    for (int64_t outer = 0; outer < rank; ++outer)
      at[getSourceDim(op.getOuterDimsPerm(), outer)] = indices[outer];
    Value inside;
    for (auto [position, dim] : llvm::enumerate(op.getInnerDimsPos())) {
      Value start = arith::MulIOp::create(b, loc, at[dim],
                                          createIndex(b, loc, tiles[position]));
      at[dim] = arith::AddIOp::create(b, loc, start, indices[rank + position]);
      if (!op.getPaddingValue())
        continue;
      Value size = tensor::DimOp::create(b, loc, op.getSource(), dim);
      Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             at[dim], size);
      inside =
          inside ? arith::AndIOp::create(b, loc, inside, isInside) : isInside;
    }
    if (!inside)
      return tensor::ExtractOp::create(b, loc, op.getSource(), at);
    auto choice = scf::IfOp::create(
        b, loc, inside,
        [&](OpBuilder &then, Location loc) {
          Value read = tensor::ExtractOp::create(then, loc, op.getSource(), at);
          scf::YieldOp::create(then, loc, read);
        },
        [&](OpBuilder &otherwise, Location loc) {
          scf::YieldOp::create(otherwise, loc, op.getPaddingValue());
        });
    return choice.getResult(0);
  }
};

struct UnPackToGeneric : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const final {
    auto dest = dyn_cast<RankedTensorType>(op.getDest().getType());
    if (!dest)
      return failure();
    SmallVector<OpFoldResult> tiles = op.getMixedTiles();
    int64_t rank = dest.getRank();
    Value unpacked = createGenerated(
        rewriter, op.getLoc(), op.getDest(),
        [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
          SmallVector<Value> outer(indices), inner;
          for (auto [position, dim] : llvm::enumerate(op.getInnerDimsPos())) {
            Value tile = createIndex(b, loc, tiles[position]);
            outer[dim] = arith::DivUIOp::create(b, loc, indices[dim], tile);
            inner.push_back(arith::RemUIOp::create(b, loc, indices[dim], tile));
          }
          SmallVector<Value> at;
          for (int64_t i = 0; i < rank; ++i)
            at.push_back(outer[getSourceDim(op.getOuterDimsPerm(), i)]);
          at.append(inner);
          return tensor::ExtractOp::create(b, loc, op.getSource(), at);
        });
    rewriter.replaceOp(op, unpacked);
    return success();
  }
};

/// Returns the dimensions of the source that index a slice of a gather's
/// result: all of them or, if the result omits dimensions of size 1, those that
/// are not gathered.
SmallVector<int64_t> getSliceDims(tensor::GatherOp op) {
  int64_t rank = op.getSourceType().getRank();
  int64_t numBatch = op.getIndicesType().getRank() - 1;
  bool isFull = op.getResultType().getRank() == numBatch + rank;
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (isFull || !llvm::is_contained(op.getGatherDims(), dim))
      dims.push_back(dim);
  return dims;
}

struct GatherToGeneric : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    int64_t numBatch = op.getIndicesType().getRank() - 1;
    SmallVector<int64_t> sliceDims = getSliceDims(op);
    SmallVector<OpFoldResult> sizes;
    RankedTensorType type = op.getResultType();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        sizes.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
      else if (dim < numBatch)
        sizes.push_back(
            tensor::getMixedSize(rewriter, loc, op.getIndices(), dim));
      else
        sizes.push_back(tensor::getMixedSize(rewriter, loc, op.getSource(),
                                             sliceDims[dim - numBatch]));
    }
    Value dest =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    Value gathered =
        createGenerated(rewriter, loc, dest,
                        [&](OpBuilder &b, Location loc, ValueRange indices) {
                          return createElement(b, loc, op, sliceDims, indices);
                        });
    rewriter.replaceOp(op, gathered);
    return success();
  }

private:
  static Value createElement(OpBuilder &b, Location loc, tensor::GatherOp op,
                             ArrayRef<int64_t> sliceDims, ValueRange indices) {
    int64_t numBatch = op.getIndicesType().getRank() - 1;
    SmallVector<Value> at(op.getSourceType().getRank());
    for (auto [dim, index] :
         llvm::zip_equal(sliceDims, indices.drop_front(numBatch)))
      at[dim] = index;
    for (auto [position, dim] : llvm::enumerate(op.getGatherDims())) {
      SmallVector<Value> where(indices.take_front(numBatch));
      where.push_back(arith::ConstantIndexOp::create(b, loc, position));
      Value index = tensor::ExtractOp::create(b, loc, op.getIndices(), where);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
      at[dim] = index;
    }
    return tensor::ExtractOp::create(b, loc, op.getSource(), at);
  }
};

/// Upstream's lowering requires all but one size of the result to be static.
struct TileToGeneric : OpRewritePattern<tosa::TileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::TileOp op,
                                PatternRewriter &rewriter) const final {
    auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> multiples;
    if (!source || !type || type.hasStaticShape() ||
        failed(op.getConstantMultiples(multiples)))
      return failure();
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput1());
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    for (auto [dim, multiple] : llvm::enumerate(multiples))
      sizes[dim] =
          type.isDynamicDim(dim)
              ? affine::makeComposedFoldedAffineApply(
                    rewriter, loc, size * multiple, sizes[dim])
              : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(dim)));
    Value dest =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    Value tiled = createGenerated(
        rewriter, loc, dest,
        [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
          SmallVector<Value> at;
          for (auto [dim, index] : llvm::enumerate(indices))
            at.push_back(arith::RemUIOp::create(
                b, loc, index,
                tensor::DimOp::create(b, loc, op.getInput1(), dim)));
          return tensor::ExtractOp::create(b, loc, op.getInput1(), at);
        });
    rewriter.replaceOp(op, tiled);
    return success();
  }
};

/// Each index inserts one slice of the source.
struct ScatterToLoops : OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ScatterOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    int64_t numBatch = op.getIndicesType().getRank() - 1;
    SmallVector<Value> lower, upper, steps;
    for (int64_t dim = 0; dim < numBatch; ++dim) {
      lower.push_back(createIndex(rewriter, loc, rewriter.getIndexAttr(0)));
      upper.push_back(createIndex(
          rewriter, loc,
          tensor::getMixedSize(rewriter, loc, op.getIndices(), dim)));
      steps.push_back(createIndex(rewriter, loc, rewriter.getIndexAttr(1)));
    }
    if (numBatch == 0) {
      rewriter.replaceOp(op, insert(rewriter, loc, op, {}, op.getDest()));
      return success();
    }
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, lower, upper, steps, op.getDest(),
        [&](OpBuilder &b, Location loc, ValueRange batch, ValueRange dest) {
          return scf::ValueVector{insert(b, loc, op, batch, dest[0])};
        });
    rewriter.replaceOp(op, nest.results);
    return success();
  }

private:
  static Value insert(OpBuilder &b, Location loc, tensor::ScatterOp op,
                      ValueRange batch, Value dest) {
    RankedTensorType destType = op.getDestType();
    RankedTensorType sourceType = op.getSourceType();
    int64_t rank = destType.getRank(), numBatch = batch.size();
    SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)), sizes,
        ones(rank, b.getIndexAttr(1));
    for (int64_t dim = 0; dim < rank; ++dim) {
      // After a tensor.cast, a constant size is represented as a Value.
      OpFoldResult size = tensor::getMixedSize(b, loc, op.getDest(), dim);
      if (std::optional<int64_t> constant = getConstantIntValue(size))
        size = b.getIndexAttr(*constant);
      sizes.push_back(size);
    }
    for (auto [position, dim] : llvm::enumerate(op.getScatterDims())) {
      SmallVector<Value> where(batch);
      where.push_back(arith::ConstantIndexOp::create(b, loc, position));
      Value index = tensor::ExtractOp::create(b, loc, op.getIndices(), where);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
      offsets[dim] = index;
      sizes[dim] = b.getIndexAttr(1);
    }
    // The slice of the source has no batch dimensions.
    bool isFull = sourceType.getRank() == numBatch + rank;
    SmallVector<OpFoldResult> from(batch.begin(), batch.end());
    SmallVector<OpFoldResult> extent(numBatch, b.getIndexAttr(1));
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (!isFull && llvm::is_contained(op.getScatterDims(), dim))
        continue;
      from.push_back(b.getIndexAttr(0));
      extent.push_back(sizes[dim]);
      shape.push_back(
          getConstantIntValue(sizes[dim]).value_or(ShapedType::kDynamic));
    }
    SmallVector<OpFoldResult> unit(from.size(), b.getIndexAttr(1));
    auto type = RankedTensorType::get(shape, sourceType.getElementType());
    Value slice = tensor::ExtractSliceOp::create(b, loc, type, op.getSource(),
                                                 from, extent, unit);
    return tensor::InsertSliceOp::create(b, loc, slice, dest, offsets, sizes,
                                         ones);
  }
};

} // namespace

void aircc::dispatch::populateRelayoutPatterns(RewritePatternSet &patterns) {
  patterns.add<PadToGeneric, PackToGeneric, UnPackToGeneric, GatherToGeneric,
               ScatterToLoops>(patterns.getContext());
}

void aircc::dispatch::populateTosaRelayoutPatterns(
    RewritePatternSet &patterns) {
  patterns.add<TileToGeneric>(patterns.getContext());
}
