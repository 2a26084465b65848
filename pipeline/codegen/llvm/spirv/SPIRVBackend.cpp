//===- SPIRVBackend.cpp - LLVM modules to SPIR-V --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/DeviceBackend.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"
#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/codegen/llvm/spirv/SPIRVEmission.h"
#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPipeline.h"
#include "pipeline/codegen/llvm/spirv/SPIRVValidation.h"
#include "pipeline/codegen/xevm/IntelFunctions.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace aircc {

using Failure = DeviceBackend::Failure;

namespace {

class SPIRVBackend : public DeviceBackend {
public:
  SPIRVBackend(StringRef triple, unsigned optLevel)
      : triple(triple), optLevel(optLevel) {}

  void prepareContext(llvm::LLVMContext &context) override {
    numberSPIRVScopes(context);
  }

  std::optional<Failure> compile(llvm::Module &module, DeviceFormat format,
                                 MachinePool &machines,
                                 llvm::SmallVectorImpl<char> &code) override;

  void addToKey(CacheKey &key, const llvm::Module &module,
                CodeCache &cache) const override {
    key.add("spirv").add(triple).add(optLevel);
  }

private:
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() const {
    // Optimize only in LLVM IR: the backend's optimizations would introduce
    // types that SPIR-V does not have.
    return createTargetMachine(
        {triple, /*cpu=*/"", /*features=*/"", /*optLevel=*/0});
  }
  std::optional<Failure> emitObject(llvm::Module &module,
                                    llvm::TargetMachine &machine,
                                    llvm::SmallVectorImpl<char> &code);
  std::optional<Failure> checkImports(StringRef code);

  std::string triple;
  unsigned optLevel;
};

} // namespace

std::optional<Failure>
SPIRVBackend::compile(llvm::Module &module, DeviceFormat format, MachinePool &,
                      llvm::SmallVectorImpl<char> &code) {
  auto machine = createMachine();
  if (!machine)
    return Failure{llvm::toString(machine.takeError()), ""};
  module.setTargetTriple(llvm::Triple(triple));
  module.setDataLayout((*machine)->createDataLayout());
  LLVMPassRunner runner(module, machine->get(), getSPIRVTuning());
  registerSPIRVPasses(runner.getRegistry());
  llvm::ModulePassManager passes =
      buildSPIRVPipeline(runner.getBuilder(), optLevel);
  runner.run(passes);
  if (hasReportedError(module))
    return std::nullopt;

  if (format == DeviceFormat::LLVM) {
    print(module, code);
    return std::nullopt;
  }
  if (format == DeviceFormat::Object)
    return emitObject(module, **machine, code);

  // Emit an object for textual output too, to validate it. This needs another
  // machine, because a machine supports only one module.
  auto textMachine = createMachine();
  if (!textMachine)
    return Failure{llvm::toString(textMachine.takeError()), ""};
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::SmallVector<char, 0> object;
  if (std::optional<Failure> wrong = emitObject(*copy, **machine, object))
    return wrong;
  if (llvm::Error error = emitSPIRV(module, **textMachine,
                                    llvm::CodeGenFileType::AssemblyFile, code))
    return Failure::of(std::move(error));
  return std::nullopt;
}

/// Appends the module as a validated SPIR-V binary.
std::optional<Failure>
SPIRVBackend::emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                         llvm::SmallVectorImpl<char> &code) {
  if (llvm::Error error =
          emitSPIRV(module, machine, llvm::CodeGenFileType::ObjectFile, code))
    return Failure::of(std::move(error));
  // The backend looks up the types of printf formats in the wrong function, and
  // therefore misclassifies formats that are constants.
  dropSPIRVExtension(code, "SPV_EXT_relaxed_printf_string_address_space");
  StringRef bytes(code.data(), code.size());
  if (std::optional<Failure> wrong = checkImports(bytes))
    return wrong;
  if (std::optional<std::string> mistake = findSPIRVMistake(bytes))
    llvm::reportFatalInternalError(llvm::Twine("the SPIR-V of gpu.module '") +
                                   module.getModuleIdentifier() +
                                   "' is not valid: " + *mistake);
  return std::nullopt;
}

/// Rejects unknown functions, because Intel's compiler makes calls to them
/// return 0.
std::optional<Failure> SPIRVBackend::checkImports(StringRef code) {
  for (const std::string &name : getSPIRVImports(code))
    if (!isIntelFunction(name))
      return Failure{"calls '" + name +
                         "', which is defined neither in this gpu.module nor "
                         "by Intel's compiler; GPU code can only call "
                         "functions in its own gpu.module and OpenCL functions",
                     name};
  return std::nullopt;
}

FailureOr<std::unique_ptr<DeviceBackend>>
createSPIRVBackend(gpu::GPUModuleOp gpuModule, xevm::XeVMTargetAttr target) {
  llvm::Triple triple(target.getTriple());
  if (triple.getArch() != llvm::Triple::spirv64)
    return gpuModule.emitError("the triple of its #xevm.target is '")
           << target.getTriple()
           << "', which is not SPIR-V with 64-bit addresses; use "
              "spirv64-unknown-unknown";
  return std::unique_ptr<DeviceBackend>(std::make_unique<SPIRVBackend>(
      target.getTriple(), static_cast<unsigned>(target.getO())));
}

} // namespace aircc
