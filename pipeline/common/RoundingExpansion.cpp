//===- RoundingExpansion.cpp - Expand ops with special rounding -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/RoundingExpansion.h"

#include "pipeline/common/IntegerBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace aircc;

namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;
using arith::RoundingMode;

/// The precision of f32 in bits.
constexpr unsigned kFloatPrecision = 24;

const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
}

/// Returns the integer type of the same size and shape as a float type.
Type getBitsType(Type type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return getLike(type, IntegerType::get(type.getContext(), width));
}

Value getZero(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// Fused multiply-add
//===----------------------------------------------------------------------===//

/// f32's fma rounds to 24 bits. If the result is halfway between two numbers of
/// the narrow type, the bits dropped by that rounding decide which of the two
/// is nearest: 7 * 37 + 2^-20 is more than 259, which is halfway between the
/// bf16 numbers 258 and 260. In this case, this function moves the sum by one
/// unit in the last place toward the exact sum.
///
/// The dropped part is `x * y - sum + addend`. In such a case, it is nonzero
/// only if the addend is too small for the 24 bits. The difference between the
/// product, which has at most 16 bits, and the sum is then exact.
Value makeDecidable(OpBuilder &b, Location loc, Value x, Value y, Value addend,
                    Value sum, unsigned precision) {
  Type type = sum.getType();
  Type bitsType = getBitsType(type);
  IntegerBuilder ints(b, loc, bitsType);
  Value minus = arith::NegFOp::create(b, loc, sum);
  Value rest = arith::AddFOp::create(
      b, loc, math::FmaOp::create(b, loc, x, y, minus), addend);
  Value isInexact = arith::CmpFOp::create(b, loc, CmpFPredicate::ONE, rest,
                                          getZero(b, loc, type));
  Value bits = arith::BitcastOp::create(b, loc, bitsType, sum);
  unsigned dropped = kFloatPrecision - precision;
  Value isHalfway = ints.compare(
      CmpIPredicate::eq, ints.bitAnd(bits, (uint64_t(1) << dropped) - 1),
      uint64_t(1) << (dropped - 1));
  Value signs = arith::XOrIOp::create(
      b, loc, bits, arith::BitcastOp::create(b, loc, bitsType, rest));
  Value step = ints.select(ints.compare(CmpIPredicate::slt, signs, uint64_t(0)),
                           ints.constant(-1), ints.constant(1));
  Value moves = arith::AndIOp::create(b, loc, isHalfway, isInexact);
  Value moved =
      ints.add(bits, ints.select(moves, step, ints.constant(uint64_t(0))));
  return arith::BitcastOp::create(b, loc, type, moved);
}

struct RoundFmaOnce : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &b) const override {
    Type type = op.getType();
    const llvm::fltSemantics &semantics = getSemantics(type);
    if (!isNarrow(semantics))
      return failure();
    Location loc = op.getLoc();
    Type wide = getLike(type, b.getF32Type());
    auto extend = [&](Value value) -> Value {
      return arith::ExtFOp::create(b, loc, wide, value);
    };
    Value x = extend(op.getA()), y = extend(op.getB()), z = extend(op.getC());
    Value sum = math::FmaOp::create(b, loc, x, y, z);
    if (canLoseBits(semantics))
      sum = makeDecidable(b, loc, x, y, z, sum,
                          llvm::APFloat::semanticsPrecision(semantics));
    b.replaceOpWithNewOp<arith::TruncFOp>(op, type, sum);
    return success();
  }

  /// Returns true for bf16 and 8-bit floats, for which products of two numbers
  /// are exact in f32.
  static bool isNarrow(const llvm::fltSemantics &semantics) {
    return llvm::APFloat::semanticsPrecision(semantics) <= 8;
  }

  /// Returns true if a sum of numbers and products of the type may need more
  /// than 24 bits, from the highest bit of its largest number to the lowest bit
  /// of its smallest.
  static bool canLoseBits(const llvm::fltSemantics &semantics) {
    int largest = llvm::APFloat::semanticsMaxExponent(semantics);
    int smallest =
        llvm::APFloat::semanticsMinExponent(semantics) + 1 -
        static_cast<int>(llvm::APFloat::semanticsPrecision(semantics));
    return largest - smallest >= static_cast<int>(kFloatPrecision);
  }
};

//===----------------------------------------------------------------------===//
// Rounding modes
//===----------------------------------------------------------------------===//

/// Returns true if `rounded`, the f32 or f64 value of a narrow number, is the
/// neighbor of `exact` with the smaller magnitude, and `next` is equally near.
Value isTie(OpBuilder &b, Location loc, Value exact, Value rounded,
            Value next) {
  auto distance = [&](Value x, Value y) -> Value {
    return arith::SubFOp::create(b, loc, math::AbsFOp::create(b, loc, x),
                                 math::AbsFOp::create(b, loc, y));
  };
  Value below = distance(exact, rounded);
  Value isBelow = arith::CmpFOp::create(b, loc, CmpFPredicate::OGT, below,
                                        getZero(b, loc, exact.getType()));
  Value isEqual = arith::CmpFOp::create(b, loc, CmpFPredicate::OEQ, below,
                                        distance(next, exact));
  return arith::AndIOp::create(b, loc, isBelow, isEqual);
}

/// The bits of a narrow number are a sign and a magnitude, so its neighbors are
/// one more and one less, including the step to infinity.
struct ExpandRoundingMode : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &b) const override {
    std::optional<RoundingMode> mode = op.getRoundingmode();
    if (!mode)
      return failure();
    // This is the default, which the hardware implements.
    if (*mode == RoundingMode::to_nearest_even) {
      b.modifyOpInPlace(op, [&] { op.removeRoundingmodeAttr(); });
      return success();
    }
    Location loc = op.getLoc();
    Value exact = op.getIn();
    if (getElementTypeOrSelf(exact).getIntOrFloatBitWidth() < 32)
      exact = arith::ExtFOp::create(
          b, loc, getLike(exact.getType(), b.getF32Type()), exact);
    Type type = op.getType();
    Type bitsType = getBitsType(type);
    IntegerBuilder ints(b, loc, bitsType);
    Value nearest = arith::TruncFOp::create(b, loc, type, exact);
    Value bits = arith::BitcastOp::create(b, loc, bitsType, nearest);
    auto compare = [&](CmpFPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, x, y);
    };
    auto extend = [&](Value value) -> Value {
      return arith::ExtFOp::create(b, loc, exact.getType(), value);
    };
    Value back = extend(nearest);
    Value one = ints.constant(1), minusOne = ints.constant(-1);
    Value isWrong, step;
    if (*mode == RoundingMode::toward_zero) {
      isWrong = compare(CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
                        math::AbsFOp::create(b, loc, exact));
      step = minusOne;
    } else if (*mode == RoundingMode::to_nearest_away) {
      Value next =
          extend(arith::BitcastOp::create(b, loc, type, ints.add(bits, one)));
      isWrong = isTie(b, loc, exact, back, next);
      step = one;
    } else {
      bool isUp = *mode == RoundingMode::upward;
      isWrong =
          compare(isUp ? CmpFPredicate::OLT : CmpFPredicate::OGT, back, exact);
      Value isNegative = ints.compare(CmpIPredicate::slt, bits, uint64_t(0));
      step =
          ints.select(isNegative, isUp ? minusOne : one, isUp ? one : minusOne);
    }
    Value moved =
        ints.add(bits, ints.select(isWrong, step, ints.constant(uint64_t(0))));
    b.replaceOpWithNewOp<arith::BitcastOp>(op, type, moved);
    return success();
  }
};

} // namespace

void aircc::populateFmaExpansion(RewritePatternSet &patterns) {
  patterns.add<RoundFmaOnce>(patterns.getContext());
}

void aircc::populateRoundingModeExpansion(RewritePatternSet &patterns) {
  patterns.add<ExpandRoundingMode>(patterns.getContext());
}

LogicalResult aircc::verifyRoundingMode(arith::TruncFOp op) {
  std::optional<RoundingMode> mode = op.getRoundingmode();
  if (!mode || *mode == RoundingMode::to_nearest_even ||
      llvm::APFloat::semanticsHasInf(getSemantics(op.getType())))
    return success();
  return op.emitOpError("rounds ")
         << arith::stringifyRoundingMode(*mode) << " to "
         << getElementTypeOrSelf(op.getType())
         << ", which has no infinity and therefore supports only rounding to "
            "nearest; remove the rounding mode";
}
