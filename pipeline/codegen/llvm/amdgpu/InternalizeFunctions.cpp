//===- InternalizeFunctions.cpp - Only kernels are entry points -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: only kernels are entry points, so functions whose calls are
// all known may be inlined and removed.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

PreservedAnalyses
aircc::amdgpu::InternalizeFunctionsPass::run(Module &module,
                                             ModuleAnalysisManager &) {
  bool changed = internalizeModule(module, [](const GlobalValue &value) {
    auto *function = dyn_cast<Function>(&value);
    return !function ||
           function->getCallingConv() == CallingConv::AMDGPU_KERNEL;
  });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
