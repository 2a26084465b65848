//===- KeepWrapperCalls.cpp - C interfaces that call their functions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A public function f has a wrapper for C callers, _mlir_ciface_f, which loads
// its arguments from descriptors and calls f. Inlining f into it would double
// the code of a program and its compile time, to save one call. Without
// descriptors, the wrapper does the same as f, and becomes an alias of f.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Returns whether `wrapper` only calls `wrapped` with its own arguments.
static bool isForwarding(const Function &wrapper, const Function &wrapped) {
  if (wrapper.getFunctionType() != wrapped.getFunctionType() ||
      wrapped.isDeclaration() || wrapper.size() != 1 ||
      wrapper.getEntryBlock().size() != 2)
    return false;
  auto *call = dyn_cast<CallInst>(&wrapper.getEntryBlock().front());
  auto *ret = dyn_cast<ReturnInst>(wrapper.getEntryBlock().getTerminator());
  return call && ret && call->getCalledFunction() == &wrapped &&
         (!ret->getReturnValue() || ret->getReturnValue() == call) &&
         all_of(wrapper.args(), [&](const Argument &argument) {
           return call->getArgOperand(argument.getArgNo()) == &argument;
         });
}

static void replaceByAlias(Function &wrapper, Function &wrapped) {
  GlobalAlias *alias = GlobalAlias::create(wrapper.getLinkage(), "", &wrapped);
  alias->takeName(&wrapper);
  wrapper.replaceAllUsesWith(alias);
  wrapper.eraseFromParent();
}

static bool keepCalls(Function &wrapper, const Function &wrapped) {
  bool changed = false;
  for (Instruction &instruction : instructions(wrapper)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || call->getCalledFunction() != &wrapped)
      continue;
    call->setIsNoInline();
    changed = true;
  }
  return changed;
}

PreservedAnalyses aircc::KeepWrapperCallsPass::run(Module &module,
                                                   ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &wrapper : make_early_inc_range(module)) {
    StringRef name = wrapper.getName();
    if (!name.consume_front("_mlir_ciface_") || wrapper.isDeclaration())
      continue;
    Function *wrapped = module.getFunction(name);
    if (!wrapped)
      continue;
    if (isForwarding(wrapper, *wrapped)) {
      replaceByAlias(wrapper, *wrapped);
      changed = true;
    } else {
      changed |= keepCalls(wrapper, *wrapped);
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
