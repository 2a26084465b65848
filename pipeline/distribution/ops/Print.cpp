//===- Print.cpp - Distribute vector.print --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The first lane prints an undistributed vector, which it loads from LDS. Stage
// `codegen` splits the vector into elements and prints them as one text.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Exchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

/// Creates a branch for the first lane of the wave or of the workgroup.
static Block *createFirstLane(Distributor &d, bool ofWave) {
  OpBuilder &b = d.b;
  auto isZero = [&](Value id) {
    return arith::CmpIOp::create(b, d.loc, arith::CmpIPredicate::eq, id,
                                 d.ids.constant(0))
        .getResult();
  };
  Value first = isZero(d.ids.lane());
  if (!ofWave)
    first = createAnd(b, d.loc, first, isZero(d.ids.wave()));
  return scf::IfOp::create(b, d.loc, first, /*withElse=*/false).thenBlock();
}

/// Converts the value to a type that memory supports and that prints the same.
static Value toPrintable(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (!isa<IntegerType>(type) || LdsExchangeBuffer::storedType(type) == type)
    return value;
  Type stored = LdsExchangeBuffer::storedType(type);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(b, loc, stored, value);
  return arith::ExtSIOp::create(b, loc, stored, value);
}

Distributed distributePrint(Distributor &d, Operation *op) {
  auto print = dyn_cast<vector::PrintOp>(op);
  if (!print)
    return std::nullopt;
  OpBuilder &b = d.b;
  Location loc = op->getLoc();
  const bool ofWave = d.getNumWaves(op) == 1;
  Value source = print.getSource();
  // Scalars and texts are the same in all lanes.
  if (!source || !d.isUndistributed(source)) {
    print->moveBefore(createFirstLane(d, ofWave)->getTerminator());
    return success();
  }

  auto type = cast<VectorType>(source.getType());
  Type element = type.getElementType();
  if (!element.isIndex() && LdsExchangeBuffer::storedType(element) != element &&
      !isa<IntegerType>(element))
    return op->emitOpError("prints elements of type ")
           << element << ", which cannot be printed; convert them to f32";
  const NestedLayout &layout = *d.getLayout(source);
  SmallVector<Value> elements;
  for (Value value : d.getDistributedElements(source))
    elements.push_back(toPrintable(b, loc, value));
  auto printed = VectorType::get(type.getShape(), elements.front().getType());
  Value vector;
  Block *block;
  if (type.getRank() == 0) {
    block = createFirstLane(d, ofWave);
    b.setInsertionPoint(block->getTerminator());
    vector = d.assemble(printed, elements);
  } else {
    FailureOr<Value> buffer = writeToLds(
        d, op, elements, layout, LdsExchangePlan::rowMajor(layout.shape()),
        d.getNumWaves(op), ofWave);
    if (failed(buffer))
      return failure();
    block = createFirstLane(d, ofWave);
    b.setInsertionPoint(block->getTerminator());
    auto flat =
        VectorType::get({type.getNumElements()}, printed.getElementType());
    vector = vector::LoadOp::create(b, loc, flat, *buffer, d.ids.constant(0));
    if (printed != flat)
      vector = vector::ShapeCastOp::create(b, loc, printed, vector);
  }
  vector::PrintOp::create(b, loc, vector, print.getPunctuation());
  d.erase(op);
  return success();
}

} // namespace aircc::distribution
