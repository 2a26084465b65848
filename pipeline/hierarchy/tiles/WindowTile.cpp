//===- WindowTile.cpp - Tiles of a matrix of windows ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/WindowTile.h"

#include "pipeline/common/kernels/Windows.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

WindowTile::WindowTile(OpBuilder &b, Location loc, const MatmulMatrix &matrix,
                       const ComputedDim &across, int64_t depth,
                       ArrayRef<Value> outer, bool hasBuffers)
    : b(b), loc(loc), op(matrix.producer), matrix(matrix), across(across),
      depth(depth), hasBuffers(hasBuffers) {
  findDims();
  chooseBlocks();
  createRows(outer);
}

void WindowTile::findDims() {
  image = op.getDpsInputs()[0];
  ArrayRef<int64_t> padded = getMemRefType(image).getShape();
  SmallVector<int64_t> low(padded.size(), 0);
  if (linalg::GenericOp padding = matrix.padding) {
    std::optional<Padding> matched = matchPadding(padding);
    image = matched->source;
    low = matched->low;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  LogicalResult isStrided =
      getMemRefType(image).getStridesAndOffset(strides, offset);
  assert(succeeded(isStrided) && "images of kernels are dense");
  (void)isStrided;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  for (auto [number, expr] : llvm::enumerate(map.getResults())) {
    Dim &dim = dims.emplace_back();
    LogicalResult isFlat =
        getFlattenedAffineExpr(expr, map.getNumDims(), 0, &dim.factors);
    assert(succeeded(isFlat) && "the index is a sum of loops");
    (void)isFlat;
    dim.constant = dim.factors.pop_back_val() - low[number];
    dim.size = getMemRefType(image).getDimSize(number);
    dim.stride = strides[number];
    dim.isPadded = low[number] != 0 || dim.size != padded[number];
  }
}

void WindowTile::chooseBlocks() {
  unsigned innermost = matrix.producerLoops[matrix.last].back();
  int64_t step = 0;
  bool isInside = true;
  for (const Dim &dim : dims) {
    step += dim.factors[innermost] * dim.stride;
    isInside &= dim.factors[innermost] == 0 || !dim.isPadded;
  }
  if (step > 0 && isInside) {
    block = std::gcd(op.getStaticLoopRanges()[innermost], depth);
    distance = step;
  }
  shape = {across.size};
  if (depth != block)
    shape.push_back(depth / block);
  if (block > 1)
    shape.push_back(block);
}

Value WindowTile::constant(int64_t value, Type like) {
  TypedAttr attr = b.getI32IntegerAttr(value);
  if (auto type = dyn_cast<VectorType>(like))
    attr = DenseElementsAttr::get(type.clone(b.getI32Type()),
                                  cast<Attribute>(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

Value WindowTile::add(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  for (auto [value, other] : {std::pair(&x, y), std::pair(&y, x)})
    if (auto type = dyn_cast<VectorType>(other.getType());
        type && !isa<VectorType>(value->getType()))
      *value = vector::BroadcastOp::create(b, loc, type, *value);
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}

Value WindowTile::multiply(Value x, int64_t by) {
  if (!x || by == 0)
    return nullptr;
  return b.createOrFold<arith::MulIOp>(loc, x, constant(by, x.getType()));
}

Value WindowTile::steps(int64_t count, int64_t by) {
  Value steps =
      vector::StepOp::create(b, loc, VectorType::get(count, b.getIndexType()));
  auto type = VectorType::get(count, b.getI32Type());
  return multiply(arith::IndexCastOp::create(b, loc, type, steps), by);
}

Value WindowTile::broadcast(Value value, unsigned dim) {
  auto type = dyn_cast<VectorType>(value.getType());
  Type element = getElementTypeOrSelf(value);
  if (type && type.getShape() == ArrayRef(shape))
    return value;
  unsigned rank = shape.size();
  if (!type || dim + type.getRank() == rank)
    return vector::BroadcastOp::create(b, loc, VectorType::get(shape, element),
                                       value);
  // vector.broadcast only adds leading dimensions; a transpose then moves them.
  SmallVector<int64_t> order, moved, permutation(rank);
  unsigned end = dim + type.getRank();
  for (unsigned i = 0; i < rank; ++i)
    if (i < dim || i >= end)
      order.push_back(i);
  for (unsigned i = dim; i < end; ++i)
    order.push_back(i);
  for (auto [position, i] : llvm::enumerate(order)) {
    moved.push_back(shape[i]);
    permutation[i] = position;
  }
  value = vector::BroadcastOp::create(b, loc, VectorType::get(moved, element),
                                      value);
  return vector::TransposeOp::create(b, loc, value, permutation);
}

/// Splits a linear index into indices of nested loops, outermost first. The
/// size of the outermost loop may be unknown.
static SmallVector<Value> split(OpBuilder &b, Location loc, Value index,
                                ArrayRef<int64_t> sizes,
                                function_ref<Value(int64_t)> constant) {
  SmallVector<Value> indices(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i == 0) {
      indices[i] = index;
    } else if (sizes[i] != 1) {
      Value size = constant(sizes[i]);
      indices[i] = b.createOrFold<arith::RemUIOp>(loc, index, size);
      index = b.createOrFold<arith::DivUIOp>(loc, index, size);
    }
  }
  return indices;
}

void WindowTile::createRows(ArrayRef<Value> outer) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes;
  ArrayRef<unsigned> loops = matrix.producerLoops[matrix.first];
  int64_t inner = 1;
  for (unsigned loop : loops) {
    sizes.push_back(ranges[loop]);
    if (loop != loops.front())
      inner *= ranges[loop];
  }
  // Offsets are relative to the first image of the tile, because a buffer
  // descriptor may not reach all images.
  SmallVector<Value> scalars(outer);
  Value size = arith::ConstantIndexOp::create(b, loc, inner);
  scalars[loops.front()] =
      b.createOrFold<arith::DivUIOp>(loc, across.first, size);
  Value rest = b.createOrFold<arith::RemUIOp>(loc, across.first, size);
  Value first = b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), rest);
  Value row = add(steps(across.size, 1), first);
  if (!hasBuffers && !across.isFull)
    row = clampRows(row, scalars[loops.front()], inner);
  SmallVector<Value> places = split(b, loc, row, sizes, [&](int64_t value) {
    return constant(value, row.getType());
  });
  Value base = arith::ConstantIndexOp::create(b, loc, 0);
  for (Dim &dim : dims) {
    Value start = arith::ConstantIndexOp::create(b, loc, 0);
    for (auto [loop, value] : llvm::enumerate(scalars))
      if (value && dim.factors[loop] != 0)
        start = b.createOrFold<arith::AddIOp>(
            loc, start,
            b.createOrFold<arith::MulIOp>(
                loc, value,
                arith::ConstantIndexOp::create(b, loc, dim.factors[loop])));
    base = b.createOrFold<arith::AddIOp>(
        loc, base,
        b.createOrFold<arith::MulIOp>(
            loc, start, arith::ConstantIndexOp::create(b, loc, dim.stride)));
    for (auto [loop, place] : llvm::zip_equal(loops, places))
      dim.row = add(dim.row, multiply(place, dim.factors[loop]));
    if (dim.constant != 0)
      dim.row = add(dim.row, constant(dim.constant, row.getType()));
    rows = add(rows, multiply(dim.row, dim.stride));
    if (dim.isPadded)
      dim.row =
          add(dim.row,
              b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), start));
  }
  if (!rows)
    rows = constant(0, row.getType());
  // Windows may start in the padding, at negative offsets, but a descriptor
  // cannot reach elements before its base, so move the base back.
  int64_t lowest = 0;
  for (const Dim &dim : dims)
    lowest += std::min<int64_t>(dim.constant, 0) * dim.stride;
  if (lowest < 0) {
    Value start = b.createOrFold<arith::AddIOp>(
        loc, base, arith::ConstantIndexOp::create(b, loc, lowest));
    start = b.createOrFold<arith::MaxSIOp>(
        loc, start, arith::ConstantIndexOp::create(b, loc, 0));
    Value before = b.createOrFold<arith::SubIOp>(loc, base, start);
    rows = add(rows,
               b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), before));
    base = start;
  }
  createMemory(base);
}

/// Replaces rows beyond the last one with the last one. `row` counts from the
/// first row of index `start` of the first loop; each index has `inner` rows.
Value WindowTile::clampRows(Value row, Value start, int64_t inner) {
  ArrayRef<unsigned> loops = matrix.producerLoops[matrix.first];
  Value count =
      b.createOrFold<memref::DimOp>(loc, op.getDpsInits()[0], loops.front());
  Value left = b.createOrFold<arith::SubIOp>(loc, count, start);
  left = b.createOrFold<arith::MulIOp>(
      loc, left, arith::ConstantIndexOp::create(b, loc, inner));
  left = b.createOrFold<arith::SubIOp>(
      loc, left, arith::ConstantIndexOp::create(b, loc, 1));
  left = b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), left);
  Value last = vector::BroadcastOp::create(b, loc, row.getType(), left);
  return arith::MinSIOp::create(b, loc, row, last);
}

void WindowTile::createMemory(Value base) {
  MemRefType type = getMemRefType(image);
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, image);
  Value offset = getValueOrCreateConstantIndexOp(
      b, loc, metadata.getConstifiedMixedOffset());
  offset = b.createOrFold<arith::AddIOp>(loc, offset, base);
  Value size = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : metadata.getConstifiedMixedSizes())
    size = b.createOrFold<arith::MulIOp>(
        loc, size, getValueOrCreateConstantIndexOp(b, loc, extent));
  size = b.createOrFold<arith::SubIOp>(loc, size, base);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1});
  memory = memref::ReinterpretCastOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, type.getElementType(), layout,
                      type.getMemorySpace()),
      metadata.getBaseBuffer(), OpFoldResult(offset),
      ArrayRef<OpFoldResult>{size}, ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  if (!hasBuffers)
    return;
  Value bytes = b.createOrFold<arith::MulIOp>(
      loc, size,
      arith::ConstantIndexOp::create(b, loc,
                                     type.getElementTypeBitWidth() / 8));
  bytes = b.createOrFold<arith::MinUIOp>(
      loc, bytes, arith::ConstantIndexOp::create(b, loc, kMaxWindowBytes));
  bytes = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), bytes);
  memory = amdgpu::FatRawBufferCastOp::create(
      b, loc, memory, bytes, /*cacheSwizzleStride=*/Value(),
      /*boundsCheck=*/true, /*resetOffset=*/true);
}

WindowTile::Indices WindowTile::splitColumns(Value k) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), sizes;
  ArrayRef<unsigned> loops = matrix.producerLoops[matrix.last];
  for (unsigned loop : loops)
    sizes.push_back(ranges[loop]);
  Indices columns(dims.size());
  SmallVector<Value> places = split(b, loc, k, sizes, [&](int64_t value) {
    return constant(value, k.getType());
  });
  for (auto [dim, column] : llvm::zip_equal(dims, columns))
    for (auto [loop, place] : llvm::zip_equal(loops, places))
      column = add(column, multiply(place, dim.factors[loop]));
  return columns;
}

/// Returns a mask of the elements that are in the image, for each row or for
/// each block of each row; null if all are.
Value WindowTile::getInside(Indices columns) {
  Value inside;
  bool hasBlocks = llvm::any_of(llvm::zip_equal(dims, columns), [](auto pair) {
    return std::get<0>(pair).isPadded && std::get<1>(pair) &&
           isa<VectorType>(std::get<1>(pair).getType());
  });
  SmallVector<int64_t> blocks(shape);
  if (block > 1)
    blocks.pop_back();
  for (auto [dim, column] : llvm::zip_equal(dims, columns)) {
    if (!dim.isPadded)
      continue;
    Value place = dim.row;
    if (hasBlocks) {
      std::swap(shape, blocks);
      place = place ? broadcast(place, 0) : Value();
      if (column)
        column = broadcast(column, 1);
      std::swap(shape, blocks);
    }
    place = add(place, column);
    if (!place)
      place = constant(0, b.getI32Type());
    // A single unsigned comparison is sufficient, because negative numbers wrap
    // around.
    Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place,
                                     constant(dim.size, place.getType()));
    // An index that does not depend on the row is a scalar.
    if (inside && inside.getType() != in.getType()) {
      Value &scalar = isa<VectorType>(in.getType()) ? inside : in;
      Type type =
          isa<VectorType>(in.getType()) ? in.getType() : inside.getType();
      scalar = vector::BroadcastOp::create(b, loc, type, scalar);
    }
    inside = inside ? b.createOrFold<arith::AndIOp>(loc, inside, in) : in;
  }
  return inside;
}

Value WindowTile::read(Value k, bool clearsOutside) {
  Value column = b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), k);
  if (depth != block)
    column = add(steps(depth / block, block), column);
  Indices columns = splitColumns(column);
  Value offsets, inside = getInside(columns);
  for (auto [dim, part] : llvm::zip_equal(dims, columns))
    offsets = add(offsets, multiply(part, dim.stride));

  auto isVector = [](Value value) { return isa<VectorType>(value.getType()); };
  unsigned rank = shape.size(), last = rank - 1;
  Type element = getMemRefType(image).getElementType();
  if (clearsOutside) {
    int64_t numColumns = 1;
    for (unsigned loop : matrix.producerLoops[matrix.last])
      numColumns *= op.getStaticLoopRanges()[loop];
    Value isColumn =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, column,
                              constant(numColumns, column.getType()));
    isColumn = broadcast(isColumn, isVector(isColumn) ? 1 : 0);
    inside = inside
                 ? arith::AndIOp::create(b, loc, broadcast(inside, 0), isColumn)
                       .getResult()
                 : isColumn;
  }
  // Elements in the padding get an index that is outside the descriptor even
  // after the offsets are added.
  Value indices = rows;
  if (inside && hasBuffers) {
    if (inside.getType() !=
        cast<VectorType>(indices.getType()).clone(b.getI1Type()))
      indices = broadcast(indices, 0), inside = broadcast(inside, 0);
    Value outside =
        constant(kMaxWindowBytes / (element.getIntOrFloatBitWidth() / 8),
                 indices.getType());
    indices = arith::SelectOp::create(b, loc, inside, indices, outside);
  }
  indices = broadcast(indices, 0);
  if (offsets)
    indices = arith::AddIOp::create(
        b, loc, indices, broadcast(offsets, isVector(offsets) ? 1 : 0));
  if (block > 1)
    indices = arith::AddIOp::create(b, loc, indices,
                                    broadcast(steps(block, distance), last));

  auto type = VectorType::get(shape, element);
  VectorType maskType = type.clone(b.getI1Type());
  Value mask;
  if (inside && !hasBuffers)
    mask = broadcast(inside, 0);
  else
    mask = arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(maskType, true));
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value tile = vector::GatherOp::create(b, loc, type, memory, zero, indices,
                                        mask, zeros);
  auto tileType = VectorType::get({across.size, depth}, element);
  if (type == tileType)
    return tile;
  return vector::ShapeCastOp::create(b, loc, tileType, tile);
}
