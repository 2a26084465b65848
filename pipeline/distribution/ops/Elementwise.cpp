//===- Elementwise.cpp - Distribute elementwise ops -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

InFlightDiagnostic emitLayoutMismatch(Operation *op, StringRef what,
                                      const NestedLayout &actual,
                                      const NestedLayout &expected) {
  InFlightDiagnostic diag = op->emitOpError("has the incompatible layout ")
                            << actual.str() << " for its " << what;
  diag.attachNote() << "the layout must be " << expected.str()
                    << "; convert it with layout.to_layout";
  return diag;
}

LogicalResult checkHaveLayouts(Distributor &d, Operation *op,
                               bool allowScalars) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (auto type = dyn_cast<VectorType>(value.getType()))
      if ((type.getRank() > 0 || !allowScalars) && !d.isUndistributed(value))
        return op->emitOpError("has a vector without a layout, and another "
                               "vector with one");
  return success();
}

Value createAnd(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return b.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Operation *cloneForLane(Distributor &d, Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, d.getDistributed(operand));
  Operation *clone = d.b.clone(*op, mapping);
  for (auto [original, result] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    result.setType(d.getDistributedType(original));
  layout::dropLayoutAttrs(clone);
  return clone;
}

/// Registers hold tf32 as f32 whose last 13 bits are ignored.
static LogicalResult distributeTF32(Distributor &d, Operation *op) {
  OpBuilder &b = d.b;
  Location loc = op->getLoc();
  if (isa<arith::SelectOp>(op)) {
    d.replace(op, cloneForLane(d, op)->getResults());
    return success();
  }
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  bool narrows = !!truncation;
  if (truncation && truncation.getRoundingmode().value_or(
                        arith::RoundingMode::to_nearest_even) !=
                        arith::RoundingMode::to_nearest_even)
    return op->emitOpError("has a rounding mode that conversions to tf32 do "
                           "not support; use to_nearest_even");
  if ((!narrows && !isa<arith::ExtFOp>(op)) ||
      getElementTypeOrSelf(narrows ? op->getOperand(0) : op->getResult(0)) !=
          b.getF32Type())
    return op->emitOpError("computes with tf32, which only matrix instructions "
                           "support; extend it to f32");
  Value value = d.getDistributed(op->getOperand(0));
  auto type = cast<VectorType>(value.getType());
  auto bitsType = VectorType::get(type.getShape(), b.getI32Type());
  auto splat = [&](uint32_t number) -> Value {
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(
            bitsType, b.getI32IntegerAttr(static_cast<int32_t>(number))));
  };
  Value bits = arith::BitcastOp::create(b, loc, bitsType, value);
  if (narrows) {
    // Round to nearest even: add half of the last place, minus one if even.
    Value odd = arith::AndIOp::create(
        b, loc, arith::ShRUIOp::create(b, loc, bits, splat(13)), splat(1));
    Value half = arith::AddIOp::create(b, loc, odd, splat(0xfff));
    Value rounded = arith::AddIOp::create(b, loc, bits, half);
    // Preserve NaN.
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    Value quiet = arith::OrIOp::create(b, loc, bits, splat(0x00400000));
    bits = arith::SelectOp::create(b, loc, isNaN, quiet, rounded);
  }
  bits = arith::AndIOp::create(b, loc, bits, splat(0xffffe000));
  d.replace(op, arith::BitcastOp::create(b, loc, type, bits).getResult());
  return success();
}

Distributed distributeElementwise(Distributor &d, Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return std::nullopt;
  const NestedLayout *layout = nullptr;
  for (Value result : op->getResults())
    if (const NestedLayout *own = d.getLayout(result))
      layout = own;
  if (!layout)
    return op->emitOpError("has no result with a layout");
  if (failed(checkHaveLayouts(d, op)))
    return failure();
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (const NestedLayout *own = d.getLayout(value); own && *own != *layout)
      return emitLayoutMismatch(op, "operand or result", *own, *layout);
  auto isTF32 = [](Value value) {
    return isa<FloatTF32Type>(getElementTypeOrSelf(value));
  };
  if (llvm::any_of(op->getOperands(), isTF32) ||
      llvm::any_of(op->getResults(), isTF32))
    return distributeTF32(d, op);
  d.replace(op, cloneForLane(d, op)->getResults());
  return success();
}

} // namespace aircc::distribution
