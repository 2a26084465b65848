//===- Reductions.cpp - Distribute reductions -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/Maskable.h"

#include "dialects/layout/algebra/Transforms.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Combine.h"
#include "pipeline/distribution/exchange/Exchange.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

NestedLayout layoutOrScalar(Distributor &d, Value value) {
  const NestedLayout *layout = d.getLayout(value);
  return layout ? *layout : NestedLayout();
}

FailureOr<SmallVector<Value>> convertLayout(Distributor &d, Operation *op,
                                            Value source,
                                            const NestedLayout &from,
                                            const NestedLayout &to) {
  if (from == to)
    return d.getElements(source);
  return createExchange(
      d, {op, source, from, to,
          AffineMap::getMultiDimIdentityMap(to.rank(), op->getContext())});
}

namespace {
struct Reduction {
  Operation *op;
  Combiner combine;
  Value source, acc, result, mask;
  Ints dims;
};
} // namespace

static LogicalResult distributeReduction(Distributor &d,
                                         const Reduction &reduction) {
  OpBuilder &b = d.b;
  Operation *op = reduction.op;
  Location loc = op->getLoc();
  const NestedLayout *from = d.getLayout(reduction.source);
  if (!from)
    return op->emitOpError("reduces a vector without a layout");
  if (auto type = dyn_cast<VectorType>(reduction.result.getType()))
    if (type.getRank() > 0 && !d.isUndistributed(reduction.result))
      return op->emitOpError("has a result without a layout");
  auto kept = layout::project(*from, reduction.dims);
  if (!kept)
    return op->emitOpError("cannot be distributed: ") << kept.message();

  // Reduce within the lane first, in the order of the elements.
  SmallVector<Value> elements = d.getDistributedElements(reduction.source);
  SmallVector<Value> maskElements;
  if (reduction.mask) {
    const NestedLayout *layout = d.getLayout(reduction.mask);
    if (!layout)
      return op->emitOpError("has a mask without a layout");
    if (*layout != *from)
      return emitLayoutMismatch(op, "mask", *layout, *from);
    maskElements = d.getDistributedElements(reduction.mask);
    FailureOr<Value> identity =
        reduction.combine.identity(b, loc, elements.front().getType());
    if (failed(identity))
      return op->emitOpError(
          "has a combining kind that its type does not support");
    for (auto [element, on] : llvm::zip_equal(elements, maskElements))
      element = arith::SelectOp::create(b, loc, on, element, *identity);
  }
  SmallVector<Value> partial(kept->numRegisters());
  Ints shape = from->distributedShape();
  for (auto [reg, element] : llvm::enumerate(elements)) {
    Ints position = layout::delinearize(reg, shape);
    int64_t to = 0;
    for (int64_t i = 0; i < from->rank(); ++i)
      if (!llvm::is_contained(reduction.dims, i))
        to = to * shape[i] + position[i];
    partial[to] =
        partial[to] ? reduction.combine(b, loc, partial[to], element) : element;
  }
  SmallVector<DimTiles> reduced;
  for (int64_t dim : reduction.dims)
    reduced.push_back(from->dim(dim));
  FailureOr<SmallVector<Value>> total =
      combineOverLanes(d, op, reduction.combine, partial, *kept, reduced);
  if (failed(total))
    return failure();

  NestedLayout to = layoutOrScalar(d, reduction.result);
  if (*kept != to) {
    auto type =
        VectorType::get(kept->distributedShape(), total->front().getType());
    total = convertLayout(d, op, d.assemble(type, *total), *kept, to);
    if (failed(total))
      return failure();
  }
  if (reduction.acc) {
    NestedLayout accLayout = layoutOrScalar(d, reduction.acc);
    if (accLayout != to)
      return emitLayoutMismatch(op, "accumulator", accLayout, to);
    for (auto [value, acc] :
         llvm::zip_equal(*total, d.getDistributedElements(reduction.acc)))
      value = reduction.combine(b, loc, value, acc);
  }
  d.replace(op, d.assembleDistributed(reduction.result, *total));
  return success();
}

LogicalResult distributeMultiReduction(Distributor &d,
                                       vector::MultiDimReductionOp op,
                                       Value mask) {
  Reduction reduction{op,
                      {op.getKind(), nullptr},
                      op.getSource(),
                      op.getAcc(),
                      op.getResult(),
                      mask,
                      Ints(op.getReductionDims())};
  return distributeReduction(d, reduction);
}

LogicalResult distributeFlatReduction(Distributor &d, vector::ReductionOp op,
                                      Value mask) {
  Reduction reduction{op,
                      {op.getKind(), op.getFastmathAttr()},
                      op.getVector(),
                      op.getAcc(),
                      op.getResult(),
                      mask,
                      {0}};
  return distributeReduction(d, reduction);
}

Distributed distributeReduction(Distributor &d, Operation *op) {
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return distributeMultiReduction(d, reduction, {});
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return distributeFlatReduction(d, reduction, {});
  return std::nullopt;
}

} // namespace aircc::distribution
