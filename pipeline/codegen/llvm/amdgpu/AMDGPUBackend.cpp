//===- AMDGPUBackend.cpp - LLVM modules to AMDGPU code --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/DeviceBackend.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"
#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/codegen/llvm/MachinePool.h"
#include "pipeline/codegen/llvm/amdgpu/AMDGPUPipeline.h"
#include "pipeline/codegen/rocdl/DeviceLibraries.h"
#include "pipeline/common/Dependency.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace aircc {

using Failure = DeviceBackend::Failure;

namespace {

/// The target attribute as plain data.
struct AMDGPUTarget {
  std::string triple, chip, features;
  unsigned optLevel, abi;
  bool wave64, daz, finiteOnly, unsafeMath, correctSqrt;
};

class AMDGPUBackend : public DeviceBackend {
public:
  AMDGPUBackend(AMDGPUTarget target, const DeviceLibraryOptions &libraries)
      : target(std::move(target)), libraries(libraries) {}

  std::optional<Failure> compile(llvm::Module &module, DeviceFormat format,
                                 MachinePool &machines,
                                 llvm::SmallVectorImpl<char> &code) override;

  void releaseMachine(MachinePool &machines) override {
    if (usedMachine)
      machines.giveBack(getMachineOptions(), std::move(usedMachine));
  }

  void addToKey(CacheKey &key, const llvm::Module &module,
                CodeCache &cache) const override;

private:
  MachineOptions getMachineOptions() const {
    return {target.triple, target.chip, target.features, target.optLevel};
  }
  std::vector<std::string> getLibraryNames() const;
  std::optional<Failure> checkWaveSize();
  std::optional<Failure> linkLibraries(llvm::Module &module);

  AMDGPUTarget target;
  DeviceLibraryOptions libraries;
  std::unique_ptr<PooledMachine> usedMachine;
};

} // namespace

std::optional<Failure>
AMDGPUBackend::compile(llvm::Module &module, DeviceFormat format,
                       MachinePool &machines,
                       llvm::SmallVectorImpl<char> &code) {
  auto machine = machines.take(getMachineOptions());
  if (!machine)
    return Failure{llvm::toString(machine.takeError()), ""};
  module.setTargetTriple(llvm::Triple(target.triple));
  llvm::TargetMachine &targetMachine = (*machine)->get();
  module.setDataLayout(targetMachine.createDataLayout());
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                       target.abi);
  if (std::optional<Failure> wrong = checkWaveSize())
    return wrong;
  if (std::optional<Failure> wrong = linkLibraries(module))
    return wrong;
  LLVMPassRunner runner(module, &targetMachine);
  registerAMDGPUPasses(runner.getRegistry(), &targetMachine);
  llvm::ModulePassManager passes =
      buildAMDGPUPipeline(runner.getBuilder(), &targetMachine, target.optLevel);
  runner.run(passes);
  if (format == DeviceFormat::LLVM) {
    print(module, code);
  } else if (llvm::Error error =
                 format == DeviceFormat::Object
                     ? (*machine)->emitObject(module, code)
                     : emitMachineCode(module, targetMachine,
                                       llvm::CodeGenFileType::AssemblyFile,
                                       code)) {
    return Failure::of(std::move(error));
  }
  usedMachine = std::move(*machine);
  return std::nullopt;
}

/// Verifies the wave size, because code for a wave size other than the one that
/// the rest of the compiler assumed would be wrong.
std::optional<Failure> AMDGPUBackend::checkWaveSize() {
  llvm::StringMap<bool> features;
  for (StringRef feature : llvm::split(target.features, ','))
    if (feature.size() > 1)
      features[feature.drop_front()] = feature.front() == '+';
  auto [error, culprit] = llvm::AMDGPU::fillAMDGPUFeatureMap(
      target.chip, llvm::Triple(target.triple), features);
  bool wave64 = features.lookup("wavefrontsize64");
  if (error == llvm::AMDGPU::NO_ERROR && wave64 == target.wave64)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "the target specifies waves of " << (target.wave64 ? 64 : 32)
     << " lanes, but '" << target.chip << "' with the features '"
     << target.features << "' has waves of " << (wave64 ? 64 : 32);
  return Failure{text, ""};
}

static bool isUndefined(const llvm::Function &function) {
  return function.isDeclaration() && !function.isIntrinsic() &&
         !function.use_empty();
}

void AMDGPUBackend::addToKey(CacheKey &key, const llvm::Module &module,
                             CodeCache &cache) const {
  key.add("amdgpu").add(target.triple).add(target.chip).add(target.features);
  for (unsigned number : {target.optLevel, target.abi})
    key.add(number);
  for (bool flag : {target.wave64, target.daz, target.finiteOnly,
                    target.unsafeMath, target.correctSqrt})
    key.add(flag);
  // Other modules need no libraries.
  if (llvm::none_of(module, isUndefined))
    return;
  std::vector<std::string> folders =
      getDeviceLibraryFolders(libraries.rocmPath);
  for (const std::string &name : getLibraryNames()) {
    std::string file = findDeviceLibrary(folders, name);
    // Dependency files name the path.
    key.add(name).add(file).add(cache.hashFile(file));
  }
}

std::vector<std::string> AMDGPUBackend::getLibraryNames() const {
  if (libraries.names.empty())
    return {"ocml", "ockl"};
  return libraries.names;
}

std::optional<Failure> AMDGPUBackend::linkLibraries(llvm::Module &module) {
  // Searching for libraries would take longer than compiling a small kernel.
  if (llvm::none_of(module, isUndefined))
    return std::nullopt;
  llvm::AMDGPU::IsaVersion isa = llvm::AMDGPU::getIsaVersion(target.chip);
  DeviceLibraryControl control;
  control.isaVersion = isa.Major * 1000 + isa.Minor * 100 + isa.Stepping;
  control.abiVersion = target.abi;
  control.wave64 = target.wave64;
  control.daz = target.daz;
  control.finiteOnly = target.finiteOnly;
  control.unsafeMath = target.unsafeMath;
  control.correctSqrt = target.correctSqrt;
  std::optional<Failure> wrong;
  llvm::handleAllErrors(
      linkDeviceLibraries(module, getDeviceLibraryFolders(libraries.rocmPath),
                          getLibraryNames(), control, usedLibraries),
      [&](const MissingDependencyError &missing) {
        // The message starts with the quoted name of the function.
        StringRef text = missing.text();
        StringRef callee = text.drop_front().split('\'').first;
        wrong = Failure{text.str(), callee.str(), /*isMissingDependency=*/true};
      },
      [&](const llvm::ErrorInfoBase &other) {
        wrong = Failure{other.message(), ""};
      });
  if (wrong)
    return wrong;

  for (llvm::Function &function : module)
    if (isUndefined(function))
      return Failure{
          "calls '" + function.getName().str() +
              "', which is not defined; GPU code can only call functions in "
              "its own gpu.module and in the device libraries",
          function.getName().str()};
  return std::nullopt;
}

FailureOr<std::unique_ptr<DeviceBackend>>
createAMDGPUBackend(gpu::GPUModuleOp gpuModule, ROCDL::ROCDLTargetAttr attr,
                    const DeviceLibraryOptions &libraries) {
  unsigned abi = 0;
  if (attr.getAbi().getAsInteger(10, abi) || abi < 500 || abi > 600)
    return gpuModule.emitError("code object version '")
           << attr.getAbi() << "' is not supported; choose 5 or 6";
  AMDGPUTarget target;
  target.triple = attr.getTriple();
  target.chip = attr.getChip();
  target.features = attr.getFeatures();
  target.optLevel = attr.getO();
  target.abi = abi;
  target.wave64 = attr.hasWave64();
  target.daz = attr.hasDaz();
  target.finiteOnly = attr.hasFiniteOnly() || attr.hasFastMath();
  target.unsafeMath = attr.hasUnsafeMath() || attr.hasFastMath();
  target.correctSqrt = attr.hasCorrectSqrt();
  return std::unique_ptr<DeviceBackend>(
      std::make_unique<AMDGPUBackend>(std::move(target), libraries));
}

} // namespace aircc
