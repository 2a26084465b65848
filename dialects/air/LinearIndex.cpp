//===- LinearIndex.cpp - Index values as linear expressions ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/LinearIndex.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <optional>

using namespace mlir;
using namespace aircc::air;

bool LinearIndex::isTractable() const {
  return std::abs(constant) < kMaxFactor &&
         llvm::all_of(
             terms,
             [](const auto &term) {
               return std::abs(term.second) < kMaxFactor;
             });
}

void LinearIndex::add(Value value, int64_t coefficient) {
  auto it = llvm::find_if(
      terms, [&](const auto &term) { return term.first == value; });
  if (it == terms.end()) {
    if (coefficient)
      terms.push_back({value, coefficient});
    return;
  }
  it->second += coefficient;
  if (!it->second)
    terms.erase(it);
}

/// Returns the value of a linear affine expression; `operands` are the
/// dimensions, followed by the symbols.
static std::optional<LinearIndex> evaluate(AffineExpr expr, unsigned numDims,
                                           ArrayRef<LinearIndex> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearIndex(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<LinearIndex> lhs = evaluate(binary.getLHS(), numDims, operands);
  std::optional<LinearIndex> rhs = evaluate(binary.getRHS(), numDims, operands);
  if (!lhs || !rhs || !lhs->isTractable() || !rhs->isTractable())
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (expr.getKind() == AffineExprKind::Mul && rhs->isConstant())
    return *lhs * rhs->getConstant();
  if (expr.getKind() == AffineExprKind::Mul && lhs->isConstant())
    return *rhs * lhs->getConstant();
  // The operands of a division of constants may be loop variables whose values
  // are known by now.
  if (!lhs->isConstant() || !rhs->isConstant() || rhs->getConstant() <= 0)
    return std::nullopt;
  int64_t a = lhs->getConstant(), b = rhs->getConstant();
  if (expr.getKind() == AffineExprKind::Mod)
    return LinearIndex(llvm::mod(a, b));
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return LinearIndex(llvm::divideFloorSigned(a, b));
  return LinearIndex(llvm::divideCeilSigned(a, b));
}

/// Decomposes the result of an op. Returns nullopt if the result is an opaque
/// value.
static std::optional<LinearIndex> getOfOp(Operation *op) {
  auto get = [&](unsigned i) { return LinearIndex::get(op->getOperand(i)); };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<LinearIndex> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(LinearIndex::get(operand));
    return evaluate(apply.getAffineMap().getResult(0),
                    apply.getAffineMap().getNumDims(), operands);
  }
  if (isa<arith::AddIOp>(op))
    return get(0) + get(1);
  if (isa<arith::SubIOp>(op))
    return get(0) + get(1) * -1;
  if (isa<arith::IndexCastOp>(op))
    return get(0);
  if (isa<arith::MulIOp>(op)) {
    LinearIndex lhs = get(0), rhs = get(1);
    if (rhs.isConstant())
      return lhs * rhs.getConstant();
    if (lhs.isConstant())
      return rhs * lhs.getConstant();
  }
  return std::nullopt;
}

LinearIndex LinearIndex::get(Value value) {
  LinearIndex opaque;
  opaque.add(value, 1);
  if (std::optional<int64_t> known = getConstantIntValue(value)) {
    LinearIndex index(*known);
    return index.isTractable() ? index : opaque;
  }
  // Sums of narrow integers may wrap around, so treat them as opaque.
  Operation *op = value.getDefiningOp();
  if (!op || (!value.getType().isIndex() && !isa<arith::IndexCastOp>(op)))
    return opaque;
  std::optional<LinearIndex> index = getOfOp(op);
  return index && index->isTractable() ? *index : opaque;
}

LinearIndex LinearIndex::get(OpFoldResult index) {
  if (auto value = dyn_cast<Value>(index))
    return get(value);
  return LinearIndex(*getConstantIntValue(index));
}

int64_t LinearIndex::getCoefficient(Value value) const {
  for (auto [term, coefficient] : terms)
    if (term == value)
      return coefficient;
  return 0;
}

LinearIndex LinearIndex::operator+(const LinearIndex &rhs) const {
  LinearIndex sum = *this;
  sum.constant += rhs.constant;
  for (auto [value, coefficient] : rhs.terms)
    sum.add(value, coefficient);
  return sum;
}

LinearIndex LinearIndex::operator*(int64_t factor) const {
  LinearIndex product(constant * factor);
  for (auto [value, coefficient] : terms)
    product.add(value, coefficient * factor);
  return product;
}

bool LinearIndex::operator==(const LinearIndex &rhs) const {
  return (*this + rhs * -1).isZero();
}

LinearIndex LinearIndex::substitute(Value value,
                                    const LinearIndex &replacement) const {
  int64_t coefficient = getCoefficient(value);
  if (!coefficient)
    return *this;
  LinearIndex rest = *this;
  rest.add(value, -coefficient);
  return rest + replacement * coefficient;
}

OpFoldResult LinearIndex::materialize(OpBuilder &b, Location loc) const {
  if (isConstant())
    return b.getIndexAttr(constant);
  AffineExpr sum = b.getAffineConstantExpr(constant);
  SmallVector<OpFoldResult> operands;
  for (auto [value, coefficient] : terms) {
    Value index = value;
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
    sum = sum + b.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(index);
  }
  if (operands.size() == 1 && sum == b.getAffineDimExpr(0))
    return operands.front();
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, sum), operands);
}
