//===- Divisibility.cpp - Known divisors of values ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/Divisibility.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace aircc::distribution {

/// The maximum depth of arithmetic to look through.
static constexpr int kMaxDepth = 16;

static int64_t getDivisor(Value value, int depth);

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::max(a, b) : product;
}

static int64_t getDivisor(AffineExpr expr, unsigned numDims,
                          ValueRange operands, int depth) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getDivisor(operands[dim.getPosition()], depth + 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getDivisor(operands[numDims + symbol.getPosition()], depth + 1);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = getDivisor(binary.getLHS(), numDims, operands, depth);
  int64_t rhs = getDivisor(binary.getRHS(), numDims, operands, depth);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    // a mod b = a - b * (something).
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul:
    return multiply(lhs, rhs);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return by && by.getValue() > 0 && lhs % by.getValue() == 0
               ? lhs / by.getValue()
               : 1;
  }
  default:
    return 1;
  }
}

static int64_t getDivisor(Value value, int depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  if (depth > kMaxDepth)
    return 1;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop || arg != loop.getInductionVar())
      return 1;
    return std::gcd(getDivisor(loop.getLowerBound(), depth + 1),
                    getDivisor(loop.getStep(), depth + 1));
  }
  Operation *def = value.getDefiningOp();
  auto of = [&](unsigned i) {
    return getDivisor(def->getOperand(i), depth + 1);
  };
  if (isa<arith::AddIOp, arith::SubIOp, arith::RemUIOp, arith::RemSIOp,
          arith::MinUIOp, arith::MinSIOp, arith::MaxUIOp, arith::MaxSIOp>(def))
    return std::gcd(of(0), of(1));
  if (isa<arith::SelectOp>(def))
    return std::gcd(of(1), of(2));
  if (isa<arith::MulIOp>(def))
    return multiply(of(0), of(1));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(def))
    return of(0);
  if (isa<arith::ShLIOp>(def)) {
    std::optional<int64_t> by = getConstantIntValue(def->getOperand(1));
    return by && *by >= 0 && *by < 32 ? multiply(of(0), int64_t(1) << *by) : 1;
  }
  if (isa<arith::DivUIOp, arith::DivSIOp>(def)) {
    std::optional<int64_t> by = getConstantIntValue(def->getOperand(1));
    int64_t numerator = of(0);
    return by && *by > 0 && numerator % *by == 0 ? numerator / *by : 1;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    AffineMap map = apply.getAffineMap();
    return getDivisor(map.getResult(0), map.getNumDims(),
                      apply.getMapOperands(), depth);
  }
  return 1;
}

int64_t getKnownDivisor(Value value) { return getDivisor(value, 0); }

int64_t getKnownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  return getDivisor(cast<Value>(value), 0);
}

static uint64_t getBits(Value value, int depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  Operation *op = value.getDefiningOp();
  if (op && depth <= kMaxDepth && op->getNumOperands() == 2) {
    auto of = [&](unsigned i) { return getBits(op->getOperand(i), depth + 1); };
    std::optional<int64_t> by = getConstantIntValue(op->getOperand(1));
    bool isPower = by && *by > 0 && llvm::isPowerOf2_64(*by);
    if (isa<arith::RemUIOp>(op) && isPower)
      return of(0) & (*by - 1);
    if (isa<arith::DivUIOp>(op) && isPower)
      return of(0) / *by;
    if (isa<arith::MulIOp>(op) && isPower)
      return of(0) * *by;
    if (isa<arith::AddIOp>(op))
      if (uint64_t lhs = of(0), rhs = of(1); (lhs & rhs) == 0)
        return lhs | rhs;
  }
  int64_t divisor = getDivisor(value, depth);
  return divisor ? ~uint64_t(0) << llvm::countr_zero(uint64_t(divisor)) : 0;
}

uint64_t getPossibleBits(Value value) { return getBits(value, 0); }

bool isKnownMultiple(OpFoldResult value, int64_t divisor) {
  return getKnownDivisor(value) % divisor == 0;
}

} // namespace aircc::distribution
