//===- SPIRVBackend.cpp - LLVM modules to SPIR-V --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceBackend.h"
#include "pipeline/codegen/IntelFunctions.h"
#include "pipeline/codegen/LLVMBackend.h"
#include "pipeline/codegen/SPIRVModule.h"
#include "pipeline/codegen/SPIRVWorkarounds.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace mlir;

namespace aircc {

using Failure = DeviceBackend::Failure;

namespace {

class SPIRVBackend : public DeviceBackend {
public:
  SPIRVBackend(StringRef triple, unsigned optLevel)
      : triple(triple), optLevel(optLevel) {}

  std::optional<Failure> compile(llvm::Module &module, DeviceFormat format,
                                 llvm::SmallVectorImpl<char> &code) override;

private:
  std::optional<Failure> checkImports(StringRef code);

  std::string triple;
  unsigned optLevel;
};

} // namespace

std::optional<Failure>
SPIRVBackend::compile(llvm::Module &module, DeviceFormat format,
                      llvm::SmallVectorImpl<char> &code) {
  // All optimisation is done on LLVM IR: what the backend does on top changes
  // types in ways that SPIR-V does not have.
  auto machine = createTargetMachine(
      {triple, /*cpu=*/"", /*features=*/"", /*optLevel=*/0});
  if (!machine)
    return Failure{llvm::toString(machine.takeError()), ""};
  module.setTargetTriple(llvm::Triple(triple));
  module.setDataLayout((*machine)->createDataLayout());
  prepareForSPIRV(module);
  optimizeModule(module, **machine, optLevel, addSPIRVPasses);
  // What is wrong then is known to the module's context.
  if (!legalizeForSPIRV(module))
    return std::nullopt;

  // The backend keeps what it knows of a module in static variables.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (std::optional<Failure> wrong = emit(module, **machine, format, code))
    return wrong;
  if (format == DeviceFormat::Object)
    return checkImports(StringRef(code.data(), code.size()));
  return std::nullopt;
}

/// Intel's compiler lets calls of functions that it does not have return 0.
std::optional<Failure> SPIRVBackend::checkImports(StringRef code) {
  for (const std::string &name : getSPIRVImports(code))
    if (!isIntelFunction(name))
      return Failure{"calls '" + name +
                         "', which neither this gpu.module defines nor Intel's "
                         "compiler has: GPU code can only call functions of "
                         "its own gpu.module and of OpenCL",
                     name};
  return std::nullopt;
}

FailureOr<std::unique_ptr<DeviceBackend>>
createSPIRVBackend(gpu::GPUModuleOp gpuModule, xevm::XeVMTargetAttr target) {
  llvm::Triple triple(target.getTriple());
  if (triple.getArch() != llvm::Triple::spirv64)
    return gpuModule.emitError("the triple of its #xevm.target is '")
           << target.getTriple()
           << "', which is not one of SPIR-V with 64-bit addresses: use "
              "spirv64-unknown-unknown";
  return std::unique_ptr<DeviceBackend>(std::make_unique<SPIRVBackend>(
      target.getTriple(), static_cast<unsigned>(target.getO())));
}

} // namespace aircc
