//===- LLVMPassRunner.cpp - Running pipelines of LLVM passes --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/LLVMPassRunner.h"

#include "pipeline/codegen/llvm/SkipSlowPasses.h"
#include "pipeline/codegen/llvm/SplitLargeFunctions.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PrintPasses.h"
#include "llvm/Target/TargetMachine.h"

namespace aircc {

LLVMPassRunner::LLVMPassRunner(llvm::Module &module,
                               llvm::TargetMachine *machine,
                               llvm::PipelineTuningOptions tuning)
    : module(module),
      builder(machine, tuning, /*PGOOpt=*/std::nullopt, &callbacks) {
  registry.addFilter("aircc-llvm-skip-slow-passes",
                     "Skip passes on deep nests of loops and on long sums",
                     skipSlowPasses);
  registry.addModulePass("aircc-llvm-split-large-functions",
                         "Divide functions with very many blocks",
                         [] { return SplitLargeFunctionsPass(); });
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(graphAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, graphAnalyses,
                               moduleAnalyses);
}

void LLVMPassRunner::addInstrumentations(bool verifyEach) {
  instrumentations.emplace(module.getContext(), /*DebugLogging=*/false,
                           verifyEach);
  instrumentations->registerCallbacks(callbacks, &moduleAnalyses);
}

void LLVMPassRunner::run(llvm::ModulePassManager &passes) {
  // Handle -mllvm -print-after=PASS only on request, because instrumentations
  // slow down every pass.
  if (!instrumentations &&
      (llvm::shouldPrintBeforeSomePass() || llvm::shouldPrintAfterSomePass()))
    addInstrumentations(/*verifyEach=*/false);
  passes.run(module, moduleAnalyses);
}

llvm::ModulePassManager buildDefaultPipeline(llvm::PassBuilder &builder,
                                             unsigned optLevel) {
  static const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::min(optLevel, 3u)];
  return optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                       : builder.buildPerModuleDefaultPipeline(level);
}

bool hasReportedError(const llvm::Module &module) {
  return module.getContext().getDiagHandlerPtr()->HasErrors;
}

} // namespace aircc
