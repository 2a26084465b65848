//===- ExpandSmallFloats.cpp - Expand floats of up to 8 bits --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/GreedyPass.h"
#include "pipeline/common/Passes.h"

#include "pipeline/common/IntegerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDSMALLFLOATS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

using aircc::getLike;
using llvm::APFloat;
using IntBuilder = aircc::IntegerBuilder;

/// The encoding of a float type of at most 8 bits. Apart from the special
/// values below, all encodings are finite and ordered by their bits; the
/// highest bit is the sign.
struct SmallFloat {
  unsigned width;
  unsigned mantissaBits;
  int bias;
  uint64_t largest; ///< The largest finite number.
  std::optional<uint64_t> infinity;
  std::optional<uint64_t> nan;

  uint64_t getSign() const { return uint64_t(1) << (width - 1); }
  /// Returns true for an FNUZ type, in which the encoding of -0 is the only NaN
  /// and there is no negative zero.
  bool isFnuz() const { return nan == getSign(); }
  /// Returns the encoding of numbers that are too large.
  uint64_t getOverflow() const {
    return infinity.value_or(nan.value_or(largest));
  }
  /// Returns the encoding of NaN, or the largest number in a type without NaN.
  uint64_t getNaN() const { return nan.value_or(largest); }
};

/// Derives the encoding from LLVM's float semantics. Scales (f8E8M0FNU) have no
/// sign and are not supported.
std::optional<SmallFloat> getSmallFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() > 8)
    return std::nullopt;
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  if (!APFloat::semanticsHasSignedRepr(semantics) ||
      !APFloat::semanticsHasZero(semantics))
    return std::nullopt;
  auto getBits = [](const APFloat &value) {
    return value.bitcastToAPInt().getZExtValue();
  };
  SmallFloat result;
  result.width = element.getWidth();
  result.mantissaBits = APFloat::semanticsPrecision(semantics) - 1;
  result.bias = 1 - APFloat::semanticsMinExponent(semantics);
  result.largest = getBits(APFloat::getLargest(semantics));
  if (APFloat::semanticsHasInf(semantics))
    result.infinity = getBits(APFloat::getInf(semantics));
  if (APFloat::semanticsHasNaN(semantics))
    result.nan = getBits(APFloat::getNaN(semantics));
  return result;
}

Value makeFloat(OpBuilder &b, Location loc, Type type, double value) {
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

struct ExpandExt : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &b) const override {
    std::optional<SmallFloat> source = getSmallFloat(op.getIn().getType());
    if (!source)
      return failure();
    Location loc = op.getLoc();
    Type type = op.getType();
    Type f32 = getLike(type, b.getF32Type());
    Type i32 = getLike(type, b.getI32Type());
    Type narrow = getLike(type, b.getIntegerType(source->width));
    IntBuilder ints(b, loc, i32);

    Value bits = arith::ExtUIOp::create(
        b, loc, i32, arith::BitcastOp::create(b, loc, narrow, op.getIn()));
    Value magnitude = ints.bitAnd(bits, source->getSign() - 1);
    Value sign =
        ints.shl(ints.bitAnd(bits, source->getSign()), 32 - source->width);
    // For normal numbers, shift exponent and mantissa to their wider fields.
    unsigned shift = 23 - source->mantissaBits;
    Value normal = ints.add(
        ints.shl(magnitude, shift),
        ints.constant(static_cast<uint64_t>(127 - source->bias) << 23));
    // Subnormal numbers are integer multiples of the smallest number.
    Value scaled = arith::MulFOp::create(
        b, loc, arith::UIToFPOp::create(b, loc, f32, magnitude),
        makeFloat(b, loc, f32,
                  std::ldexp(1.0, 1 - source->bias -
                                      static_cast<int>(source->mantissaBits))));
    Value subnormal = arith::BitcastOp::create(b, loc, i32, scaled);
    Value isSubnormal = ints.compare(arith::CmpIPredicate::ult, magnitude,
                                     uint64_t(1) << source->mantissaBits);
    Value result = ints.select(isSubnormal, subnormal, normal);
    Value nan = ints.constant(0x7fc00000);
    if (source->isFnuz()) {
      Value isNaN =
          ints.compare(arith::CmpIPredicate::eq, bits, source->getSign());
      result = ints.bitOr(result, sign);
      result = ints.select(isNaN, nan, result);
    } else {
      if (source->nan) {
        Value isSpecial =
            ints.compare(arith::CmpIPredicate::ugt, magnitude, source->largest);
        Value special = nan;
        if (source->infinity)
          special = ints.select(ints.compare(arith::CmpIPredicate::eq,
                                             magnitude, *source->infinity),
                                ints.constant(0x7f800000), special);
        result = ints.select(isSpecial, special, result);
      }
      result = ints.bitOr(result, sign);
    }
    Value wide = arith::BitcastOp::create(b, loc, f32, result);
    if (type != f32) {
      // bf16 and wider types represent all values of these types.
      if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 32)
        wide = arith::ExtFOp::create(b, loc, type, wide);
      else
        wide = arith::TruncFOp::create(b, loc, type, wide);
    }
    b.replaceOp(op, wide);
    return success();
  }
};

struct ExpandTrunc : OpRewritePattern<arith::TruncFOp> {
  ExpandTrunc(MLIRContext *ctx, bool onlyDouble)
      : OpRewritePattern(ctx), onlyDouble(onlyDouble) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &b) const override {
    std::optional<SmallFloat> target = getSmallFloat(op.getType());
    if (!target ||
        (onlyDouble && !getElementTypeOrSelf(op.getIn().getType()).isF64()))
      return failure();
    if (op.getRoundingmode() &&
        *op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return b.notifyMatchFailure(op, "only rounds to nearest even");
    Location loc = op.getLoc();
    Value in = op.getIn();
    // Round only once: do not convert f64 through f32.
    unsigned width = getElementTypeOrSelf(in).getIntOrFloatBitWidth();
    if (width < 32) {
      in = arith::ExtFOp::create(b, loc, getLike(in.getType(), b.getF32Type()),
                                 in);
      width = 32;
    }
    unsigned mantissaBits = width == 64 ? 52 : 23;
    int bias = width == 64 ? 1023 : 127;
    Type floatType = in.getType();
    Type intType = getLike(floatType, b.getIntegerType(width));
    IntBuilder ints(b, loc, intType);

    Value bits = arith::BitcastOp::create(b, loc, intType, in);
    Value magnitude = ints.bitAnd(bits, ~uint64_t(0) >> (65 - width));
    Value sign = ints.shl(ints.shr(bits, width - 1), target->width - 1);

    // For normal results, round the mantissa; a carry increments the exponent.
    unsigned shift = mantissaBits - target->mantissaBits;
    Value lowest = ints.bitAnd(ints.shr(magnitude, shift), 1);
    Value rounded = ints.shr(
        ints.add(ints.add(magnitude,
                          ints.constant((uint64_t(1) << (shift - 1)) - 1)),
                 lowest),
        shift);
    Value normal = ints.sub(rounded, static_cast<uint64_t>(bias - target->bias)
                                         << target->mantissaBits);
    // For subnormal results, add a number such that the sum is rounded and has
    // the result in its lowest bits.
    int smallest = 1 - target->bias - static_cast<int>(target->mantissaBits);
    Value magic =
        makeFloat(b, loc, floatType,
                  std::ldexp(1.0, static_cast<int>(mantissaBits) + smallest));
    Value sum = arith::AddFOp::create(
        b, loc, arith::BitcastOp::create(b, loc, floatType, magnitude), magic);
    Value subnormal = arith::SubIOp::create(
        b, loc, arith::BitcastOp::create(b, loc, intType, sum),
        arith::BitcastOp::create(b, loc, intType, magic));
    Value isSubnormal = ints.compare(
        arith::CmpIPredicate::ult, magnitude,
        static_cast<uint64_t>(1 - target->bias + bias) << mantissaBits);
    Value result = ints.select(isSubnormal, subnormal, normal);

    uint64_t infinity = (uint64_t(2) * bias + 1) << mantissaBits;
    Value isTooLarge =
        ints.compare(arith::CmpIPredicate::ugt, result, target->largest);
    Value isNaN = ints.compare(arith::CmpIPredicate::ugt, magnitude, infinity);
    result =
        ints.select(isTooLarge, ints.constant(target->getOverflow()), result);
    result = ints.select(isNaN, ints.constant(target->getNaN()), result);
    if (target->isFnuz()) {
      // Zero and NaN have no sign.
      Value isPlain =
          ints.compare(arith::CmpIPredicate::eq, result, uint64_t(0));
      Value isAnyNaN =
          ints.compare(arith::CmpIPredicate::eq, result, *target->nan);
      sign = ints.select(arith::OrIOp::create(b, loc, isPlain, isAnyNaN),
                         ints.constant(0), sign);
    }
    result = ints.bitOr(result, sign);
    Type narrowType = getLike(floatType, b.getIntegerType(target->width));
    Value narrow = arith::TruncIOp::create(b, loc, narrowType, result);
    b.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
    return success();
  }

  bool onlyDouble;
};

/// Converts from and to integers through f32, which represents all values of
/// these types. Integers that f32 cannot represent are too large for these
/// types.
template <typename CastOp> struct ConvertIntegers : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &b) const override {
    Type type = op.getType();
    Type f32 = getLike(type, b.getF32Type());
    if (getSmallFloat(op.getIn().getType())) {
      Value in = arith::ExtFOp::create(b, op.getLoc(), f32, op.getIn());
      b.replaceOpWithNewOp<CastOp>(op, type, in);
      return success();
    }
    if (!getSmallFloat(type))
      return failure();
    Value wide = CastOp::create(b, op.getLoc(), f32, op.getIn());
    b.replaceOpWithNewOp<arith::TruncFOp>(op, type, wide);
    return success();
  }
};

struct ExpandSmallFloats
    : aircc::GreedyPass<aircc::impl::ExpandSmallFloatsBase<ExpandSmallFloats>> {
  using GreedyPass::GreedyPass;

  void addPatterns(RewritePatternSet &patterns) final {
    patterns.add<ExpandTrunc>(patterns.getContext(), onlyDouble);
    if (!onlyDouble)
      patterns.add<ExpandExt, ConvertIntegers<arith::SIToFPOp>,
                   ConvertIntegers<arith::UIToFPOp>,
                   ConvertIntegers<arith::FPToSIOp>,
                   ConvertIntegers<arith::FPToUIOp>>(patterns.getContext());
  }
};

} // namespace
