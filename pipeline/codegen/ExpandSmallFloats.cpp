//===- ExpandSmallFloats.cpp - 8-bit floats in software -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDSMALLFLOATS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// How an 8-bit float type encodes its values.
struct SmallFloat {
  unsigned mantissaBits;
  int bias;
  bool hasInfinity; ///< All exponent bits set: infinity and NaNs, as in IEEE.
  bool isFnuz;      ///< 0x80 is the only NaN, and there is no negative zero.

  uint64_t getMaxFinite() const {
    if (isFnuz)
      return 0x7f;
    return hasInfinity ? 0x7b : 0x7e;
  }
  uint64_t getNaN() const {
    if (isFnuz)
      return 0x80;
    return hasInfinity ? 0x7e : 0x7f;
  }
  /// What a number that is too large becomes.
  uint64_t getOverflow() const { return hasInfinity ? 0x7c : getNaN(); }
};

std::optional<SmallFloat> getSmallFloat(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<Float8E4M3FNType>(type))
    return SmallFloat{3, 7, false, false};
  if (isa<Float8E5M2Type>(type))
    return SmallFloat{2, 15, true, false};
  if (isa<Float8E4M3FNUZType>(type))
    return SmallFloat{3, 8, false, true};
  if (isa<Float8E5M2FNUZType>(type))
    return SmallFloat{2, 16, false, true};
  return std::nullopt;
}

/// `element` in the shape of `like`.
Type getLike(Type like, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(like))
    return shaped.clone(element);
  return element;
}

/// Builds arithmetic on integers of one type, a scalar or a vector.
class IntBuilder {
public:
  IntBuilder(OpBuilder &b, Location loc, Type type)
      : b(b), loc(loc), type(type) {}

  Value constant(uint64_t value) {
    auto element = cast<IntegerType>(getElementTypeOrSelf(type));
    TypedAttr attr = IntegerAttr::get(element, APInt(element.getWidth(), value,
                                                     /*isSigned=*/false,
                                                     /*implicitTrunc=*/true));
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value bitAnd(Value x, uint64_t y) {
    return arith::AndIOp::create(b, loc, x, constant(y));
  }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, uint64_t y) {
    return arith::SubIOp::create(b, loc, x, constant(y));
  }
  Value shl(Value x, unsigned y) {
    return arith::ShLIOp::create(b, loc, x, constant(y));
  }
  Value shr(Value x, unsigned y) {
    return arith::ShRUIOp::create(b, loc, x, constant(y));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint64_t y) {
    return arith::CmpIOp::create(b, loc, predicate, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

private:
  OpBuilder &b;
  Location loc;
  Type type;
};

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
    Type i8 = getLike(type, b.getI8Type());
    IntBuilder ints(b, loc, i32);

    Value bits = arith::ExtUIOp::create(
        b, loc, i32, arith::BitcastOp::create(b, loc, i8, op.getIn()));
    Value magnitude = ints.bitAnd(bits, 0x7f);
    Value sign = ints.shl(ints.bitAnd(bits, 0x80), 24);
    // A normal number only moves to the wider fields.
    unsigned shift = 23 - source->mantissaBits;
    Value normal = ints.add(
        ints.shl(magnitude, shift),
        ints.constant(static_cast<uint64_t>(127 - source->bias) << 23));
    // A subnormal one is an integer multiple of the smallest.
    Value scaled = arith::MulFOp::create(
        b, loc, arith::UIToFPOp::create(b, loc, f32, magnitude),
        makeFloat(b, loc, f32,
                  std::ldexp(1.0, 1 - source->bias -
                                      static_cast<int>(source->mantissaBits))));
    Value subnormal = arith::BitcastOp::create(b, loc, i32, scaled);
    Value isSubnormal = ints.compare(arith::CmpIPredicate::ult, magnitude,
                                     uint64_t(1) << source->mantissaBits);
    Value result = ints.select(isSubnormal, subnormal, normal);
    if (source->isFnuz) {
      Value isNaN = ints.compare(arith::CmpIPredicate::eq, bits, 0x80);
      result = ints.bitOr(result, sign);
      result = ints.select(isNaN, ints.constant(0x7fc00000), result);
    } else {
      Value isSpecial = ints.compare(arith::CmpIPredicate::ugt, magnitude,
                                     source->getMaxFinite());
      Value special = ints.constant(0x7fc00000);
      if (source->hasInfinity)
        special = ints.select(ints.compare(arith::CmpIPredicate::eq, magnitude,
                                           source->getOverflow()),
                              ints.constant(0x7f800000), special);
      result = ints.bitOr(ints.select(isSpecial, special, result), sign);
    }
    Value wide = arith::BitcastOp::create(b, loc, f32, result);
    if (type != f32) {
      // f16 and bf16 hold every value of these types, f64 those of f32.
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
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &b) const override {
    std::optional<SmallFloat> target = getSmallFloat(op.getType());
    if (!target)
      return failure();
    if (op.getRoundingmode() &&
        *op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return b.notifyMatchFailure(op, "only rounds to nearest even");
    Location loc = op.getLoc();
    Value in = op.getIn();
    // Rounding once: f64 is not taken through f32.
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
    Value sign = ints.shl(ints.shr(bits, width - 1), 7);

    // Normal results: round the mantissa, a carry goes into the exponent.
    unsigned shift = mantissaBits - target->mantissaBits;
    Value lowest = ints.bitAnd(ints.shr(magnitude, shift), 1);
    Value rounded = ints.shr(
        ints.add(ints.add(magnitude,
                          ints.constant((uint64_t(1) << (shift - 1)) - 1)),
                 lowest),
        shift);
    Value normal = ints.sub(rounded, static_cast<uint64_t>(bias - target->bias)
                                         << target->mantissaBits);
    // Subnormal ones: adding this number leaves the result in the lowest bits
    // of the sum, rounded by the addition.
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
        ints.compare(arith::CmpIPredicate::ugt, result, target->getMaxFinite());
    Value isNaN = ints.compare(arith::CmpIPredicate::ugt, magnitude, infinity);
    result =
        ints.select(isTooLarge, ints.constant(target->getOverflow()), result);
    result = ints.select(isNaN, ints.constant(target->getNaN()), result);
    if (target->isFnuz) {
      // Neither zero nor NaN has a sign.
      Value isPlain = ints.compare(arith::CmpIPredicate::eq, result, 0);
      Value isAnyNaN = ints.compare(arith::CmpIPredicate::eq, result, 0x80);
      sign = ints.select(arith::OrIOp::create(b, loc, isPlain, isAnyNaN),
                         ints.constant(0), sign);
    }
    result = ints.bitOr(result, sign);
    Type i8 = getLike(floatType, b.getI8Type());
    Value narrow = arith::TruncIOp::create(b, loc, i8, result);
    b.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
    return success();
  }
};

struct ExpandSmallFloats
    : aircc::impl::ExpandSmallFloatsBase<ExpandSmallFloats> {
  LogicalResult initialize(MLIRContext *ctx) override {
    RewritePatternSet patterns(ctx);
    patterns.add<ExpandExt, ExpandTrunc>(ctx);
    frozen = FrozenRewritePatternSet(std::move(patterns));
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), frozen)))
      signalPassFailure();
  }

  FrozenRewritePatternSet frozen;
};

} // namespace
