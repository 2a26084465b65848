//===- MaskTruncatedValues.cpp - Mask values instead of extending ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): if a truncated value is extended to a width other than
// its original one, the legalizer combines the two into an OpBitwiseAnd of a
// value of the old width and a mask of the new one. Symptom: an invalid module:
//
//   %t = trunc i64 %x to i8
//   %z = zext i8 %t to i32
//
// Workaround: resize first, then mask.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

PreservedAnalyses
aircc::spirv::MaskTruncatedValuesPass::run(Function &function,
                                           FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    Value *wide;
    if (!match(&instruction, m_ZExt(m_Trunc(m_Value(wide)))))
      continue;
    Type *type = instruction.getType();
    unsigned kept = instruction.getOperand(0)->getType()->getScalarSizeInBits();
    IRBuilder<> b(&instruction);
    Value *resized = b.CreateZExtOrTrunc(wide, type);
    APInt mask = APInt::getLowBitsSet(type->getScalarSizeInBits(), kept);
    Value *masked = b.CreateAnd(resized, ConstantInt::get(type, mask));
    instruction.replaceAllUsesWith(masked);
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
