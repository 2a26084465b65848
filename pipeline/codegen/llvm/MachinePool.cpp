//===- MachinePool.cpp - Backends that modules share ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/MachinePool.h"

#include "pipeline/codegen/llvm/CrowdedRegisters.h"
#include "pipeline/codegen/llvm/FatalErrors.h"
#include "pipeline/codegen/llvm/amdgpu/BackendGate.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace aircc {

/// The passes write to `code`.
struct PooledMachine::Passes {
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream os{code};
  llvm::legacy::PassManager manager;
};

PooledMachine::PooledMachine(std::unique_ptr<llvm::TargetMachine> machine)
    : machine(std::move(machine)) {}
PooledMachine::~PooledMachine() = default;

// LLVM's tools also compile several modules to objects with the same passes
// (llc -compile-twice). Assembly would depend on the previous module.
llvm::Error PooledMachine::emitObject(llvm::Module &module,
                                      llvm::SmallVectorImpl<char> &output) {
  if (!passes) {
    passes = std::make_unique<Passes>();
    addCrowdedRegisterAdvisors(passes->manager);
    if (machine->addPassesToEmitFile(passes->manager, passes->os, nullptr,
                                     llvm::CodeGenFileType::ObjectFile,
                                     /*DisableVerify=*/true))
      return llvm::createStringError("the backend cannot emit objects");
  }
  amdgpu::BackendGate gate(module);
  llvm::Error error =
      runBackend(machine->getTargetCPU(), [&] { passes->manager.run(module); });
  if (error) {
    // The passes cannot be destroyed while they run.
    (void)passes.release();
    return error;
  }
  output.append(passes->code.begin(), passes->code.end());
  passes->code.clear();
  return llvm::Error::success();
}

MachinePool::Key MachinePool::getKey(const MachineOptions &options) {
  return {options.triple, options.cpu, options.features, options.optLevel};
}

llvm::Expected<std::unique_ptr<PooledMachine>>
MachinePool::take(const MachineOptions &options) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto &unused = machines[getKey(options)];
    if (!unused.empty()) {
      std::unique_ptr<PooledMachine> machine = std::move(unused.back());
      unused.pop_back();
      return machine;
    }
  }
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  return std::make_unique<PooledMachine>(std::move(*machine));
}

void MachinePool::giveBack(const MachineOptions &options,
                           std::unique_ptr<PooledMachine> machine) {
  std::lock_guard<std::mutex> lock(mutex);
  machines[getKey(options)].push_back(std::move(machine));
}

} // namespace aircc
