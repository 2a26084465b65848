//===- WidenDivisions.cpp - Do narrow divisions in 32 bits ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): AMDGPUCodeGenPrepare, which widens divisions of
// integers of less than 32 bits to 32 bits, does not run at -O0. Symptom:
// "Cannot select" for a quotient and a remainder of the same narrow operands:
//
//   %q = udiv i16 %a, %b
//   %r = urem i16 %a, %b
//
// Workaround: widen them here. Only -O0 runs this pass.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

static bool isNarrowDivision(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return inst.getType()->getScalarSizeInBits() < 32;
  default:
    return false;
  }
}

static void widen(BinaryOperator &division) {
  IRBuilder<> b(&division);
  Type *narrow = division.getType();
  Type *wide = narrow->getWithNewBitWidth(32);
  bool isSigned = division.getOpcode() == Instruction::SDiv ||
                  division.getOpcode() == Instruction::SRem;
  Value *result =
      b.CreateBinOp(division.getOpcode(),
                    b.CreateIntCast(division.getOperand(0), wide, isSigned),
                    b.CreateIntCast(division.getOperand(1), wide, isSigned));
  division.replaceAllUsesWith(b.CreateTrunc(result, narrow));
  division.eraseFromParent();
}

PreservedAnalyses
aircc::amdgpu::WidenDivisionsPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  SmallVector<BinaryOperator *> divisions;
  for (Instruction &inst : instructions(function))
    if (isNarrowDivision(inst))
      divisions.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *division : divisions)
    widen(*division);
  return divisions.empty() ? PreservedAnalyses::all()
                           : PreservedAnalyses::none();
}
