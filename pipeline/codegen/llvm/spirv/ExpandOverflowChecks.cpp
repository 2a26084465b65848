//===- ExpandOverflowChecks.cpp - Carries as comparisons ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIR-V returns a sum and its carries in a structure. For vectors, the backend
// (LLVM 22.1.8) emits a structure whose members extractvalue cannot access.
// Symptom: an invalid module, for example for
//
//   %r = call {<4 x i32>, <4 x i1>} @llvm.uadd.with.overflow.v4i32(…)
//
// Carries are computed by comparisons instead.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/CollectCalls.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

static bool isAffected(const WithOverflowInst &call) {
  return call.getLHS()->getType()->isVectorTy() && !call.isSigned() &&
         call.getBinaryOp() != Instruction::Mul;
}

static void expand(WithOverflowInst &call) {
  IRBuilder<> b(&call);
  Value *value =
      b.CreateBinOp(call.getBinaryOp(), call.getLHS(), call.getRHS());
  // A sum overflows if it is less than an operand; a difference overflows if
  // the subtrahend is greater than the minuend.
  bool isSum = call.getBinaryOp() == Instruction::Add;
  Value *overflow = isSum ? b.CreateICmpULT(value, call.getLHS())
                          : b.CreateICmpULT(call.getLHS(), call.getRHS());
  for (User *user : make_early_inc_range(call.users()))
    if (auto *extract = dyn_cast<ExtractValueInst>(user)) {
      extract->replaceAllUsesWith(extract->getIndices()[0] ? overflow : value);
      extract->eraseFromParent();
    }
  if (call.use_empty())
    call.eraseFromParent();
}

PreservedAnalyses
aircc::spirv::ExpandOverflowChecksPass::run(Function &function,
                                            FunctionAnalysisManager &) {
  SmallVector<WithOverflowInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<WithOverflowInst>(&instruction);
        call && isAffected(*call))
      calls.push_back(call);
  for (WithOverflowInst *call : calls)
    expand(*call);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
