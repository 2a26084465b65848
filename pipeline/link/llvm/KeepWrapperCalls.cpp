//===- KeepWrapperCalls.cpp - C interfaces that call their functions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A public function f has a wrapper for callers in C, _mlir_ciface_f, which
// loads its arguments from descriptors and calls f. Inlining f into it would
// double the code of a program, and what it costs to compile it, to save one
// call.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PreservedAnalyses aircc::KeepWrapperCallsPass::run(Module &module,
                                                   ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &wrapper : module) {
    StringRef name = wrapper.getName();
    if (!name.consume_front("_mlir_ciface_"))
      continue;
    Function *wrapped = module.getFunction(name);
    for (Instruction &instruction : instructions(wrapper)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!wrapped || !call || call->getCalledFunction() != wrapped)
        continue;
      call->setIsNoInline();
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
