//===- SPIRVWorkarounds.cpp - What the SPIR-V backend cannot take ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/SPIRVWorkarounds.h"

#include "pipeline/codegen/IntelFunctions.h"
#include "pipeline/codegen/SPIRVVectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

using namespace llvm;

/// SPIR-V's storage class Generic, in LLVM's numbering.
static constexpr unsigned kGenericAddressSpace = 4;

void aircc::prepareForSPIRV(Module &module) {
  renameIntelFunctions(module);
  auto isKernel = [](const Function *function) {
    return function && function->getCallingConv() == CallingConv::SPIR_KERNEL;
  };
  for (Function &function : module) {
    // Tables would be constants in the address space of the stack.
    function.addFnAttr("no-jump-tables", "true");
    if (!isKernel(&function) && !function.isIntrinsic()) {
      function.setCallingConv(CallingConv::SPIR_FUNC);
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->setCallingConv(CallingConv::SPIR_FUNC);
    }
  }
  internalizeModule(module, [&](const GlobalValue &value) {
    return isa<Function>(value) ? isKernel(dyn_cast<Function>(&value))
                                : value.hasExternalLinkage();
  });
}

void aircc::addSPIRVPasses(PassBuilder &builder) {
  auto add = [](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(InferAddressSpacesPass(kGenericAddressSpace));
    passes.addPass(InstCombinePass());
  };
  // Early, for what depends on aliasing, and when all is inlined and unrolled.
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(InferAddressSpacesPass(kGenericAddressSpace));
      });
  builder.registerScalarOptimizerLateEPCallback(add);
}

void aircc::renameIntelFunctions(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    std::string name = getIntelName(function.getName());
    if (name == function.getName())
      continue;
    if (Function *present = module.getFunction(name)) {
      function.replaceAllUsesWith(present);
      function.eraseFromParent();
    } else {
      function.setName(name);
    }
  }
}

void aircc::maskTruncatedValues(Module &module) {
  using namespace PatternMatch;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Value *wide;
      if (!match(&instruction, m_ZExt(m_Trunc(m_Value(wide)))))
        continue;
      Type *type = instruction.getType();
      unsigned kept =
          instruction.getOperand(0)->getType()->getScalarSizeInBits();
      IRBuilder<> b(&instruction);
      Value *resized = b.CreateZExtOrTrunc(wide, type);
      APInt mask = APInt::getLowBitsSet(type->getScalarSizeInBits(), kept);
      Value *masked = b.CreateAnd(resized, ConstantInt::get(type, mask));
      instruction.replaceAllUsesWith(masked);
      instruction.eraseFromParent();
    }
}

void aircc::legalizeForSPIRV(Module &module) {
  expandSPIRVAtomics(module);
  // Booleans and memory before the values that are left are of other types.
  storeBooleansAsBytes(module);
  splitVectors(module);
  widenOddIntegers(module);
  maskTruncatedValues(module);
}
