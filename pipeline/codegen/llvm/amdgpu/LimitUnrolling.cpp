//===- LimitUnrolling.cpp - Keep loops of large nests ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the loop unroller completely unrolls each loop of a
// nest if the result is small compared to its body, which is the unrolled inner
// loop. The time of the register allocator is more than quadratic in the number
// of instructions in a block. Symptom: a product of 64x16x64 tiles without
// matrix instructions becomes a block of 15,000 instructions, which takes 7
// seconds to compile for gfx1100.
//
// Workaround: the outer loops of nests that would become such blocks are not
// unrolled. Loops over private memory are still unrolled, because their buffers
// can only be registers if all indices are constant.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/LimitUnrolling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// The maximum number of memory accesses, calls and float ops to which loops
/// are unrolled. The optimizer simplifies other ops, which mostly compute
/// addresses.
static constexpr uint64_t kMaxUnrolledOps = 4096;

static bool isCounted(const Instruction &inst) {
  return isa<LoadInst, StoreInst, CallBase>(inst) ||
         (isa<BinaryOperator>(inst) &&
          inst.getType()->getScalarType()->isFloatingPointTy());
}

static bool accessesPrivateMemory(const Instruction &inst) {
  const Value *pointer = getLoadStorePointerOperand(&inst);
  return pointer && isa<AllocaInst>(getUnderlyingObject(pointer));
}

namespace {

class UnrollLimiter {
public:
  explicit UnrollLimiter(Function &function, LoopInfo &loops,
                         ScalarEvolution &evolution)
      : loops(loops), evolution(evolution) {
    for (BasicBlock &block : function)
      for (Instruction &inst : block)
        if (Loop *loop = loops.getLoopFor(&block)) {
          Contents &contents = perLoop[loop];
          contents.ops += isCounted(inst);
          contents.isPrivate |= accessesPrivateMemory(inst);
        }
  }

  void run() {
    SmallVector<Loop *, 4> preorder = loops.getLoopsInPreorder();
    // Skip loops that neither contain a loop nor are in one: limit() has no
    // effect on them, and trip counts are expensive to compute.
    for (Loop *loop : reverse(preorder))
      if (!loop->isInnermost() || loop->getParentLoop())
        limit(*loop);
  }

private:
  struct Contents {
    uint64_t ops = 0; ///< After inner loops were unrolled.
    bool isPrivate = false;
  };

  /// Marks the loop if it would become too large. Its inner loops must have
  /// been processed.
  void limit(Loop &loop) {
    Contents contents = perLoop[&loop];
    BasicBlock *exiting = loop.getExitingBlock();
    // The count is that of the header, which the last exit also executes.
    uint64_t count =
        exiting ? evolution.getSmallConstantTripCount(&loop, exiting) : 0;
    if (count > 1) {
      uint64_t unrolled = SaturatingMultiply(contents.ops, count - 1);
      if (unrolled <= kMaxUnrolledOps || contents.isPrivate)
        contents.ops = unrolled;
      else if (!loop.isInnermost())
        addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    }
    if (Loop *parent = loop.getParentLoop()) {
      Contents &outer = perLoop[parent];
      outer.ops = SaturatingAdd(outer.ops, contents.ops);
      outer.isPrivate |= contents.isPrivate;
    }
  }

  LoopInfo &loops;
  ScalarEvolution &evolution;
  DenseMap<const Loop *, Contents> perLoop; ///< Only for lookups.
};

} // namespace

PreservedAnalyses
aircc::amdgpu::LimitUnrollingPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  UnrollLimiter limiter(function, loops,
                        analyses.getResult<ScalarEvolutionAnalysis>(function));
  limiter.run();
  // Return none even if nothing changed: some of LLVM's passes do more if an
  // analysis is available, and code must not depend on this pass.
  return PreservedAnalyses::none();
}
