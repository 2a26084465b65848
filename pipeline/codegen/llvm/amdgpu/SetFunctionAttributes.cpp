//===- SetFunctionAttributes.cpp - The chip as function attributes --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: the translation of a gpu.module specifies neither the chip
// nor that workgroups are uniform, and neither do device library functions.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

PreservedAnalyses
aircc::amdgpu::SetFunctionAttributesPass::run(Function &function,
                                              FunctionAnalysisManager &) {
  if (!machine) {
    function.getContext().emitError(
        "aircc-amdgpu-set-function-attributes requires a target");
    return PreservedAnalyses::all();
  }
  function.addFnAttr("target-cpu", machine->getTargetCPU());
  if (!machine->getTargetFeatureString().empty())
    function.addFnAttr("target-features", machine->getTargetFeatureString());
  if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL)
    function.addFnAttr("uniform-work-group-size", "true");
  return PreservedAnalyses::none();
}
