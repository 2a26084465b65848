//===- EmitHostObject.cpp - Host objects with device code in them ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of a program go through two LLVM backends that have nothing to
// do with each other, so they are compiled at the same time. All that the host
// half needs to know of the other is where the code objects will be: it gets a
// section for each of them, which is filled when both halves are done.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/EmitHostObject.h"

#include "pipeline/codegen/RunConcurrently.h"
#include "pipeline/codegen/llvm/GPUModuleCompiler.h"
#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"
#include "pipeline/link/EmitHost.h"
#include "pipeline/link/LinkELF.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <functional>

using namespace mlir;

namespace aircc {

//===----------------------------------------------------------------------===//
// Pending device code
//===----------------------------------------------------------------------===//

namespace {

/// One gpu.module on its way to a code object.
struct PendingModule {
  explicit PendingModule(GPUModuleCompiler compiler)
      : compiler(std::move(compiler)) {}

  /// To a code object; may run in any thread.
  void compile() {
    compiler.compile();
    if (isSPIRV(compiler.getCode())) {
      // The device's compiler links it.
      codeObject = compiler.getCode();
      return;
    }
    if (!compiler.getCode().empty())
      if (llvm::Error error =
              linkCodeObject(compiler.getCode().str(), codeObject))
        linkProblem = llvm::toString(std::move(error));
  }

  LogicalResult report() {
    if (failed(compiler.report()))
      return failure();
    if (!linkProblem.empty())
      return compiler.getModule().emitError() << linkProblem;
    return success();
  }

  GPUModuleCompiler compiler;
  llvm::SmallString<0> codeObject;
  std::string linkProblem;
  gpu::BinaryOp placeholder;
};

using PendingModules = std::vector<PendingModule>;

} // namespace

static LogicalResult translatePending(ModuleOp module,
                                      const DeviceLibraryOptions &libraries,
                                      PendingModules &pending) {
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    auto compiler =
        GPUModuleCompiler::create(gpuModule, DeviceFormat::Object, libraries);
    if (failed(compiler) || failed(compiler->translate()))
      return failure();
    pending.emplace_back(std::move(*compiler));
  }
  return success();
}

static std::vector<std::function<void()>> makeTasks(PendingModules &pending) {
  std::vector<std::function<void()>> tasks;
  for (PendingModule &one : pending)
    tasks.push_back([&one] { one.compile(); });
  return tasks;
}

static LogicalResult reportAll(PendingModules &pending) {
  bool failedAny = false;
  for (PendingModule &one : pending)
    failedAny |= failed(one.report());
  return failure(failedAny);
}

/// Puts gpu.binary ops with code objects in the place of the modules.
static void replaceModules(PendingModules &pending) {
  for (PendingModule &one : pending) {
    one.compiler.getCode() = one.codeObject;
    one.compiler.replaceModule();
  }
}

LogicalResult compilePending(ModuleOp module,
                             const DeviceLibraryOptions &libraries) {
  PendingModules pending;
  if (failed(translatePending(module, libraries, pending)))
    return failure();
  runConcurrently(makeTasks(pending));
  if (failed(reportAll(pending)))
    return failure();
  replaceModules(pending);
  return success();
}

//===----------------------------------------------------------------------===//
// Sections for code objects
//===----------------------------------------------------------------------===//

namespace {

/// Where the host object has one code object: its bytes and their number in two
/// sections of their own.
struct CodeSection {
  std::string name; ///< Of the gpu.binary.
  Location loc;

  std::string getBytesSection() const { return ".rodata.aircc_code." + name; }
  std::string getSizeSection() const { return ".rodata.aircc_size." + name; }
};

} // namespace

/// A gpu.binary whose one object the translation embeds as it is.
static bool isEmbedded(gpu::BinaryOp binary) {
  Attribute handler = binary.getOffloadingHandlerAttr();
  auto select = dyn_cast_or_null<gpu::SelectObjectAttr>(handler);
  return binary.getObjects().size() == 1 &&
         (!handler || (select && !select.getTarget()));
}

/// Gives the code object its sections, with something in them.
static LogicalResult addSections(llvm::Module &module,
                                 const CodeSection &section) {
  // The name that the translation of gpu.binary gives to the bytes.
  llvm::GlobalVariable *embedded = module.getGlobalVariable(
      section.name + "_binary", /*AllowInternal=*/true);
  if (!embedded)
    return emitError(section.loc, "its translation has no variable for the "
                                  "code");
  auto define = [&](llvm::Constant *value, const std::string &sectionName,
                    uint64_t alignment) {
    // No symbol: its size would not be right. And no assumption about what is
    // in it.
    auto *variable = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, value, sectionName);
    variable->setExternallyInitialized(true);
    variable->setSection(sectionName);
    variable->setAlignment(llvm::Align(alignment));
    return variable;
  };
  llvm::Type *i64 = llvm::Type::getInt64Ty(module.getContext());
  llvm::GlobalVariable *bytes =
      define(llvm::ConstantInt::get(i64, 0), section.getBytesSection(), 64);
  llvm::GlobalVariable *size =
      define(llvm::ConstantInt::get(i64, 0), section.getSizeSection(), 8);
  for (llvm::User *user : embedded->users()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->arg_size() != 2 || call->getArgOperand(0) != embedded)
      return emitError(section.loc, "its translation uses the code in an "
                                    "unknown way");
    llvm::IRBuilder<> b(call);
    call->setArgOperand(1, b.CreateLoad(i64, size));
  }
  embedded->replaceAllUsesWith(bytes);
  embedded->eraseFromParent();
  return success();
}

/// Copies the host object with `codes` in the sections: their contents go
/// behind all else, and their headers say where. (LLVM's objcopy library
/// updates sections too, but 22.1 then writes symbols by the sections that it
/// has freed.)
static llvm::Error fillSections(StringRef hostObject,
                                ArrayRef<CodeSection> sections,
                                ArrayRef<StringRef> codes,
                                llvm::SmallVectorImpl<char> &object) {
  using ELFFile = llvm::object::ELFFile<llvm::object::ELF64LE>;
  llvm::Expected<ELFFile> file = ELFFile::create(hostObject);
  if (!file)
    return file.takeError();
  llvm::Expected<ELFFile::Elf_Shdr_Range> headers = file->sections();
  if (!headers)
    return headers.takeError();

  object.assign(hostObject.begin(), hostObject.end());
  auto fill = [&](const std::string &name, StringRef bytes) -> llvm::Error {
    for (const ELFFile::Elf_Shdr &known : *headers) {
      llvm::Expected<StringRef> knownName = file->getSectionName(known);
      if (!knownName)
        return knownName.takeError();
      if (*knownName != name)
        continue;
      ELFFile::Elf_Shdr header = known;
      object.resize(llvm::alignTo(object.size(), header.sh_addralign));
      header.sh_offset = object.size();
      header.sh_size = bytes.size();
      object.append(bytes.begin(), bytes.end());
      size_t place = reinterpret_cast<const char *>(&known) - hostObject.data();
      std::memcpy(object.data() + place, &header, sizeof(header));
      return llvm::Error::success();
    }
    return llvm::createStringError("the host object has no section '" + name +
                                   "'");
  };
  for (auto [section, code] : llvm::zip_equal(sections, codes)) {
    char size[sizeof(uint64_t)];
    llvm::support::endian::write64le(size, code.size());
    if (llvm::Error error = fill(section.getBytesSection(), code))
      return error;
    if (llvm::Error error =
            fill(section.getSizeSection(), StringRef(size, sizeof(size))))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Both halves
//===----------------------------------------------------------------------===//

/// For the translation of the host code, code objects are in the place of the
/// pending modules for a while.
static void addPlaceholders(PendingModules &pending) {
  for (PendingModule &one : pending) {
    gpu::GPUModuleOp gpuModule = one.compiler.getModule();
    OpBuilder b(gpuModule);
    Attribute nothing = gpu::ObjectAttr::get(
        gpuModule.getTargetsAttr()[0], gpu::CompilationTarget::Binary,
        b.getStringAttr("pending"), /*properties=*/nullptr,
        /*kernels=*/nullptr);
    one.placeholder =
        gpu::BinaryOp::create(b, gpuModule.getLoc(), gpuModule.getName(),
                              nullptr, ArrayRef<Attribute>(nothing));
    gpuModule->remove();
  }
}

static void removePlaceholders(PendingModules &pending) {
  for (PendingModule &one : pending) {
    one.placeholder->getBlock()->getOperations().insert(
        one.placeholder->getIterator(), one.compiler.getModule());
    one.placeholder.erase();
  }
}

LogicalResult emitHostObject(ModuleOp module, const HostSpec &host,
                             const HostCodeOptions &options,
                             llvm::SmallVectorImpl<char> &object) {
  PendingModules pending;
  if (options.device &&
      failed(translatePending(module, *options.device, pending)))
    return failure();

  HostCompiler hostCompiler(host, options, HostFormat::Object);
  SmallVector<CodeSection> sections;
  addPlaceholders(pending);
  LogicalResult translated = hostCompiler.translate(module);
  for (auto binary : module.getOps<gpu::BinaryOp>())
    if (succeeded(translated) && isEmbedded(binary)) {
      sections.push_back({binary.getSymName().str(), binary.getLoc()});
      translated = addSections(hostCompiler.getModule(), sections.back());
    }
  removePlaceholders(pending);
  if (failed(translated))
    return failure();

  std::vector<std::function<void()>> tasks = makeTasks(pending);
  tasks.push_back([&] { hostCompiler.compile(); });
  runConcurrently(std::move(tasks));
  LogicalResult deviceResult = reportAll(pending);
  if (failed(hostCompiler.report(module.getLoc())) || failed(deviceResult))
    return failure();
  // The module now is what it would be had the stages run one after another.
  replaceModules(pending);

  SmallVector<StringRef> codes;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    if (isEmbedded(binary))
      codes.push_back(
          cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject());
  if (llvm::Error error =
          fillSections(hostCompiler.getCode(), sections, codes, object))
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}

} // namespace aircc
