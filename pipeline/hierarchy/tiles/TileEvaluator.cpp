//===- TileEvaluator.cpp - Elementwise ops on a tile ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/TileEvaluator.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

AffineMap TileEvaluator::Access::getOrder(OpBuilder &b) const {
  if (*rows < *columns)
    return b.getMultiDimIdentityMap(2);
  return AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext());
}

TileEvaluator::Access TileEvaluator::access(Value memref, AffineMap map) {
  auto type = cast<MemRefType>(memref.getType());
  Access result;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    strides.push_back(b.getIndexAttr(1));
    if (auto constant = dyn_cast<AffineConstantExpr>(index)) {
      offsets.push_back(b.getIndexAttr(constant.getValue()));
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    const TileLoop &loop = loops[cast<AffineDimExpr>(index).getPosition()];
    if (loop.kind == TileLoop::Outer) {
      offsets.push_back(loop.index);
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    bool isRow = loop.kind == TileLoop::Rows;
    (isRow ? result.rows : result.columns) = shape.size();
    (isRow ? result.fullRows : result.fullColumns) = loop.isFull;
    result.indices.push_back(loop.index);
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(memref::getMixedSize(b, loc, memref, dim));
    shape.push_back(type.getDimSize(dim));
  }
  result.view = memref;
  if (int64_t(shape.size()) != type.getRank())
    result.view =
        memref::SubViewOp::create(b, loc,
                                  memref::SubViewOp::inferRankReducedResultType(
                                      shape, type, offsets, sizes, strides),
                                  memref, offsets, sizes, strides);
  return result;
}

Value TileEvaluator::broadcast(Value value) {
  auto type =
      VectorType::get({rows, columns}, getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  return vector::BroadcastOp::create(b, loc, type, value);
}

Value TileEvaluator::broadcastColumn(Value column) {
  auto type =
      VectorType::get({columns, rows}, getElementTypeOrSelf(column.getType()));
  Value transposed = vector::BroadcastOp::create(b, loc, type, column);
  return vector::TransposeOp::create(b, loc, transposed,
                                     ArrayRef<int64_t>{1, 0});
}

Value TileEvaluator::readVector(const Access &from, ArrayRef<int64_t> shape,
                                ArrayRef<bool> inBounds, AffineMap order) {
  Type element = cast<MemRefType>(from.view.getType()).getElementType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  return vector::TransferReadOp::create(b, loc, VectorType::get(shape, element),
                                        from.view, from.indices, zero, order,
                                        inBounds);
}

Value TileEvaluator::read(Value memref, AffineMap map) {
  Access from = access(memref, map);
  AffineMap line = b.getMultiDimIdentityMap(1);
  if (!from.rows && !from.columns)
    return memref::LoadOp::create(b, loc, from.view);
  if (from.rows && from.columns)
    return readVector(from, {rows, columns}, {from.fullRows, from.fullColumns},
                      from.getOrder(b));
  // With large strides, each lane reads the elements that it needs. Another
  // order would not be faster, and would need an exchange between lanes.
  if (!cast<MemRefType>(from.view.getType()).isLastDimUnitStride()) {
    SmallVector<AffineExpr> order(2, b.getAffineConstantExpr(0));
    order[from.rows ? 0 : 1] = b.getAffineDimExpr(0);
    return readVector(from, {rows, columns}, {from.fullRows, from.fullColumns},
                      AffineMap::get(1, 0, order, b.getContext()));
  }
  if (from.columns)
    return broadcast(readVector(from, columns, from.fullColumns, line));
  return broadcastColumn(readVector(from, rows, from.fullRows, line));
}

void TileEvaluator::move(Value memref, AffineMap map, Value lds,
                         ValueRange indices, bool isCounted) {
  Access from = access(memref, map);
  Type element = cast<MemRefType>(from.view.getType()).getElementType();
  layout::AsyncDmaOp::create(
      b, loc, from.view, from.indices, lds, indices,
      VectorType::get({rows, columns}, element),
      b.getDenseBoolArrayAttr({from.fullRows, from.fullColumns}),
      AffineMapAttr(), isCounted);
}

void TileEvaluator::write(Value elements, Value memref, AffineMap map) {
  Access to = access(memref, map);
  vector::TransferWriteOp::create(b, loc, elements, to.view, to.indices,
                                  to.getOrder(b),
                                  ArrayRef<bool>{to.fullRows, to.fullColumns});
}

/// Returns the index of the loop for each element of the tile.
Value TileEvaluator::getIndices(const TileLoop &loop) {
  if (loop.kind == TileLoop::Outer)
    return loop.index;
  bool isRow = loop.kind == TileLoop::Rows;
  auto type = VectorType::get(isRow ? rows : columns, b.getIndexType());
  Value step = vector::StepOp::create(b, loc, type), first = loop.index;
  VectorType sumType = type;
  if (loop.isShort) {
    sumType = type.clone(b.getI32Type());
    step = arith::IndexCastOp::create(b, loc, sumType, step);
    first = arith::IndexCastOp::create(b, loc, b.getI32Type(), first);
  }
  first = vector::BroadcastOp::create(b, loc, sumType, first);
  Value indices = arith::AddIOp::create(b, loc, step, first);
  indices = isRow ? broadcastColumn(indices) : broadcast(indices);
  if (!loop.isShort)
    return indices;
  // Compare as unsigned, so that comparisons need only 32 bits.
  auto tile = cast<VectorType>(indices.getType()).clone(b.getIndexType());
  return arith::IndexCastUIOp::create(b, loc, tile, indices);
}

Value TileEvaluator::getInside(linalg::GenericOp op) {
  OpOperand &out = op.getDpsInitsMutable()[0];
  AffineMap map = op.getMatchingIndexingMap(&out);
  Value inside;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    if (loop.kind == TileLoop::Outer || loop.isFull)
      continue;
    std::optional<unsigned> dim =
        map.getResultPosition(b.getAffineDimExpr(position));
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, memref::getMixedSize(b, loc, out.get(), *dim));
    Value isInside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                              broadcast(getIndices(loop)), broadcast(size));
    inside = inside
                 ? arith::AndIOp::create(b, loc, inside, isInside).getResult()
                 : isInside;
  }
  return inside;
}

/// Returns whether `op` is undefined for some integers.
static bool isIntegerDivision(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp>(op);
}

Value TileEvaluator::evaluate(linalg::GenericOp op,
                              function_ref<Value(OpOperand &)> getKnown) {
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = getKnown(*input);
    if (!value)
      value = input->get();
    if (isa<MemRefType>(value.getType()))
      value = read(value, op.getMatchingIndexingMap(input));
    inputs.push_back(value);
  }
  return evaluateOnVectors(
      b, loc, op, inputs, {rows, columns},
      [&](unsigned loop) { return getIndices(loops[loop]); },
      [&] { return getInside(op); });
}

Value hierarchy::evaluateOnVectors(OpBuilder &b, Location loc,
                                   linalg::GenericOp op, ValueRange inputs,
                                   ArrayRef<int64_t> shape,
                                   function_ref<Value(unsigned)> getIndices,
                                   function_ref<Value()> getInside) {
  auto broadcast = [&](Value value) -> Value {
    auto type = VectorType::get(shape, getElementTypeOrSelf(value.getType()));
    if (value.getType() == type)
      return value;
    return vector::BroadcastOp::create(b, loc, type, value);
  };
  IRMapping mapping;
  std::optional<Value> inside;
  for (auto [input, value] : llvm::zip_equal(op.getDpsInputOperands(), inputs))
    mapping.map(op.getMatchingBlockArgument(input), value);
  for (Operation &scalar : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(scalar)) {
      mapping.map(index.getResult(), getIndices(index.getDim()));
      continue;
    }
    SmallVector<Value> operands;
    bool isVector = false;
    for (Value operand : scalar.getOperands()) {
      operands.push_back(mapping.lookupOrDefault(operand));
      isVector |= isa<VectorType>(operands.back().getType());
    }
    Type type = scalar.getResult(0).getType();
    if (isVector) {
      for (Value &operand : operands)
        operand = broadcast(operand);
      type = VectorType::get(shape, type);
    }
    // Elements outside are 0. Dividing by them is undefined behavior, from
    // which LLVM would conclude that all elements are inside, and remove the
    // mask.
    if (isVector && isIntegerDivision(scalar)) {
      if (!inside)
        inside = getInside();
      if (*inside) {
        Value one = arith::ConstantOp::create(
            b, loc, b.getOneAttr(cast<VectorType>(type)));
        operands[1] =
            arith::SelectOp::create(b, loc, *inside, operands[1], one);
      }
    }
    OperationState state(scalar.getLoc(), scalar.getName(), operands, type,
                         scalar.getAttrs());
    mapping.map(scalar.getResult(0), b.create(state)->getResult(0));
  }
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  return broadcast(mapping.lookupOrDefault(yielded));
}
