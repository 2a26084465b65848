//===- SPIRVPipeline.h - The LLVM pipeline of SPIR-V code -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPIPELINE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPIPELINE_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

namespace aircc {

/// Registers the names of aircc's passes for SPIR-V.
void registerSPIRVPasses(LLVMPassRegistry &registry);

/// Returns the options for the PassBuilder of buildSPIRVPipeline.
llvm::PipelineTuningOptions getSPIRVTuning();

/// Returns the passes that run between the translation of a module and code
/// generation.
llvm::ModulePassManager buildSPIRVPipeline(llvm::PassBuilder &builder,
                                           unsigned optLevel);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVPIPELINE_H
