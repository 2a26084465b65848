//===- EmitHostObject.cpp - Host objects with embedded code ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Host code and device code go through two independent LLVM backends, so the
// host code is compiled while background threads compile the device code. The
// host code only needs the addresses of the code objects: it contains a section
// for each of them, which is filled when both are complete.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/EmitHostObject.h"

#include "pipeline/codegen/DeviceCodeJobs.h"
#include "pipeline/link/EmitHost.h"
#include "pipeline/link/constants/LargeConstants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace aircc {

//===----------------------------------------------------------------------===//
// Sections for code objects
//===----------------------------------------------------------------------===//

namespace {

/// The location of one code object in the host object: its bytes and their
/// number, in two separate sections.
struct CodeSection {
  std::string name; ///< The name of the gpu.binary.
  Location loc;

  std::string getBytesSection() const { return ".rodata.aircc_code." + name; }
  std::string getSizeSection() const { return ".rodata.aircc_size." + name; }
};

} // namespace

/// Returns whether the translation embeds the only object of a gpu.binary
/// unchanged.
static bool isEmbedded(gpu::BinaryOp binary) {
  Attribute handler = binary.getOffloadingHandlerAttr();
  auto select = dyn_cast_or_null<gpu::SelectObjectAttr>(handler);
  return binary.getObjects().size() == 1 &&
         (!handler || (select && !select.getTarget()));
}

/// Creates the sections for the code object, with placeholder contents.
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
    // Create it without a symbol, whose size would be wrong, and without
    // assumptions about the contents.
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

/// The contents for a section with placeholder contents.
struct SectionContents {
  std::string section;
  StringRef bytes;
  bool mayBeUnused = false;
};

using ELFFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// Writes the contents of sections into an object: appends them at the end, and
/// updates headers and the sizes of symbols. (LLVM's objcopy library can also
/// update sections, but in LLVM 22.1 it then uses freed sections when it writes
/// symbols.)
class SectionFiller {
public:
  /// `object.start` is the object with placeholders.
  static llvm::Expected<SectionFiller> create(HostCode &object) {
    llvm::Expected<ELFFile> file = ELFFile::create(object.start);
    if (!file)
      return file.takeError();
    SectionFiller filler(object);
    if (llvm::Error error = filler.collect(*file))
      return std::move(error);
    return filler;
  }

  llvm::Error fill(const SectionContents &contents) {
    auto found = sections.find(contents.section);
    if (found == sections.end()) {
      if (contents.mayBeUnused)
        return llvm::Error::success();
      return llvm::createStringError("the host object has no section '" +
                                     contents.section + "'");
    }
    Section &section = found->second;
    align(section.header->sh_addralign);
    section.header->sh_offset = size;
    section.header->sh_size = contents.bytes.size();
    append(contents.bytes);
    for (ELFFile::Elf_Sym *symbol : section.symbols)
      symbol->st_size = contents.bytes.size();
    return llvm::Error::success();
  }

private:
  struct Section {
    ELFFile::Elf_Shdr *header;
    SmallVector<ELFFile::Elf_Sym *, 1> symbols; ///< The symbols of its
                                                ///< contents.
  };

  explicit SectionFiller(HostCode &object)
      : object(object), size(object.start.size()) {}

  /// Collects headers and symbols. They are in `object`, which is writable.
  llvm::Error collect(const ELFFile &file) {
    llvm::Expected<ELFFile::Elf_Shdr_Range> headers = file.sections();
    if (!headers)
      return headers.takeError();
    std::vector<Section *> byIndex;
    for (const ELFFile::Elf_Shdr &header : *headers) {
      llvm::Expected<StringRef> name = file.getSectionName(header);
      if (!name)
        return name.takeError();
      Section section = {const_cast<ELFFile::Elf_Shdr *>(&header), {}};
      byIndex.push_back(&sections.try_emplace(*name, section).first->second);
    }
    for (const ELFFile::Elf_Shdr &header : *headers) {
      if (header.sh_type != llvm::ELF::SHT_SYMTAB)
        continue;
      auto symbols = file.symbols(&header);
      if (!symbols)
        return symbols.takeError();
      for (const ELFFile::Elf_Sym &symbol : *symbols)
        if (symbol.getType() == llvm::ELF::STT_OBJECT &&
            symbol.st_shndx < byIndex.size())
          byIndex[symbol.st_shndx]->symbols.push_back(
              const_cast<ELFFile::Elf_Sym *>(&symbol));
    }
    return llvm::Error::success();
  }

  void append(StringRef bytes) {
    object.rest.push_back(bytes);
    size += bytes.size();
  }

  void align(uint64_t alignment) {
    static constexpr char zeros[4096] = {};
    uint64_t padding =
        llvm::alignTo(size, std::max<uint64_t>(alignment, 1)) - size;
    for (; padding > 0; padding -= std::min(padding, sizeof(zeros)))
      append(StringRef(zeros, std::min(padding, sizeof(zeros))));
  }

  HostCode &object;
  llvm::StringMap<Section> sections;
  uint64_t size;
};

/// `object` receives the object with the contents.
static llvm::Error fillSections(ArrayRef<SectionContents> sections,
                                HostCode &object) {
  llvm::Expected<SectionFiller> filler = SectionFiller::create(object);
  if (!filler)
    return filler.takeError();
  for (const SectionContents &contents : sections)
    if (llvm::Error error = filler->fill(contents))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Host and device code
//===----------------------------------------------------------------------===//

/// Adds the sections of code objects and of their sizes.
static void addCodes(ModuleOp module, std::vector<SectionContents> &contents) {
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    if (!isEmbedded(binary))
      continue;
    auto code = cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject();
    CodeSection section = {binary.getSymName().str(), binary.getLoc()};
    char size[sizeof(uint64_t)];
    llvm::support::endian::write64le(size, code.size());
    auto owned =
        StringAttr::get(module.getContext(), StringRef(size, sizeof(size)));
    contents.push_back({section.getBytesSection(), code.getValue()});
    contents.push_back({section.getSizeSection(), owned.getValue()});
  }
}

LogicalResult emitHostObject(ModuleOp module, const HostSpec &host,
                             const HostCodeOptions &options, HostCode &object) {
  LargeConstants constants(module);
  HostCompiler hostCompiler(host, options, HostFormat::Object);
  if (failed(hostCompiler.translate(module)) ||
      failed(constants.useSections(hostCompiler.getModule())))
    return failure();
  for (auto binary : module.getOps<gpu::BinaryOp>())
    if (isEmbedded(binary) &&
        failed(addSections(hostCompiler.getModule(),
                           {binary.getSymName().str(), binary.getLoc()})))
      return failure();

  hostCompiler.compile();
  LogicalResult deviceResult = finishDeviceCode(module);
  if (failed(hostCompiler.report(module.getLoc())) || failed(deviceResult))
    return failure();

  std::vector<SectionContents> contents;
  addCodes(module, contents);
  for (const LargeConstant &constant : constants.get())
    contents.push_back({constant.getSection(), constant.bytes,
                        /*mayBeUnused=*/true});
  object.start = hostCompiler.takeCode();
  object.hasLargeConstants = !constants.get().empty();
  if (llvm::Error error = fillSections(contents, object))
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}

} // namespace aircc
