//===- AddressVariablesInPhis.cpp - Phis of addresses of variables --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8): if a phi or a select has the address of a variable as
// operand, the SPIR-V backend declares the variable with the type of the
// accesses through the phi or the select, such as an i32 instead of an array of
// 256 bytes. An address computation with the variable's type in between
// prevents this.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Returns the start of `variable`. IRBuilder would fold the instruction.
static Value *createAddress(GlobalVariable *variable, Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  Value *zero = ConstantInt::get(Type::getInt64Ty(function.getContext()), 0);
  return GetElementPtrInst::CreateInBounds(variable->getValueType(), variable,
                                           {zero}, variable->getName(),
                                           entry.getFirstInsertionPt());
}

PreservedAnalyses
aircc::spirv::AddressVariablesInPhisPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  MapVector<GlobalVariable *, Value *> addresses;
  for (Instruction &instruction : instructions(function)) {
    if (!isa<PHINode, SelectInst>(instruction))
      continue;
    for (Use &use : instruction.operands())
      if (auto *variable = dyn_cast<GlobalVariable>(use)) {
        Value *&address = addresses[variable];
        if (!address)
          address = createAddress(variable, function);
        use.set(address);
      }
  }
  return addresses.empty() ? PreservedAnalyses::all()
                           : PreservedAnalyses::none();
}
