//===- Slices.cpp - Distribute extracts and inserts -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Transforms.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Exchange.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

/// Only vectors of rank 0 may have no layout.
static LogicalResult checkLayouts(Distributor &d, Operation *op) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (auto type = dyn_cast<VectorType>(value.getType()))
      if (type.getRank() > 0 && !d.isUndistributed(value))
        return op->emitOpError("has a vector without a layout beside one that "
                               "is spread over lanes");
  return success();
}

static Ints getLeadingDims(int64_t count) {
  Ints dims(count);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

static LogicalResult distributeExtract(Distributor &d, vector::ExtractOp op) {
  Value source = op.getSource();
  NestedLayout from = layoutOrScalar(d, source);
  NestedLayout to = layoutOrScalar(d, op.getResult());
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  int64_t leading = position.size();

  auto rest = layout::project(from, getLeadingDims(leading));
  bool isLaneLocal = rest && *rest == to;
  for (int64_t i = 0; i < leading; ++i)
    isLaneLocal &= from.dim(i).thread == 1 && from.dim(i).subgroup == 1;
  if (isLaneLocal) {
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  Exchange exchange{op,   d.getDistributed(source), from, to, AffineMap(), {},
                    false};
  SmallVector<AffineExpr> exprs;
  for (OpFoldResult at : position) {
    if (std::optional<int64_t> constant = getConstantIntValue(at)) {
      exprs.push_back(getAffineConstantExpr(std::max<int64_t>(*constant, 0),
                                            op.getContext()));
      continue;
    }
    exprs.push_back(
        getAffineSymbolExpr(exchange.symbols.size(), op.getContext()));
    exchange.symbols.push_back(cast<Value>(at));
  }
  for (int64_t i = 0; i < to.rank(); ++i)
    exprs.push_back(getAffineDimExpr(i, op.getContext()));
  exchange.map = AffineMap::get(to.rank(), exchange.symbols.size(), exprs,
                                op.getContext());
  FailureOr<SmallVector<Value>> elements = createExchange(d, exchange);
  if (failed(elements))
    return failure();
  d.replace(op, assembleDistributed(d, op.getResult(), *elements));
  return success();
}

/// The elements of `value`, converted to layout `to`.
static FailureOr<SmallVector<Value>>
inLayout(Distributor &d, Operation *op, Value value, const NestedLayout &to) {
  NestedLayout from = layoutOrScalar(d, value);
  if (from == to)
    return d.getElements(d.getDistributed(value));
  return createExchange(
      d, {op,
          d.getDistributed(value),
          from,
          to,
          AffineMap::getMultiDimIdentityMap(to.rank(), op->getContext()),
          {},
          false});
}

static LogicalResult distributeInsert(Distributor &d, vector::InsertOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  NestedLayout to = layoutOrScalar(d, op.getResult());
  NestedLayout dest = layoutOrScalar(d, op.getDest());
  if (dest != to)
    return emitLayoutMismatch(op, "destination", dest, to);
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  int64_t leading = position.size();
  auto rest = layout::project(to, getLeadingDims(leading));
  FailureOr<SmallVector<Value>> inserted =
      inLayout(d, op, op.getValueToStore(), *rest);
  if (failed(inserted))
    return failure();

  SmallVector<Value> result = d.getElements(d.getDistributed(op.getDest()));
  for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
    Ints coordinates = layout::delinearize(reg, to.distributedShape());
    Value isInside;
    bool isOutside = false;
    int64_t source = 0;
    for (int64_t i = 0; i < to.rank(); ++i) {
      const DimTiles &dim = to.dim(i);
      if (i >= leading) {
        source = source * dim.values() + coordinates[i];
        continue;
      }
      Value base = d.ids.base(dim);
      std::optional<int64_t> at = getConstantIntValue(position[i]);
      int64_t offset = dim.coordinate(0, 0, coordinates[i]);
      if (at && !base) {
        isOutside |= *at != offset;
        continue;
      }
      // Lanes that never hold the element also compare: all lanes run the same
      // code.
      Value equal = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::eq, d.coordinate(dim, coordinates[i]),
          getValueOrCreateConstantIndexOp(b, loc, position[i]));
      isInside = createAnd(b, loc, isInside, equal);
    }
    if (isOutside)
      continue;
    result[reg] =
        isInside ? arith::SelectOp::create(b, loc, isInside,
                                           (*inserted)[source], result[reg])
                       .getResult()
                 : (*inserted)[source];
  }
  d.replace(op, assembleDistributed(d, op.getResult(), result));
  return success();
}

static LogicalResult distributeExtractSlice(Distributor &d,
                                            vector::ExtractStridedSliceOp op) {
  NestedLayout from = layoutOrScalar(d, op.getSource());
  NestedLayout to = layoutOrScalar(d, op.getResult());
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < to.rank(); ++i) {
    AffineExpr expr = getAffineDimExpr(i, op.getContext());
    if (i < static_cast<int64_t>(op.getOffsets().size()))
      expr = expr + cast<IntegerAttr>(op.getOffsets()[i]).getInt();
    exprs.push_back(expr);
  }
  FailureOr<SmallVector<Value>> elements =
      createExchange(d, {op,
                         d.getDistributed(op.getSource()),
                         from,
                         to,
                         AffineMap::get(to.rank(), 0, exprs, op.getContext()),
                         {},
                         false});
  if (failed(elements))
    return failure();
  d.replace(op, assembleDistributed(d, op.getResult(), *elements));
  return success();
}

static LogicalResult distributeInsertSlice(Distributor &d,
                                           vector::InsertStridedSliceOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  NestedLayout from = layoutOrScalar(d, op.getValueToStore());
  NestedLayout to = layoutOrScalar(d, op.getResult());
  NestedLayout dest = layoutOrScalar(d, op.getDest());
  if (dest != to)
    return emitLayoutMismatch(op, "destination", dest, to);
  int64_t leading = to.rank() - from.rank();
  Ints offsets, sizes(to.rank(), 1);
  for (Attribute offset : op.getOffsets())
    offsets.push_back(cast<IntegerAttr>(offset).getInt());
  // Elements outside of the slice get an arbitrary element of it, which is
  // dropped.
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < from.rank(); ++i) {
    int64_t size = sizes[leading + i] = from.dim(i).size();
    int64_t shift =
        static_cast<int64_t>(llvm::divideCeil(offsets[leading + i], size)) *
            size -
        offsets[leading + i];
    exprs.push_back((getAffineDimExpr(leading + i, op.getContext()) + shift) %
                    size);
  }
  FailureOr<SmallVector<Value>> inserted =
      createExchange(d, {op,
                         d.getDistributed(op.getValueToStore()),
                         from,
                         to,
                         AffineMap::get(to.rank(), 0, exprs, op.getContext()),
                         {},
                         false});
  if (failed(inserted))
    return failure();

  SmallVector<Value> result = d.getElements(d.getDistributed(op.getDest()));
  for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
    Ints coordinates = layout::delinearize(reg, to.distributedShape());
    Value isInside;
    bool isOutside = false;
    for (int64_t i = 0; i < to.rank(); ++i) {
      const DimTiles &dim = to.dim(i);
      if (sizes[i] == dim.size())
        continue;
      if (!d.ids.base(dim)) {
        int64_t x = dim.coordinate(0, 0, coordinates[i]);
        isOutside |= x < offsets[i] || x >= offsets[i] + sizes[i];
        continue;
      }
      // One unsigned comparison checks both bounds.
      Value x =
          LaneIds::add(b, loc, d.coordinate(dim, coordinates[i]), -offsets[i]);
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x,
                                           d.ids.constant(sizes[i]));
      isInside = createAnd(b, loc, isInside, inside);
    }
    if (isOutside)
      continue;
    result[reg] = isInside
                      ? arith::SelectOp::create(b, loc, isInside,
                                                (*inserted)[reg], result[reg])
                            .getResult()
                      : (*inserted)[reg];
  }
  d.replace(op, assembleDistributed(d, op.getResult(), result));
  return success();
}

Distributed distributeSlice(Distributor &d, Operation *op) {
  if (!isa<vector::ExtractOp, vector::InsertOp, vector::ExtractStridedSliceOp,
           vector::InsertStridedSliceOp>(op))
    return std::nullopt;
  if (failed(checkLayouts(d, op)))
    return failure();
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return distributeExtract(d, extract);
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return distributeInsert(d, insert);
  if (auto extract = dyn_cast<vector::ExtractStridedSliceOp>(op))
    return distributeExtractSlice(d, extract);
  return distributeInsertSlice(d, cast<vector::InsertStridedSliceOp>(op));
}

} // namespace aircc::distribution
