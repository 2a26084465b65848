//===- AMDGPUPipeline.h - The LLVM pipeline of AMDGPU code ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPIPELINE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPIPELINE_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace aircc {

/// Registers the names of aircc's passes for AMDGPU. Without a machine, passes
/// that depend on the chip report an error when they run.
void registerAMDGPUPasses(LLVMPassRegistry &registry,
                          const llvm::TargetMachine *machine);

/// Returns the passes between the linking of a module and code generation.
llvm::ModulePassManager buildAMDGPUPipeline(llvm::PassBuilder &builder,
                                            const llvm::TargetMachine *machine,
                                            unsigned optLevel);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_AMDGPUPIPELINE_H
