//===- EmitHostObject.cpp - Host objects with embedded code ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code and device code go through two independent LLVM backends, so the
// host code is compiled while background threads compile the device code. The
// host code only needs the addresses of the code objects: it has a section for
// each of them, which is filled when both are complete.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/EmitHostObject.h"

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/link/EmitHost.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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

using namespace mlir;

namespace aircc {

//===----------------------------------------------------------------------===//
// Sections for code objects
//===----------------------------------------------------------------------===//

namespace {

/// The place of one code object in the host object: its bytes and their number,
/// in two separate sections.
struct CodeSection {
  std::string name; ///< Of the gpu.binary.
  Location loc;

  std::string getBytesSection() const { return ".rodata.aircc_code." + name; }
  std::string getSizeSection() const { return ".rodata.aircc_size." + name; }
};

} // namespace

/// A gpu.binary whose only object the translation embeds unchanged.
static bool isEmbedded(gpu::BinaryOp binary) {
  Attribute handler = binary.getOffloadingHandlerAttr();
  auto select = dyn_cast_or_null<gpu::SelectObjectAttr>(handler);
  return binary.getObjects().size() == 1 &&
         (!handler || (select && !select.getTarget()));
}

/// Creates the sections of the code object, with placeholder contents.
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
    // Without a symbol, whose size would be wrong, and without assumptions
    // about the contents.
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

/// Copies the host object with `codes` in the sections: appends their contents
/// at the end, and updates their headers. (LLVM's objcopy library can also
/// update sections, but 22.1 then uses freed sections when it writes symbols.)
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
// Host and device code
//===----------------------------------------------------------------------===//

LogicalResult emitHostObject(ModuleOp module, const HostSpec &host,
                             const HostCodeOptions &options,
                             llvm::SmallVectorImpl<char> &object) {
  HostCompiler hostCompiler(host, options, HostFormat::Object);
  if (failed(hostCompiler.translate(module)))
    return failure();
  SmallVector<CodeSection> sections;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    if (!isEmbedded(binary))
      continue;
    sections.push_back({binary.getSymName().str(), binary.getLoc()});
    if (failed(addSections(hostCompiler.getModule(), sections.back())))
      return failure();
  }

  hostCompiler.compile();
  LogicalResult deviceResult = finishDeviceCode(module);
  if (failed(hostCompiler.report(module.getLoc())) || failed(deviceResult))
    return failure();

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
