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
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> symbols;
  for (OpFoldResult at : position) {
    if (std::optional<int64_t> constant = getConstantIntValue(at)) {
      exprs.push_back(getAffineConstantExpr(std::max<int64_t>(*constant, 0),
                                            op.getContext()));
      continue;
    }
    exprs.push_back(getAffineSymbolExpr(symbols.size(), op.getContext()));
    symbols.push_back(cast<Value>(at));
  }
  for (int64_t i = 0; i < to.rank(); ++i)
    exprs.push_back(getAffineDimExpr(i, op.getContext()));
  return distributeByExchange(
      d, op, source,
      AffineMap::get(to.rank(), symbols.size(), exprs, op.getContext()),
      symbols);
}

/// Replaces elements of the destination of an insertion. For the register at
/// `coordinates`, `getCondition` returns the condition under which it is
/// replaced (null for always), or nullopt if it never is; `getInserted` returns
/// the new element.
static void replaceElements(
    Distributor &d, Operation *op, Value dest, const NestedLayout &layout,
    function_ref<std::optional<Value>(const Ints &coordinates)> getCondition,
    function_ref<Value(const Ints &coordinates)> getInserted) {
  SmallVector<Value> result = d.getDistributedElements(dest);
  for (auto [reg, element] : llvm::enumerate(result)) {
    Ints coordinates = layout::delinearize(reg, layout.distributedShape());
    std::optional<Value> condition = getCondition(coordinates);
    if (!condition)
      continue;
    Value inserted = getInserted(coordinates);
    element = *condition ? arith::SelectOp::create(
                               d.b, op->getLoc(), *condition, inserted, element)
                               .getResult()
                         : inserted;
  }
  d.replace(op, d.assembleDistributed(op->getResult(0), result));
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
  Value value = op.getValueToStore();
  FailureOr<SmallVector<Value>> inserted = convertLayout(
      d, op, d.getDistributed(value), layoutOrScalar(d, value), *rest);
  if (failed(inserted))
    return failure();

  auto getCondition = [&](const Ints &coordinates) -> std::optional<Value> {
    Value isInside;
    bool isOutside = false;
    for (int64_t i = 0; i < leading; ++i) {
      const DimTiles &dim = to.dim(i);
      Value base = d.ids.base(dim);
      std::optional<int64_t> at = getConstantIntValue(position[i]);
      if (at && !base) {
        isOutside |= *at != dim.coordinate(0, 0, coordinates[i]);
        continue;
      }
      // Lanes that never hold the element also perform the comparison, because
      // all lanes run the same code.
      Value equal = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::eq, d.coordinate(dim, coordinates[i]),
          getValueOrCreateConstantIndexOp(b, loc, position[i]));
      isInside = createAnd(b, loc, isInside, equal);
    }
    return isOutside ? std::nullopt : std::optional(isInside);
  };
  auto getInserted = [&](const Ints &coordinates) {
    int64_t reg = 0;
    for (int64_t i = leading; i < to.rank(); ++i)
      reg = reg * to.dim(i).values() + coordinates[i];
    return (*inserted)[reg];
  };
  replaceElements(d, op, op.getDest(), to, getCondition, getInserted);
  return success();
}

static LogicalResult distributeExtractSlice(Distributor &d,
                                            vector::ExtractStridedSliceOp op) {
  int64_t rank = op.getType().getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i) {
    AffineExpr expr = getAffineDimExpr(i, op.getContext());
    if (i < static_cast<int64_t>(op.getOffsets().size()))
      expr = expr + cast<IntegerAttr>(op.getOffsets()[i]).getInt();
    exprs.push_back(expr);
  }
  return distributeByExchange(d, op, op.getSource(),
                              AffineMap::get(rank, 0, exprs, op.getContext()));
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
  // Elements outside the slice get an arbitrary element of it, which is
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
      createExchange(d, {op, d.getDistributed(op.getValueToStore()), from, to,
                         AffineMap::get(to.rank(), 0, exprs, op.getContext())});
  if (failed(inserted))
    return failure();

  auto getCondition = [&](const Ints &coordinates) -> std::optional<Value> {
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
      // A single unsigned comparison checks both bounds.
      Value x =
          LaneIds::add(b, loc, d.coordinate(dim, coordinates[i]), -offsets[i]);
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x,
                                           d.ids.constant(sizes[i]));
      isInside = createAnd(b, loc, isInside, inside);
    }
    return isOutside ? std::nullopt : std::optional(isInside);
  };
  auto getInserted = [&](const Ints &coordinates) {
    return (*inserted)[layout::linearize(coordinates, to.distributedShape())];
  };
  replaceElements(d, op, op.getDest(), to, getCondition, getInserted);
  return success();
}

Distributed distributeSlice(Distributor &d, Operation *op) {
  if (!isa<vector::ExtractOp, vector::InsertOp, vector::ExtractStridedSliceOp,
           vector::InsertStridedSliceOp>(op))
    return std::nullopt;
  if (failed(checkHaveLayouts(d, op, /*allowScalars=*/true)))
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
