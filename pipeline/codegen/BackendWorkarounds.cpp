//===- BackendWorkarounds.cpp - What LLVM 22's AMDGPU gets wrong ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/BackendWorkarounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace aircc {

void expandAtomics(Module &module, TargetMachine &machine) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (any_of(instructions(function), [](const Instruction &inst) {
          return isa<AtomicRMWInst, AtomicCmpXchgInst>(inst);
        }))
      functions.push_back(&function);
  if (functions.empty())
    return;
  FunctionAnalysisManager analyses;
  PassBuilder(&machine).registerFunctionAnalyses(analyses);
  AtomicExpandPass expand(machine);
  for (Function *function : functions)
    analyses.invalidate(*function, expand.run(*function, analyses));
}

static bool isNarrowDivision(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return inst.getType()->getScalarSizeInBits() < 32;
  default:
    return false;
  }
}

void widenDivisions(Module &module) {
  SmallVector<BinaryOperator *> divisions;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isNarrowDivision(inst))
        divisions.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *division : divisions) {
    IRBuilder<> b(division);
    Type *narrow = division->getType();
    Type *wide = narrow->getWithNewBitWidth(32);
    bool isSigned = division->getOpcode() == Instruction::SDiv ||
                    division->getOpcode() == Instruction::SRem;
    Value *result =
        b.CreateBinOp(division->getOpcode(),
                      b.CreateIntCast(division->getOperand(0), wide, isSigned),
                      b.CreateIntCast(division->getOperand(1), wide, isSigned));
    division->replaceAllUsesWith(b.CreateTrunc(result, narrow));
    division->eraseFromParent();
  }
}

} // namespace aircc
