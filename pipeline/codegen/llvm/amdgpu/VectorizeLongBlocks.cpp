//===- VectorizeLongBlocks.cpp - Wide accesses in long blocks -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): LoadStoreVectorizer, which the AMDGPU backend runs on
// IR, takes a time that is quadratic in the number of loads or stores of a
// block with the same base: it visits the instructions between each of them and
// the first, and numbers the block again for each vector that it creates.
// Symptom: half of the time that a block with 4,000 loads takes to compile is
// spent in this pass, and more in longer ones.
//
// Workaround: very long blocks are divided before the pass runs, and joined
// again. The backend does not run it on these functions a second time
// (BackendGate.cpp).
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// The number of accesses from which a block is divided: LLVM's pass takes 50
/// milliseconds for them.
static constexpr unsigned kMany = 2048;

/// The number of accesses in each part.
static constexpr unsigned kPart = 512;

static bool isAccess(const Instruction &inst) {
  return isa<LoadInst, StoreInst>(inst);
}

/// Returns the parts of `block` but the first, or nothing if it is short.
static SmallVector<BasicBlock *> divide(BasicBlock &block) {
  SmallVector<BasicBlock *> parts;
  SmallVector<Instruction *> accesses;
  for (Instruction &inst : block)
    if (isAccess(inst))
      accesses.push_back(&inst);
  if (accesses.size() < kMany)
    return parts;
  BasicBlock *rest = &block;
  for (size_t i = kPart; i < accesses.size(); i += kPart) {
    rest = rest->splitBasicBlock(accesses[i]);
    parts.push_back(rest);
  }
  return parts;
}

PreservedAnalyses
VectorizeLongBlocksPass::run(Function &function,
                             FunctionAnalysisManager &analyses) {
  SmallVector<BasicBlock *> parts;
  for (BasicBlock &block : make_early_inc_range(function))
    append_range(parts, divide(block));
  if (parts.empty())
    return PreservedAnalyses::all();
  analyses.invalidate(function, PreservedAnalyses::none());
  LoadStoreVectorizerPass().run(function, analyses);
  for (BasicBlock *part : parts)
    MergeBlockIntoPredecessor(part);
  function.addFnAttr(kVectorizedAttr);
  return PreservedAnalyses::none();
}
