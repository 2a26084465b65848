//===- PackedElements.cpp - Elements that share a byte --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/PackedElements.h"

#include "dialects/air/AIRInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace aircc {

static constexpr int64_t kByteBits = 8;

/// Returns the integer constant that `value` is, perhaps as an operand of a
/// launch.
static std::optional<APInt> getConstant(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto hierarchy =
        dyn_cast<air::HierarchyInterface>(argument.getOwner()->getParentOp());
    Value operand =
        hierarchy ? hierarchy.getTiedKernelOperand(argument) : nullptr;
    if (!operand)
      return std::nullopt;
    value = operand;
  }
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant)
                                                       : std::nullopt;
}

/// Returns the value of `amount` when the index of loop `loop` is `index`;
/// nullopt if it depends on anything else.
static std::optional<int64_t> evaluateShift(Value amount, unsigned loop,
                                            int64_t index) {
  if (std::optional<APInt> constant = getConstant(amount))
    return constant->getZExtValue();
  Operation *op = amount.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto own = dyn_cast<linalg::IndexOp>(op))
    return own.getDim() == loop ? std::optional(index) : std::nullopt;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp,
          arith::ExtUIOp, arith::ExtSIOp>(op))
    return evaluateShift(op->getOperand(0), loop, index);
  if (!isa<arith::MulIOp, arith::ShLIOp>(op))
    return std::nullopt;
  auto lhs = evaluateShift(op->getOperand(0), loop, index),
       rhs = evaluateShift(op->getOperand(1), loop, index);
  if (!lhs || !rhs || *lhs > kByteBits || *rhs > kByteBits)
    return std::nullopt;
  return isa<arith::MulIOp>(op) ? *lhs * *rhs : *lhs << *rhs;
}

std::optional<PackedElement> matchPackedElement(Value element, unsigned loop) {
  auto cast = element.getDefiningOp<arith::BitcastOp>();
  auto trunc = cast ? cast.getIn().getDefiningOp<arith::TruncIOp>() : nullptr;
  if (!trunc)
    return std::nullopt;
  int64_t bits = trunc.getType().getIntOrFloatBitWidth();
  Value wide = trunc.getIn();
  // A mask that keeps all bits of the element has no effect.
  if (auto mask = wide.getDefiningOp<arith::AndIOp>()) {
    std::optional<APInt> kept = getConstant(mask.getRhs());
    if (!kept || kept->countr_one() < bits)
      return std::nullopt;
    wide = mask.getLhs();
  }
  auto shift = wide.getDefiningOp<arith::ShRUIOp>();
  if (!shift || !shift.getType().isInteger(kByteBits) || kByteBits % bits)
    return std::nullopt;
  int64_t count = kByteBits / bits;
  for (int64_t index = 0; index < count; ++index)
    if (evaluateShift(shift.getRhs(), loop, index) != index * bits)
      return std::nullopt;
  return PackedElement{shift.getLhs(), count};
}

Value createPackedElement(OpBuilder &b, Location loc, Value byte, Type type,
                          unsigned loop) {
  unsigned bits = type.getIntOrFloatBitWidth();
  Value index = linalg::IndexOp::create(b, loc, loop);
  Value width = arith::ConstantIndexOp::create(b, loc, bits);
  Value amount = arith::IndexCastOp::create(
      b, loc, byte.getType(), arith::MulIOp::create(b, loc, index, width));
  Value shifted = arith::ShRUIOp::create(b, loc, byte, amount);
  Value narrow =
      arith::TruncIOp::create(b, loc, b.getIntegerType(bits), shifted);
  return arith::BitcastOp::create(b, loc, type, narrow);
}

} // namespace aircc
