//===- ExpandWideDivision.cpp - Rounding divisions beyond 64 bits ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/GreedyPass.h"
#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDWIDEDIVISION
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// The widest integer for which upstream's expansion creates correct constants.
constexpr unsigned kWidest = 64;

Value makeConstant(OpBuilder &b, Location loc, Type type, int64_t value) {
  APInt bits(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), value,
             /*isSigned=*/true);
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), bits);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, cast<Attribute>(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

/// Corrects the quotient rounded toward zero, which is off by one if there is a
/// remainder and the exact quotient is on the other side of it.
template <typename DivOp> struct ExpandDivision : OpRewritePattern<DivOp> {
  using OpRewritePattern<DivOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &b) const override {
    constexpr bool isFloor = std::is_same_v<DivOp, arith::FloorDivSIOp>;
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    if (!element.isInteger() || element.getIntOrFloatBitWidth() <= kWidest)
      return b.notifyMatchFailure(op, "is expanded correctly upstream");
    Location loc = op.getLoc();
    Value zero = makeConstant(b, loc, type, 0);
    Value step = makeConstant(b, loc, type, isFloor ? -1 : 1);
    auto compare = [&](arith::CmpIPredicate predicate, Value left) -> Value {
      return arith::CmpIOp::create(b, loc, predicate, left, zero);
    };
    Value quotient = arith::DivSIOp::create(b, loc, op.getLhs(), op.getRhs());
    Value rest = arith::RemSIOp::create(b, loc, op.getLhs(), op.getRhs());
    Value differ = arith::CmpIOp::create(
        b, loc, isFloor ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq,
        compare(arith::CmpIPredicate::slt, op.getLhs()),
        compare(arith::CmpIPredicate::slt, op.getRhs()));
    Value adjusts = arith::AndIOp::create(
        b, loc, compare(arith::CmpIPredicate::ne, rest), differ);
    Value adjusted = arith::AddIOp::create(b, loc, quotient, step);
    b.replaceOpWithNewOp<arith::SelectOp>(op, adjusts, adjusted, quotient);
    return success();
  }
};

struct ExpandWideDivision
    : aircc::GreedyPass<
          aircc::impl::ExpandWideDivisionBase<ExpandWideDivision>> {
  using GreedyPass::GreedyPass;

  void addPatterns(RewritePatternSet &patterns) final {
    patterns.add<ExpandDivision<arith::FloorDivSIOp>,
                 ExpandDivision<arith::CeilDivSIOp>>(patterns.getContext());
  }
};

} // namespace
