//===- LoadedCodeObjects.cpp - Code objects for other programs ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/LoadedCode.h"
#include "simulator/check/CheckedLaunch.h"
#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Program.h"

#include <chrono>
#include <map>
#include <mutex>

using namespace aircc::sim;
namespace api = aircc::simulator;
using api::Status;
using llvm::StringRef;

namespace {

/// The code objects for one processor.
class LoadedCodeObjects : public LoadedCode {
public:
  struct Module {
    std::unique_ptr<CodeObject> object;
    std::unique_ptr<Program> programs[2]; ///< By wave size.
  };

  LoadedCodeObjects(GlobalMemory &memory,
                    EnvironmentObservers &environmentObservers)
      : memory(memory), environmentObservers(environmentObservers) {}
  bool isSpirv() const override { return false; }
  Status launch(const api::Launch &launch, const LaunchOptions &options,
                api::LaunchReport *report) override;

  Status add(StringRef image);
  void finish();

private:
  /// Returns the kernel, or null if there is none of this name.
  const Kernel *find(const std::string &name, Module *&module) const;
  /// Returns the decoded code of the module for the kernel's wave size.
  Status program(Module &module, const Kernel &kernel, Program *&result);

  GlobalMemory &memory;
  EnvironmentObservers &environmentObservers;
  std::vector<std::unique_ptr<Module>> modules;
  std::mutex mutex;
};

} // namespace

static Status failure(llvm::Error error) {
  return Status::failure(llvm::toString(std::move(error)));
}

Status LoadedCodeObjects::add(StringRef image) {
  auto object = CodeObject::load(image, memory);
  if (!object)
    return failure(object.takeError());
  name = (*object)->chip().name;
  modules.push_back(std::make_unique<Module>());
  modules.back()->object = std::move(*object);
  return Status::success();
}

void LoadedCodeObjects::finish() {
  std::map<std::string, api::Kernel> byName;
  for (const auto &module : modules)
    for (const auto &[name, kernel] : module->object->allKernels()) {
      api::Kernel made;
      made.name = name;
      for (const KernelArg &arg : kernel.args)
        if (!arg.isHidden())
          made.arguments.push_back(
              {arg.name, arg.typeName, arg.valueKind, arg.size, arg.offset});
      made.waveSize = kernel.waveSize();
      made.vgprs = kernel.vgprCount;
      made.agprs = kernel.agprCount;
      made.ldsBytes = kernel.ldsBytes;
      made.scratchBytes = kernel.privateBytes;
      made.maxWorkgroupSize = kernel.maxWorkgroupSize;
      made.kernargBytes = kernel.kernargBytes;
      made.requiredBlock = {kernel.requiredWorkgroup[0],
                            kernel.requiredWorkgroup[1],
                            kernel.requiredWorkgroup[2]};
      byName.emplace(name, std::move(made));
    }
  for (auto &entry : byName)
    described.push_back(std::move(entry.second));
}

const Kernel *LoadedCodeObjects::find(const std::string &name,
                                      Module *&module) const {
  for (const auto &candidate : modules)
    if (const Kernel *kernel = candidate->object->findKernel(name)) {
      module = candidate.get();
      return kernel;
    }
  return nullptr;
}

Status LoadedCodeObjects::program(Module &module, const Kernel &kernel,
                                  Program *&result) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Program> &program = module.programs[kernel.wave32];
  if (!program) {
    auto made = Program::create(*module.object, kernel.wave32);
    if (!made)
      return failure(made.takeError());
    program = std::move(*made);
  }
  result = program.get();
  return Status::success();
}

Status LoadedCodeObjects::launch(const api::Launch &launch,
                                 const LaunchOptions &options,
                                 api::LaunchReport *report) {
  Module *module = nullptr;
  LaunchRequest request;
  request.kernel = find(launch.kernel, module);
  if (Status status = program(*module, *request.kernel, request.program);
      !status.ok())
    return status;
  request.object = module->object.get();
  request.memory = &memory;
  auto copy = [](const api::Dim3 &from, uint32_t (&to)[3]) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
  };
  copy(launch.grid, request.grid);
  copy(launch.block, request.block);
  request.dynamicLdsBytes = launch.dynamicLdsBytes;
  request.args = launch.arguments;
  request.kernarg = launch.kernarg;

  LaunchOptions how = options;
  std::vector<std::unique_ptr<LaunchObserver>> watching =
      environmentObservers.forLaunch();
  for (auto &observer : watching)
    how.observers.push_back(observer.get());
  how.showsProgress = !environmentObservers.wantsTrace();

  const Clock::time_point start = Clock::now();
  LaunchResult result;
  llvm::Error error = runCheckedLaunch(request, how, result);
  return finishLaunch(std::move(error), std::move(result), start, report);
}

Status aircc::sim::loadCodeObjects(llvm::ArrayRef<StringRef> images,
                                   GlobalMemory &memory,
                                   EnvironmentObservers &environmentObservers,
                                   std::unique_ptr<LoadedCode> &code) {
  auto loaded =
      std::make_unique<LoadedCodeObjects>(memory, environmentObservers);
  for (StringRef image : images)
    if (Status status = loaded->add(image); !status.ok())
      return status;
  loaded->finish();
  code = std::move(loaded);
  return Status::success();
}
