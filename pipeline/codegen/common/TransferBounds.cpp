//===- TransferBounds.cpp - Mask transfers along outer dimensions ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A 1-D transfer that may be out of bounds gets a mask. The upstream pattern
// always uses the size of the memory's last dimension for the mask, even if the
// vector extends along another dimension; down a column, it then accesses
// memory out of bounds. These patterns run first and mask such transfers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/VectorLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

template <typename TransferOp>
struct MaskColumn : OpRewritePattern<TransferOp> {
  MaskColumn(MLIRContext *context)
      : OpRewritePattern<TransferOp>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(TransferOp op,
                                PatternRewriter &b) const override {
    auto memory = dyn_cast<MemRefType>(op.getShapedType());
    VectorType type = op.getVectorType();
    if (!memory || type.getRank() != 1 || op.isDimInBounds(0) ||
        isa<vector::MaskOp>(op->getParentOp()))
      return failure();
    auto along = dyn_cast<AffineDimExpr>(op.getPermutationMap().getResult(0));
    if (!along || along.getPosition() + 1 == memory.getRank())
      return failure();
    Location loc = op.getLoc();
    Value extent =
        memref::DimOp::create(b, loc, op.getBase(), along.getPosition());
    Value rest = arith::SubIOp::create(b, loc, extent,
                                       op.getIndices()[along.getPosition()]);
    Value mask = vector::CreateMaskOp::create(b, loc, type.clone(b.getI1Type()),
                                              ValueRange(rest));
    if (op.getMask())
      mask = arith::AndIOp::create(b, loc, op.getMask(), mask);
    b.modifyOpInPlace(op, [&] {
      op.getMaskMutable().assign(mask);
      op.setInBoundsAttr(b.getBoolArrayAttr({true}));
    });
    return success();
  }
};

} // namespace

void aircc::populateTransferBoundsPatterns(RewritePatternSet &patterns) {
  patterns.add<MaskColumn<vector::TransferReadOp>,
               MaskColumn<vector::TransferWriteOp>>(patterns.getContext());
}
