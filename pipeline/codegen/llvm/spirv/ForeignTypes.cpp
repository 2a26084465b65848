//===- ForeignTypes.cpp - Types that SPIR-V lacks -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/ForeignTypes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

SmallVector<Instruction *>
aircc::spirv::findForeign(Function &function,
                          function_ref<bool(Type *)> foreign) {
  removeUnreachableBlocks(function);
  SmallVector<Instruction *> found;
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if (foreign(instruction.getType()) ||
          any_of(instruction.operands(),
                 [&](Value *operand) { return foreign(operand->getType()); }))
        found.push_back(&instruction);
  return found;
}

void aircc::spirv::eraseReplaced(ArrayRef<Instruction *> replaced) {
  for (Instruction *instruction : replaced) {
    if (!instruction->getType()->isVoidTy())
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
}

void aircc::spirv::reportForeign(Instruction &instruction, StringRef what) {
  std::string text;
  raw_string_ostream os(text);
  os << "operations on " << what
     << " cannot be translated to SPIR-V:" << instruction;
  Function &function = *instruction.getFunction();
  function.getContext().diagnose(
      DiagnosticInfoUnsupported(function, text, instruction.getDebugLoc()));
  function.dropAllReferences();
  auto *block = BasicBlock::Create(function.getContext(), "", &function);
  new UnreachableInst(function.getContext(), block);
}
