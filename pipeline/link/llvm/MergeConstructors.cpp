//===- MergeConstructors.cpp - One constructor for all kernels ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The translation of each gpu.binary creates two functions, a constructor that
// loads the code and a destructor. Compiling them takes as long as compiling a
// small kernel, and GlobalOpt and GlobalDCE, which visit all constructors for
// each one, take quadratic time. This pass merges those that run consecutively.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

/// An element of llvm.global_ctors or llvm.global_dtors.
struct Entry {
  uint64_t priority;
  Constant *function, *associated;
};

} // namespace

static SmallVector<Entry> getEntries(const GlobalVariable &list) {
  SmallVector<Entry> entries;
  if (!list.hasInitializer())
    return entries;
  for (const Use &element : list.getInitializer()->operands()) {
    auto *fields = dyn_cast<ConstantStruct>(element);
    if (!fields)
      return {};
    entries.push_back({cast<ConstantInt>(fields->getOperand(0))->getZExtValue(),
                       fields->getOperand(1), fields->getOperand(2)});
  }
  return entries;
}

/// Returns the function of the entry if it consists of one block and nothing
/// else uses it; otherwise, returns null.
static Function *getMergeable(const Entry &entry) {
  auto *function = dyn_cast<Function>(entry.function);
  if (!function || !entry.associated->isNullValue() ||
      !function->hasLocalLinkage() || !function->hasOneUse() ||
      function->size() != 1 || function->getSubprogram() ||
      !isa<ReturnInst>(function->getEntryBlock().getTerminator()))
    return nullptr;
  return function;
}

/// Moves the body of `from` to the end of `into`.
static void append(Function &from, Function &into) {
  BasicBlock &source = from.getEntryBlock();
  BasicBlock &target = into.getEntryBlock();
  source.getTerminator()->eraseFromParent();
  target.splice(target.getTerminator()->getIterator(), &source);
}

/// Merges functions that are adjacent in the list and have the same priority.
static bool merge(Module &module, StringRef name, bool isReversed) {
  GlobalVariable *list = module.getGlobalVariable(name);
  if (!list)
    return false;
  SmallVector<Entry> entries = getEntries(*list);
  // Visit the functions in the order in which they run.
  if (isReversed)
    std::reverse(entries.begin(), entries.end());
  SmallVector<Entry> kept;
  SmallVector<Function *> merged;
  Function *previous = nullptr;
  for (const Entry &entry : entries) {
    Function *function = getMergeable(entry);
    if (function && previous && kept.back().priority == entry.priority) {
      append(*function, *previous);
      merged.push_back(function);
      continue;
    }
    kept.push_back(entry);
    previous = function;
  }
  if (merged.empty())
    return false;
  list->eraseFromParent();
  if (isReversed)
    std::reverse(kept.begin(), kept.end());
  for (const Entry &entry : kept)
    (isReversed ? appendToGlobalDtors
                : appendToGlobalCtors)(module, cast<Function>(entry.function),
                                       entry.priority, entry.associated);
  for (Function *function : merged) {
    function->removeDeadConstantUsers();
    function->eraseFromParent();
  }
  return true;
}

PreservedAnalyses aircc::MergeConstructorsPass::run(Module &module,
                                                    ModuleAnalysisManager &) {
  bool changed = merge(module, "llvm.global_ctors", /*isReversed=*/false);
  changed |= merge(module, "llvm.global_dtors", /*isReversed=*/true);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
