//===- DropPrefetches.cpp - Remove prefetches -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): the SPIR-V backend cannot select llvm.prefetch, and
// ends the process. Prefetches are hints: dropping one is legal. (Prefetches of
// blocks are calls of Intel's functions, which are kept.)
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/CollectCalls.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

using namespace llvm;

PreservedAnalyses
aircc::spirv::DropPrefetchesPass::run(Function &function,
                                      FunctionAnalysisManager &) {
  auto calls = collectCalls(
      function, [](Intrinsic::ID id) { return id == Intrinsic::prefetch; });
  for (IntrinsicInst *call : calls)
    call->eraseFromParent();
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
