//===- RemoveJoinMarks.cpp - Remove marks of reconvergence ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The counterpart of MarkJoins.cpp that runs after the optimizer.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/JoinMarks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

PreservedAnalyses
aircc::amdgpu::RemoveJoinMarksPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == Intrinsic::amdgcn_wave_barrier &&
        call->getMemoryEffects() == getJoinMarkEffects()) {
      call->eraseFromParent();
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
