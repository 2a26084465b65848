//===- VectorExpansion.cpp - Vector patterns missing upstream -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/VectorLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// Multidimensional loads and stores are in-bounds transfers, which have a
/// lowering.
bool isBoxOfElements(VectorType vector, MemRefType memref) {
  return vector.getRank() > 1 && !vector.isScalable() &&
         vector.getRank() <= memref.getRank() &&
         vector.getElementType() == memref.getElementType();
}

struct LoadOfBox : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &b) const override {
    VectorType type = op.getVectorType();
    if (!isBoxOfElements(type, op.getMemRefType()))
      return failure();
    // The transfer is in bounds, so the padding is never used.
    Value padding = ub::PoisonOp::create(b, op.getLoc(), type.getElementType());
    SmallVector<bool> inBounds(type.getRank(), true);
    b.replaceOpWithNewOp<vector::TransferReadOp>(op, type, op.getBase(),
                                                 op.getIndices(), padding,
                                                 ArrayRef<bool>(inBounds));
    return success();
  }
};

struct StoreOfBox : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::StoreOp op,
                                PatternRewriter &b) const override {
    VectorType type = op.getVectorType();
    if (!isBoxOfElements(type, op.getMemRefType()))
      return failure();
    SmallVector<bool> inBounds(type.getRank(), true);
    b.replaceOpWithNewOp<vector::TransferWriteOp>(op, op.getValueToStore(),
                                                  op.getBase(), op.getIndices(),
                                                  ArrayRef<bool>(inBounds));
    return success();
  }
};

/// Finds the first dynamic position in a dimension other than the last. These
/// dimensions are arrays in LLVM, whose indices must be constants.
std::optional<unsigned> findDynamicRow(ArrayRef<OpFoldResult> positions,
                                       VectorType vector) {
  for (auto [dim, position] : llvm::enumerate(positions))
    if (isa<Value>(position) && int64_t(dim) + 1 < vector.getRank())
      return dim;
  return std::nullopt;
}

Value isAt(OpBuilder &b, Location loc, OpFoldResult position, int64_t row) {
  Value here = arith::ConstantIndexOp::create(b, loc, row);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                               cast<Value>(position), here);
}

/// Selects among the rows with comparisons of the position.
struct ExtractAtRunTime : OpRewritePattern<vector::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ExtractOp op,
                                PatternRewriter &b) const override {
    VectorType type = op.getSourceVectorType();
    SmallVector<OpFoldResult> positions = op.getMixedPosition();
    std::optional<unsigned> dim = findDynamicRow(positions, type);
    if (!dim || type.isScalable())
      return failure();
    Location loc = op.getLoc();
    OpFoldResult position = positions[*dim];
    Value result;
    for (int64_t row = 0; row < type.getDimSize(*dim); ++row) {
      positions[*dim] = b.getIndexAttr(row);
      Value part = vector::ExtractOp::create(b, loc, op.getSource(), positions);
      result = result ? arith::SelectOp::create(
                            b, loc, isAt(b, loc, position, row), part, result)
                      : part;
    }
    b.replaceOp(op, result);
    return success();
  }
};

/// Writes every row: the new value at the position, the old ones elsewhere.
struct InsertAtRunTime : OpRewritePattern<vector::InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::InsertOp op,
                                PatternRewriter &b) const override {
    VectorType type = op.getDestVectorType();
    SmallVector<OpFoldResult> positions = op.getMixedPosition();
    std::optional<unsigned> dim = findDynamicRow(positions, type);
    if (!dim || type.isScalable())
      return failure();
    Location loc = op.getLoc();
    OpFoldResult position = positions[*dim];
    ArrayRef<OpFoldResult> all = positions;
    ArrayRef<OpFoldResult> inRow = all.drop_front(*dim + 1);
    SmallVector<OpFoldResult> place(all.take_front(*dim + 1));
    Value result = op.getDest();
    for (int64_t row = 0; row < type.getDimSize(*dim); ++row) {
      place[*dim] = b.getIndexAttr(row);
      Value before = vector::ExtractOp::create(b, loc, op.getDest(), place);
      Value after = op.getValueToStore();
      if (!inRow.empty())
        after = vector::InsertOp::create(b, loc, after, before, inRow);
      Value now = arith::SelectOp::create(b, loc, isAt(b, loc, position, row),
                                          after, before);
      result = vector::InsertOp::create(b, loc, now, result, place);
    }
    b.replaceOp(op, result);
    return success();
  }
};

/// Selects the passthru values after the masked op.
struct SelectPassthru : OpRewritePattern<vector::MaskOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskOp op,
                                PatternRewriter &b) const override {
    Value passthru = op.getPassthru();
    if (!passthru || op.getNumResults() != 1)
      return failure();
    auto mask = cast<VectorType>(op.getMask().getType());
    auto type = dyn_cast<VectorType>(op.getResult(0).getType());
    if (!type || type.getShape() != mask.getShape())
      return failure();
    b.modifyOpInPlace(op, [&] { op.getPassthruMutable().clear(); });
    b.setInsertionPointAfter(op);
    Value masked = op.getResult(0);
    auto select =
        arith::SelectOp::create(b, op.getLoc(), op.getMask(), masked, passthru);
    b.replaceAllUsesExcept(masked, select, select);
    return success();
  }
};

} // namespace

void aircc::populateVectorExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<LoadOfBox, StoreOfBox, ExtractAtRunTime, InsertAtRunTime,
               SelectPassthru>(patterns.getContext());
}
