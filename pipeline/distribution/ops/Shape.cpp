//===- Shape.cpp - Distribute shape changes -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If applying the op to the layout of the operand gives the layout of the
// result, each lane applies the op to its distributed vector. Otherwise,
// elements are exchanged between lanes.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Transforms.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Exchange.h"
#include "pipeline/distribution/memory/ByteColumns.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

static LogicalResult distributeBroadcast(Distributor &d,
                                         vector::BroadcastOp op) {
  auto source = dyn_cast<VectorType>(op.getSourceType());
  if (!source || !d.isUndistributed(op.getSource())) {
    if (source && source.getRank() > 0)
      return op.emitOpError("has a source without a layout");
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  const NestedLayout &from = *d.getLayout(op.getSource());
  const NestedLayout &to = *d.getLayout(op.getVector());
  auto fitting = layout::broadcastSource(to, Ints(from.shape()));
  if (fitting && *fitting == from) {
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  SmallVector<AffineExpr> results;
  int64_t leading = to.rank() - from.rank();
  for (int64_t i = 0; i < from.rank(); ++i)
    results.push_back(from.dim(i).size() == 1
                          ? getAffineConstantExpr(0, op.getContext())
                          : getAffineDimExpr(i + leading, op.getContext()));
  return distributeByExchange(
      d, op, op.getSource(),
      AffineMap::get(to.rank(), 0, results, op.getContext()));
}

/// Transposes the bytes that a lane holds with permutations of words. Returns
/// null if they are not blocks of 4 x 4 bytes.
static Value transposeBytes(Distributor &d, vector::TransposeOp op) {
  auto type = cast<VectorType>(d.getDistributedType(op.getResult()));
  Ints permutation(op.getPermutation()), shape(type.getShape()),
      sourceShape(shape.size());
  for (auto [i, sourceDim] : llvm::enumerate(permutation))
    sourceShape[sourceDim] = shape[i];
  if (d.target.isXe() || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() != 8 || shape.empty() || shape.back() % 4 ||
      sourceShape.back() % 4 ||
      permutation.back() + 1 == static_cast<int64_t>(shape.size()))
    return {};
  ByteColumns columns(d, d.getElements(d.getDistributed(op.getVector())));
  SmallVector<Value> elements;
  for (int64_t first = 0; first < type.getNumElements(); first += 4) {
    SmallVector<int64_t> registers;
    for (int64_t i = first; i < first + 4; ++i) {
      Ints position = layout::delinearize(i, shape), source(shape.size());
      for (auto [dim, sourceDim] : llvm::enumerate(permutation))
        source[sourceDim] = position[dim];
      registers.push_back(layout::linearize(source, sourceShape));
    }
    llvm::append_range(elements, d.getElements(columns.get(registers)));
  }
  return d.assemble(type, elements);
}

static LogicalResult distributeTranspose(Distributor &d,
                                         vector::TransposeOp op) {
  const NestedLayout &from = *d.getLayout(op.getVector());
  const NestedLayout &to = *d.getLayout(op.getResult());
  Ints permutation(op.getPermutation());
  auto permuted = layout::permute(from, permutation);
  if (permuted && *permuted == to) {
    if (Value transposed = transposeBytes(d, op))
      d.replace(op, transposed);
    else
      d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  // Dimension i of the result is permutation[i] of the source.
  SmallVector<AffineExpr> results(from.rank());
  for (auto [i, sourceDim] : llvm::enumerate(permutation))
    results[sourceDim] = getAffineDimExpr(i, op.getContext());
  return distributeByExchange(
      d, op, op.getVector(),
      AffineMap::get(to.rank(), 0, results, op.getContext()));
}

static LogicalResult distributeShapeCast(Distributor &d,
                                         vector::ShapeCastOp op) {
  const NestedLayout &from = *d.getLayout(op.getSource());
  const NestedLayout &to = *d.getLayout(op.getResult());
  Ints shape = to.shape();
  auto cast = layout::reshape(from, shape);
  if (cast && *cast == to) {
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  AffineExpr linear = getAffineConstantExpr(0, op.getContext());
  for (int64_t i = 0; i < to.rank(); ++i)
    linear = linear * shape[i] + getAffineDimExpr(i, op.getContext());
  SmallVector<AffineExpr> results(from.rank());
  for (int64_t i = from.rank() - 1; i >= 0; --i) {
    results[i] = i == 0 ? linear : linear % from.dim(i).size();
    linear = linear.floorDiv(from.dim(i).size());
  }
  return distributeByExchange(
      d, op, op.getSource(),
      AffineMap::get(to.rank(), 0, results, op.getContext()));
}

/// Distributes a bitcast, which merges or splits elements along the last
/// dimension; these must be in one lane.
static LogicalResult distributeBitCast(Distributor &d, vector::BitCastOp op) {
  const NestedLayout &from = *d.getLayout(op.getSource());
  const NestedLayout &to = *d.getLayout(op.getResult());
  int64_t fromBits = op.getSourceVectorType().getElementTypeBitWidth();
  int64_t toBits = op.getResultVectorType().getElementTypeBitWidth();
  std::vector<DimTiles> dims = from.dims();
  if (!dims.empty()) {
    int64_t bits = dims.back().element * fromBits;
    if (bits % toBits != 0) {
      InFlightDiagnostic diag =
          op.emitOpError("creates elements of ")
          << toBits << " bits, but a lane has only " << dims.back().element
          << " adjacent elements of " << fromBits << " bits";
      diag.attachNote() << "the element tile of the source in its last "
                           "dimension must hold whole elements of the result";
      return diag;
    }
    dims.back().element = bits / toBits;
  }
  auto expected = NestedLayout::ofDims(std::move(dims));
  if (!expected)
    return op.emitOpError("cannot be distributed: ") << expected.message();
  if (*expected != to)
    return emitLayoutMismatch(op, "result", to, *expected);
  d.replace(op, cloneForLane(d, op)->getResults());
  return success();
}

/// Interleaves the elements of two sources.
static LogicalResult distributeInterleave(Distributor &d,
                                          vector::InterleaveOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  const NestedLayout &to = *d.getLayout(op.getResult());
  int64_t last = to.rank() - 1;
  AffineMap half =
      AffineMap::getMultiDimIdentityMap(to.rank(), op.getContext());
  SmallVector<AffineExpr> exprs(half.getResults());
  exprs[last] = exprs[last].floorDiv(2);
  half = AffineMap::get(to.rank(), 0, exprs, op.getContext());
  SmallVector<SmallVector<Value>> sides;
  for (Value side : {op.getLhs(), op.getRhs()}) {
    FailureOr<SmallVector<Value>> elements = createExchange(
        d, {op, d.getDistributed(side), *d.getLayout(side), to, half});
    if (failed(elements))
      return failure();
    sides.push_back(*elements);
  }
  SmallVector<Value> result;
  for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
    Ints position = layout::delinearize(reg, to.distributedShape());
    const DimTiles &dim = to.dim(last);
    int64_t offset = dim.coordinate(0, 0, position[last]);
    // The base of a lane is a multiple of the element tile.
    if (dim.element % 2 == 0 || !d.ids.base(dim)) {
      result.push_back(sides[offset % 2][reg]);
      continue;
    }
    Value parity = arith::AndIOp::create(
        b, loc, d.coordinate(dim, position[last]), d.ids.constant(1));
    Value odd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, parity,
                                      d.ids.constant(0));
    result.push_back(
        arith::SelectOp::create(b, loc, odd, sides[1][reg], sides[0][reg]));
  }
  d.replace(op, d.assembleDistributed(op.getResult(), result));
  return success();
}

static LogicalResult distributeDeinterleave(Distributor &d,
                                            vector::DeinterleaveOp op) {
  SmallVector<Value> values;
  for (auto [odd, result] : llvm::enumerate(op->getResults())) {
    const NestedLayout &to = *d.getLayout(result);
    SmallVector<AffineExpr> exprs(
        AffineMap::getMultiDimIdentityMap(to.rank(), op.getContext())
            .getResults());
    exprs.back() = exprs.back() * 2 + static_cast<int64_t>(odd);
    FailureOr<SmallVector<Value>> elements = createExchange(
        d, {op, d.getDistributed(op.getSource()), *d.getLayout(op.getSource()),
            to, AffineMap::get(to.rank(), 0, exprs, op.getContext())});
    if (failed(elements))
      return failure();
    values.push_back(d.assembleDistributed(result, *elements));
  }
  d.replace(op, values);
  return success();
}

/// Returns a layout in which every lane holds all elements.
static NestedLayout getReplicatedLayout(ArrayRef<int64_t> shape) {
  std::vector<DimTiles> dims;
  for (int64_t size : shape) {
    DimTiles dim;
    dim.element = size;
    dims.push_back(dim);
  }
  return *NestedLayout::ofDims(std::move(dims));
}

/// Gathers all elements of an undistributed vector in every lane.
static FailureOr<SmallVector<Value>>
replicateElements(Distributor &d, Operation *op, Value source) {
  const NestedLayout &from = *d.getLayout(source);
  return convertLayout(d, op, d.getDistributed(source), from,
                       getReplicatedLayout(from.shape()));
}

/// Replaces the result of `op` with the part of `vector` for each lane.
/// `vector` is replicated in all lanes.
static LogicalResult distributeReplicated(Distributor &d, Operation *op,
                                          Value vector) {
  const NestedLayout &to = *d.getLayout(op->getResult(0));
  FailureOr<SmallVector<Value>> elements =
      convertLayout(d, op, vector, getReplicatedLayout(to.shape()), to);
  if (failed(elements))
    return failure();
  d.replace(op, d.assembleDistributed(op->getResult(0), *elements));
  return success();
}

static LogicalResult distributeFromElements(Distributor &d,
                                            vector::FromElementsOp op) {
  return distributeReplicated(d, op,
                              vector::FromElementsOp::create(d.b, op.getLoc(),
                                                             op.getType(),
                                                             op.getElements()));
}

static LogicalResult distributeToElements(Distributor &d,
                                          vector::ToElementsOp op) {
  FailureOr<SmallVector<Value>> elements =
      replicateElements(d, op, op.getSource());
  if (failed(elements))
    return failure();
  d.replace(op, *elements);
  return success();
}

/// Distributes a shuffle: all lanes get all elements, permute them, and keep
/// their part.
static LogicalResult distributeShuffle(Distributor &d, vector::ShuffleOp op) {
  SmallVector<Value> all;
  for (Value source : {op.getV1(), op.getV2()}) {
    FailureOr<SmallVector<Value>> elements = replicateElements(d, op, source);
    if (failed(elements))
      return failure();
    all.append(*elements);
  }
  auto type = cast<VectorType>(op.getResult().getType());
  int64_t slice = type.getNumElements() / type.getShape()[0];
  SmallVector<Value> shuffled;
  for (int64_t from : op.getMask())
    for (int64_t i = 0; i < slice; ++i)
      // Poison can be any element.
      shuffled.push_back(all[std::max<int64_t>(from, 0) * slice + i]);
  return distributeReplicated(d, op, d.assemble(type, shuffled));
}

Distributed distributeShape(Distributor &d, Operation *op) {
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return distributeBroadcast(d, broadcast);
  if (!isa<vector::TransposeOp, vector::ShapeCastOp, vector::BitCastOp,
           vector::InterleaveOp, vector::DeinterleaveOp, vector::FromElementsOp,
           vector::ToElementsOp, vector::ShuffleOp>(op))
    return std::nullopt;
  if (failed(checkHaveLayouts(d, op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](vector::TransposeOp op) { return distributeTranspose(d, op); })
      .Case([&](vector::ShapeCastOp op) { return distributeShapeCast(d, op); })
      .Case([&](vector::BitCastOp op) { return distributeBitCast(d, op); })
      .Case(
          [&](vector::InterleaveOp op) { return distributeInterleave(d, op); })
      .Case([&](vector::DeinterleaveOp op) {
        return distributeDeinterleave(d, op);
      })
      .Case([&](vector::FromElementsOp op) {
        return distributeFromElements(d, op);
      })
      .Case(
          [&](vector::ToElementsOp op) { return distributeToElements(d, op); })
      .Case([&](vector::ShuffleOp op) { return distributeShuffle(d, op); });
}

} // namespace aircc::distribution
