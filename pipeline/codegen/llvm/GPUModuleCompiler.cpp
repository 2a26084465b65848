//===- GPUModuleCompiler.cpp - One gpu.module through LLVM ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/GPUModuleCompiler.h"

#include "pipeline/codegen/llvm/FatalErrors.h"
#include "pipeline/common/Dependency.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace aircc {

StringRef getTargetChip(Attribute target) {
  if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
    return rocdl.getChip();
  if (auto xevm = dyn_cast<xevm::XeVMTargetAttr>(target))
    return xevm.getChip();
  return "";
}

void DeviceBackend::print(const llvm::Module &module,
                          llvm::SmallVectorImpl<char> &code) {
  llvm::raw_svector_ostream os(code);
  module.print(os, nullptr);
}

SmallVector<DeviceCode> collectDeviceCode(ModuleOp module) {
  SmallVector<DeviceCode> codes;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute attr : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      // The attribute of a bundle is that of its first target.
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
    if (auto used = binary->getAttrOfType<ArrayAttr>(
            kernel::KernelDialect::DeviceLibrariesAttrHelper::getNameStr()))
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
      "must have exactly one #rocdl.target or #xevm.target; run "
      "codegen-attach-target to add it");
}

FailureOr<GPUModuleCompiler>
GPUModuleCompiler::create(gpu::GPUModuleOp gpuModule, DeviceFormat format,
                          const DeviceLibraryOptions &libraries) {
  auto backend = createBackend(gpuModule, libraries);
  if (failed(backend))
    return mlir::failure();
  return GPUModuleCompiler(gpuModule.getLoc(), gpuModule.getTargetsAttr()[0],
                           std::move(*backend), format);
}

struct GPUModuleCompiler::LLVMState {
  llvm::LLVMContext context;
  DiagnosticCollector diagnostics{context};
  std::unique_ptr<llvm::Module> module;
};

GPUModuleCompiler::GPUModuleCompiler(Location loc, Attribute target,
                                     std::unique_ptr<DeviceBackend> backend,
                                     DeviceFormat format)
    : loc(loc), target(target), backend(std::move(backend)), format(format) {}

GPUModuleCompiler::GPUModuleCompiler(GPUModuleCompiler &&) noexcept = default;
GPUModuleCompiler::~GPUModuleCompiler() = default;

/// Returns the LLVM IR name of the callee of `op`, without the suffix for the
/// types of an overloaded intrinsic. Returns an empty string if `op` is not a
/// call.
static StringRef getCallee(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee().value_or("");
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin();
  // Most ROCDL ops have the name of the intrinsic that they become.
  StringRef name = op->getName().getStringRef();
  return name.starts_with("rocdl.") ? name : "";
}

LogicalResult GPUModuleCompiler::translate(gpu::GPUModuleOp gpuModule) {
  llvm::StringSet<> seen;
  gpuModule.walk([&](Operation *op) {
    StringRef callee = getCallee(op);
    if (!callee.empty() && seen.insert(callee).second)
      calls.emplace_back(callee, op->getLoc());
  });
  state = std::make_unique<LLVMState>();
  backend->prepareContext(state->context);
  state->module =
      translateModuleToLLVMIR(gpuModule, state->context, gpuModule.getName());
  return mlir::failure(!state->module);
}

/// The bitcode contains locations only if the code does as well (-g).
std::string GPUModuleCompiler::getCacheKey(CodeCache &cache) const {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(*state->module, os);
  CacheKey key;
  key.add("device code");
  cache.addGlobals(key);
  key.add(static_cast<uint64_t>(format)).add(bitcode);
  backend->addToKey(key, *state->module, cache);
  return key.get();
}

/// Sets the results of compile() from a cache entry. Returns false if it is not
/// valid.
bool GPUModuleCompiler::restore(StringRef entry) {
  CacheReader reader(entry);
  // Warnings and remarks.
  std::vector<LLVMMessage> restoredMessages(reader.getCount());
  for (LLVMMessage &message : restoredMessages) {
    message.severity = static_cast<llvm::DiagnosticSeverity>(reader.getCount());
    message.text = reader.getText();
    if (message.severity != llvm::DS_Warning &&
        message.severity != llvm::DS_Remark)
      return false;
  }
  std::vector<std::string> libraries(reader.getCount());
  for (std::string &library : libraries)
    library = reader.getText();
  StringRef restored = reader.getText();
  if (!reader.isAtEnd())
    return false;
  messages = std::move(restoredMessages);
  backend->setUsedLibraries(std::move(libraries));
  code = restored;
  return true;
}

void GPUModuleCompiler::store(CodeCache &cache, StringRef key) const {
  CacheWriter writer;
  writer.add(messages.size());
  for (const LLVMMessage &message : messages)
    writer.add(message.severity).add(message.text);
  writer.add(backend->getUsedLibraries().size());
  for (const std::string &library : backend->getUsedLibraries())
    writer.add(library);
  cache.store(key, writer.add(code).get());
}

void GPUModuleCompiler::compile(CodeCache *cache, MachinePool &machines) {
  std::string key;
  if (cache) {
    key = getCacheKey(*cache);
    std::optional<std::string> entry = cache->lookUp(key);
    if (entry && restore(*entry))
      return state.reset();
  }
  failure = backend->compile(*state->module, format, machines, code);
  messages = state->diagnostics.takeMessages();
  // A backend that failed may have left pointers to it anywhere.
  if (failure)
    (void)state.release();
  state.reset();
  backend->releaseMachine(machines);
  if (cache && !failure &&
      llvm::none_of(messages, [](auto &message) { return message.isError(); }))
    store(*cache, key);
}

LogicalResult GPUModuleCompiler::report() {
  LogicalResult result = aircc::report(messages, loc);
  if (failure) {
    InFlightDiagnostic diag = emitError(findCall(failure->callee))
                              << failure->message;
    if (failure->isMissingDependency)
      (void)markMissingDependency(std::move(diag));
    result = mlir::failure();
  }
  return result;
}

/// Returns whether a call to `callee`, as returned by getCallee, is a call to
/// the function or intrinsic `name`.
static bool isCallOf(StringRef callee, StringRef name) {
  if (callee == name)
    return true;
  std::string intrinsic = callee.str();
  if (callee.starts_with("rocdl."))
    intrinsic = "llvm.amdgcn." + callee.drop_front(strlen("rocdl.")).str();
  StringRef rest = intrinsic;
  return rest.starts_with("llvm.") && rest.consume_front(name) &&
         (rest.empty() || rest.starts_with("."));
}

/// Returns the first call of `callee` in the module, or the module.
Location GPUModuleCompiler::findCall(StringRef callee) const {
  if (!callee.empty())
    for (auto &[name, callLoc] : calls)
      if (isCallOf(name, callee))
        return callLoc;
  return loc;
}

ArrayAttr GPUModuleCompiler::getObjects() const {
  gpu::CompilationTarget kind = gpu::CompilationTarget::Binary;
  if (format == DeviceFormat::LLVM)
    kind = gpu::CompilationTarget::Offload;
  else if (format == DeviceFormat::Assembly)
    kind = gpu::CompilationTarget::Assembly;
  Builder b(loc.getContext());
  return b.getArrayAttr(gpu::ObjectAttr::get(
      target, kind, b.getStringAttr(code), /*properties=*/nullptr,
      /*kernels=*/nullptr));
}

ArrayAttr GPUModuleCompiler::getUsedLibraries() const {
  const std::vector<std::string> &libraries = backend->getUsedLibraries();
  if (libraries.empty())
    return nullptr;
  SmallVector<StringRef> files(libraries.begin(), libraries.end());
  return Builder(loc.getContext()).getStrArrayAttr(files);
}

} // namespace aircc
