//===- ComputedTile.cpp - Tiles of a computed operand ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/ComputedTile.h"

#include "pipeline/hierarchy/tiles/TileEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

ComputedTile::ComputedTile(OpBuilder &b, Location loc, linalg::GenericOp op,
                           ArrayRef<ComputedDim> dims, ArrayRef<Value> outer)
    : b(b), loc(loc), op(op) {
  for (Value index : outer)
    loops.emplace_back().index = index;
  for (const ComputedDim &dim : dims)
    addDim(dim);
}

void ComputedTile::addDim(const ComputedDim &dim) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  tileShape.push_back(dim.size);
  // The tile contains all indices of the loops inside `outermost`, some of
  // those of `outermost`, and one index of each enclosing loop.
  size_t outermost = dim.loops.size() - 1;
  int64_t inner = 1;
  while (outermost > 0 && inner * sizes[dim.loops[outermost]] < dim.size)
    inner *= sizes[dim.loops[outermost--]];
  int64_t distance = 1;
  SmallVector<int64_t> extents(dim.loops.size(), 1);
  for (size_t i = dim.loops.size(); i-- > 0;) {
    Loop &loop = loops[dim.loops[i]];
    int64_t size = sizes[dim.loops[i]];
    if (i > outermost) {
      loop.index = constant(0);
      extents[i] = size;
    } else {
      loop.index =
          b.createOrFold<arith::DivUIOp>(loc, dim.first, constant(distance));
      if (i > 0)
        loop.index =
            b.createOrFold<arith::RemUIOp>(loc, loop.index, constant(size));
    }
    if (i == outermost) {
      extents[i] = dim.size / inner;
      loop.isFull = dim.isFull || i > 0;
      loop.clearsOutside = !loop.isFull && dim.clearsOutside;
    }
    if (i > 0)
      distance *= size;
  }
  for (auto [loop, extent] : llvm::zip_equal(dim.loops, extents)) {
    if (extent == 1 && loops[loop].isFull)
      continue;
    loops[loop].dim = shape.size();
    shape.push_back(extent);
  }
}

Value ComputedTile::broadcast(Value value) {
  auto type = VectorType::get(shape, getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  return vector::BroadcastOp::create(b, loc, type, value);
}

Value ComputedTile::readInput(OpOperand &input) {
  Value memref = input.get();
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return memref;
  SmallVector<Value> indices;
  SmallVector<AffineExpr> order(shape.size(), b.getAffineConstantExpr(0));
  SmallVector<bool> inBounds(shape.size(), true);
  bool isVector = false;
  for (auto [position, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(&input).getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      indices.push_back(
          arith::ConstantIndexOp::create(b, loc, constant.getValue()));
      continue;
    }
    const Loop &loop = loops[cast<AffineDimExpr>(expr).getPosition()];
    indices.push_back(loop.index);
    if (!loop.dim)
      continue;
    isVector = true;
    order[*loop.dim] = b.getAffineDimExpr(position);
    inBounds[*loop.dim] = loop.isFull;
  }
  if (!isVector)
    return memref::LoadOp::create(b, loc, memref, indices);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), memref, indices,
      zero, AffineMap::get(type.getRank(), 0, order, b.getContext()), inBounds);
}

SmallVector<Value> ComputedTile::read() {
  SmallVector<Value> values;
  for (OpOperand *input : op.getDpsInputOperands())
    values.push_back(readInput(*input));
  return values;
}

Value ComputedTile::getIndices(unsigned number) {
  const Loop &loop = loops[number];
  if (!loop.dim)
    return loop.index;
  // Creates them along the last dimension, which is then transposed.
  int64_t dim = *loop.dim, rank = shape.size();
  SmallVector<int64_t> moved(shape), permutation(rank);
  std::swap(moved[dim], moved[rank - 1]);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[dim], permutation[rank - 1]);
  Type index = b.getIndexType();
  auto line = VectorType::get(shape[dim], index);
  Value steps = vector::StepOp::create(b, loc, line);
  Value first = vector::BroadcastOp::create(b, loc, line, loop.index);
  Value indices = arith::AddIOp::create(b, loc, steps, first);
  indices = vector::BroadcastOp::create(b, loc, VectorType::get(moved, index),
                                        indices);
  return dim == rank - 1
             ? indices
             : vector::TransposeOp::create(b, loc, indices, permutation)
                   .getResult();
}

Value ComputedTile::getSize(unsigned loop) {
  OpOperand &out = op.getDpsInitsMutable()[0];
  std::optional<unsigned> dim =
      op.getMatchingIndexingMap(&out).getResultPosition(
          b.getAffineDimExpr(loop));
  return b.createOrFold<memref::DimOp>(loc, out.get(), *dim);
}

Value ComputedTile::getInside(bool onlyCleared) {
  Value inside;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    if (loop.isFull || (onlyCleared && !loop.clearsOutside))
      continue;
    Value isInside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                              getIndices(number), broadcast(getSize(number)));
    inside = inside
                 ? arith::AndIOp::create(b, loc, inside, isInside).getResult()
                 : isInside;
  }
  return inside;
}

Value ComputedTile::compute(ValueRange inputs) {
  Value tile = broadcast(evaluateOnVectors(
      b, loc, op, inputs, shape,
      [&](unsigned loop) { return getIndices(loop); },
      [&] { return getInside(/*onlyCleared=*/false); }));
  if (Value inside = getInside(/*onlyCleared=*/true)) {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(tile.getType()));
    tile = arith::SelectOp::create(b, loc, inside, tile, zero);
  }
  auto type = VectorType::get(tileShape, getElementTypeOrSelf(tile));
  if (tile.getType() == type)
    return tile;
  return vector::ShapeCastOp::create(b, loc, type, tile);
}
