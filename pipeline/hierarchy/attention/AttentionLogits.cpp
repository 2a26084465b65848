//===- AttentionLogits.cpp - How logits depend on scores ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/attention/AttentionLogits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;

std::optional<double> hierarchy::takeFactor(linalg::GenericOp op,
                                            Value scores) {
  OpOperand *input = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (operand->get() == scores)
      input = operand;
  if (!input || !op.getMatchingBlockArgument(input).hasOneUse())
    return std::nullopt;
  BlockArgument score = op.getMatchingBlockArgument(input);
  auto product = dyn_cast<arith::MulFOp>(*score.getUsers().begin());
  APFloat factor(0.0f);
  if (!product || !product->hasOneUse() || !score.getType().isF32() ||
      !matchPattern(product.getLhs() == score ? product.getRhs()
                                              : product.getLhs(),
                    m_ConstantFloat(&factor)) ||
      !factor.isFiniteNonZero() || factor.isNegative() ||
      factor.convertToFloat() > llvm::numbers::ln2)
    return std::nullopt;
  // Masked scores are -inf, even without the product.
  Operation *user = *product->getUsers().begin();
  if (auto select = dyn_cast<arith::SelectOp>(user)) {
    Value other = select.getTrueValue() == product ? select.getFalseValue()
                                                   : select.getTrueValue();
    if (!matchPattern(other, m_NegInfFloat()) || !select->hasOneUse() ||
        select.getCondition() == product)
      return std::nullopt;
    user = *select->getUsers().begin();
  }
  if (!isa<linalg::YieldOp>(user))
    return std::nullopt;
  product.replaceAllUsesWith(score);
  product.erase();
  return factor.convertToFloat();
}

/// Returns whether `value` is the index of a loop, perhaps as another type.
static bool isIndexOf(Value value, unsigned dim) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == dim;
}

/// Returns true if `condition` is true for exactly the keys after their query,
/// and false in the opposite case. Returns nullopt if it is neither.
static std::optional<bool> matchIsLater(Value condition, unsigned queryDim,
                                        unsigned keyDim) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  auto isOneOf = [&](Predicate a, Predicate b) {
    return predicate == a || predicate == b;
  };
  if (isIndexOf(compare.getLhs(), keyDim) &&
      isIndexOf(compare.getRhs(), queryDim)) {
    if (isOneOf(Predicate::ugt, Predicate::sgt))
      return true;
    if (isOneOf(Predicate::ule, Predicate::sle))
      return false;
  }
  if (isIndexOf(compare.getLhs(), queryDim) &&
      isIndexOf(compare.getRhs(), keyDim)) {
    if (isOneOf(Predicate::ult, Predicate::slt))
      return true;
    if (isOneOf(Predicate::uge, Predicate::sge))
      return false;
  }
  return std::nullopt;
}

bool hierarchy::hasCausalMask(linalg::GenericOp op, unsigned queryDim,
                              unsigned keyDim) {
  auto select = op.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::SelectOp>();
  if (!select ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  std::optional<bool> isLater =
      matchIsLater(select.getCondition(), queryDim, keyDim);
  return isLater &&
         matchPattern(*isLater ? select.getTrueValue() : select.getFalseValue(),
                      m_NegInfFloat());
}

linalg::GenericOp hierarchy::removeMask(OpBuilder &b, linalg::GenericOp op) {
  auto copy = cast<linalg::GenericOp>(b.clone(*op));
  Operation *yield = copy.getBody()->getTerminator();
  auto select = yield->getOperand(0).getDefiningOp<arith::SelectOp>();
  bool masksTrue = matchPattern(select.getTrueValue(), m_NegInfFloat());
  yield->setOperand(0,
                    masksTrue ? select.getFalseValue() : select.getTrueValue());
  SmallVector<Operation *> ops;
  for (Operation &scalar : copy.getBody()->without_terminator())
    ops.push_back(&scalar);
  for (Operation *scalar : llvm::reverse(ops))
    if (isOpTriviallyDead(scalar))
      scalar->erase();
  return copy;
}
