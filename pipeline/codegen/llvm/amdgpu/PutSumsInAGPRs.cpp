//===- PutSumsInAGPRs.cpp - Accumulators in their own registers -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: the backend gives accumulators VGPRs, like the addresses
// and most other values of a loop, and moves some of them to AGPRs when VGPRs
// run out. Loops then copy registers in each iteration.
//
// In functions whose loops only accumulate, this pass reserves AGPRs for all
// accumulators, which makes the backend select the form of MFMA that
// accumulates there. All VGPRs are left for other values.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The argument of MFMA that is the accumulator.
constexpr unsigned kAccumulator = 2;
/// The number of AGPRs, and the number of accumulator registers beside which
/// VGPRs are sufficient for the other values of a loop.
constexpr unsigned kAGPRs = 256, kFewAccumulators = 128;

/// Returns whether a loop uses `sum` only to accumulate further, in `loop`.
bool isOnlyAccumulated(const Instruction &sum, const Loop &loop) {
  return all_of(sum.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (!loop.contains(user))
      return true;
    return isa<PHINode>(user)
               ? user->getParent() == loop.getHeader()
               : isMFMA(*user) && use.getOperandNo() == kAccumulator;
  });
}

/// Returns the number of accumulator registers of a loop; nullopt if the loop
/// does more than accumulate.
std::optional<unsigned> countAccumulators(const Loop &loop,
                                          const LoopInfo &loops) {
  unsigned bits = 0;
  auto isSum = [](const Use &use) {
    return isMFMA(*cast<Instruction>(use.getUser())) &&
           use.getOperandNo() == kAccumulator;
  };
  for (const PHINode &phi : loop.getHeader()->phis()) {
    if (none_of(phi.uses(), isSum))
      continue;
    if (!isOnlyAccumulated(phi, loop))
      return std::nullopt;
    bits += phi.getType()->getPrimitiveSizeInBits();
  }
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (isMFMA(inst) &&
          (loops.getLoopFor(block) != &loop || !isOnlyAccumulated(inst, loop)))
        return std::nullopt;
  return bits / 32;
}

} // namespace

PreservedAnalyses
aircc::amdgpu::PutSumsInAGPRsPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  if (none_of(instructions(function), isMFMA))
    return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  unsigned most = 0;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    // Loops around loops have the accumulators of those.
    if (none_of(loop->blocks(), [&](const BasicBlock *block) {
          return loops.getLoopFor(block) == loop && any_of(*block, isMFMA);
        }))
      continue;
    std::optional<unsigned> count = countAccumulators(*loop, loops);
    if (!count)
      return PreservedAnalyses::all();
    most = std::max(most, *count);
  }
  if (most <= kFewAccumulators || most > kAGPRs)
    return PreservedAnalyses::all();
  function.addFnAttr(kReservedAGPRs, utostr(most));
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
