//===- GPUModuleToObject.cpp - gpu.module to gpu.binary, in process -------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/Dependency.h"
#include "pipeline/codegen/DeviceLibraries.h"
#include "pipeline/codegen/Dot4Workaround.h"
#include "pipeline/codegen/LLVMBackend.h"
#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_GPUMODULETOOBJECT
#include "pipeline/codegen/Passes.h.inc"

/// Where collectDeviceLibraries finds the files that a gpu.binary was made of.
static constexpr StringLiteral kDeviceLibrariesAttr = "air.device_libraries";

SmallVector<DeviceCode> collectDeviceCode(ModuleOp module) {
  SmallVector<DeviceCode> codes;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute attr : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(object.getTarget());
      codes.push_back({binary.getSymName(),
                       target ? target.getChip() : StringRef(),
                       object.getObject().getValue()});
    }
  return codes;
}

SmallVector<std::string> collectDeviceLibraries(ModuleOp module) {
  SmallVector<std::string> files;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    if (auto used = binary->getAttrOfType<ArrayAttr>(kDeviceLibrariesAttr))
      for (auto file : used.getAsRange<StringAttr>())
        if (!llvm::is_contained(files, file.getValue()))
          files.push_back(file.getValue().str());
  return files;
}

} // namespace aircc

namespace {

/// One gpu.module on its way through LLVM.
class ModuleCompiler {
public:
  ModuleCompiler(gpu::GPUModuleOp gpuModule, ROCDL::ROCDLTargetAttr target,
                 aircc::DeviceFormat format, ArrayRef<std::string> folders,
                 ArrayRef<std::string> libraries)
      : gpuModule(gpuModule), target(target), format(format), folders(folders),
        libraries(libraries) {}

  LogicalResult run() {
    llvm::LLVMContext context;
    aircc::DiagnosticForwarder diagnostics(context, gpuModule.getLoc());
    std::unique_ptr<llvm::Module> module =
        translateModuleToLLVMIR(gpuModule, context, gpuModule.getName());
    if (!module)
      return failure();
    auto machine = aircc::createTargetMachine(
        {target.getTriple().str(), target.getChip().str(),
         target.getFeatures().str(), static_cast<unsigned>(target.getO())});
    if (!machine)
      return gpuModule.emitError() << llvm::toString(machine.takeError());
    if (failed(prepare(*module, **machine)) || failed(linkLibraries(*module)))
      return failure();
    aircc::optimizeModule(*module, **machine, target.getO());
    aircc::avoidDot4Combine(*module);
    if (failed(emit(*module, **machine)))
      return failure();
    return failure(diagnostics.hadError());
  }

  ArrayRef<std::string> getUsedLibraries() const { return usedLibraries; }
  StringRef getCode() const { return code.str(); }

private:
  LogicalResult prepare(llvm::Module &module, llvm::TargetMachine &machine) {
    module.setTargetTriple(llvm::Triple(target.getTriple()));
    module.setDataLayout(machine.createDataLayout());
    unsigned abi = 0;
    if (target.getAbi().getAsInteger(10, abi) || abi < 500 || abi > 600)
      return gpuModule.emitError("code object version '")
             << target.getAbi() << "' is not supported: choose 5 or 6";
    module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                         abi);
    return checkWaveSize();
  }

  /// Code for waves of another size than the rest of the compiler assumed would
  /// compute nonsense.
  LogicalResult checkWaveSize() {
    llvm::StringMap<bool> features;
    for (StringRef feature : llvm::split(target.getFeatures(), ','))
      if (feature.size() > 1)
        features[feature.drop_front()] = feature.front() == '+';
    auto [error, culprit] = llvm::AMDGPU::fillAMDGPUFeatureMap(
        target.getChip(), llvm::Triple(target.getTriple()), features);
    bool wave64 = features.lookup("wavefrontsize64");
    if (error != llvm::AMDGPU::NO_ERROR || wave64 != target.hasWave64())
      return gpuModule.emitError("the target says waves of ")
             << (target.hasWave64() ? 64 : 32) << " lanes, but '"
             << target.getChip() << "' with the features '"
             << target.getFeatures() << "' has waves of " << (wave64 ? 64 : 32);
    return success();
  }

  LogicalResult linkLibraries(llvm::Module &module) {
    llvm::AMDGPU::IsaVersion isa =
        llvm::AMDGPU::getIsaVersion(target.getChip());
    unsigned abi = 0;
    (void)target.getAbi().getAsInteger(10, abi);
    aircc::DeviceLibraryControl control;
    control.isaVersion = isa.Major * 1000 + isa.Minor * 100 + isa.Stepping;
    control.abiVersion = abi;
    control.wave64 = target.hasWave64();
    control.daz = target.hasDaz();
    control.finiteOnly = target.hasFiniteOnly() || target.hasFastMath();
    control.unsafeMath = target.hasUnsafeMath() || target.hasFastMath();
    control.correctSqrt = target.hasCorrectSqrt();
    if (llvm::Error error = aircc::linkDeviceLibraries(
            module, folders, libraries, control, usedLibraries))
      return reportLinkError(std::move(error));

    for (llvm::Function &function : module) {
      if (function.isDeclaration() && !function.isIntrinsic() &&
          !function.use_empty())
        return emitAtCall(function.getName())
               << "calls '" << function.getName()
               << "', which nothing defines: GPU code can only call functions "
                  "of its own gpu.module and of the device libraries";
      if (function.isDeclaration())
        continue;
      function.addFnAttr("target-cpu", target.getChip());
      if (!target.getFeatures().empty())
        function.addFnAttr("target-features", target.getFeatures());
      if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
        function.addFnAttr("uniform-work-group-size", "true");
    }
    // Only kernels are entry points; the rest may be inlined away.
    llvm::internalizeModule(module, [](const llvm::GlobalValue &value) {
      auto *function = dyn_cast<llvm::Function>(&value);
      return !function ||
             function->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
    });
    return success();
  }

  LogicalResult reportLinkError(llvm::Error error) {
    LogicalResult result = failure();
    llvm::handleAllErrors(
        std::move(error),
        [&](const aircc::MissingDependencyError &missing) {
          // The message starts with the quoted name of the function.
          StringRef text = missing.text();
          StringRef callee = text.drop_front().split('\'').first;
          (void)aircc::markMissingDependency(emitAtCall(callee) << text);
        },
        [&](const llvm::ErrorInfoBase &other) {
          gpuModule.emitError() << other.message();
        });
    return result;
  }

  /// An error at the first call of `callee` in the module, or at the module.
  InFlightDiagnostic emitAtCall(StringRef callee) {
    Operation *where = gpuModule;
    gpuModule.walk([&](LLVM::CallOp call) {
      if (call.getCallee() != callee)
        return WalkResult::advance();
      where = call;
      return WalkResult::interrupt();
    });
    return emitError(where->getLoc());
  }

  LogicalResult emit(llvm::Module &module, llvm::TargetMachine &machine) {
    if (format == aircc::DeviceFormat::LLVM) {
      llvm::raw_svector_ostream os(code);
      module.print(os, nullptr);
      return success();
    }
    llvm::CodeGenFileType kind = format == aircc::DeviceFormat::Assembly
                                     ? llvm::CodeGenFileType::AssemblyFile
                                     : llvm::CodeGenFileType::ObjectFile;
    if (llvm::Error error =
            aircc::emitMachineCode(module, machine, kind, code))
      return gpuModule.emitError() << llvm::toString(std::move(error));
    return success();
  }

  gpu::GPUModuleOp gpuModule;
  ROCDL::ROCDLTargetAttr target;
  aircc::DeviceFormat format;
  ArrayRef<std::string> folders;
  ArrayRef<std::string> libraries;
  std::vector<std::string> usedLibraries;
  SmallString<0> code;
};

struct GPUModuleToObject
    : aircc::impl::GPUModuleToObjectBase<GPUModuleToObject> {
  using GPUModuleToObjectBase::GPUModuleToObjectBase;

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules(
        getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.empty())
      return;
    std::vector<std::string> folders =
        aircc::getDeviceLibraryFolders(rocmPath);
    std::vector<std::string> libraries(deviceLibs.begin(), deviceLibs.end());
    if (libraries.empty())
      libraries = {"ocml", "ockl"};

    std::vector<ModuleCompiler> compilers;
    for (gpu::GPUModuleOp gpuModule : modules) {
      ArrayAttr targets = gpuModule.getTargetsAttr();
      auto target = targets && targets.size() == 1
                        ? dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0])
                        : nullptr;
      if (!target) {
        gpuModule.emitError("needs exactly one #rocdl.target to be compiled; "
                            "air-attach-target adds it");
        return signalPassFailure();
      }
      compilers.emplace_back(gpuModule, target, format, folders, libraries);
    }
    if (failed(failableParallelForEach(
            &getContext(), compilers,
            [](ModuleCompiler &compiler) { return compiler.run(); })))
      return signalPassFailure();
    for (auto [gpuModule, compiler] : llvm::zip_equal(modules, compilers))
      replace(gpuModule, compiler);
  }

  void replace(gpu::GPUModuleOp gpuModule, const ModuleCompiler &compiler) {
    OpBuilder b(gpuModule);
    gpu::CompilationTarget kind = gpu::CompilationTarget::Binary;
    if (format == aircc::DeviceFormat::LLVM)
      kind = gpu::CompilationTarget::Offload;
    else if (format == aircc::DeviceFormat::Assembly)
      kind = gpu::CompilationTarget::Assembly;
    Attribute object = gpu::ObjectAttr::get(
        gpuModule.getTargetsAttr()[0], kind,
        b.getStringAttr(compiler.getCode()), /*properties=*/nullptr,
        /*kernels=*/nullptr);
    auto binary = gpu::BinaryOp::create(b, gpuModule.getLoc(),
                                        gpuModule.getName(), nullptr,
                                        ArrayRef<Attribute>(object));
    if (!compiler.getUsedLibraries().empty()) {
      SmallVector<StringRef> files(compiler.getUsedLibraries().begin(),
                                   compiler.getUsedLibraries().end());
      binary->setAttr(aircc::kDeviceLibrariesAttr, b.getStrArrayAttr(files));
    }
    gpuModule.erase();
  }
};

} // namespace
