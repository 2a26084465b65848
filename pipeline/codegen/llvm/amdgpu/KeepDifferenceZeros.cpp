//===- KeepDifferenceZeros.cpp - Keep 0 - x from becoming -x --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): if an operation can negate its operand, instruction
// selection treats 0 - x as -x, although 0 - 0 is +0. Symptom: the sign of a
// zero is wrong in uses of the difference:
//
//   %d = fsub float 0.0, %x
//   %q = fdiv float 1.0, %d       ; x = 0: -inf instead of +inf
//
// Workaround: hide the zero from instruction selection.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace aircc::amdgpu;

static bool isPositiveZero(const Constant *constant) {
  auto *number = dyn_cast_or_null<ConstantFP>(constant);
  return number && number->isZero() && !number->isNegative();
}

/// Returns whether `value`, or an element of it, is the constant +0.
static bool hasPositiveZero(const Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!constant || !vector)
    return constant && isPositiveZero(constant);
  return any_of(seq(vector->getNumElements()), [&](unsigned i) {
    return isPositiveZero(constant->getAggregateElement(i));
  });
}

/// Replaces every +0 with an opaque value.
static Value *hideZeros(IRBuilder<> &b, Value *zeros) {
  Type *type = zeros->getType()->getScalarType();
  Value *hidden =
      makeOpaque(b, ConstantFP::getZero(type), RegisterKind::Scalar);
  auto *vector = dyn_cast<FixedVectorType>(zeros->getType());
  if (!vector)
    return hidden;
  Value *result = zeros;
  for (unsigned i : seq(vector->getNumElements()))
    if (isPositiveZero(cast<Constant>(zeros)->getAggregateElement(i)))
      result = b.CreateInsertElement(result, hidden, i);
  return result;
}

static bool isNegation(Value *value) {
  return match(value, m_FNeg(m_Value())) ||
         match(value, m_FMul(m_Value(), m_SpecificFP(-1)));
}

/// Returns the operand that is the zero if `inst` is some form of 0 - x;
/// otherwise, returns null.
static Use *findMinuend(Instruction &inst) {
  Type *type = inst.getType()->getScalarType();
  if (!(type->isFloatTy() || type->isHalfTy()) || !isa<FPMathOperator>(inst) ||
      inst.hasNoSignedZeros())
    return nullptr;
  if (inst.getOpcode() == Instruction::FSub)
    return &inst.getOperandUse(0);
  if (inst.getOpcode() == Instruction::FAdd) {
    if (isNegation(inst.getOperand(0)))
      return &inst.getOperandUse(1);
    return isNegation(inst.getOperand(1)) ? &inst.getOperandUse(0) : nullptr;
  }
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  const bool isFma = call && (call->getIntrinsicID() == Intrinsic::fma ||
                              call->getIntrinsicID() == Intrinsic::fmuladd);
  if (isFma && (match(inst.getOperand(0), m_SpecificFP(-1)) ||
                match(inst.getOperand(1), m_SpecificFP(-1))))
    return &inst.getOperandUse(2);
  return nullptr;
}

PreservedAnalyses KeepDifferenceZerosPass::run(Function &function,
                                               FunctionAnalysisManager &) {
  SmallVector<Use *> zeros;
  for (Instruction &inst : instructions(function))
    if (Use *zero = findMinuend(inst); zero && hasPositiveZero(*zero))
      zeros.push_back(zero);
  for (Use *zero : zeros) {
    IRBuilder<> b(cast<Instruction>(zero->getUser()));
    zero->set(hideZeros(b, *zero));
  }
  return zeros.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
