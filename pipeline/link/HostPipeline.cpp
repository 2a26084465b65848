//===- HostPipeline.cpp - The LLVM pipeline of host code ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "pipeline/codegen/llvm/LLVMPassRunner.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace aircc {

void registerHostPasses(LLVMPassRegistry &registry) {
  registry.addModulePass("aircc-host-check-runtime-interface",
                         "Compare the version of the runtime at load",
                         [] { return CheckRuntimeInterfacePass(); });
  registry.addModulePass("aircc-host-keep-wrapper-calls",
                         "Do not inline functions into their C interfaces",
                         [] { return KeepWrapperCallsPass(); });
  registry.addModulePass("aircc-host-merge-constructors",
                         "Load the code of all kernels in one constructor",
                         [] { return MergeConstructorsPass(); });
  registry.addModulePass("aircc-host-outline-half-vectors",
                         "Convert long vectors of f16 in loops",
                         [] { return OutlineHalfVectorsPass(); });
}

llvm::ModulePassManager buildHostPipeline(llvm::PassBuilder &builder,
                                          unsigned optLevel,
                                          bool wholeProgram) {
  llvm::ModulePassManager passes;
  passes.addPass(CheckRuntimeInterfacePass());
  if (wholeProgram)
    passes.addPass(llvm::InternalizePass([](const llvm::GlobalValue &value) {
      return value.getName() == "main";
    }));
  passes.addPass(MergeConstructorsPass());
  passes.addPass(KeepWrapperCallsPass());
  passes.addPass(buildDefaultPipeline(builder, optLevel));
  passes.addPass(OutlineHalfVectorsPass());
  return passes;
}

} // namespace aircc
