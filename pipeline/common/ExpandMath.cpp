//===- ExpandMath.cpp - Expand math ops that have no lowering -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"
#include "pipeline/common/RoundingExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDMATH
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// Creates `value` as a constant of `type`, a float or a vector of floats.
Value createFloat(OpBuilder &b, Location loc, Type type, const APFloat &value) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr attr = FloatAttr::get(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(b, loc, attr);
}

/// |x| = inf.
struct ExpandIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsInfOp op,
                                PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics)) {
      b.replaceOpWithNewOp<arith::ConstantOp>(
          op, cast<TypedAttr>(b.getZeroAttr(op.getType())));
      return success();
    }
    Value absolute = math::AbsFOp::create(b, loc, op.getOperand());
    Value infinity = createFloat(b, loc, type, APFloat::getInf(semantics));
    b.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ, absolute,
                                        infinity);
    return success();
  }
};

/// Smallest normal number <= |x| <= largest number.
struct ExpandIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsNormalOp op,
                                PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    Value absolute = math::AbsFOp::create(b, loc, op.getOperand());
    Value least =
        createFloat(b, loc, type, APFloat::getSmallestNormalized(semantics));
    Value most = createFloat(b, loc, type, APFloat::getLargest(semantics));
    Value isLarge = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                          absolute, least);
    Value isSmall = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE,
                                          absolute, most);
    b.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isSmall);
    return success();
  }
};

/// Each of the two functions has a lowering, but LLVM's sincos intrinsic is not
/// lowered for all types.
struct SplitSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &b) const override {
    Value x = op.getOperand();
    Value sin = math::SinOp::create(b, op.getLoc(), x, op.getFastmath());
    Value cos = math::CosOp::create(b, op.getLoc(), x, op.getFastmath());
    b.replaceOp(op, {sin, cos});
    return success();
  }
};

/// Upstream's expansion swaps the bounds.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &b) const override {
    Value least = arith::MinimumFOp::create(b, op.getLoc(), op.getValue(),
                                            op.getMax(), op.getFastmath());
    b.replaceOpWithNewOp<arith::MaximumFOp>(op, least, op.getMin(),
                                            op.getFastmath());
    return success();
  }
};

/// vector.fma must not round the product. Its upstream lowering leaves that to
/// the processor, and x86-64 without extensions rounds it.
struct FuseAsWritten : OpRewritePattern<vector::FMAOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::FMAOp op,
                                PatternRewriter &b) const override {
    if (!isa<FloatType>(op.getVectorType().getElementType()))
      return failure();
    b.replaceOpWithNewOp<math::FmaOp>(op, op.getLhs(), op.getRhs(),
                                      op.getAcc());
    return success();
  }
};

/// Returns i64, or a vector of i64, for an index type or a vector of it.
Type getWide(Type type) {
  Type wide = IntegerType::get(type.getContext(), 64);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(wide) : wide;
}

/// Computes powers of index values in i64.
struct PowerOfIndex : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &b) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isIndex())
      return failure();
    auto widen = [&](Value value) {
      return arith::IndexCastOp::create(b, op.getLoc(), getWide(type), value);
    };
    Value power = math::IPowIOp::create(b, op.getLoc(), widen(op.getLhs()),
                                        widen(op.getRhs()));
    b.replaceOpWithNewOp<arith::IndexCastOp>(op, type, power);
    return success();
  }
};

/// Computes sums of index values with carry in i64.
struct CarryOfIndex : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op,
                                PatternRewriter &b) const override {
    Type type = op.getSum().getType();
    if (!getElementTypeOrSelf(type).isIndex())
      return failure();
    auto cast = [&](Type to, Value value) {
      return arith::IndexCastOp::create(b, op.getLoc(), to, value);
    };
    Type wide = getWide(type);
    auto sum = arith::AddUIExtendedOp::create(
        b, op.getLoc(), cast(wide, op.getLhs()), cast(wide, op.getRhs()));
    b.replaceOp(op, {cast(type, sum.getSum()), sum.getOverflow()});
    return success();
  }
};

/// The real part of a complex number precedes the imaginary part.
struct ExpandComplexBitcast : OpRewritePattern<complex::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(complex::BitcastOp op,
                                PatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value operand = op.getOperand();
    auto from = dyn_cast<ComplexType>(operand.getType());
    auto to = dyn_cast<ComplexType>(op.getType());
    if (from && to) {
      if (from != to)
        return failure();
      b.replaceOp(op, operand);
      return success();
    }
    Type element = (from ? from : to).getElementType();
    if (!element.isIntOrFloat())
      return failure();
    unsigned bits = element.getIntOrFloatBitWidth();
    Type part = b.getIntegerType(bits), whole = b.getIntegerType(2 * bits);
    Value shift = arith::ConstantIntOp::create(b, loc, whole, bits);
    if (from) {
      auto widen = [&](Value value) -> Value {
        value = b.createOrFold<arith::BitcastOp>(loc, part, value);
        return arith::ExtUIOp::create(b, loc, whole, value);
      };
      Value low = widen(complex::ReOp::create(b, loc, element, operand));
      Value high = widen(complex::ImOp::create(b, loc, element, operand));
      high = arith::ShLIOp::create(b, loc, high, shift);
      Value both = arith::OrIOp::create(b, loc, low, high);
      b.replaceOp(op,
                  b.createOrFold<arith::BitcastOp>(loc, op.getType(), both));
      return success();
    }
    Value both = b.createOrFold<arith::BitcastOp>(loc, whole, operand);
    auto narrow = [&](Value value) -> Value {
      value = arith::TruncIOp::create(b, loc, part, value);
      return b.createOrFold<arith::BitcastOp>(loc, element, value);
    };
    Value real = narrow(both);
    Value imaginary = narrow(arith::ShRUIOp::create(b, loc, both, shift));
    b.replaceOpWithNewOp<complex::CreateOp>(op, to, real, imaginary);
    return success();
  }
};

/// Returns true for ops on multidimensional vectors that can only be lowered on
/// one-dimensional vectors.
bool needsOneDimension(Operation *op) {
  return (isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
              arith::MulUIExtendedOp>(op)) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           auto vector = dyn_cast<VectorType>(type);
           return vector && vector.getRank() > 1;
         });
}

struct ExpandMath : aircc::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    // Most modules contain no such op.
    if (!getOperation()
             ->walk([](Operation *op) {
               return isa<arith::AddUIExtendedOp, vector::FMAOp>(op) ||
                              isa_and_nonnull<math::MathDialect,
                                              complex::ComplexDialect>(
                                  op->getDialect()) ||
                              needsOneDimension(op)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted())
      return markAllAnalysesPreserved();
    MLIRContext *context = &getContext();
    RewritePatternSet expansions(context);
    expansions
        .add<ExpandIsInf, ExpandIsNormal, ExpandClamp, SplitSincos,
             FuseAsWritten, PowerOfIndex, CarryOfIndex, ExpandComplexBitcast>(
            context);
    walkAndApplyPatterns(getOperation(), std::move(expansions));
    RewritePatternSet roundings(context);
    aircc::populateFmaExpansion(roundings);
    walkAndApplyPatterns(getOperation(), std::move(roundings));

    TypeConverter converter;
    ConversionTarget everything(*context), target(*context);
    vector::populateForVectorLinearize(converter, everything);
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !needsOneDimension(op); });
    RewritePatternSet flattening(context);
    vector::populateVectorLinearizeBasePatterns(converter, target, flattening);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(flattening))))
      signalPassFailure();
  }
};

} // namespace
