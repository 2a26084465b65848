//===- ChooseSchedulers.cpp - Fast scheduling of long blocks --------------===//
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
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace aircc::amdgpu;

/// The number of matrix instructions in a block that slows down the scheduler.
static constexpr unsigned kManyMatrixInstructions = 48;

static bool isLongProduct(const BasicBlock &block) {
  return count_if(block, isMFMA) >= kManyMatrixInstructions;
}

PreservedAnalyses
aircc::amdgpu::ChooseSchedulersPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  if (none_of(function, isLongProduct))
    return PreservedAnalyses::all();
  function.addFnAttr("amdgpu-sched-strategy", "max-memory-clause");
  return PreservedAnalyses::none();
}
