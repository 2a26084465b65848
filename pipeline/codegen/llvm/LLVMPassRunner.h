//===- LLVMPassRunner.h - Running pipelines of LLVM passes ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A pipeline of LLVM passes is a ModulePassManager. Each backend has one
// function that builds it: buildAMDGPUPipeline, buildSPIRVPipeline,
// buildHostPipeline. Compilations and `aircc opt-llvm` run the same pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSRUNNER_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSRUNNER_H

#include "pipeline/codegen/llvm/LLVMPassRegistry.h"

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"

#include <optional>

namespace aircc {

/// Runs passes on one module, with the analyses that they need.
class LLVMPassRunner {
public:
  /// `machine` may be null, in which case the passes have no target
  /// information.
  LLVMPassRunner(llvm::Module &module, llvm::TargetMachine *machine,
                 llvm::PipelineTuningOptions tuning = {});

  llvm::PassBuilder &getBuilder() { return builder; }
  LLVMPassRegistry &getRegistry() { return registry; }

  /// Honors LLVM's options for printing and timing passes (-print-after=PASS).
  /// With `verifyEach`, a pass that leaves invalid IR ends the process.
  void addInstrumentations(bool verifyEach);

  void run(llvm::ModulePassManager &passes);

private:
  llvm::Module &module;
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager graphAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
  llvm::PassInstrumentationCallbacks callbacks;
  std::optional<llvm::StandardInstrumentations> instrumentations;
  llvm::PassBuilder builder;
  LLVMPassRegistry registry{builder};
};

/// Returns LLVM's default pipeline for a level of 0 to 3.
llvm::ModulePassManager buildDefaultPipeline(llvm::PassBuilder &builder,
                                             unsigned optLevel);

/// Returns whether an error was reported to the context of the module, which is
/// then unusable.
bool hasReportedError(const llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_LLVMPASSRUNNER_H
