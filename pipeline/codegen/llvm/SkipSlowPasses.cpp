//===- SkipSlowPasses.cpp - Skip passes in large loops --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): passes on loops visit all blocks of a loop, some of
// them once for each inner loop, so they take time quadratic or cubic in the
// nesting depth. Symptom: 500 nested loops take 3.6 seconds to compile, and
// 1,000 take 24 seconds.
//
// Workaround: no optional passes run on loops with very many blocks, only on
// their inner loops. Passes on functions that visit all loops are skipped if
// there are such loops.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/SkipSlowPasses.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

/// The depth from which nests are considered deep. Hand-written programs have
/// no such nests.
static constexpr unsigned kDeep = 32;

/// Returns whether a path into `loop` has at least kDeep loops.
static bool isDeep(const Loop &loop) {
  SmallVector<const Loop *> level = {&loop};
  for (unsigned depth = 1; depth < kDeep && !level.empty(); ++depth) {
    SmallVector<const Loop *> inner;
    for (const Loop *outer : level)
      append_range(inner, *outer);
    level = std::move(inner);
  }
  return !level.empty();
}

static bool hasDeepNest(const Function &function) {
  // Each loop has a header, and all but the innermost ones an exit.
  if (function.size() < 2 * kDeep)
    return false;
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  return any_of(loops, [](const Loop *loop) { return isDeep(*loop); });
}

/// Returns whether `pass` is a function pass that traces conditions or memory
/// into all loops.
static bool isSlow(StringRef pass) {
  return StringSwitch<bool>(pass)
      .Cases({"ConstraintEliminationPass", "CorrelatedValuePropagationPass",
              "JumpThreadingPass", "LoopDistributePass",
              "LoopLoadEliminationPass", "LoopSinkPass", "LoopUnrollPass",
              "LoopVectorizePass"},
             true)
      .Default(false);
}

void aircc::skipSlowPasses(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    if (auto *loop = any_cast<const Loop *>(&ir))
      return !isDeep(*(*loop)->getOutermostLoop());
    auto *function = any_cast<const Function *>(&ir);
    return !function || !isSlow(pass) || !hasDeepNest(**function);
  });
}
