//===- ExpandArith.cpp - Expand arith ops that backends lack --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/DeviceFunctions.h"
#include "pipeline/codegen/xevm/IntelFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDARITH
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Without NaNs, the two kinds of minimum and maximum are equivalent.
template <typename From, typename To>
struct IgnoreNaNs : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op, PatternRewriter &b) const override {
    if (!arith::bitEnumContainsAll(op.getFastmath(),
                                   arith::FastMathFlags::nnan))
      return failure();
    b.replaceOpWithNewOp<To>(op, op.getLhs(), op.getRhs(), op.getFastmath());
    return success();
  }
};

/// Computes the minimum or maximum of bf16 in f32. The result is one of the
/// operands or a quiet NaN, so its upper half is the bf16 value. LLVM would
/// round.
template <typename Op> struct ComputeInF32 : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isBF16())
      return failure();
    Location loc = op.getLoc();
    auto withElement = [&](Type element) -> Type {
      auto vector = dyn_cast<VectorType>(type);
      return vector ? vector.clone(element) : element;
    };
    Type bits = withElement(b.getI32Type());
    TypedAttr sixteen = b.getI32IntegerAttr(16);
    if (auto vector = dyn_cast<VectorType>(bits))
      sixteen = DenseElementsAttr::get(vector, sixteen);
    Value shift = arith::ConstantOp::create(b, loc, sixteen);
    // LLVM would move arith.extf after the maximum.
    auto extend = [&](Value value) -> Value {
      value =
          arith::BitcastOp::create(b, loc, withElement(b.getI16Type()), value);
      value = arith::ExtUIOp::create(b, loc, bits, value);
      value = arith::ShLIOp::create(b, loc, value, shift);
      return arith::BitcastOp::create(b, loc, withElement(b.getF32Type()),
                                      value);
    };
    Value wide = Op::create(b, loc, extend(op.getLhs()), extend(op.getRhs()),
                            op.getFastmath());
    Value upper = arith::ShRUIOp::create(
        b, loc, arith::BitcastOp::create(b, loc, bits, wide), shift);
    Value half =
        arith::TruncIOp::create(b, loc, withElement(b.getI16Type()), upper);
    b.replaceOpWithNewOp<arith::BitcastOp>(op, type, half);
    return success();
  }
};

/// Replaces `op`, if it rounds f32 to bf16, by an instruction of Intel GPUs.
void roundByInstruction(arith::TruncFOp op, gpu::GPUModuleOp module) {
  Value value = op.getIn();
  auto vector = dyn_cast<VectorType>(value.getType());
  if (op.getRoundingmode() || !getElementTypeOrSelf(value).isF32() ||
      !getElementTypeOrSelf(op.getType()).isBF16() ||
      (vector && (vector.isScalable() || vector.getRank() == 0)))
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto round = [&](Value number) -> Value {
    Value bits = aircc::callDeviceFunction(
        b, loc, module, aircc::kConvertToBF16, b.getI16Type(), number,
        {/*isConvergent=*/false, /*isPure=*/true});
    return arith::BitcastOp::create(b, loc, b.getBF16Type(), bits);
  };
  Value result;
  if (vector) {
    SmallVector<Value> rounded;
    for (Value number :
         vector::ToElementsOp::create(b, loc, value).getElements())
      rounded.push_back(round(number));
    result = vector::FromElementsOp::create(b, loc, op.getType(), rounded);
  } else {
    result = round(value);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

bool convertsFromOrTo(Operation *op, function_ref<bool(Type)> isExpanded) {
  return isExpanded(getElementTypeOrSelf(op->getOperand(0))) ||
         isExpanded(getElementTypeOrSelf(op->getResult(0)));
}

struct ExpandArith : aircc::impl::ExpandArithBase<ExpandArith> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet simplifications(context);
    simplifications.add<IgnoreNaNs<arith::MaximumFOp, arith::MaxNumFOp>,
                        IgnoreNaNs<arith::MinimumFOp, arith::MinNumFOp>>(
        context);
    walkAndApplyPatterns(getOperation(), std::move(simplifications));
    bool isAMD = backend == aircc::Backend::ROCDL;
    if (isAMD) {
      RewritePatternSet widenings(context);
      widenings
          .add<ComputeInF32<arith::MaximumFOp>, ComputeInF32<arith::MinimumFOp>,
               ComputeInF32<arith::MaxNumFOp>, ComputeInF32<arith::MinNumFOp>>(
              context);
      walkAndApplyPatterns(getOperation(), std::move(widenings));
    } else {
      getOperation().walk(
          [&](arith::TruncFOp op) { roundByInstruction(op, getOperation()); });
    }

    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, vector::VectorDialect>();
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp, arith::ScalingExtFOp,
                        arith::ScalingTruncFOp>();
    // The SPIR-V backend (LLVM 22.1) lowers LLVM's maximum and minimum like
    // maxnum and minnum, which lose NaNs.
    if (!isAMD)
      target.addIllegalOp<arith::MaximumFOp, arith::MinimumFOp>();
    target.addDynamicallyLegalOp<arith::ExtFOp, arith::TruncFOp>(
        [&](Operation *op) {
          return !convertsFromOrTo(op, [&](Type type) {
            return isa<Float8E8M0FNUType, Float4E2M1FNType>(type) ||
                   (!isAMD && type.isBF16());
          });
        });

    RewritePatternSet expansions(context);
    arith::populateArithExpandOpsPatterns(expansions);
    if (!isAMD)
      arith::populateExpandBFloat16Patterns(expansions);
    arith::populateExpandF8E8M0Patterns(expansions);
    arith::populateExpandF4E2M1Patterns(expansions);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(expansions))))
      signalPassFailure();
  }
};

} // namespace
