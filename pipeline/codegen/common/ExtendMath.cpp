//===- ExtendMath.cpp - Compute math functions in wider floats ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXTENDMATH
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

/// Returns the narrow type with the widest range of exponents to which the
/// result of `op` is rounded: its own type, or that of its only users. Returns
/// null if the result is used as f32 or f64.
FloatType getRoundedType(Operation *op) {
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  if (type.getWidth() < 32)
    return type;
  FloatType widest;
  for (Operation *user : op->getUsers()) {
    auto rounding = dyn_cast<arith::TruncFOp>(user);
    if (!type.isF32() || !rounding)
      return {};
    auto narrow = cast<FloatType>(getElementTypeOrSelf(rounding.getType()));
    auto getExponent = [](FloatType type) {
      return APFloat::semanticsMinExponent(type.getFloatSemantics());
    };
    if (!widest || getExponent(narrow) < getExponent(widest))
      widest = narrow;
  }
  return widest;
}

/// Returns whether all results below 2^-126 round to 0 in `type`.
bool hasShortExponents(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return APFloat::semanticsMinExponent(semantics) -
             int(APFloat::semanticsPrecision(semantics)) >
         -126;
}

/// Computes exp(x) or exp2(x) in f32 with the hardware's exp2 if the result is
/// then rounded to a narrow float. The rounding of the argument of exp2 causes
/// a relative error below 2^-16, which is small compared to that of the result.
template <typename Op> struct ApproximateExp : OpRewritePattern<Op> {
  ApproximateExp(MLIRContext *context, double factor)
      : OpRewritePattern<Op>(context), factor(factor) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    FloatType rounded = getRoundedType(op);
    Type type = op.getType();
    // The hardware has an exp2 of f16.
    if (!rounded || (factor == 1 && getElementTypeOrSelf(type).isF16()))
      return failure();
    ImplicitLocOpBuilder i(op.getLoc(), b);
    Type f32 = withElement(type, b.getF32Type());
    Value x = op.getOperand();
    if (type != f32)
      x = arith::ExtFOp::create(i, f32, x);
    arith::FastMathFlags flags = op.getFastmath() | arith::FastMathFlags::afn;
    // The instruction yields 0 instead of denormals. The square of the root
    // has denormals.
    bool isSquared = !hasShortExponents(rounded);
    if (double scale = isSquared ? factor / 2 : factor; scale != 1) {
      TypedAttr attr = b.getF32FloatAttr(scale);
      if (auto vector = dyn_cast<VectorType>(f32))
        attr = DenseElementsAttr::get(vector, attr);
      x = arith::MulFOp::create(i, x, arith::ConstantOp::create(i, attr));
    }
    Value result = math::Exp2Op::create(i, x, flags);
    if (isSquared)
      result = arith::MulFOp::create(i, result, result);
    if (type != f32)
      result = arith::TruncFOp::create(i, type, result);
    b.replaceOp(op, result);
    return success();
  }

  double factor;
};

struct ExtendMath : aircc::impl::ExtendMathBase<ExtendMath> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *ctx = &getContext();
    if (backend == aircc::Backend::ROCDL) {
      RewritePatternSet approximations(ctx);
      approximations.add<ApproximateExp<math::ExpOp>>(ctx,
                                                      llvm::numbers::log2e);
      approximations.add<ApproximateExp<math::Exp2Op>>(ctx, 1);
      walkAndApplyPatterns(getOperation(), std::move(approximations));
    }
    Type f32 = Float32Type::get(ctx);
    llvm::SetVector<Type> native;
    native.insert(f32);
    native.insert(Float64Type::get(ctx));
    TypeConverter converter;
    math::populateExtendToSupportedTypesTypeConverter(converter, native, f32);
    ConversionTarget target(*ctx);
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    target.addDynamicallyLegalOp<math::AbsFOp, math::CeilOp, math::CopySignOp,
                                 math::Exp2Op, math::FloorOp, math::FmaOp,
                                 math::Log2Op, math::RoundEvenOp, math::SqrtOp,
                                 math::TruncOp>([&](Operation *op) {
      return getElementTypeOrSelf(op->getResult(0)).isF16() ||
             converter.isLegal(op);
    });
    RewritePatternSet patterns(ctx);
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
