//===- LoadedSpirv.cpp - SPIR-V modules for other programs ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/LoadedCode.h"

#include <chrono>
#include <map>

using namespace aircc::sim;
namespace api = aircc::simulator;
using api::Status;
using llvm::StringRef;

namespace {

class LoadedSpirv : public LoadedCode {
public:
  LoadedSpirv(std::string processor, GlobalMemory &memory,
              EnvironmentObservers &environmentObservers)
      : memory(memory), environmentObservers(environmentObservers) {
    name = std::move(processor);
  }
  bool isSpirv() const override { return true; }
  Status launch(const api::Launch &launch, const LaunchOptions &options,
                api::LaunchReport *report) override;

  Status add(StringRef image);
  void finish();

private:
  GlobalMemory &memory;
  EnvironmentObservers &environmentObservers;
  std::vector<std::unique_ptr<spirv::SpirvProgram>> programs;
  std::map<std::string, const spirv::SpirvKernel *> byName;
};

} // namespace

Status LoadedSpirv::add(StringRef image) {
  auto program = spirv::SpirvProgram::create(image, memory,
                                             environmentObservers.wantsTrace());
  if (!program)
    return Status::failure(llvm::toString(program.takeError()));
  programs.push_back(std::move(*program));
  for (const spirv::SpirvKernel &kernel : programs.back()->allKernels())
    byName.emplace(kernel.name, &kernel);
  return Status::success();
}

static api::Argument describe(const spirv::KernelArgument &argument) {
  api::Argument made;
  made.name = argument.name;
  made.size = argument.bytes;
  made.valueKind = argument.isPointer ? "global_buffer" : "by_value";
  if (argument.kind == spirv::KernelArgument::WorkgroupMemory) {
    // Describe it like the offset in a code object; only the size matters.
    made.valueKind = "dynamic_shared_pointer";
    made.size = 4;
  }
  return made;
}

void LoadedSpirv::finish() {
  for (const auto &[kernelName, kernel] : byName) {
    api::Kernel made;
    made.name = kernelName;
    for (const spirv::KernelArgument &argument : kernel->arguments)
      made.arguments.push_back(describe(argument));
    made.waveSize = kernel->subgroupSize;
    made.ldsBytes = kernel->slmBytes;
    made.scratchBytes = kernel->privateBytes;
    made.maxWorkgroupSize = spirv::kMaxLanes;
    if (kernel->workgroupSize) {
      const auto &[x, y, z] = *kernel->workgroupSize;
      made.requiredBlock = {x, y, z};
      made.maxWorkgroupSize = x * y * z;
    }
    described.push_back(std::move(made));
  }
}

Status LoadedSpirv::launch(const api::Launch &launch,
                           const LaunchOptions &options,
                           api::LaunchReport *report) {
  if (!launch.kernarg.empty())
    return Status::failure("a SPIR-V kernel has no kernarg segment");
  spirv::SpirvLaunchRequest request;
  request.kernel = byName.at(launch.kernel);
  request.memory = &memory;
  request.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  request.block = {launch.block.x, launch.block.y, launch.block.z};
  request.dynamicSlmBytes = launch.dynamicLdsBytes;
  request.args = launch.arguments;
  LaunchOptions how = options;
  how.showsProgress = !environmentObservers.wantsTrace();
  const Clock::time_point start = Clock::now();
  LaunchResult result;
  llvm::Error error = environmentObservers.run(request, how, result);
  return finishLaunch(std::move(error), std::move(result), start, report);
}

Status aircc::sim::loadSpirv(llvm::ArrayRef<StringRef> images,
                             const std::string &processor, GlobalMemory &memory,
                             EnvironmentObservers &environmentObservers,
                             std::unique_ptr<LoadedCode> &code) {
  auto loaded =
      std::make_unique<LoadedSpirv>(processor, memory, environmentObservers);
  for (StringRef image : images)
    if (Status status = loaded->add(image); !status.ok())
      return status;
  loaded->finish();
  code = std::move(loaded);
  return Status::success();
}
