//===- GPUModuleCompiler.cpp - One gpu.module through LLVM ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "pipeline/codegen/llvm/FatalErrors.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"
#include "pipeline/common/Dependency.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace aircc {

/// Where collectDeviceLibraries finds the files that a gpu.binary was made of.
static constexpr StringLiteral kDeviceLibrariesAttr = "air.device_libraries";

StringRef getTargetChip(Attribute target) {
  if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
    return rocdl.getChip();
  if (auto xevm = dyn_cast<xevm::XeVMTargetAttr>(target))
    return xevm.getChip();
  return "";
}

std::optional<DeviceBackend::Failure>
DeviceBackend::emit(llvm::Module &module, llvm::TargetMachine &machine,
                    DeviceFormat format, llvm::SmallVectorImpl<char> &code) {
  if (format == DeviceFormat::LLVM) {
    llvm::raw_svector_ostream os(code);
    module.print(os, nullptr);
    return std::nullopt;
  }
  llvm::CodeGenFileType kind = format == DeviceFormat::Assembly
                                   ? llvm::CodeGenFileType::AssemblyFile
                                   : llvm::CodeGenFileType::ObjectFile;
  if (llvm::Error error = emitMachineCode(module, machine, kind, code))
    return Failure::of(std::move(error));
  return std::nullopt;
}

SmallVector<DeviceCode> collectDeviceCode(ModuleOp module) {
  SmallVector<DeviceCode> codes;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute attr : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      // A bundle keeps the first of its targets as the attribute.
      StringRef chip;
      if (object.getFormat() != gpu::CompilationTarget::Fatbin)
        chip = getTargetChip(object.getTarget());
      codes.push_back(
          {binary.getSymName(), chip, object.getObject().getValue()});
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

DeviceBackend::Failure DeviceBackend::Failure::of(llvm::Error error) {
  Failure failure;
  llvm::handleAllErrors(
      std::move(error),
      [&](const MissingIntrinsic &missing) {
        failure = {missing.message(), missing.getIntrinsic()};
      },
      [&](const llvm::ErrorInfoBase &other) {
        failure.message = other.message();
      });
  return failure;
}

static FailureOr<std::unique_ptr<DeviceBackend>>
createBackend(gpu::GPUModuleOp gpuModule,
              const DeviceLibraryOptions &libraries) {
  ArrayAttr targets = gpuModule.getTargetsAttr();
  if (targets && targets.size() == 1) {
    if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]))
      return createAMDGPUBackend(gpuModule, rocdl, libraries);
    if (auto xevm = dyn_cast<xevm::XeVMTargetAttr>(targets[0]))
      return createSPIRVBackend(gpuModule, xevm);
  }
  return gpuModule.emitOpError(
      "needs exactly one #rocdl.target or #xevm.target "
      "to be compiled; air-attach-target adds it");
}

FailureOr<GPUModuleCompiler>
GPUModuleCompiler::create(gpu::GPUModuleOp gpuModule, DeviceFormat format,
                          const DeviceLibraryOptions &libraries) {
  auto backend = createBackend(gpuModule, libraries);
  if (failed(backend))
    return mlir::failure();
  return GPUModuleCompiler(gpuModule, std::move(*backend), format);
}

struct GPUModuleCompiler::LLVMState {
  llvm::LLVMContext context;
  DiagnosticCollector diagnostics{context};
  std::unique_ptr<llvm::Module> module;
};

GPUModuleCompiler::GPUModuleCompiler(gpu::GPUModuleOp gpuModule,
                                     std::unique_ptr<DeviceBackend> backend,
                                     DeviceFormat format)
    : gpuModule(gpuModule), backend(std::move(backend)), format(format) {}

GPUModuleCompiler::GPUModuleCompiler(GPUModuleCompiler &&) = default;
GPUModuleCompiler::~GPUModuleCompiler() = default;

LogicalResult GPUModuleCompiler::translate() {
  state = std::make_unique<LLVMState>();
  backend->prepareContext(state->context);
  state->module =
      translateModuleToLLVMIR(gpuModule, state->context, gpuModule.getName());
  return mlir::failure(!state->module);
}

void GPUModuleCompiler::compile() {
  failure = backend->compile(*state->module, format, code);
}

LogicalResult GPUModuleCompiler::report() {
  LogicalResult result = state->diagnostics.report(gpuModule.getLoc());
  if (failure) {
    InFlightDiagnostic diag = emitError(findCall(failure->callee))
                              << failure->message;
    if (failure->isMissingDependency)
      (void)markMissingDependency(std::move(diag));
    result = mlir::failure();
    // A backend that gave up may have left pointers into it anywhere.
    (void)state.release();
  }
  state.reset();
  return result;
}

/// Whether `op` calls the function or intrinsic `callee`. The types of an
/// intrinsic that has several are in its name behind that.
static bool calls(Operation *op, StringRef callee) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee() == callee;
  auto isIntrinsic = [&](StringRef name) {
    return name.consume_front(callee) &&
           (name.empty() || name.starts_with("."));
  };
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return isIntrinsic(call.getIntrin());
  // Most ops of ROCDL are named as the intrinsic that they become.
  StringRef name = op->getName().getStringRef();
  return name.consume_front("rocdl.") &&
         isIntrinsic(("llvm.amdgcn." + name).str());
}

/// The first call of `callee` in the module, or the module.
Location GPUModuleCompiler::findCall(StringRef callee) {
  Operation *where = gpuModule;
  gpuModule.walk([&](Operation *op) {
    if (callee.empty() || !calls(op, callee))
      return WalkResult::advance();
    where = op;
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
  Attribute object = gpu::ObjectAttr::get(
      gpuModule.getTargetsAttr()[0], kind, b.getStringAttr(code),
      /*properties=*/nullptr, /*kernels=*/nullptr);
  auto binary =
      gpu::BinaryOp::create(b, gpuModule.getLoc(), gpuModule.getName(), nullptr,
                            ArrayRef<Attribute>(object));
  const std::vector<std::string> &libraries = backend->getUsedLibraries();
  if (!libraries.empty()) {
    SmallVector<StringRef> files(libraries.begin(), libraries.end());
    binary->setAttr(kDeviceLibrariesAttr, b.getStrArrayAttr(files));
  }
  gpuModule.erase();
}

} // namespace aircc
