//===- ExpandConversions.cpp - Conversions that backends miscompile -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "pipeline/common/IntegerBuilder.h"
#include "pipeline/common/RoundingExpansion.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDCONVERSIONS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

using aircc::getLike;
using aircc::IntegerBuilder;

/// The precision of f32 in bits; narrower floats are converted through f32.
constexpr unsigned kPrecision = 24;

/// Returns true if the conversion of some integer of `bits` bits would be
/// rounded twice: to f32, and from f32 to `type`. Excludes types whose largest
/// number f32 represents exactly, such as f16, because integers that f32 cannot
/// represent become infinity either way.
bool isRoundedTwice(FloatType type, unsigned bits) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return bits > kPrecision &&
         llvm::APFloat::semanticsPrecision(semantics) < kPrecision &&
         llvm::APFloat::semanticsMaxExponent(semantics) >=
             static_cast<int>(kPrecision);
}

/// Returns the number of leading zeros of `value`. Upstream's lowering does not
/// support multidimensional vectors.
Value countLeadingZeros(OpBuilder &b, Location loc, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.getRank() == 1 || type.isScalable())
    return math::CountLeadingZerosOp::create(b, loc, value);
  auto flat = VectorType::get({type.getNumElements()}, type.getElementType());
  Value zeros = math::CountLeadingZerosOp::create(
      b, loc, vector::ShapeCastOp::create(b, loc, flat, value));
  return vector::ShapeCastOp::create(b, loc, type, zeros);
}

/// Rounds the unsigned integer `magnitude` to an odd f32: its upper 24 bits,
/// with the lowest bit set if any lower bit is set. Rounding the result to a
/// narrower type is then equivalent to rounding the integer.
Value roundToOdd(OpBuilder &b, Location loc, Value magnitude) {
  using arith::CmpIPredicate;
  Type type = magnitude.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type i32 = getLike(type, b.getI32Type());
  Type f32 = getLike(type, b.getF32Type());
  IntegerBuilder ints(b, loc, type), words(b, loc, i32);

  Value zeros = countLeadingZeros(b, loc, magnitude);
  Value isLong =
      ints.compare(CmpIPredicate::ult, zeros, uint64_t(width - kPrecision));
  Value shift =
      ints.select(isLong, ints.sub(ints.constant(width - kPrecision), zeros),
                  ints.constant(0));
  Value kept = ints.shr(magnitude, shift);
  Value isExact =
      ints.compare(CmpIPredicate::eq, ints.shl(kept, shift), magnitude);
  kept = ints.select(isExact, kept, ints.bitOr(kept, ints.constant(1)));
  if (width > 128)
    // Longer shifts only occur for numbers that are infinite in any narrow
    // type.
    shift = arith::MinUIOp::create(b, loc, shift, ints.constant(127));
  if (width > 32) {
    kept = arith::TruncIOp::create(b, loc, i32, kept);
    shift = arith::TruncIOp::create(b, loc, i32, shift);
  }
  Value exponent = words.shl(words.add(shift, words.constant(127)), 23);
  return arith::MulFOp::create(b, loc,
                               arith::SIToFPOp::create(b, loc, f32, kept),
                               arith::BitcastOp::create(b, loc, f32, exponent));
}

/// Rounds the f64 `value` to an odd f32: toward zero, with the lowest bit set
/// if the result is inexact.
Value roundToOddFloat(OpBuilder &b, Location loc, Value value) {
  using arith::CmpFPredicate;
  Type type = value.getType();
  Type f32 = getLike(type, b.getF32Type());
  IntegerBuilder words(b, loc, getLike(type, b.getI32Type()));
  Value nearest = arith::TruncFOp::create(b, loc, f32, value);
  Value back = arith::ExtFOp::create(b, loc, type, nearest);
  Value isInexact =
      arith::CmpFOp::create(b, loc, CmpFPredicate::ONE, back, value);
  Value isLarger = arith::CmpFOp::create(b, loc, CmpFPredicate::OGT,
                                         math::AbsFOp::create(b, loc, back),
                                         math::AbsFOp::create(b, loc, value));
  Value bits =
      arith::BitcastOp::create(b, loc, getLike(type, b.getI32Type()), nearest);
  Value towardZero = words.select(isLarger, words.sub(bits, uint64_t(1)), bits);
  Value odd = words.bitOr(towardZero, words.constant(1));
  return arith::BitcastOp::create(b, loc, f32,
                                  words.select(isInexact, odd, bits));
}

struct RoundDoubleOnce : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &b) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF64() ||
        !getElementTypeOrSelf(op.getType()).isBF16() || op.getRoundingmode())
      return failure();
    Value odd = roundToOddFloat(b, op.getLoc(), op.getIn());
    b.modifyOpInPlace(op, [&] { op.getInMutable().assign(odd); });
    return success();
  }
};

/// MLIR's integer expansion of bf16 supports only extensions to f32.
struct ExtendThroughFloat : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &b) const override {
    Value in = op.getIn();
    if (!getElementTypeOrSelf(in.getType()).isBF16() ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    Value wide = arith::ExtFOp::create(
        b, op.getLoc(), getLike(in.getType(), b.getF32Type()), in);
    b.modifyOpInPlace(op, [&] { op.getInMutable().assign(wide); });
    return success();
  }
};

/// Rewrites bf16 conversions of the LLVM dialect as `arith` conversions, which
/// are expanded later, because SPIR-V has no bf16.
template <typename LLVMOp, typename ArithOp>
struct RaiseBf16 : OpRewritePattern<LLVMOp> {
  using OpRewritePattern<LLVMOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVMOp op, PatternRewriter &b) const override {
    Type source = op->getOperand(0).getType();
    Type target = op->getResult(0).getType();
    if (!getElementTypeOrSelf(source).isBF16() &&
        !getElementTypeOrSelf(target).isBF16())
      return failure();
    b.replaceOpWithNewOp<ArithOp>(op, target, op->getOperand(0));
    return success();
  }
};

template <typename CastOp, bool isSigned>
struct RoundOnce : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &b) const override {
    Value in = op->getOperand(0);
    Type type = op->getResult(0).getType();
    auto source = dyn_cast<IntegerType>(getElementTypeOrSelf(in.getType()));
    auto target = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!source || !target || !isRoundedTwice(target, source.getWidth()))
      return failure();
    Location loc = op.getLoc();
    // Round up to a width that processors support.
    unsigned width =
        std::max<unsigned>(32, llvm::PowerOf2Ceil(source.getWidth()));
    Type wide = getLike(in.getType(), b.getIntegerType(width));
    if (width != source.getWidth())
      in = isSigned ? arith::ExtSIOp::create(b, loc, wide, in).getResult()
                    : arith::ExtUIOp::create(b, loc, wide, in).getResult();
    IntegerBuilder ints(b, loc, wide);
    Value isNegative, magnitude = in;
    if (isSigned) {
      isNegative = ints.compare(arith::CmpIPredicate::slt, in, uint64_t(0));
      magnitude = ints.select(isNegative, ints.sub(ints.constant(0), in), in);
    }
    Value result = roundToOdd(b, loc, magnitude);
    if (isSigned)
      result = ints.select(isNegative, arith::NegFOp::create(b, loc, result),
                           result);
    b.replaceOpWithNewOp<arith::TruncFOp>(op, type, result);
    return success();
  }
};

/// A float in [1, 2) converts to the integer 1.
template <typename CastOp> struct ConvertToBool : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &b) const override {
    Type type = op->getResult(0).getType();
    if (!getElementTypeOrSelf(type).isInteger(1))
      return failure();
    Value wide = CastOp::create(b, op.getLoc(), getLike(type, b.getI32Type()),
                                op->getOperand(0));
    b.replaceOpWithNewOp<arith::TruncIOp>(op, type, wide);
    return success();
  }
};

struct ExpandConversions
    : aircc::impl::ExpandConversionsBase<ExpandConversions> {
  LogicalResult initialize(MLIRContext *ctx) override {
    RewritePatternSet scalings(ctx), modes(ctx), raises(ctx), expansions(ctx);
    raises.add<RaiseBf16<LLVM::SIToFPOp, arith::SIToFPOp>,
               RaiseBf16<LLVM::UIToFPOp, arith::UIToFPOp>,
               RaiseBf16<LLVM::FPToSIOp, arith::FPToSIOp>,
               RaiseBf16<LLVM::FPToUIOp, arith::FPToUIOp>,
               RaiseBf16<LLVM::FPExtOp, arith::ExtFOp>,
               RaiseBf16<LLVM::FPTruncOp, arith::TruncFOp>>(ctx);
    expansions.add<
        RoundOnce<arith::SIToFPOp, true>, RoundOnce<arith::UIToFPOp, false>,
        RoundDoubleOnce, ExtendThroughFloat, ConvertToBool<arith::FPToSIOp>,
        ConvertToBool<arith::FPToUIOp>, ConvertToBool<LLVM::FPToSIOp>,
        ConvertToBool<LLVM::FPToUIOp>>(ctx);
    arith::populateExpandScalingExtTruncPatterns(scalings);
    aircc::populateRoundingModeExpansion(modes);
    expandScalings = FrozenRewritePatternSet(std::move(scalings));
    expandModes = FrozenRewritePatternSet(std::move(modes));
    raise = FrozenRewritePatternSet(std::move(raises));
    expand = FrozenRewritePatternSet(std::move(expansions));
    return success();
  }

  void runOnOperation() override {
    WalkResult checked = getOperation()->walk([](arith::TruncFOp op) {
      return WalkResult(aircc::verifyRoundingMode(op));
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    walkAndApplyPatterns(getOperation(), expandScalings);
    walkAndApplyPatterns(getOperation(), expandModes);
    walkAndApplyPatterns(getOperation(), raise);
    walkAndApplyPatterns(getOperation(), expand);
  }

  FrozenRewritePatternSet expandScalings, expandModes, raise, expand;
};

} // namespace
