//===- DivideNarrowFloats.cpp - Quotients of f16 and bf16 -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Quotients of numbers with p significant bits lie between two numbers with p
// bits, and are not close to their mean: if a / b is not equal to a number m
// with p + 1 bits, it differs from m by at least 2^-(2p + 1) of it. An f32
// quotient with a smaller error is therefore rounded correctly. For bf16, this
// bound is 2^-17, and the product with the hardware's reciprocal has an error
// below 2^-22. For f16, the bound is 2^-23, and one step of Newton's method
// yields an error of about 2^-24.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_DIVIDENARROWFLOATS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

Value call(ImplicitLocOpBuilder &b, StringRef name, Type type,
           ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResult(0);
}

/// Divides numbers of type f16. All intermediate results are normal f32, except
/// those that V_DIV_FIXUP replaces.
Value divideHalves(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type f32 = b.getF32Type();
  Value dividend = arith::ExtFOp::create(b, f32, x);
  Value divisor = arith::ExtFOp::create(b, f32, y);
  Value reciprocal = call(b, "llvm.amdgcn.rcp.f32", f32, divisor);
  Value quotient = arith::MulFOp::create(b, dividend, reciprocal);
  Value negated = arith::NegFOp::create(b, divisor);
  Value error = math::FmaOp::create(b, negated, quotient, dividend);
  quotient = math::FmaOp::create(b, error, reciprocal, quotient);
  Value rounded = arith::TruncFOp::create(b, x.getType(), quotient);
  return call(b, "llvm.amdgcn.div.fixup.f16", x.getType(), {rounded, y, x});
}

/// Divides numbers of type bf16, which have the exponents of f32: divides the
/// mantissas, so that neither the reciprocal nor the product is a denormal.
Value divideBFloats(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value dividend = arith::ExtFOp::create(b, f32, x);
  Value divisor = arith::ExtFOp::create(b, f32, y);
  auto getMantissa = [&](Value value) {
    return call(b, "llvm.amdgcn.frexp.mant.f32", f32, value);
  };
  auto getExponent = [&](Value value) {
    return call(b, "llvm.amdgcn.frexp.exp.i32.f32", i32, value);
  };
  Value reciprocal = call(b, "llvm.amdgcn.rcp.f32", f32, getMantissa(divisor));
  Value quotient = arith::MulFOp::create(b, getMantissa(dividend), reciprocal);
  Value exponent =
      arith::SubIOp::create(b, getExponent(dividend), getExponent(divisor));
  quotient = call(b, "llvm.ldexp.f32.i32", f32, ValueRange{quotient, exponent});
  quotient =
      call(b, "llvm.amdgcn.div.fixup.f32", f32, {quotient, divisor, dividend});
  return arith::TruncFOp::create(b, x.getType(), quotient);
}

struct DivideNarrow : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    auto vector = dyn_cast<VectorType>(type);
    if (!isa<Float16Type, BFloat16Type>(element) ||
        (vector && vector.isScalable()))
      return failure();
    // LLVM has shorter code.
    if (arith::bitEnumContainsAny(op.getFastmath(),
                                  arith::FastMathFlags::afn |
                                      arith::FastMathFlags::arcp))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto divide = [&](Value x, Value y) {
      return element.isF16() ? divideHalves(b, x, y) : divideBFloats(b, x, y);
    };
    if (!vector) {
      rewriter.replaceOp(op, divide(op.getLhs(), op.getRhs()));
      return success();
    }
    auto flat = VectorType::get(vector.getNumElements(), element);
    Value x = b.createOrFold<vector::ShapeCastOp>(flat, op.getLhs());
    Value y = b.createOrFold<vector::ShapeCastOp>(flat, op.getRhs());
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(divide(vector::ExtractOp::create(b, x, i),
                                vector::ExtractOp::create(b, y, i)));
    Value quotients = vector::FromElementsOp::create(b, flat, elements);
    rewriter.replaceOp(op,
                       b.createOrFold<vector::ShapeCastOp>(vector, quotients));
    return success();
  }
};

struct DivideNarrowFloats
    : aircc::impl::DivideNarrowFloatsBase<DivideNarrowFloats> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DivideNarrow>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
