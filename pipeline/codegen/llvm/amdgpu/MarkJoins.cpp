//===- MarkJoins.cpp - Mark where lanes reconverge ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8; later, llvm/llvm-project#204958 makes the optimizer
// consider the blocks that divergent lanes may reach): if the optimizer knows
// the direction of the next branch for some of the lanes that reconverge in a
// loop, jump threading sends these lanes directly to its target. Symptom: they
// execute the loop, including barriers, without the other lanes:
//
//   loop:
//     br i1 %divergent, label %then, label %join
//   then:
//     br label %join
//   join:                                  ; then => %again is true
//     %again = phi i1 [ true, %then ], [ %c, %loop ]
//     br i1 %again, label %loop, label %end
//
// Workaround: mark such places with a convergent operation, which the optimizer
// may not duplicate. aircc-amdgpu-remove-join-marks removes it.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/JoinMarks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// After inlining, a call to a function may be anything.
static bool needsLanesTogether(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && (call->isConvergent() || !isa<IntrinsicInst>(call));
}

static bool isInLoopOfLanesTogether(BasicBlock *block, const LoopInfo &loops,
                                    DenseMap<Loop *, bool> &known) {
  for (Loop *loop = loops.getLoopFor(block); loop;
       loop = loop->getParentLoop()) {
    auto [place, isNew] = known.try_emplace(loop, false);
    if (isNew)
      place->second = any_of(loop->blocks(), [](const BasicBlock *inside) {
        return any_of(*inside, needsLanesTogether);
      });
    if (place->second)
      return true;
  }
  return false;
}

static SetVector<BasicBlock *> findJoins(Function &function,
                                         FunctionAnalysisManager &analyses) {
  SetVector<BasicBlock *> joins;
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  // A function that is not a kernel may be called in a loop.
  bool isKernel = function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
  if (isKernel && loops.empty())
    return joins;
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  auto &joinTree = analyses.getResult<PostDominatorTreeAnalysis>(function);
  DenseMap<Loop *, bool> known;
  for (BasicBlock &block : function) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    DomTreeNode *node = joinTree.getNode(&block);
    BasicBlock *join =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (join && (!isKernel || isInLoopOfLanesTogether(join, loops, known)))
      joins.insert(join);
  }
  return joins;
}

PreservedAnalyses MarkJoinsPass::run(Function &function,
                                     FunctionAnalysisManager &analyses) {
  if (!machine) {
    function.getContext().emitError(
        "aircc-amdgpu-mark-joins requires a target");
    return PreservedAnalyses::all();
  }
  for (BasicBlock *join : findJoins(function, analyses)) {
    IRBuilder<> b(join, join->getFirstInsertionPt());
    CallInst *mark = b.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
    mark->setMemoryEffects(getJoinMarkEffects());
  }
  // Return none even if nothing changed: some of LLVM's passes do more if an
  // analysis is available, and code must not depend on this pass.
  return PreservedAnalyses::none();
}
