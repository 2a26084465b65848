//===- CheckRuntimeInterface.cpp - Compare versions when a program loads --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The runtime may be a shared library, and from a release other than the one
// that a program was compiled with. A constructor informs it which version of
// its interface the program expects, before any other call.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

/// AIRCC_RUNTIME_INTERFACE of aircc/runtime.h.
static constexpr int kInterfaceVersion = 1;
/// Run before constructors that load code objects. Priorities up to 100 are
/// reserved for the C++ implementation.
static constexpr int kPriority = 101;

static bool callsRuntime(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() &&
           (function.getName().starts_with("mgpu") ||
            function.getName().starts_with("aircc"));
  });
}

PreservedAnalyses
aircc::CheckRuntimeInterfacePass::run(Module &module, ModuleAnalysisManager &) {
  if (!callsRuntime(module))
    return PreservedAnalyses::all();
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  auto *constructor = Function::Create(type, GlobalValue::InternalLinkage,
                                       "aircc.check_runtime_interface", module);
  IRBuilder<> b(BasicBlock::Create(context, "", constructor));
  FunctionCallee check = module.getOrInsertFunction(
      "airccCheckInterface", b.getVoidTy(), b.getInt32Ty());
  // The runtime finds the file of the program from the return address.
  b.CreateCall(check, b.getInt32(kInterfaceVersion))
      ->setTailCallKind(CallInst::TCK_NoTail);
  b.CreateRetVoid();
  appendToGlobalCtors(module, constructor, kPriority);
  return PreservedAnalyses::none();
}
