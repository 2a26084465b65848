//===- SkipClosedFormsOfSums.cpp - Keep sums in 64 bits -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// SPIR-V has no integers of more than 64 bits, but LLVM's optimizer does not
// know that (22.1.8; integers of any width are legal in the data layout of the
// target). Symptom: IndVarSimplify replaces a loop that computes a 64-bit sum
// of its counter with a closed form in i65, which cannot be translated to
// SPIR-V:
//
//   %next = add i64 %sum, %i      ; sum = n * (n - 1) / 2, computed in i65
//
// A filter skips the pass for such loops.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Returns whether the loop carries a 64-bit number that does not change by the
/// same amount in each iteration.
static bool carriesWideSum(const Loop &loop) {
  return any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
    if (!phi.getType()->isIntegerTy(64))
      return false;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (!loop.contains(phi.getIncomingBlock(i)))
        continue;
      auto *update = dyn_cast<BinaryOperator>(phi.getIncomingValue(i));
      bool isLinear =
          update && any_of(update->operands(), [&](const Value *operand) {
            return loop.isLoopInvariant(operand);
          });
      if (!isLinear)
        return true;
    }
    return false;
  });
}

void aircc::spirv::skipClosedFormsOfSums(
    PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    auto *loop = any_cast<const Loop *>(&ir);
    return !loop || pass != "IndVarSimplifyPass" ||
           !(*loop)->getHeader()->getModule()->getTargetTriple().isSPIRV() ||
           !carriesWideSum(**loop);
  });
}
