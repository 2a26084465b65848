//===- ExpandIntegerPowers.cpp - math.ipowi by squaring -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDINTEGERPOWERS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Computes base ** exponent modulo 2 ** bits for `exponent` >= 0, with the
/// loop
///
///   for (result = 1; exponent; exponent >>= 1, base *= base)
///     if (exponent & 1) result *= base;
Value buildPower(ImplicitLocOpBuilder &b, Value base, Value exponent,
                 Value zero, Value one) {
  Type type = base.getType();
  auto loop = scf::WhileOp::create(
      b, TypeRange{type, type, type}, ValueRange{one, base, exponent},
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        Value more = arith::CmpIOp::create(
            nested, loc, arith::CmpIPredicate::ne, state[2], zero);
        scf::ConditionOp::create(nested, loc, more, state);
      },
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        ImplicitLocOpBuilder body(loc, nested);
        Value result = state[0], power = state[1], rest = state[2];
        Value isOdd =
            arith::CmpIOp::create(body, arith::CmpIPredicate::ne,
                                  arith::AndIOp::create(body, rest, one), zero);
        Value factor = arith::SelectOp::create(body, isOdd, power, one);
        Value next = arith::MulIOp::create(body, result, factor);
        Value square = arith::MulIOp::create(body, power, power);
        Value half = arith::ShRUIOp::create(body, rest, one);
        scf::YieldOp::create(body, ValueRange{next, square, half});
      });
  return loop.getResult(0);
}

Value expandScalar(ImplicitLocOpBuilder &b, Value base, Value exponent) {
  Type type = base.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  };
  auto isEqual = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  };
  Value zero = constant(0), one = constant(1), minusOne = constant(-1);
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, exponent, zero);
  Value count = arith::SelectOp::create(b, isNegative, zero, exponent);
  Value power = buildPower(b, base, count, zero, one);

  // Compute 1 / base ** -exponent, truncated, which is 0 for most bases.
  Value isOdd = isEqual(arith::AndIOp::create(b, exponent, one), one);
  Value sign = arith::SelectOp::create(b, isOdd, minusOne, one);
  Value fraction =
      arith::SelectOp::create(b, isEqual(base, minusOne), sign, zero);
  fraction = arith::SelectOp::create(b, isEqual(base, one), one, fraction);
  return arith::SelectOp::create(b, isNegative, fraction, power);
}

struct ExpandPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    // A one-bit exponent cannot be shifted.
    if (getElementTypeOrSelf(op.getType()).isInteger(1))
      return rewriter.notifyMatchFailure(op, "has exponents of one bit");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector) {
      if (isa<ShapedType>(op.getType()))
        return failure();
      rewriter.replaceOp(op, expandScalar(b, op.getLhs(), op.getRhs()));
      return success();
    }
    if (vector.isScalable())
      return rewriter.notifyMatchFailure(op,
                                         "the number of elements is dynamic");
    Value result = ub::PoisonOp::create(b, vector);
    SmallVector<int64_t> strides = computeStrides(vector.getShape());
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      SmallVector<int64_t> position = delinearize(i, strides);
      Value base = vector::ExtractOp::create(b, op.getLhs(), position);
      Value exponent = vector::ExtractOp::create(b, op.getRhs(), position);
      Value power = expandScalar(b, base, exponent);
      result = vector::InsertOp::create(b, power, result, position);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandIntegerPowers
    : aircc::impl::ExpandIntegerPowersBase<ExpandIntegerPowers> {
  LogicalResult initialize(MLIRContext *ctx) override {
    RewritePatternSet patterns(ctx);
    patterns.add<ExpandPower>(ctx);
    frozen = FrozenRewritePatternSet(std::move(patterns));
    return success();
  }

  void runOnOperation() override {
    // Most kernels have no such ops, so avoid a pass over all ops.
    if (!getOperation()
             .walk([](math::IPowIOp) { return WalkResult::interrupt(); })
             .wasInterrupted())
      return markAllAnalysesPreserved();
    if (failed(applyPatternsGreedily(getOperation(), frozen)))
      signalPassFailure();
  }

  FrozenRewritePatternSet frozen;
};

} // namespace
