//===- CyclicLoop.cpp - Cyclic loops over iterations ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/transfers/CyclicLoop.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace aircc::hierarchy {

template <typename OpTy>
static Value fold(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<OpTy>(loc, lhs, rhs);
}

SmallVector<Value> delinearize(OpBuilder &b, Location loc, CyclicIndex index,
                               ArrayRef<Value> sizes) {
  auto [base, own, span] = index;
  auto sum = [&](Value shared) {
    return own ? fold<arith::AddIOp>(b, loc, shared, own) : shared;
  };
  SmallVector<Value> coordinates(sizes.size());
  for (unsigned dim = sizes.size() - 1; dim > 0; --dim) {
    Value size = sizes[dim];
    std::optional<int64_t> known = getConstantIntValue(size);
    if (own && span && known && *known > 0 && *span % *known == 0) {
      // `base` is a multiple of the size, so the coordinate depends only on the
      // worker.
      coordinates[dim] = own;
      if (*span != *known)
        coordinates[dim] = fold<arith::RemUIOp>(b, loc, own, size);
      own = *span != *known ? fold<arith::DivUIOp>(b, loc, own, size) : Value();
      base = fold<arith::DivUIOp>(b, loc, base, size);
      span = *span / *known;
      continue;
    }
    if (!own || (span && known && *known % *span == 0)) {
      // The iterations of all workers are in the same row.
      coordinates[dim] = sum(fold<arith::RemUIOp>(b, loc, base, size));
      base = fold<arith::DivUIOp>(b, loc, base, size);
      own = {};
      continue;
    }
    Value whole = sum(base);
    coordinates[dim] = fold<arith::RemUIOp>(b, loc, whole, size);
    base = arith::ConstantIndexOp::create(b, loc, 0);
    own = fold<arith::DivUIOp>(b, loc, whole, size);
    span = std::nullopt;
  }
  coordinates[0] = sum(base);
  return coordinates;
}

void createCyclicLoop(
    OpBuilder &b, Location loc, Scope scope, Value total,
    function_ref<void(OpBuilder &, const CyclicIndex &)> body) {
  std::optional<int64_t> span =
      getWorkerCount(b.getInsertionBlock()->getParentOp(), scope);
  Workers workers = getWorkers(b, loc, scope);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto mark = [&](Operation *op) {
    op->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
                b.getUnitAttr());
  };
  // Creates the iterations from `base` on, executed by the first `rest`
  // workers.
  auto createPart = [&](OpBuilder &b, Value base, Value rest) {
    Value takesPart = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                            workers.id, rest);
    auto guard = scf::IfOp::create(b, loc, takesPart);
    OpBuilder inner(guard.thenBlock()->getTerminator());
    body(inner, {base, workers.id, span});
    return guard;
  };

  // If the number of workers is unknown, finding the remainder would require a
  // division, so every iteration has a condition instead.
  Value full = total;
  Value rest;
  if (span) {
    rest = fold<arith::RemUIOp>(b, loc, total, workers.count);
    full = fold<arith::SubIOp>(b, loc, total, rest);
  }
  if (getConstantIntValue(full) != 0) {
    auto loop = scf::ForOp::create(b, loc, zero, full, workers.count);
    mark(loop);
    OpBuilder inner(loop.getBody()->getTerminator());
    Value base = loop.getInductionVar();
    if (span)
      body(inner, {base, workers.id, span});
    else
      createPart(inner, base, fold<arith::SubIOp>(inner, loc, total, base));
  }
  if (rest && getConstantIntValue(rest) != 0)
    mark(createPart(b, full, rest));
}

} // namespace aircc::hierarchy
