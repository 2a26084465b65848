//===- SimulatorApi.cpp - The simulator for other programs ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/SimulatorApi.h"

#include "runtime-stubs/sim/CodeObject.h"
#include "runtime-stubs/sim/Images.h"
#include "runtime-stubs/sim/Instruments.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

using namespace aircc::sim;
namespace api = aircc::simulator;
using api::Status;
using llvm::StringRef;

namespace {

/// The code objects for one processor; mostly one.
class LoadedCode : public api::Code {
public:
  struct Module {
    std::unique_ptr<CodeObject> object;
    std::unique_ptr<Program> programs[2]; ///< By wave size.
  };

  const std::string &processor() const override { return name; }
  const std::vector<api::Kernel> &kernels() const override { return described; }

  Status add(StringRef image, GlobalMemory &memory);
  void finish();
  /// Null when there is no such kernel.
  const Kernel *find(const std::string &name, Module *&module) const;
  /// What the module's code was decoded to, for the kernel's wave size.
  Status program(Module &module, const Kernel &kernel, Program *&result);

private:
  std::string name;
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<api::Kernel> described;
  std::mutex mutex;
};

class SimulatorImpl : public api::Simulator {
public:
  explicit SimulatorImpl(std::unique_ptr<Instruments> instruments)
      : instruments(std::move(instruments)) {}
  void setThreads(unsigned threads) override { options.threads = threads; }
  void setSeed(uint64_t seed) override { options.seed = seed; }
  Status allocate(size_t bytes, void *&memory) override;
  Status release(void *memory) override;
  Status processors(const void *image, size_t bytes,
                    std::vector<std::string> &names) override;
  Status load(const void *image, size_t bytes, const std::string &processor,
              std::unique_ptr<api::Code> &code) override;
  Status launch(api::Code &code, const api::Launch &launch,
                api::LaunchReport *report) override;

private:
  GlobalMemory memory;
  std::unique_ptr<Instruments> instruments;
  LaunchOptions options = LaunchOptions::fromEnvironment();
};

} // namespace

static Status failure(llvm::Error error) {
  return Status::failure(llvm::toString(std::move(error)));
}

Status LoadedCode::add(StringRef image, GlobalMemory &memory) {
  auto object = CodeObject::load(image, memory);
  if (!object)
    return failure(object.takeError());
  name = (*object)->chip().name;
  modules.push_back(std::make_unique<Module>());
  modules.back()->object = std::move(*object);
  return Status::success();
}

void LoadedCode::finish() {
  std::map<std::string, api::Kernel> byName;
  for (const auto &module : modules)
    for (const auto &[name, kernel] : module->object->allKernels()) {
      api::Kernel made;
      made.name = name;
      for (const KernelArg &arg : kernel.args)
        if (!arg.isHidden())
          made.arguments.push_back(
              {arg.name, arg.typeName, arg.valueKind, arg.size});
      made.waveSize = kernel.waveSize();
      made.vgprs = kernel.vgprCount;
      made.agprs = kernel.agprCount;
      made.ldsBytes = kernel.ldsBytes;
      made.scratchBytes = kernel.privateBytes;
      made.maxWorkgroupSize = kernel.maxWorkgroupSize;
      byName.emplace(name, std::move(made));
    }
  for (auto &entry : byName)
    described.push_back(std::move(entry.second));
}

const Kernel *LoadedCode::find(const std::string &name, Module *&module) const {
  for (const auto &candidate : modules)
    if (const Kernel *kernel = candidate->object->findKernel(name)) {
      module = candidate.get();
      return kernel;
    }
  return nullptr;
}

Status LoadedCode::program(Module &module, const Kernel &kernel,
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

Status SimulatorImpl::allocate(size_t bytes, void *&result) {
  result = memory.allocate(bytes ? bytes : 1);
  return result ? Status::success()
                : Status::failure("no memory for " + std::to_string(bytes) +
                                  " bytes");
}

Status SimulatorImpl::release(void *block) {
  if (!block || memory.release(block))
    return Status::success();
  return Status::failure("memory is released that was not allocated here, or "
                         "was released before");
}

Status SimulatorImpl::processors(const void *image, size_t bytes,
                                 std::vector<std::string> &names) {
  auto found =
      findCodeObjects(StringRef(static_cast<const char *>(image), bytes));
  if (!found)
    return failure(found.takeError());
  for (const EmbeddedCode &code : found->codes)
    if (!llvm::is_contained(names, code.processor))
      names.push_back(code.processor);
  return Status::success();
}

/// The processor among those of an image that `wanted` means: by its whole
/// name, or without features where that is unambiguous.
static Status choose(const std::vector<std::string> &names,
                     const std::string &wanted, std::string &chosen) {
  std::vector<std::string> matching;
  for (const std::string &name : names)
    if (wanted.empty() || StringRef(name).split(':').first == wanted)
      matching.push_back(name);
  if (llvm::is_contained(names, wanted))
    matching = {wanted};
  if (matching.size() == 1) {
    chosen = matching.front();
    return Status::success();
  }
  std::string held = llvm::join(names, ", ");
  return Status::failure(matching.empty()
                             ? "there is no code for " + wanted +
                                   " in it; there is code for " + held
                             : "there is code for several processors in it, of "
                               "which one must be named: " +
                                   llvm::join(matching, ", "));
}

Status SimulatorImpl::load(const void *image, size_t bytes,
                           const std::string &processor,
                           std::unique_ptr<api::Code> &code) {
  auto found =
      findCodeObjects(StringRef(static_cast<const char *>(image), bytes));
  if (!found)
    return failure(found.takeError());
  std::vector<std::string> names;
  for (const EmbeddedCode &entry : found->codes)
    if (!llvm::is_contained(names, entry.processor))
      names.push_back(entry.processor);
  std::string chosen;
  if (Status status = choose(names, processor, chosen); !status.ok())
    return status;

  auto loaded = std::make_unique<LoadedCode>();
  for (const EmbeddedCode &entry : found->codes)
    if (entry.processor == chosen)
      if (Status status = loaded->add(entry.code, memory); !status.ok())
        return status;
  loaded->finish();
  code = std::move(loaded);
  return Status::success();
}

Status SimulatorImpl::launch(api::Code &code, const api::Launch &launch,
                             api::LaunchReport *report) {
  auto &loaded = static_cast<LoadedCode &>(code);
  LoadedCode::Module *module = nullptr;
  LaunchRequest request;
  request.kernel = loaded.find(launch.kernel, module);
  if (!request.kernel) {
    std::vector<std::string> known;
    for (const api::Kernel &kernel : loaded.kernels())
      known.push_back(kernel.name);
    return Status::failure(
        "there is no kernel '" + launch.kernel +
        "'; there is: " + (known.empty() ? "none" : llvm::join(known, ", ")));
  }
  if (Status status = loaded.program(*module, *request.kernel, request.program);
      !status.ok())
    return status;
  request.object = module->object.get();
  request.memory = &memory;
  auto copy = [](const api::Dim3 &from, uint32_t(&to)[3]) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
  };
  copy(launch.grid, request.grid);
  copy(launch.block, request.block);
  request.dynamicLdsBytes = launch.dynamicLdsBytes;
  request.args = launch.arguments;

  LaunchOptions how = options;
  std::vector<std::unique_ptr<LaunchObserver>> watching =
      instruments->forLaunch();
  for (auto &observer : watching)
    how.observers.push_back(observer.get());

  auto start = std::chrono::steady_clock::now();
  LaunchResult result;
  std::string error;
  bool ran = runLaunch(request, how, result, error);
  if (report) {
    report->instructions = result.instructions;
    report->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }
  return ran ? Status::success() : Status::failure(error);
}

llvm::Expected<std::unique_ptr<api::Simulator>> aircc::sim::createSimulator() {
  auto instruments = Instruments::fromEnvironment();
  if (!instruments)
    return instruments.takeError();
  return std::make_unique<SimulatorImpl>(std::move(*instruments));
}
