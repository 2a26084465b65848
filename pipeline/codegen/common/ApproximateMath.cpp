//===- ApproximateMath.cpp - Math functions with fast-math flags ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Computes tanh(x) for f32 with one exp2 and one quotient. For |x| < 0.25,
/// where 1 - y would lose digits, uses its Taylor series. The relative error is
/// below 2^-20.
struct ApproximateTanh : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    arith::FastMathFlags flags = op.getFastmath();
    if (!arith::bitEnumContainsAll(flags, arith::FastMathFlags::afn) ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    auto constant = [&](double value) -> Value {
      TypedAttr attr = b.getF32FloatAttr(value);
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, attr);
      return arith::ConstantOp::create(b, attr);
    };
    auto multiply = [&](Value x, Value y) -> Value {
      return arith::MulFOp::create(b, x, y, flags);
    };
    auto fma = [&](Value x, Value y, Value z) -> Value {
      return math::FmaOp::create(b, x, y, z, flags);
    };
    Value x = op.getOperand();
    Value absolute = math::AbsFOp::create(b, x, flags);
    // tanh(|x|) = 1 - 2 / (exp(2 |x|) + 1). The quotient is 0 if exp is inf.
    Value power = math::Exp2Op::create(
        b, multiply(absolute, constant(2 * llvm::numbers::log2e)), flags);
    Value one = constant(1);
    Value sum = arith::AddFOp::create(b, power, one, flags);
    Value quotient = arith::DivFOp::create(b, constant(2), sum, flags);
    Value large = arith::SubFOp::create(b, one, quotient, flags);
    // x (1 - x^2/3 + 2 x^4/15 - 17 x^6/315 + 62 x^8/2835)
    Value square = multiply(x, x);
    Value series = constant(62.0 / 2835);
    for (double coefficient : {-17.0 / 315, 2.0 / 15, -1.0 / 3})
      series = fma(series, square, constant(coefficient));
    Value small = fma(multiply(series, square), x, x);
    Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                          absolute, constant(0.25));
    Value signedLarge = math::CopySignOp::create(b, large, x, flags);
    rewriter.replaceOp(op,
                       arith::SelectOp::create(b, isSmall, small, signedLarge));
    return success();
  }
};

bool isFlat(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || (vector.getRank() == 1 && !vector.isScalable());
}

LLVM::FastmathFlagsAttr convertFlags(Builder &b, arith::FastMathFlags flags) {
  return LLVM::FastmathFlagsAttr::get(
      b.getContext(), arith::convertArithFastMathFlagsToLLVM(flags));
}

/// Calls LLVM's intrinsic, which keeps the flags. The device library function
/// is the same intrinsic without flags.
template <typename Op> struct CallIntrinsic : OpRewritePattern<Op> {
  CallIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<Op>(context), name(name) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Type type = op.getType();
    if (!isa<Float16Type, Float32Type>(getElementTypeOrSelf(type)) ||
        !isFlat(type))
      return failure();
    b.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, TypeRange{type}, b.getStringAttr(name), ValueRange{op.getOperand()},
        convertFlags(b, op.getFastmath()));
    return success();
  }

  StringRef name;
};

/// Uses only the instruction V_EXP_F32. LLVM's own lowering of an approximate
/// exp2 scales arguments below -126, whose results are denormal.
template <typename Op> struct UseHardwareExp : OpRewritePattern<Op> {
  UseHardwareExp(MLIRContext *context, double factor)
      : OpRewritePattern<Op>(context, /*benefit=*/2), factor(factor) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Type type = op.getType();
    arith::FastMathFlags flags = op.getFastmath();
    if (!getElementTypeOrSelf(type).isF32() || !isFlat(type) ||
        !arith::bitEnumContainsAll(flags, arith::FastMathFlags::afn))
      return failure();
    Location loc = op.getLoc();
    auto vector = dyn_cast<VectorType>(type);
    Value x = op.getOperand();
    if (factor != 1) {
      TypedAttr attr = b.getF32FloatAttr(factor);
      if (vector)
        attr = DenseElementsAttr::get(vector, attr);
      x = arith::MulFOp::create(b, loc, x,
                                arith::ConstantOp::create(b, loc, attr), flags);
    }
    auto call = [&](Value argument) -> Value {
      return LLVM::CallIntrinsicOp::create(b, loc, TypeRange{b.getF32Type()},
                                           b.getStringAttr("llvm.amdgcn.exp2"),
                                           ValueRange{argument},
                                           convertFlags(b, flags))
          .getResult(0);
    };
    if (!vector) {
      b.replaceOp(op, call(x));
      return success();
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(call(vector::ExtractOp::create(b, loc, x, i)));
    b.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }

  double factor;
};

struct ApproximateMath : aircc::impl::ApproximateMathBase<ApproximateMath> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet approximations(context);
    approximations.add<ApproximateTanh>(context);
    walkAndApplyPatterns(getOperation(), std::move(approximations));
    if (backend != aircc::Backend::ROCDL)
      return;
    RewritePatternSet intrinsics(context);
    intrinsics.add<UseHardwareExp<math::Exp2Op>>(context, 1);
    intrinsics.add<UseHardwareExp<math::ExpOp>>(context, llvm::numbers::log2e);
    intrinsics.add<CallIntrinsic<math::Exp2Op>>(context, "llvm.exp2");
    intrinsics.add<CallIntrinsic<math::Log2Op>>(context, "llvm.log2");
    walkAndApplyPatterns(getOperation(), std::move(intrinsics));
  }
};

} // namespace
