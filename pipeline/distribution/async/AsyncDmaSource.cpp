//===- AsyncDmaSource.cpp - Source of a direct transfer -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/async/AsyncDma.h"

#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc::distribution {

/// Creates a descriptor of the part of the source that the tile accesses. Loads
/// beyond it return zero. The descriptor includes the position of the tile, so
/// the offsets of lanes do not change in loops. Loads from plain addresses are
/// not used, because LLVM 22.1.8 also counts them as LDS accesses and then
/// waits for too few of those.
Value AsyncDma::createBuffer(OpBuilder &b, const Source &source,
                             ArrayRef<OpFoldResult> extents) {
  Location loc = op.getLoc();
  int64_t bytes = elementBits / 8;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value offset = getValueOrCreateConstantIndexOp(
      b, loc, metadata.getConstifiedMixedOffset());
  // Compute the range from the first to the last element that may be read.
  Value last = constant(b, 0), nonEmpty;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Value stride = getValueOrCreateConstantIndexOp(b, loc, strides[dim]);
    if (!isGathered(dim))
      offset = add(b, offset,
                   b.createOrFold<arith::MulIOp>(
                       loc, op.getSourceIndices()[dim], stride));
    Value size = getValueOrCreateConstantIndexOp(b, loc, extent);
    Value isPositive = b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sgt, size, constant(b, 0));
    nonEmpty = nonEmpty
                   ? b.createOrFold<arith::AndIOp>(loc, nonEmpty, isPositive)
                   : isPositive;
    last = add(b, last,
               b.createOrFold<arith::MulIOp>(loc, add(b, size, -1), stride));
  }
  Value valid = b.createOrFold<arith::SelectOp>(
      loc, nonEmpty, mul(b, add(b, last, 1), bytes), constant(b, 0));
  valid = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), valid);
  auto type = op.getSourceType();
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       sourceStrides);
  Value view = memref::ReinterpretCastOp::create(
      b, loc,
      MemRefType::get(shape, type.getElementType(), layout,
                      type.getMemorySpace()),
      metadata.getBaseBuffer(), OpFoldResult(offset), extents, strides);
  return amdgpu::FatRawBufferCastOp::create(
      b, loc, view, valid, /*cacheSwizzleStride=*/Value(),
      /*boundsCheck=*/true, /*resetOffset=*/true);
}

AsyncDma::Source AsyncDma::prepareSource(OpBuilder &b, bool needsBounds) {
  Location loc = op.getLoc();
  Source source;
  source.memref = op.getSource();
  source.start.assign(op.getSourceIndices().begin(),
                      op.getSourceIndices().end());
  source.outOfBounds.resize(source.start.size());
  if (!needsBounds && isFatBuffer(op.getSourceType()))
    return source;
  SmallVector<OpFoldResult> extents;
  for (unsigned dim = 0; dim < source.start.size(); ++dim) {
    int64_t tileDim = getTileDim(dim);
    int64_t extent = tileDim < 0 ? 1 : tile.getDimSize(tileDim);
    if (isFatBuffer(op.getSourceType())) {
      source.outOfBounds[dim] = constant(
          b, dim == getOutOfBoundsDim()
                 ? llvm::divideCeil(kMaxBufferBytes + 1,
                                    sourceStrides[dim] * (elementBits / 8))
                 : 0);
      continue;
    }
    Value size = sourceSize(b, dim);
    if (isGathered(dim)) {
      source.outOfBounds[dim] = size;
      extents.push_back(getAsOpFoldResult(size));
      continue;
    }
    source.outOfBounds[dim] = constant(b, extent);
    if (tileDim < 0 || op.isInBounds(tileDim)) {
      extents.push_back(b.getIndexAttr(extent));
      continue;
    }
    Value remaining =
        b.createOrFold<arith::SubIOp>(loc, size, source.start[dim]);
    extents.push_back(getAsOpFoldResult(
        b.createOrFold<arith::MinSIOp>(loc, remaining, constant(b, extent))));
  }
  if (isFatBuffer(op.getSourceType()))
    return source;
  source.memref = createBuffer(b, source, extents);
  for (unsigned dim = 0; dim < source.start.size(); ++dim)
    if (!isGathered(dim))
      source.start[dim] = Value();
  return source;
}

SmallVector<Value> AsyncDma::getSourceIndices(OpBuilder &b,
                                              const Source &source,
                                              ArrayRef<Value> at,
                                              Value &inside) {
  Location loc = op.getLoc();
  SmallVector<Value> indices;
  inside = Value();
  for (unsigned dim = 0; dim < source.start.size(); ++dim) {
    int64_t tileDim = getTileDim(dim);
    Value own = tileDim < 0 ? Value() : at[tileDim];
    Value start = source.start[dim];
    Value index;
    if (isGathered(dim))
      index = vector::ExtractOp::create(b, loc, op.getSourceIndices()[dim],
                                        OpFoldResult(own));
    else if (!own || !start)
      index = own ? own : start ? start : constant(b, 0);
    else
      index = add(b, start, own);
    indices.push_back(index);
    if (tileDim < 0 || op.isInBounds(tileDim))
      continue;
    Value coordinate = index;
    if (!isGathered(dim) && !start)
      coordinate = add(b, op.getSourceIndices()[dim], own);
    // A single unsigned comparison is sufficient, because negative numbers wrap
    // around.
    Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                     coordinate, sourceSize(b, dim));
    inside = inside ? arith::AndIOp::create(b, loc, inside, in) : in;
  }
  return indices;
}

/// Creates a check that traps if dynamic strides are too large for the offsets
/// of a descriptor.
void AsyncDma::emitOffsetCheck() {
  OpBuilder b(op);
  b.setInsertionPointAfterValue(op.getSource());
  Location loc = op.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  Value reach = constant(b, 1);
  for (auto [dim, stride] :
       llvm::enumerate(metadata.getConstifiedMixedStrides())) {
    int64_t tileDim = getTileDim(dim);
    Value extent =
        isGathered(dim)
            ? sourceSize(b, dim)
            : constant(b, tileDim < 0 ? 1 : tile.getDimSize(tileDim));
    reach =
        add(b, reach,
            b.createOrFold<arith::MulIOp>(
                loc, extent, getValueOrCreateConstantIndexOp(b, loc, stride)));
  }
  Value tooFar =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, reach,
                            constant(b, kMaxBufferBytes / (elementBits / 8)));
  auto guard = scf::IfOp::create(b, loc, tooFar);
  OpBuilder inner = guard.getThenBodyBuilder();
  kernel::TrapOp::create(inner, loc);
}

} // namespace aircc::distribution
