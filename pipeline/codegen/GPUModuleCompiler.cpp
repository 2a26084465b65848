//===- GPUModuleCompiler.cpp - One gpu.module through LLVM ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/GPUModuleCompiler.h"

#include "pipeline/Dependency.h"
#include "pipeline/codegen/BackendWorkarounds.h"
#include "pipeline/codegen/DeviceLibraries.h"
#include "pipeline/codegen/Dot4Workaround.h"
#include "pipeline/codegen/LLVMBackend.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;

namespace aircc {

/// Where collectDeviceLibraries finds the files that a gpu.binary was made of.
static constexpr StringLiteral kDeviceLibrariesAttr = "air.device_libraries";

SmallVector<DeviceCode> collectDeviceCode(ModuleOp module) {
  SmallVector<DeviceCode> codes;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute attr : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(object.getTarget());
      // A bundle keeps the first of its targets as the attribute.
      bool isOne =
          target && object.getFormat() != gpu::CompilationTarget::Fatbin;
      codes.push_back({binary.getSymName(),
                       isOne ? target.getChip() : StringRef(),
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

FailureOr<GPUModuleCompiler>
GPUModuleCompiler::create(gpu::GPUModuleOp gpuModule, DeviceFormat format,
                          const DeviceLibraryOptions &libraries) {
  ArrayAttr targets = gpuModule.getTargetsAttr();
  auto target = targets && targets.size() == 1
                    ? dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0])
                    : nullptr;
  if (!target)
    return gpuModule.emitOpError("needs exactly one #rocdl.target to be "
                                 "compiled; air-attach-target adds it");
  unsigned abi = 0;
  if (target.getAbi().getAsInteger(10, abi) || abi < 500 || abi > 600)
    return gpuModule.emitError("code object version '")
           << target.getAbi() << "' is not supported: choose 5 or 6";
  return GPUModuleCompiler(gpuModule, target, format, libraries);
}

struct GPUModuleCompiler::LLVMState {
  llvm::LLVMContext context;
  DiagnosticCollector diagnostics{context};
  std::unique_ptr<llvm::Module> module;
};

GPUModuleCompiler::GPUModuleCompiler(gpu::GPUModuleOp gpuModule,
                                     ROCDL::ROCDLTargetAttr attr,
                                     DeviceFormat format,
                                     const DeviceLibraryOptions &libraries)
    : gpuModule(gpuModule), targetAttr(attr), format(format),
      libraries(libraries) {
  target.triple = attr.getTriple();
  target.chip = attr.getChip();
  target.features = attr.getFeatures();
  target.optLevel = attr.getO();
  (void)attr.getAbi().getAsInteger(10, target.abi);
  target.wave64 = attr.hasWave64();
  target.daz = attr.hasDaz();
  target.finiteOnly = attr.hasFiniteOnly() || attr.hasFastMath();
  target.unsafeMath = attr.hasUnsafeMath() || attr.hasFastMath();
  target.correctSqrt = attr.hasCorrectSqrt();
}

GPUModuleCompiler::GPUModuleCompiler(GPUModuleCompiler &&) = default;
GPUModuleCompiler::~GPUModuleCompiler() = default;

LogicalResult GPUModuleCompiler::translate() {
  state = std::make_unique<LLVMState>();
  state->module =
      translateModuleToLLVMIR(gpuModule, state->context, gpuModule.getName());
  return mlir::failure(!state->module);
}

void GPUModuleCompiler::compile() { failure = tryCompile(); }

std::optional<GPUModuleCompiler::Failure> GPUModuleCompiler::tryCompile() {
  llvm::Module &module = *state->module;
  auto machine = createTargetMachine(
      {target.triple, target.chip, target.features, target.optLevel});
  if (!machine)
    return Failure{llvm::toString(machine.takeError()), ""};
  module.setTargetTriple(llvm::Triple(target.triple));
  module.setDataLayout((*machine)->createDataLayout());
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                       target.abi);
  if (std::optional<Failure> wrong = checkWaveSize())
    return wrong;
  if (std::optional<Failure> wrong = linkLibraries(module))
    return wrong;
  if (target.optLevel > 0)
    markJoins(module, **machine);
  optimizeModule(module, **machine, target.optLevel);
  removeJoinMarks(module);
  avoidDot4Combine(module);
  freezeStoredLoads(module);
  mendBallots(module);
  keepSignsOfProducts(module);
  expandAtomics(module, **machine);
  if (target.optLevel == 0)
    widenDivisions(module);
  return emit(module, **machine);
}

LogicalResult GPUModuleCompiler::report() {
  LogicalResult result = state->diagnostics.report(gpuModule.getLoc());
  if (failure) {
    InFlightDiagnostic diag = emitError(findCall(failure->callee))
                              << failure->message;
    if (failure->isMissingDependency)
      (void)markMissingDependency(std::move(diag));
    result = mlir::failure();
  }
  state.reset();
  return result;
}

/// Code for waves of another size than the rest of the compiler assumed would
/// compute nonsense.
std::optional<GPUModuleCompiler::Failure> GPUModuleCompiler::checkWaveSize() {
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
  os << "the target says waves of " << (target.wave64 ? 64 : 32)
     << " lanes, but '" << target.chip << "' with the features '"
     << target.features << "' has waves of " << (wave64 ? 64 : 32);
  return Failure{text, ""};
}

std::optional<GPUModuleCompiler::Failure>
GPUModuleCompiler::linkLibraries(llvm::Module &module) {
  llvm::AMDGPU::IsaVersion isa = llvm::AMDGPU::getIsaVersion(target.chip);
  DeviceLibraryControl control;
  control.isaVersion = isa.Major * 1000 + isa.Minor * 100 + isa.Stepping;
  control.abiVersion = target.abi;
  control.wave64 = target.wave64;
  control.daz = target.daz;
  control.finiteOnly = target.finiteOnly;
  control.unsafeMath = target.unsafeMath;
  control.correctSqrt = target.correctSqrt;
  std::vector<std::string> names = libraries.names;
  if (names.empty())
    names = {"ocml", "ockl"};
  std::optional<Failure> wrong;
  llvm::handleAllErrors(
      linkDeviceLibraries(module, getDeviceLibraryFolders(libraries.rocmPath),
                          names, control, usedLibraries),
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

  for (llvm::Function &function : module) {
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return Failure{"calls '" + function.getName().str() +
                         "', which nothing defines: GPU code can only call "
                         "functions of its own gpu.module and of the device "
                         "libraries",
                     function.getName().str()};
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.chip);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
      function.addFnAttr("uniform-work-group-size", "true");
  }
  // Only kernels are entry points; the rest may be inlined away.
  llvm::internalizeModule(module, [](const llvm::GlobalValue &value) {
    auto *function = dyn_cast<llvm::Function>(&value);
    return !function ||
           function->getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
  });
  return std::nullopt;
}

std::optional<GPUModuleCompiler::Failure>
GPUModuleCompiler::emit(llvm::Module &module, llvm::TargetMachine &machine) {
  if (format == DeviceFormat::LLVM) {
    llvm::raw_svector_ostream os(code);
    module.print(os, nullptr);
    return std::nullopt;
  }
  llvm::CodeGenFileType kind = format == DeviceFormat::Assembly
                                   ? llvm::CodeGenFileType::AssemblyFile
                                   : llvm::CodeGenFileType::ObjectFile;
  if (llvm::Error error = emitMachineCode(module, machine, kind, code))
    return Failure{llvm::toString(std::move(error)), ""};
  return std::nullopt;
}

/// The first call of `callee` in the module, or the module.
Location GPUModuleCompiler::findCall(StringRef callee) {
  Operation *where = gpuModule;
  gpuModule.walk([&](LLVM::CallOp call) {
    if (callee.empty() || call.getCallee() != callee)
      return WalkResult::advance();
    where = call;
    return WalkResult::interrupt();
  });
  return where->getLoc();
}

void GPUModuleCompiler::replaceModule() {
  OpBuilder b(gpuModule);
  gpu::CompilationTarget kind = gpu::CompilationTarget::Binary;
  if (format == DeviceFormat::LLVM)
    kind = gpu::CompilationTarget::Offload;
  else if (format == DeviceFormat::Assembly)
    kind = gpu::CompilationTarget::Assembly;
  Attribute object =
      gpu::ObjectAttr::get(targetAttr, kind, b.getStringAttr(code),
                           /*properties=*/nullptr, /*kernels=*/nullptr);
  auto binary =
      gpu::BinaryOp::create(b, gpuModule.getLoc(), gpuModule.getName(), nullptr,
                            ArrayRef<Attribute>(object));
  if (!usedLibraries.empty()) {
    SmallVector<StringRef> files(usedLibraries.begin(), usedLibraries.end());
    binary->setAttr(kDeviceLibrariesAttr, b.getStrArrayAttr(files));
  }
  gpuModule.erase();
}

} // namespace aircc
