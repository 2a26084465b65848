//===- DeepKnownBits.cpp - Known bits of deep expressions -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/DeepKnownBits.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// Limit the recursion, because a chain of sums may have as many operations as
/// the program.
static constexpr unsigned kMaxDepth = 256;

KnownBits DeepKnownBits::compute(const Value *value, unsigned depth) {
  auto *op = dyn_cast<Operator>(value);
  if (!op || isa<PHINode>(op) || depth == kMaxDepth)
    return computeKnownBits(value, query);
  auto operand = [&](unsigned index) {
    return get(op->getOperand(index), depth + 1);
  };
  unsigned width = value->getType()->getScalarSizeInBits();
  switch (op->getOpcode()) {
  case Instruction::And:
    return operand(0) & operand(1);
  case Instruction::Or:
    return operand(0) | operand(1);
  case Instruction::Xor:
    return operand(0) ^ operand(1);
  case Instruction::Add:
    return KnownBits::add(operand(0), operand(1));
  case Instruction::Mul:
    return KnownBits::mul(operand(0), operand(1));
  case Instruction::Shl:
    return KnownBits::shl(operand(0), operand(1));
  case Instruction::LShr:
    return KnownBits::lshr(operand(0), operand(1));
  case Instruction::Trunc:
    return operand(0).trunc(width);
  case Instruction::ZExt:
    return operand(0).zext(width);
  default:
    return computeKnownBits(value, query);
  }
}

KnownBits DeepKnownBits::get(const Value *value, unsigned depth) {
  if (auto known = bits.find(value); known != bits.end())
    return known->second;
  KnownBits known = compute(value, depth);
  bits.try_emplace(value, known);
  return known;
}
