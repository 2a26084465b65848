//===- ExpandBallots.cpp - Expand ballots of ordered inequality -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the backend selects `v_cmp_neq`, which is also true for
// NaN, for a ballot of `fcmp one`, and for each comparison that instruction
// selection may turn into one. Symptom: a ballot has a bit for a lane whose
// operand is NaN:
//
//   %c = fcmp one float %x, %y
//   %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
//
// Workaround: `one` becomes "less" or "greater". Conditions that consist of
// several comparisons are first converted to a number, which selection does not
// look through.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

/// Returns whether instruction selection may find a comparison of floats in the
/// computation of `value`, and combine it with others.
static bool hidesFloatComparison(Value *value, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !inst->getType()->isIntegerTy(1))
    return false;
  if (isa<FCmpInst>(inst))
    return true;
  // This depth exceeds any pattern that combines comparisons.
  if (depth == 8 ||
      !(isa<FreezeInst, SelectInst>(inst) || inst->isBitwiseLogicOp()))
    return false;
  return any_of(inst->operands(), [&](Value *operand) {
    return hidesFloatComparison(operand, depth + 1);
  });
}

/// Replaces the ballot with the union of the ballots that `take` creates for
/// "less" and "greater".
static void
expandToLessOrGreater(IntrinsicInst &ballot, IRBuilder<> &b,
                      function_ref<Value *(CmpInst::Predicate)> take) {
  Value *less = take(CmpInst::FCMP_OLT);
  Value *greater = take(CmpInst::FCMP_OGT);
  ballot.replaceAllUsesWith(b.CreateOr(less, greater));
  ballot.eraseFromParent();
}

/// Expands a comparison that is itself a ballot.
static bool expandFcmp(IntrinsicInst &ballot) {
  IRBuilder<> b(&ballot);
  Value *predicate = ballot.getArgOperand(2);
  if (!cast<ConstantInt>(predicate)->equalsInt(CmpInst::FCMP_ONE))
    return false;
  expandToLessOrGreater(ballot, b, [&](CmpInst::Predicate part) {
    Instruction *call = b.Insert(ballot.clone());
    call->setOperand(2, ConstantInt::get(predicate->getType(), part));
    return call;
  });
  return true;
}

static bool expandBallot(IntrinsicInst &ballot) {
  IRBuilder<> b(&ballot);
  Value *condition = ballot.getArgOperand(0);
  if (auto *compare = dyn_cast<FCmpInst>(condition)) {
    if (compare->getPredicate() != CmpInst::FCMP_ONE)
      return false;
    expandToLessOrGreater(ballot, b, [&](CmpInst::Predicate part) {
      Value *ordered = b.CreateFCmpFMF(part, compare->getOperand(0),
                                       compare->getOperand(1), compare);
      Instruction *call = b.Insert(ballot.clone());
      call->setOperand(0, ordered);
      return call;
    });
    return true;
  }
  if (!hidesFloatComparison(condition))
    return false;
  Type *type = b.getFloatTy();
  Value *number = b.CreateSelect(condition, ConstantFP::get(type, 1),
                                 ConstantFP::get(type, 0));
  number = b.CreateIntrinsic(Intrinsic::arithmetic_fence, {type}, {number});
  ballot.setArgOperand(0, b.CreateFCmpUNE(number, ConstantFP::get(type, 0)));
  return true;
}

PreservedAnalyses
aircc::amdgpu::ExpandBallotsPass::run(Function &function,
                                      FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *> ballots;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && (call->getIntrinsicID() == Intrinsic::amdgcn_ballot ||
                 call->getIntrinsicID() == Intrinsic::amdgcn_fcmp))
      ballots.push_back(call);
  bool changed = false;
  for (IntrinsicInst *ballot : ballots)
    changed |= ballot->getIntrinsicID() == Intrinsic::amdgcn_fcmp
                   ? expandFcmp(*ballot)
                   : expandBallot(*ballot);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
