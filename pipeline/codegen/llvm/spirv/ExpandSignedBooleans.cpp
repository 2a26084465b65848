//===- ExpandSignedBooleans.cpp - Convert signed booleans -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#209232): the SPIR-V
// backend converts a signed boolean as an unsigned one. Symptom: true becomes 1
// instead of -1:
//
//   %f = sitofp i1 %b to float
//
// Workaround: select -1 or 0.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

PreservedAnalyses
aircc::spirv::ExpandSignedBooleansPass::run(Function &function,
                                            FunctionAnalysisManager &) {
  SmallVector<SIToFPInst *> casts;
  for (Instruction &instruction : instructions(function))
    if (auto *cast = dyn_cast<SIToFPInst>(&instruction);
        cast && cast->getSrcTy()->isIntOrIntVectorTy(1))
      casts.push_back(cast);
  for (SIToFPInst *cast : casts) {
    IRBuilder<> b(cast);
    Type *type = cast->getType();
    cast->replaceAllUsesWith(b.CreateSelect(cast->getOperand(0),
                                            ConstantFP::get(type, -1),
                                            ConstantFP::getZero(type)));
    cast->eraseFromParent();
  }
  return casts.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
