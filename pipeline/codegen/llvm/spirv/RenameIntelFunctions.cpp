//===- RenameIntelFunctions.cpp - Functions of Intel's compiler -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upstream lowering of the XeVM dialect (MLIR 22.1.8) calls some functions
// of Intel's compiler by wrong names (IntelFunctions.h lists the differences),
// and passes vectors of one element instead of scalars. Symptom: Intel's
// compiler makes the call return 0.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"
#include "pipeline/codegen/xevm/IntelFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Returns the element type of a vector of one element; other types are
/// unchanged.
static Type *withoutUnitVector(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 1 ? vector->getElementType()
                                                 : type;
}

/// Calls `present` with scalars in place of the one-element vectors among the
/// operands and result of `call`.
static void callWithScalars(CallInst *call, Function *present) {
  IRBuilder<> b(call);
  SmallVector<Value *> operands;
  for (Value *operand : call->args())
    operands.push_back(withoutUnitVector(operand->getType()) ==
                               operand->getType()
                           ? operand
                           : b.CreateExtractElement(operand, uint64_t(0)));
  CallInst *scalar = b.CreateCall(present, operands);
  scalar->setCallingConv(call->getCallingConv());
  scalar->setAttributes(call->getAttributes());
  Value *result = scalar;
  if (call->getType() != scalar->getType())
    result = b.CreateInsertElement(PoisonValue::get(call->getType()), scalar,
                                   uint64_t(0));
  call->replaceAllUsesWith(result);
  call->eraseFromParent();
}

static void renameFunction(Function &function, StringRef name) {
  Module &module = *function.getParent();
  SmallVector<Type *> parameters =
      map_to_vector(function.getFunctionType()->params(), withoutUnitVector);
  auto *type = FunctionType::get(withoutUnitVector(function.getReturnType()),
                                 parameters, /*isVarArg=*/false);
  if (type == function.getFunctionType() && !module.getFunction(name)) {
    function.setName(name);
    return;
  }
  auto *present =
      cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  present->setAttributes(function.getAttributes());
  for (User *user : make_early_inc_range(function.users()))
    callWithScalars(cast<CallInst>(user), present);
  function.eraseFromParent();
}

PreservedAnalyses
aircc::spirv::RenameIntelFunctionsPass::run(Module &module,
                                            ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    std::string name = getIntelName(function.getName());
    if (name == function.getName())
      continue;
    renameFunction(function, name);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
