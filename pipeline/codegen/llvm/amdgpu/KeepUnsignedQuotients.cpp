//===- KeepUnsignedQuotients.cpp - Keep unsigned divisions exact ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#196418):
// AMDGPUTargetLowering::LowerDIVREM24 treats two unsigned i32 operands whose
// upper 9 or more bits are copies of the sign as 24-bit numbers, even if they
// are negative, and divides them as floats. Symptom: a wrong quotient at -O0,
// where no earlier pass rewrites divisions:
//
//   %a = sext i16 %x to i32
//   %q = udiv i32 %a, %b          ; x = -2: 0xfffffffe is not a 24-bit number
//
// Workaround: hide the computation of such dividends from instruction
// selection. Only -O0 runs this pass.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/OpaqueValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// Returns whether enough upper bits of `value` are known that instruction
/// selection may treat it as a 24-bit number, although they are not known to be
/// zero.
static bool looksShort(Value *value, const DataLayout &layout) {
  constexpr unsigned kUpperBits = 9;
  return ComputeNumSignBits(value, layout) >= kUpperBits &&
         computeKnownBits(value, layout).countMinLeadingZeros() <
             kUpperBits - 1;
}

static void hideDividend(BinaryOperator &division) {
  IRBuilder<> b(&division);
  Value *dividend = division.getOperand(0);
  auto *vector = dyn_cast<FixedVectorType>(dividend->getType());
  if (!vector) {
    division.setOperand(0, makeOpaque(b, dividend));
    return;
  }
  Value *hidden = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    hidden = b.CreateInsertElement(
        hidden, makeOpaque(b, b.CreateExtractElement(dividend, i)), i);
  division.setOperand(0, hidden);
}

PreservedAnalyses KeepUnsignedQuotientsPass::run(Function &function,
                                                 FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<BinaryOperator *> divisions;
  for (Instruction &inst : instructions(function))
    if (is_contained({Instruction::UDiv, Instruction::URem},
                     inst.getOpcode()) &&
        inst.getType()->getScalarSizeInBits() == 32 &&
        looksShort(inst.getOperand(0), layout))
      divisions.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *division : divisions)
    hideDividend(*division);
  return divisions.empty() ? PreservedAnalyses::all()
                           : PreservedAnalyses::none();
}
