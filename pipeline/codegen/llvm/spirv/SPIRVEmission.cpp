//===- SPIRVEmission.cpp - Many SPIR-V modules in one process -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVEmission.h"

#include "pipeline/codegen/llvm/LLVMBackend.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

namespace aircc {

void numberSPIRVScopes(llvm::LLVMContext &context) {
  // This is the order in which the backend numbers new scopes.
  for (const char *scope : {"subgroup", "workgroup", "device"})
    context.getOrInsertSyncScopeID(scope);
}

/// Discards everything that the backend knows about `module` except for the
/// MachineFunctions, which are emptied.
static void keepMachineFunctions(llvm::Module &module,
                                 llvm::MachineModuleInfo &info) {
  for (llvm::Function &function : module)
    if (llvm::MachineFunction *machineFunction =
            info.getMachineFunction(function))
      machineFunction->reset();
  // Leaked, because the backend keeps the addresses forever.
  (void)new llvm::MachineModuleInfo(std::move(info));
}

llvm::Error emitSPIRV(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType kind,
                      llvm::SmallVectorImpl<char> &output) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);

  // These are the passes that TargetMachine::addPassesToEmitFile adds, except
  // for the one that frees the MachineFunctions.
  auto os = std::make_unique<llvm::raw_svector_ostream>(output);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  auto *infoPass = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(*passes);
  config->setDisableVerify(true);
  passes->add(config);
  passes->add(infoPass);
  bool unable = config->addISelPasses();
  if (!unable) {
    config->addMachinePasses();
    config->setInitialized();
    unable = machine.addAsmPrinter(*passes, *os, /*DwoOut=*/nullptr, kind,
                                   infoPass->getMMI().getContext());
  }
  if (unable)
    return llvm::createStringError("the backend cannot emit SPIR-V");
  if (llvm::Error error = runBackendPasses(module, machine, passes, os))
    return error;
  keepMachineFunctions(module, infoPass->getMMI());
  return llvm::Error::success();
}

} // namespace aircc
