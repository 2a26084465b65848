//===- KeepProductSigns.cpp - Keep -0 in truncated products ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#214544): the backend
// selects one instruction, v_fma_mixlo_f16, for a product of f32 that is
// truncated to f16, with +0 as the addend. Symptom: a product of -0 becomes +0:
//
//   %p = fmul float %x, %y
//   %h = fptrunc float %p to half
//
// Workaround: an fma with -0 as the addend, which changes no product.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static bool keepSign(FPTruncInst &truncation) {
  Value *product = truncation.getOperand(0);
  Value *lhs, *rhs;
  // Instruction selection folds a negation into the product.
  bool isNegated = match(product, m_FNeg(m_FMul(m_Value(lhs), m_Value(rhs))));
  if ((!isNegated && !match(product, m_FMul(m_Value(lhs), m_Value(rhs)))) ||
      cast<Instruction>(product)->hasNoSignedZeros())
    return false;
  IRBuilder<> b(&truncation);
  Type *type = product->getType();
  if (isNegated)
    lhs = b.CreateFNeg(lhs);
  truncation.setOperand(
      0, b.CreateIntrinsic(Intrinsic::fma, {type},
                           {lhs, rhs, ConstantFP::getNegativeZero(type)}));
  return true;
}

PreservedAnalyses
aircc::amdgpu::KeepProductSignsPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  SmallVector<FPTruncInst *> truncations;
  for (Instruction &inst : instructions(function))
    if (auto *truncation = dyn_cast<FPTruncInst>(&inst);
        truncation && truncation->getType()->getScalarType()->isHalfTy() &&
        truncation->getSrcTy()->getScalarType()->isFloatTy())
      truncations.push_back(truncation);
  bool changed = false;
  for (FPTruncInst *truncation : truncations)
    changed |= keepSign(*truncation);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
