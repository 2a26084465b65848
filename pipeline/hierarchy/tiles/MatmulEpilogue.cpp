//===- MatmulEpilogue.cpp - Elementwise ops in matmul kernels -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes elementwise ops on the tile of C of a workgroup, before and after
// the loop along K, and accesses the memory of their operands and of C.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulKernel.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

/// The size of dimension `dim` of C. The result of the epilogue has the same
/// sizes, in another order.
Value MatmulKernelBuilder::getSizeOfC(unsigned dim) {
  linalg::GenericOp epilogue = matmul.epilogue;
  if (!epilogue)
    return getSizeOf(matmul.c.memref, dim);
  AffineMap mapOfC =
      epilogue.getMatchingIndexingMap(getUseOfC(epilogue, matmul));
  OpOperand *result = epilogue.getDpsInitOperand(0);
  AffineMap map = epilogue.getMatchingIndexingMap(result);
  return getSizeOf(result->get(),
                   *map.getResultPosition(mapOfC.getResult(dim)));
}

/// `map` and `mapOfC` are the dimensions of the memref and of C as functions of
/// the same loops.
MatmulKernelBuilder::TileAccess
MatmulKernelBuilder::access(Value memref, AffineMap map, AffineMap mapOfC) {
  MemRefType type = getMemRefType(memref);
  TileAccess result;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    strides.push_back(b.getIndexAttr(1));
    unsigned dimOfC = *mapOfC.getResultPosition(index);
    bool isRow = dimOfC == matmul.getRows();
    if (!isRow && dimOfC != matmul.getColumns()) {
      const auto *place = llvm::find(matmul.c.outer, dimOfC);
      offsets.push_back(outerIds[place - matmul.c.outer.begin()]);
      sizes.push_back(b.getIndexAttr(1));
      continue;
    }
    (isRow ? result.rows : result.columns) = shape.size();
    result.indices.push_back(isRow ? row : column);
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(memref::getMixedSize(b, loc, memref, dim));
    shape.push_back(type.getDimSize(dim));
  }
  result.view = memref;
  if (int64_t(shape.size()) != type.getRank())
    result.view = memref::SubViewOp::create(
        b, loc,
        memref::SubViewOp::inferRankReducedResultType(shape, type, offsets,
                                                      sizes, strides),
        memref, offsets, sizes, strides);
  return result;
}

/// The vector of the tile's size of a number, or of a vector of it.
Value MatmulKernelBuilder::broadcast(Value value) {
  auto type = VectorType::get({spec.tileM, spec.tileN},
                              getElementTypeOrSelf(value.getType()));
  if (value.getType() == type)
    return value;
  return vector::BroadcastOp::create(b, loc, type, value);
}

/// Reads the elements of `memref` for each element of the tile.
Value MatmulKernelBuilder::readElements(Value memref, AffineMap map,
                                        AffineMap mapOfC) {
  TileAccess from = access(memref, map, mapOfC);
  MemRefType type = getMemRefType(from.view);
  Type element = type.getElementType();
  if (from.rows && from.columns) {
    AffineMap order = b.getMultiDimIdentityMap(2);
    if (*from.columns < *from.rows)
      order = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                           b.getContext());
    return read(from.view, from.indices,
                VectorType::get({spec.tileM, spec.tileN}, element),
                {fullRows, fullColumns}, order);
  }
  if (from.columns)
    return broadcast(read(from.view, from.indices,
                          VectorType::get({spec.tileN}, element),
                          {fullColumns}));
  if (from.rows) {
    Value column = read(from.view, from.indices,
                        VectorType::get({spec.tileM}, element), {fullRows});
    Value columns = vector::BroadcastOp::create(
        b, loc, VectorType::get({spec.tileN, spec.tileM}, element), column);
    return vector::TransposeOp::create(b, loc, columns,
                                       ArrayRef<int64_t>{1, 0});
  }
  return memref::LoadOp::create(b, loc, from.view);
}

void MatmulKernelBuilder::writeElements(Value elements, Value memref,
                                        AffineMap map, AffineMap mapOfC) {
  TileAccess to = access(memref, map, mapOfC);
  AffineMap order = b.getMultiDimIdentityMap(2);
  if (*to.columns < *to.rows)
    order =
        AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext());
  vector::TransferWriteOp::create(b, loc, elements, to.view, to.indices, order,
                                  ArrayRef<bool>{fullRows, fullColumns});
}

/// Computes `op` on the tile. `accumulators` replace the operand that is C.
Value MatmulKernelBuilder::evaluate(linalg::GenericOp op, AffineMap mapOfC,
                                    Value accumulators) {
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (accumulators && value == matmul.c.memref)
      value = accumulators;
    else if (isa<MemRefType>(value.getType()))
      value = readElements(value, op.getMatchingIndexingMap(input), mapOfC);
    mapping.map(op.getMatchingBlockArgument(input), value);
  }
  for (Operation &scalar : op.getBody()->without_terminator()) {
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
      type = VectorType::get({spec.tileM, spec.tileN}, type);
    }
    OperationState state(scalar.getLoc(), scalar.getName(), operands, type,
                         scalar.getAttrs());
    mapping.map(scalar.getResult(0), b.create(state)->getResult(0));
  }
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  return broadcast(mapping.lookupOrDefault(yielded));
}
