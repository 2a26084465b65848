//===- SplitHalfConversions.cpp - Convert f16 vectors by element ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): vectors of 5 to 7 f16 are legalized as vectors of 8.
// The conversion to or from f32 of the added elements has an integer constant
// as its result. Symptom: "Cannot select: f32 = Constant<-1>" for
//
//   %y = fpext <5 x half> %x to <5 x float>
//   %y = fptrunc <5 x float> %x to <5 x half>
//
// Workaround: convert each element, as the backend does in the end.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// Returns whether an instruction converts between f32 and vectors of f16 that
/// are not legalized correctly.
static bool isAffected(const Instruction &inst) {
  if (!isa<FPExtInst, FPTruncInst>(inst))
    return false;
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  if (!type || type->getNumElements() < 5 || type->getNumElements() > 7)
    return false;
  Type *from = inst.getOperand(0)->getType()->getScalarType();
  Type *to = type->getScalarType();
  return from->isHalfTy() || to->isHalfTy();
}

static void split(CastInst &conversion) {
  IRBuilder<> b(&conversion);
  if (isa<FPMathOperator>(conversion))
    b.setFastMathFlags(conversion.getFastMathFlags());
  auto *type = cast<FixedVectorType>(conversion.getType());
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *element = b.CreateExtractElement(conversion.getOperand(0), i);
    element =
        b.CreateCast(conversion.getOpcode(), element, type->getScalarType());
    result = b.CreateInsertElement(result, element, i);
  }
  conversion.replaceAllUsesWith(result);
  conversion.eraseFromParent();
}

PreservedAnalyses
aircc::amdgpu::SplitHalfConversionsPass::run(Function &function,
                                             FunctionAnalysisManager &) {
  SmallVector<CastInst *> conversions;
  for (Instruction &inst : instructions(function))
    if (isAffected(inst))
      conversions.push_back(cast<CastInst>(&inst));
  for (CastInst *conversion : conversions)
    split(*conversion);
  return conversions.empty() ? PreservedAnalyses::all()
                             : PreservedAnalyses::none();
}
