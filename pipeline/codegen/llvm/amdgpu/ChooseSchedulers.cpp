//===- ChooseSchedulers.cpp - Schedulers of loops of matrix products ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): before register allocation, the AMDGPU backend by
// default schedules a block several times, and compares all instructions that
// are ready at each step. Symptom: for unrolled blocks of matrix instructions,
// which hardly depend on each other, this takes as long as the rest of the
// compilation.
//
// Workaround: functions with such blocks get the scheduling strategy that
// processes a block once, unless InterleaveProducts.cpp orders their loops and
// chooses another. LimitScheduling.cpp does the same after register allocation.
//
// Not a workaround: where LDS and registers permit many waves, the default
// scheduler avoids to lengthen live ranges, and thus waits for some of the
// loads that gather a tile before it issues the others. Loops of such loads get
// the strategy that issues all of them first.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// The number of matrix instructions in a block that slows down the scheduler.
static constexpr unsigned kManyMatrixInstructions = 48;

/// The number of loads of elements that make a value a gathered one.
static constexpr unsigned kManyLoads = 4;

static bool isLongProduct(const BasicBlock &block) {
  return count_if(block, isMFMA) >= kManyMatrixInstructions;
}

static bool isInLDS(const Value *pointer) {
  return pointer->getType()->getPointerAddressSpace() ==
         AMDGPUAS::LOCAL_ADDRESS;
}

/// Whether several values of the type have to be packed into a register.
static bool isNarrow(const Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  return !type->isVectorTy() && bits > 0 && bits < 32;
}

/// Whether `inst` stores to LDS what the block loads from memory element by
/// element and packs.
static bool isGatheredStore(const Instruction &inst) {
  auto *store = dyn_cast<StoreInst>(&inst);
  if (!store || !isInLDS(store->getPointerOperand()))
    return false;
  unsigned loads = 0;
  SmallVector<const Value *> values{store->getValueOperand()};
  SmallPtrSet<const Value *, 32> seen;
  while (!values.empty()) {
    auto *source = dyn_cast<Instruction>(values.pop_back_val());
    if (!source || source->getParent() != inst.getParent() ||
        isa<PHINode>(source) || !seen.insert(source).second)
      continue;
    if (auto *load = dyn_cast<LoadInst>(source))
      loads += isNarrow(load->getType()) && !isInLDS(load->getPointerOperand());
    else
      append_range(values, source->operands());
  }
  return loads >= kManyLoads;
}

static bool isGatheringLoop(const BasicBlock &block) {
  return is_contained(successors(&block), &block) && any_of(block, isMFMA) &&
         any_of(block, isGatheredStore);
}

PreservedAnalyses
aircc::amdgpu::ChooseSchedulersPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  StringRef strategy;
  if (any_of(function, isLongProduct))
    strategy = "max-memory-clause";
  else if (any_of(function, isGatheringLoop))
    strategy = "iterative-ilp";
  else
    return PreservedAnalyses::all();
  function.addFnAttr("amdgpu-sched-strategy", strategy);
  return PreservedAnalyses::none();
}
