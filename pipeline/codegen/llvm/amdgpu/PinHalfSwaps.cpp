//===- PinHalfSwaps.cpp - Keep v_permlane64 before branches ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): V_PERMLANE64_B32 is not marked as convergent.
// MachineSink moves it into a branch that uses its result, together with the
// computation of its operand, which then does not reach the lanes that do not
// take the branch. Symptom: wrong values from the other half of the wave:
//
//   %sum = fadd float %a, %b
//   %other = call float @llvm.amdgcn.permlane64.f32(float %sum)
//   br i1 %isFirst, label %use, label %end    ; only %use uses %other
//
// Workaround: an empty assembly statement with side effects, which is not
// moved, uses the result in the same block.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;
using namespace aircc::amdgpu;

PreservedAnalyses PinHalfSwapsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *> swaps;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == Intrinsic::amdgcn_permlane64)
      swaps.push_back(call);
  for (IntrinsicInst *swap : swaps) {
    IRBuilder<> b(swap->getNextNode());
    auto *type =
        FunctionType::get(b.getVoidTy(), {swap->getType()}, /*isVarArg=*/false);
    b.CreateCall(InlineAsm::get(type, "", "v", /*hasSideEffects=*/true),
                 {swap});
  }
  if (swaps.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
