//===- SkipSlowPasses.cpp - Skip passes on code that makes them slow ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defects (LLVM 22.1.8):
//
// 1. Passes on loops visit all blocks of a loop, some of them once for each
//    inner loop, so they take time quadratic or cubic in the nesting
//    depth. Symptom: 500 nested loops take 3.6 seconds to compile, and 1,000
//    take 24 seconds.
//    Workaround: in functions with a deep nest, no optional passes run on
//    loops, and none on functions that visit all loops. The passes that bring
//    loops into the form that passes on loops expect are skipped, too.
//
// 2. Reassociate looks up each operand of a sum in the list of all of them, and
//    visits the whole sum again whenever it has simplified one. Symptom: half
//    of the time that LLVM's optimizations of a sum of 5,000 values take is
//    spent in this pass.
//    Workaround: in SPIR-V, the pass is skipped in functions with such sums or
//    products. Other backends allocate registers, which takes even longer if
//    this pass has not moved the operands of sums together.
//

#include "pipeline/codegen/llvm/SkipSlowPasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

using namespace llvm;

/// The depth from which nests are considered deep. Hand-written programs have
/// no such nests.
static constexpr unsigned kDeep = 32;

/// The number of ops from which sums and products are long.
static constexpr unsigned kLong = 1024;

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

/// Returns the associative op as which Reassociate sees `inst`, or 0. It turns
/// differences into sums, and shifts into products.
static unsigned getAssociativeOp(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Sub:
  case Instruction::Or:
    return Instruction::Add;
  case Instruction::FSub:
    return Instruction::FAdd;
  case Instruction::Shl:
    return Instruction::Mul;
  default:
    return inst.isAssociative() ? inst.getOpcode() : 0;
  }
}

/// Returns whether a SPIR-V function repeats an associative op at least kLong
/// times, each of which is the only user of the previous ones.
static bool hasLongSum(const Function &function) {
  if (!function.getParent()->getTargetTriple().isSPIRV() ||
      function.getInstructionCount() < kLong)
    return false;
  // The numbers of ops that compute each value.
  DenseMap<const Value *, unsigned> lengths;
  for (const Instruction &inst : instructions(function)) {
    unsigned opcode = getAssociativeOp(inst);
    if (!opcode)
      continue;
    unsigned length = 1;
    for (const Value *operand : inst.operands()) {
      auto *op = dyn_cast<Instruction>(operand);
      if (op && op->hasOneUse() && getAssociativeOp(*op) == opcode)
        length += lengths.lookup(op);
    }
    if (length >= kLong)
      return true;
    lengths[&inst] = length;
  }
  return false;
}

/// Returns whether `pass` is a function pass that traces conditions or memory
/// into all loops, or prepares loops for passes on loops.
static bool isSlowInDeepNests(StringRef pass) {
  return StringSwitch<bool>(pass)
      .Cases({"ConstraintEliminationPass", "CorrelatedValuePropagationPass",
              "JumpThreadingPass", "LCSSAPass", "LoopDistributePass",
              "LoopLoadEliminationPass", "LoopSimplifyPass", "LoopSinkPass",
              "LoopUnrollPass", "LoopVectorizePass"},
             true)
      .Default(false);
}

namespace {

/// Decides which passes run on a function. Passes ask very often, so the loops
/// of a function are only analyzed again if its number of blocks has changed.
class SlowPassFilter {
public:
  bool shouldRun(StringRef pass, const Function &function) {
    if (isSlowInDeepNests(pass))
      return !analyze(function).isDeep;
    return pass != "ReassociatePass" || !hasLongSum(function);
  }

  /// Passes on loops run after LoopSimplifyPass, for which their function was
  /// analyzed.
  bool shouldRun(const Loop &loop) {
    const Function &function = *loop.getHeader()->getParent();
    auto it = analyzed.find(function.getName());
    return !(it == analyzed.end() ? analyze(function) : it->second).isDeep;
  }

private:
  struct Analysis {
    size_t numBlocks = 0;
    bool isDeep = false;
  };

  Analysis analyze(const Function &function) {
    Analysis &result = analyzed[function.getName()];
    size_t numBlocks = function.size(); // Counts them.
    if (result.numBlocks != numBlocks)
      result = {numBlocks, hasDeepNest(function)};
    return result;
  }

  StringMap<Analysis> analyzed; ///< By the names of functions.
};

} // namespace

void aircc::skipSlowPasses(PassInstrumentationCallbacks &callbacks) {
  auto filter = std::make_shared<SlowPassFilter>();
  callbacks.registerShouldRunOptionalPassCallback(
      [filter](StringRef pass, Any ir) {
        if (auto *loop = any_cast<const Loop *>(&ir))
          return filter->shouldRun(**loop);
        auto *function = any_cast<const Function *>(&ir);
        return !function || filter->shouldRun(pass, **function);
      });
}
