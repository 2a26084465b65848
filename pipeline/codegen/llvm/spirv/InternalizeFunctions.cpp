//===- InternalizeFunctions.cpp - Only kernels are entry points -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This pass is not a workaround: only kernels are entry points, and a function
// can be inlined and removed if all its calls are known.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

PreservedAnalyses
aircc::spirv::InternalizeFunctionsPass::run(Module &module,
                                            ModuleAnalysisManager &) {
  bool changed = internalizeModule(module, [](const GlobalValue &value) {
    auto *function = dyn_cast<Function>(&value);
    return function ? function->getCallingConv() == CallingConv::SPIR_KERNEL
                    : value.hasExternalLinkage();
  });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
