//===- Swizzle.cpp - Code for swizzled offsets ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/async/Swizzle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc::distribution {

namespace {

/// Index arithmetic that folds; null means 0.
class Arithmetic {
public:
  Arithmetic(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, Value y) {
    if (!x || !y)
      return x ? x : y;
    return b.createOrFold<arith::AddIOp>(loc, x, y);
  }
  Value mul(Value x, int64_t y) {
    return y == 1 || !x ? x
                        : b.createOrFold<arith::MulIOp>(loc, x, constant(y));
  }
  Value div(Value x, int64_t y) {
    return y == 1 || !x ? x
                        : b.createOrFold<arith::DivUIOp>(loc, x, constant(y));
  }
  Value rem(Value x, int64_t y) {
    return y == 1 || !x ? Value()
                        : b.createOrFold<arith::RemUIOp>(loc, x, constant(y));
  }
  Value exclusiveOr(Value x, Value y) {
    if (!x || !y)
      return x ? x : y;
    return b.createOrFold<arith::XOrIOp>(loc, x, y);
  }

private:
  OpBuilder &b;
  Location loc;
};

} // namespace

layout::SwizzleHintOp findSwizzleHint(Value memory,
                                      SmallVectorImpl<Operation *> *views) {
  while (Operation *op = memory.getDefiningOp()) {
    if (auto hint = dyn_cast<layout::SwizzleHintOp>(op))
      return hint;
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      break;
    if (views)
      views->push_back(op);
    memory = view.getViewSource();
  }
  return {};
}

RowAndColumn splitIntoRows(OpBuilder &b, Location loc,
                           const layout::XorShuffle &swizzle,
                           ValueRange indices, ArrayRef<int64_t> shape) {
  Arithmetic a(b, loc);
  // Find the innermost dimensions that form a row or a part of one.
  size_t inner = shape.size();
  int64_t size = 1;
  while (inner > 0 && size * shape[inner - 1] <= swizzle.rowWidth())
    size *= shape[--inner];
  auto linearize = [&](size_t first, size_t last) {
    Value linear;
    for (size_t i = first; i < last; ++i)
      linear = a.add(a.mul(linear, shape[i]), indices[i]);
    return linear;
  };
  if (size == swizzle.rowWidth())
    return {linearize(0, inner), linearize(inner, shape.size())};
  if (inner == shape.size() && shape[inner - 1] % swizzle.rowWidth() == 0) {
    // A row of the buffer has several rows of the swizzle.
    Value rows =
        a.mul(linearize(0, inner - 1), shape[inner - 1] / swizzle.rowWidth());
    return {a.add(rows, a.div(indices[inner - 1], swizzle.rowWidth())),
            a.rem(indices[inner - 1], swizzle.rowWidth())};
  }
  if (inner > 0 && swizzle.rowWidth() % size == 0 &&
      shape[inner - 1] % (swizzle.rowWidth() / size) == 0) {
    // A row of the swizzle has several rows of the buffer.
    int64_t count = swizzle.rowWidth() / size;
    Value outer = a.mul(linearize(0, inner - 1), shape[inner - 1] / count);
    Value column = a.mul(a.rem(indices[inner - 1], count), size);
    return {a.add(outer, a.div(indices[inner - 1], count)),
            a.add(column, linearize(inner, shape.size()))};
  }
  Value linear = linearize(0, shape.size());
  return {a.div(linear, swizzle.rowWidth()), a.rem(linear, swizzle.rowWidth())};
}

Value swizzleColumn(OpBuilder &b, Location loc,
                    const layout::XorShuffle &swizzle, RowAndColumn position) {
  Arithmetic a(b, loc);
  Value row = position.row;
  if (swizzle.group())
    row = a.exclusiveOr(row, a.div(row, swizzle.group()));
  Value phase = a.rem(row, swizzle.phases());
  Value block =
      a.exclusiveOr(a.div(position.column, swizzle.accessWidth()), phase);
  Value column = a.add(a.mul(block, swizzle.accessWidth()),
                       a.rem(position.column, swizzle.accessWidth()));
  return column ? column : a.constant(0);
}

} // namespace aircc::distribution
