//===- ContractionExpansion.cpp - Expand contractions of any kind ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/VectorLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace {

/// Returns true if `to` is a wider type of the same kind as `from`.
bool isExtension(Type from, Type to) {
  return from == to ||
         (isa<FloatType>(from) == isa<FloatType>(to) && from.isIntOrFloat() &&
          to.isIntOrFloat() &&
          from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth());
}

/// Extends the elements of `value` to `element`.
Value extend(OpBuilder &b, Location loc, Value value, Type element) {
  Type type = cast<VectorType>(value.getType()).clone(element);
  if (type == value.getType())
    return value;
  return isa<FloatType>(element)
             ? arith::ExtFOp::create(b, loc, type, value).getResult()
             : arith::ExtSIOp::create(b, loc, type, value).getResult();
}

/// Transposes `value`: dimension `order[i]` becomes dimension i.
Value reorder(OpBuilder &b, Location loc, Value value,
              ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return value;
  return vector::TransposeOp::create(b, loc, value, order);
}

/// Broadcasts an operand to the whole iteration space, along the dimensions
/// that its map does not use.
Value broadcastToLoops(OpBuilder &b, Location loc, Value value, AffineMap map,
                       ArrayRef<int64_t> bounds) {
  SmallVector<int64_t> dims, shape;
  llvm::SmallBitVector used(bounds.size());
  for (AffineExpr result : map.getResults())
    used.set(cast<AffineDimExpr>(result).getPosition());
  for (auto [dim, size] : llvm::enumerate(bounds))
    if (!used[dim]) {
      dims.push_back(dim);
      shape.push_back(size);
    }
  auto type = cast<VectorType>(value.getType());
  for (auto [result, size] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    dims.push_back(cast<AffineDimExpr>(result).getPosition());
    shape.push_back(size);
  }
  value = vector::BroadcastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), value);
  return reorder(b, loc, value, invertPermutationVector(dims));
}

/// Multiplies all pairs of elements and reduces the products into the
/// accumulator. Upstream patterns are faster and cover most contractions; this
/// pattern covers the rest.
struct ExpandContraction
    : vector::MaskableOpRewritePattern<vector::ContractionOp> {
  explicit ExpandContraction(MLIRContext *context)
      : MaskableOpRewritePattern(context, /*benefit=*/0) {}

  FailureOr<Value>
  matchAndRewriteMaskableOp(vector::ContractionOp op,
                            vector::MaskingOpInterface masking,
                            PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value acc = op.getAcc();
    Type element = getElementTypeOrSelf(acc.getType());
    auto accType = dyn_cast<VectorType>(acc.getType());
    SmallVector<AffineMap, 4> maps = op.getIndexingMapsArray();
    if (!isExtension(op.getLhsType().getElementType(), element) ||
        !isExtension(op.getRhsType().getElementType(), element) ||
        op.getLhsType().isScalable() || op.getRhsType().isScalable() ||
        (accType && accType.getRank() == 0) ||
        (masking && masking.hasPassthru()) ||
        !llvm::all_of(
            maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return failure();
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);

    Value lhs = broadcastToLoops(b, loc, extend(b, loc, op.getLhs(), element),
                                 maps[0], bounds);
    Value rhs = broadcastToLoops(b, loc, extend(b, loc, op.getRhs(), element),
                                 maps[1], bounds);
    Value product = isa<FloatType>(element)
                        ? arith::MulFOp::create(b, loc, lhs, rhs).getResult()
                        : arith::MulIOp::create(b, loc, lhs, rhs).getResult();

    // The reduction keeps its dimensions in the order of the iteration space.
    SmallVector<int64_t> kept;
    SmallVector<bool> isReduced(bounds.size(), true);
    for (AffineExpr result : maps[2].getResults()) {
      kept.push_back(cast<AffineDimExpr>(result).getPosition());
      isReduced[kept.back()] = false;
    }
    SmallVector<int64_t> sorted =
        llvm::to_vector(llvm::seq<int64_t>(kept.size()));
    llvm::sort(sorted, [&](int64_t x, int64_t y) { return kept[x] < kept[y]; });
    if (accType)
      acc = reorder(b, loc, acc, sorted);
    Operation *reduction = vector::MultiDimReductionOp::create(
        b, loc, product, acc, isReduced, op.getKind());
    Value mask = masking ? masking.getMask() : Value();
    Value result = vector::maskOperation(b, reduction, mask)->getResult(0);
    if (accType)
      result = reorder(b, loc, result, invertPermutationVector(sorted));
    return result;
  }
};

} // namespace

void aircc::populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandContraction>(patterns.getContext());
}
