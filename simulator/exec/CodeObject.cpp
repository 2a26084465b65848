//===- CodeObject.cpp - A loaded AMDGPU code object -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <cstring>

using namespace aircc::sim;
using namespace llvm;
using ELFT = object::ELF64LE;

namespace {
/// The maximum number of bytes that the loaded segments and the gaps between
/// them may span, because damaged files can claim any size.
constexpr uint64_t kMaxBytes = uint64_t(512) << 20;
} // namespace

template <class... Ts>
static Error failure(const char *format, const Ts &...values) {
  return createStringError(inconvertibleErrorCode(), format, values...);
}

StringRef aircc::sim::processorInHeader(const object::ELFObjectFileBase &file) {
  // LLVM's function is undefined for numbers that it does not know.
  switch (unsigned mach = file.getPlatformFlags() & ELF::EF_AMDGPU_MACH) {
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X27:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X40:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X4B:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X4D:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X50:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X56:
  case ELF::EF_AMDGPU_MACH_AMDGCN_RESERVED_0X57:
    return {};
  default:
    if (mach < ELF::EF_AMDGPU_MACH_AMDGCN_FIRST ||
        mach > ELF::EF_AMDGPU_MACH_AMDGCN_LAST)
      return {};
    return file.tryGetCPUName().value_or("");
  }
}

Expected<std::unique_ptr<CodeObject>> CodeObject::load(StringRef image,
                                                       GlobalMemory &memory) {
  std::unique_ptr<CodeObject> object(new CodeObject(memory));
  if (Error error = object->readElf(image))
    return error;
  return object;
}

struct CodeObject::LineTables {
  std::unique_ptr<object::ObjectFile> file;
  std::unique_ptr<DWARFContext> context;
};

std::string CodeObject::sourceLine(uint64_t address) const {
  if (debugImage.empty())
    return {};
  std::lock_guard<std::mutex> lock(linesMutex);
  if (!lines) {
    lines = std::make_shared<LineTables>();
    Expected<std::unique_ptr<object::ObjectFile>> file =
        object::ObjectFile::createELFObjectFile(
            MemoryBufferRef(debugImage, "module"));
    if (file) {
      lines->file = std::move(*file);
      lines->context = DWARFContext::create(*lines->file);
    } else {
      consumeError(file.takeError());
    }
  }
  if (!lines->context)
    return {};
  const uint64_t bias = reinterpret_cast<uint64_t>(base) - lowest;
  DILineInfoSpecifier specifier(DILineInfoSpecifier::FileLineInfoKind::RawValue,
                                DILineInfoSpecifier::FunctionNameKind::None);
  std::optional<DILineInfo> info = lines->context->getLineInfoForAddress(
      {address - bias, object::SectionedAddress::UndefSection}, specifier);
  if (!info || info->FileName == DILineInfo::BadString || !info->Line)
    return {};
  return info->FileName + ":" + std::to_string(info->Line) + ":" +
         std::to_string(info->Column);
}

CodeObject::~CodeObject() {
  if (base)
    memory.release(base);
}

const Kernel *CodeObject::findKernel(const std::string &name) const {
  auto it = kernels.find(name);
  return it == kernels.end() ? nullptr : &it->second;
}

uint64_t CodeObject::symbolAddress(const std::string &name) const {
  auto it = symbols.find(name);
  return it == symbols.end() ? 0 : it->second;
}

std::string CodeObject::textAt(const std::string &name) const {
  const uint64_t begin = reinterpret_cast<uint64_t>(base), end = begin + span;
  const uint64_t variable = symbolAddress(name);
  if (!isLoaded(variable, sizeof(uint64_t)))
    return "";
  uint64_t address;
  std::memcpy(&address, reinterpret_cast<const char *>(variable),
              sizeof(address));
  if (address < begin || address >= end)
    return "";
  const char *text = reinterpret_cast<const char *>(address);
  return std::string(text, strnlen(text, end - address));
}

bool CodeObject::isLoaded(uint64_t address, uint64_t bytes) const {
  const uint64_t offset = address - reinterpret_cast<uint64_t>(base);
  return offset <= span && bytes <= span - offset;
}

bool CodeObject::isCode(uint64_t address, uint64_t &end) const {
  for (const MemoryRange &range : executable)
    if (address >= range.begin && address < range.end) {
      end = range.end;
      return true;
    }
  return false;
}

/// Reads the parts of an ELF file into a CodeObject.
class CodeObject::ElfReader {
public:
  ElfReader(CodeObject &to, StringRef image,
            const object::ELFObjectFile<ELFT> &file)
      : to(to), image(image), file(file), elf(file.getELFFile()) {}

  Error read();

private:
  using Section = object::ELFFile<ELFT>::Elf_Shdr;
  using Sections = object::ELFFile<ELFT>::Elf_Shdr_Range;
  using Segments = object::ELFFile<ELFT>::Elf_Phdr_Range;
  using Relocation = object::ELFFile<ELFT>::Elf_Rela;

  Error readHeader();
  Error measureSegments(Segments segments);
  Error loadSegments(Segments segments);
  void findLineTables(Sections sections);
  Error readSymbols(Sections sections);
  Error readSymbolTable(const Section &section);
  Error relocate(Sections sections);
  Error applyRelocation(const Relocation &relocation,
                        const Section &symbolTable);
  Expected<uint64_t> relocatedValue(const Relocation &relocation,
                                    const Section &symbolTable);
  Error readNotes(Segments segments);

  CodeObject &to;
  StringRef image;
  const object::ELFObjectFile<ELFT> &file;
  const object::ELFFile<ELFT> &elf;
  uint64_t bias = 0; ///< The loaded address minus the virtual address.
};

Error CodeObject::readElf(StringRef image) {
  Expected<std::unique_ptr<object::ObjectFile>> parsed =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(image, "module"));
  if (!parsed)
    return parsed.takeError();
  auto *file = dyn_cast<object::ELFObjectFile<ELFT>>(parsed->get());
  if (!file || file->getELFFile().getHeader().e_machine != ELF::EM_AMDGPU)
    return failure("the code object is not a 64-bit AMDGPU ELF file");
  if (Error error = ElfReader(*this, image, *file).read())
    return error;
  completeFunctions();
  return Error::success();
}

Error CodeObject::ElfReader::read() {
  if (Error error = readHeader())
    return error;
  auto segments = elf.program_headers();
  if (!segments)
    return segments.takeError();
  if (Error error = measureSegments(*segments))
    return error;
  if (Error error = loadSegments(*segments))
    return error;
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  findLineTables(*sections);
  if (Error error = readSymbols(*sections))
    return error;
  if (Error error = relocate(*sections))
    return error;
  return readNotes(*segments);
}

Error CodeObject::ElfReader::readHeader() {
  const auto &header = elf.getHeader();
  unsigned abi = header.e_ident[ELF::EI_ABIVERSION];
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA ||
      abi < ELF::ELFABIVERSION_AMDGPU_HSA_V4 ||
      abi > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return failure("the code object has HSA ABI version byte %u; code object "
                   "versions 4 to 6 are supported",
                   abi);
  if (header.e_type != ELF::ET_DYN)
    return failure("the code object is not linked (it is not a shared object); "
                   "link it with lld first");
  StringRef cpu = processorInHeader(file);
  std::optional<Chip> chip = Chip::parse(cpu);
  if (!chip)
    return failure("the code object is for processor '%s', which the simulator "
                   "does not simulate",
                   cpu.str().c_str());
  to.target = *chip;
  return Error::success();
}

/// Finds the range of virtual addresses that the segments span.
Error CodeObject::ElfReader::measureSegments(Segments segments) {
  uint64_t highest = 0;
  to.lowest = UINT64_MAX;
  for (const auto &header : segments) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    if (header.p_offset > image.size() ||
        header.p_filesz > image.size() - header.p_offset ||
        header.p_filesz > header.p_memsz)
      return failure("the code object is truncated");
    if (header.p_memsz > UINT64_MAX - header.p_vaddr)
      return failure("a segment of the code object ends past the last "
                     "address");
    to.lowest = std::min<uint64_t>(to.lowest, header.p_vaddr);
    highest = std::max<uint64_t>(highest, header.p_vaddr + header.p_memsz);
  }
  if (to.lowest >= highest)
    return failure("the code object has nothing to load");
  to.lowest &= ~uint64_t(4095);
  to.span = highest - to.lowest;
  if (to.span > kMaxBytes)
    return failure("the segments of the code object span %llu bytes of memory; "
                   "the simulator supports at most %llu",
                   (unsigned long long)to.span, (unsigned long long)kMaxBytes);
  return Error::success();
}

Error CodeObject::ElfReader::loadSegments(Segments segments) {
  to.base = static_cast<char *>(to.memory.allocate(to.span));
  if (!to.base)
    return failure("no memory for a code object of %llu bytes",
                   (unsigned long long)to.span);
  // Execution that runs past the end of the code must find zeros, which decode
  // to no instruction.
  std::memset(to.base, 0, to.span);
  bias = reinterpret_cast<uint64_t>(to.base) - to.lowest;
  for (const auto &header : segments) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    std::memcpy(to.base + (header.p_vaddr - to.lowest),
                image.data() + header.p_offset, header.p_filesz);
    // The zeros after the file's bytes are not code.
    if (header.p_flags & ELF::PF_X)
      to.executable.push_back(
          {bias + header.p_vaddr, bias + header.p_vaddr + header.p_filesz});
  }
  return Error::success();
}

/// Keeps the file if it has line tables.
void CodeObject::ElfReader::findLineTables(Sections sections) {
  for (const auto &section : sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      consumeError(name.takeError());
    else if (*name == ".debug_line")
      to.debugImage = image.str();
  }
}

Error CodeObject::ElfReader::readSymbols(Sections sections) {
  for (const auto &section : sections)
    if (section.sh_type == ELF::SHT_SYMTAB ||
        section.sh_type == ELF::SHT_DYNSYM)
      if (Error error = readSymbolTable(section))
        return error;
  llvm::sort(to.code, [](const CodeSymbol &a, const CodeSymbol &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  to.code.erase(std::unique(to.code.begin(), to.code.end(),
                            [](const CodeSymbol &a, const CodeSymbol &b) {
                              return a.address == b.address && a.name == b.name;
                            }),
                to.code.end());
  return Error::success();
}

Error CodeObject::ElfReader::readSymbolTable(const Section &section) {
  auto table = elf.symbols(&section);
  if (!table)
    return table.takeError();
  auto strings = elf.getStringTableForSymtab(section);
  if (!strings)
    return strings.takeError();
  for (const auto &symbol : *table) {
    auto name = symbol.getName(*strings);
    if (!name)
      return name.takeError();
    if (symbol.st_shndx == ELF::SHN_UNDEF || name->empty() ||
        symbol.st_shndx >= ELF::SHN_LORESERVE)
      continue;
    const uint64_t address = bias + symbol.st_value;
    to.symbols[name->str()] = address;
    uint64_t end = 0;
    if (symbol.getType() == ELF::STT_FUNC && to.isCode(address, end))
      to.code.push_back({address,
                         std::min<uint64_t>(symbol.st_size, end - address),
                         name->str()});
  }
  return Error::success();
}

/// Applies the dynamic relocations.
Error CodeObject::ElfReader::relocate(Sections sections) {
  for (const auto &section : sections) {
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    auto relocations = elf.relas(section);
    if (!relocations)
      return relocations.takeError();
    auto table = elf.getSection(section.sh_link);
    if (!table)
      return table.takeError();
    for (const auto &relocation : *relocations)
      if (Error error = applyRelocation(relocation, **table))
        return error;
  }
  return Error::success();
}

Error CodeObject::ElfReader::applyRelocation(const Relocation &relocation,
                                             const Section &symbolTable) {
  const uint64_t address = bias + relocation.r_offset;
  if (!to.isLoaded(address, 8))
    return failure("a relocation is outside the code object");
  Expected<uint64_t> value = relocatedValue(relocation, symbolTable);
  if (!value)
    return value.takeError();
  char *at = reinterpret_cast<char *>(address);
  uint32_t low = static_cast<uint32_t>(*value);
  uint32_t high = static_cast<uint32_t>(*value >> 32);
  switch (relocation.getType(false)) {
  case ELF::R_AMDGPU_RELATIVE64:
  case ELF::R_AMDGPU_ABS64:
    std::memcpy(at, &*value, 8);
    break;
  case ELF::R_AMDGPU_ABS32:
  case ELF::R_AMDGPU_ABS32_LO:
    std::memcpy(at, &low, 4);
    break;
  case ELF::R_AMDGPU_ABS32_HI:
    std::memcpy(at, &high, 4);
    break;
  default:
    return failure("relocation type %u of the code object is not supported",
                   unsigned(relocation.getType(false)));
  }
  return Error::success();
}

Expected<uint64_t>
CodeObject::ElfReader::relocatedValue(const Relocation &relocation,
                                      const Section &symbolTable) {
  const uint64_t addend = relocation.r_addend;
  if (relocation.getType(false) == ELF::R_AMDGPU_RELATIVE64)
    return addend + bias;
  auto symbol = elf.getRelocationSymbol(relocation, &symbolTable);
  if (!symbol)
    return symbol.takeError();
  auto strings = elf.getStringTableForSymtab(symbolTable);
  if (!strings)
    return strings.takeError();
  if (!*symbol)
    return addend;
  auto name = (*symbol)->getName(*strings);
  if (!name)
    return name.takeError();
  const uint64_t address = to.symbolAddress(name->str());
  if (!address)
    return failure("symbol '%s' of the code object is not defined",
                   name->str().c_str());
  return addend + address;
}

/// Reads the metadata, which lists the kernels.
Error CodeObject::ElfReader::readNotes(Segments segments) {
  bool found = false;
  for (const auto &header : segments) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : elf.notes(header, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != ELF::NT_AMDGPU_METADATA || found)
        continue;
      found = true;
      ArrayRef<uint8_t> desc = note.getDesc(header.p_align);
      if (Error failed = to.readMetadata(StringRef(
              reinterpret_cast<const char *>(desc.data()), desc.size()))) {
        consumeError(std::move(error));
        return failed;
      }
    }
    if (error)
      return error;
  }
  if (!found)
    return failure("the code object has no AMDGPU metadata");
  return Error::success();
}

/// Adds the kernels whose symbols are not marked as functions, and missing
/// sizes.
void CodeObject::completeFunctions() {
  for (const auto &[name, kernel] : kernels)
    if (llvm::none_of(code, [&, entry = kernel.entry](const CodeSymbol &known) {
          return known.address == entry;
        }))
      code.push_back({kernel.entry, 0, name});
  llvm::sort(code, [](const CodeSymbol &a, const CodeSymbol &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  uint64_t next = UINT64_MAX;
  for (size_t i = code.size(); i-- > 0;) {
    if (i + 1 < code.size() && code[i + 1].address != code[i].address)
      next = code[i + 1].address;
    uint64_t end;
    if (!code[i].size && isCode(code[i].address, end))
      code[i].size = std::min(end, next) - code[i].address;
  }
}

const CodeSymbol *CodeObject::findFunction(uint64_t address) const {
  for (const CodeSymbol &symbol : code)
    if (address >= symbol.address && address - symbol.address < symbol.size)
      return &symbol;
  return nullptr;
}

std::string CodeObject::describeAddress(uint64_t address) const {
  std::string text = "0x" + utohexstr(address, /*LowerCase=*/true);
  if (const CodeSymbol *function = findFunction(address))
    text += " (" + function->name + "+0x" +
            utohexstr(address - function->address, /*LowerCase=*/true) + ")";
  return text;
}
