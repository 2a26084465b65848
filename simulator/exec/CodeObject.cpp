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
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <cstring>

using namespace aircc::sim;
using namespace llvm;
using ELFT = object::ELF64LE;

namespace {
/// What the loaded segments of a code object may take, with what lies between
/// them: damaged files ask for anything.
constexpr uint64_t kMaxBytes = uint64_t(512) << 20;
/// Of the arguments of a kernel; HIP and HSA take 4 KiB.
constexpr uint64_t kMaxKernargBytes = uint64_t(1) << 20;
} // namespace

template <class... Ts>
static Error failure(const char *format, const Ts &...values) {
  return createStringError(inconvertibleErrorCode(), format, values...);
}

StringRef aircc::sim::processorInHeader(const object::ELFObjectFileBase &file) {
  // LLVM takes for granted that it knows the number.
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

Error CodeObject::readElf(StringRef image) {
  Expected<std::unique_ptr<object::ObjectFile>> parsed =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(image, "module"));
  if (!parsed)
    return parsed.takeError();
  auto *file = dyn_cast<object::ELFObjectFile<ELFT>>(parsed->get());
  if (!file || file->getELFFile().getHeader().e_machine != ELF::EM_AMDGPU)
    return failure("the code object is no 64-bit AMDGPU ELF file");
  const object::ELFFile<ELFT> &elf = file->getELFFile();

  unsigned abi = elf.getHeader().e_ident[ELF::EI_ABIVERSION];
  if (elf.getHeader().e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA ||
      abi < ELF::ELFABIVERSION_AMDGPU_HSA_V4 ||
      abi > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return failure("the code object has HSA ABI version byte %u; versions 4 "
                   "to 6 of code objects are understood",
                   abi);
  if (elf.getHeader().e_type != ELF::ET_DYN)
    return failure("the code object is not linked (it is no shared object); "
                   "link it with lld first");
  StringRef cpu = processorInHeader(*file);
  std::optional<Chip> chip = Chip::parse(cpu);
  if (!chip)
    return failure("the code object is for processor '%s', which the simulator "
                   "does not simulate",
                   cpu.str().c_str());
  target = *chip;

  // Segments.
  auto headers = elf.program_headers();
  if (!headers)
    return headers.takeError();
  uint64_t highest = 0;
  lowest = UINT64_MAX;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    if (header.p_offset > image.size() ||
        header.p_filesz > image.size() - header.p_offset ||
        header.p_filesz > header.p_memsz)
      return failure("the code object is cut short");
    if (header.p_memsz > UINT64_MAX - header.p_vaddr)
      return failure("a segment of the code object ends behind the last "
                     "address");
    lowest = std::min<uint64_t>(lowest, header.p_vaddr);
    highest = std::max<uint64_t>(highest, header.p_vaddr + header.p_memsz);
  }
  if (lowest >= highest)
    return failure("the code object has nothing to load");
  lowest &= ~uint64_t(4095);
  span = highest - lowest;
  if (span > kMaxBytes)
    return failure("the segments of the code object span %llu bytes of memory; "
                   "the simulator loads %llu at most",
                   (unsigned long long)span, (unsigned long long)kMaxBytes);
  base = static_cast<char *>(memory.allocate(span));
  if (!base)
    return failure("no memory for a code object of %llu bytes",
                   (unsigned long long)span);
  // Code that runs past its end must not find a plausible instruction.
  std::memset(base, 0, span);
  uint64_t bias = reinterpret_cast<uint64_t>(base) - lowest;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    std::memcpy(base + (header.p_vaddr - lowest),
                image.data() + header.p_offset, header.p_filesz);
    // Code comes from the file: zeros behind it are none.
    if (header.p_flags & ELF::PF_X)
      executable.push_back(
          {bias + header.p_vaddr, bias + header.p_vaddr + header.p_filesz});
  }

  // Symbols.
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      consumeError(name.takeError());
    else if (*name == ".debug_line")
      debugImage = image.str();
  }
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB &&
        section.sh_type != ELF::SHT_DYNSYM)
      continue;
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
      symbols[name->str()] = address;
      uint64_t end = 0;
      if (symbol.getType() == ELF::STT_FUNC && isCode(address, end))
        code.push_back({address,
                        std::min<uint64_t>(symbol.st_size, end - address),
                        name->str()});
    }
  }
  llvm::sort(code, [](const CodeSymbol &a, const CodeSymbol &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  code.erase(std::unique(code.begin(), code.end(),
                         [](const CodeSymbol &a, const CodeSymbol &b) {
                           return a.address == b.address && a.name == b.name;
                         }),
             code.end());

  // Dynamic relocations.
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    auto relocations = elf.relas(section);
    if (!relocations)
      return relocations.takeError();
    auto table = elf.getSection(section.sh_link);
    if (!table)
      return table.takeError();
    for (const auto &reloc : *relocations) {
      uint64_t place = bias + reloc.r_offset;
      if (!isLoaded(place, 8))
        return failure("a relocation lies outside of the code object");
      uint64_t value = reloc.r_addend;
      if (reloc.getType(false) == ELF::R_AMDGPU_RELATIVE64) {
        value += bias;
      } else {
        auto symbol = elf.getRelocationSymbol(reloc, *table);
        if (!symbol)
          return symbol.takeError();
        auto strings = elf.getStringTableForSymtab(**table);
        if (!strings)
          return strings.takeError();
        StringRef name;
        if (*symbol) {
          auto found = (*symbol)->getName(*strings);
          if (!found)
            return found.takeError();
          name = *found;
          uint64_t address = symbolAddress(name.str());
          if (!address)
            return failure("symbol '%s' of the code object is not defined",
                           name.str().c_str());
          value += address;
        }
      }
      char *at = reinterpret_cast<char *>(place);
      uint32_t low = static_cast<uint32_t>(value);
      uint32_t high = static_cast<uint32_t>(value >> 32);
      switch (reloc.getType(false)) {
      case ELF::R_AMDGPU_RELATIVE64:
      case ELF::R_AMDGPU_ABS64:
        std::memcpy(at, &value, 8);
        break;
      case ELF::R_AMDGPU_ABS32:
      case ELF::R_AMDGPU_ABS32_LO:
        std::memcpy(at, &low, 4);
        break;
      case ELF::R_AMDGPU_ABS32_HI:
        std::memcpy(at, &high, 4);
        break;
      default:
        return failure("relocation type %u of the code object is not known",
                       unsigned(reloc.getType(false)));
      }
    }
  }

  // Metadata, which lists the kernels.
  bool found = false;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : elf.notes(header, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != ELF::NT_AMDGPU_METADATA || found)
        continue;
      found = true;
      ArrayRef<uint8_t> desc = note.getDesc(header.p_align);
      if (Error failed = readMetadata(StringRef(
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
  completeFunctions();
  return Error::success();
}

/// Adds the kernels whose symbols do not say that they are functions, and the
/// sizes that are missing.
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

/// Whether the metadata can be given to msgpack::Document, which takes for
/// granted that keys are comparable and that collections are as long as they
/// say.
static bool isWellFormed(StringRef note) {
  struct Level {
    size_t left; ///< Objects that follow.
    bool isMap;  ///< They are keys and values in turn, a key first.
  };
  SmallVector<Level> levels;
  msgpack::Reader reader(note);
  do {
    msgpack::Object object;
    Expected<bool> read = reader.read(object);
    if (!read || !*read)
      return consumeError(read.takeError()), false;
    if (!levels.empty()) {
      Level &level = levels.back();
      if (level.isMap && level.left % 2 == 0 &&
          object.Kind != msgpack::Type::String)
        return false;
      --level.left;
    }
    const bool isMap = object.Kind == msgpack::Type::Map;
    if (isMap || object.Kind == msgpack::Type::Array) {
      if (levels.size() > 16 || object.Length > note.size())
        return false;
      levels.push_back({object.Length * (isMap ? 2 : 1), isMap});
    }
    while (!levels.empty() && levels.back().left == 0)
      levels.pop_back();
  } while (!levels.empty());
  return true;
}

Error CodeObject::readMetadata(StringRef note) {
  msgpack::Document document;
  if (!isWellFormed(note) || !document.readFromBlob(note, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return failure("the metadata of the code object is no msgpack map");
  msgpack::MapDocNode &root = document.getRoot().getMap();
  auto text = [](msgpack::MapDocNode &map, StringRef key) {
    auto it = map.find(key);
    return it != map.end() && it->second.isString()
               ? it->second.getString().str()
               : std::string();
  };
  auto number = [](msgpack::MapDocNode &map, StringRef key, uint64_t other) {
    auto it = map.find(key);
    if (it == map.end())
      return other;
    if (it->second.getKind() == msgpack::Type::UInt)
      return it->second.getUInt();
    if (it->second.getKind() == msgpack::Type::Int)
      return static_cast<uint64_t>(it->second.getInt());
    return other;
  };
  auto list = root.find("amdhsa.kernels");
  if (list == root.end() || !list->second.isArray())
    return Error::success();
  for (msgpack::DocNode &node : list->second.getArray()) {
    if (!node.isMap())
      return failure("the kernel metadata is malformed");
    msgpack::MapDocNode &map = node.getMap();
    Kernel kernel;
    kernel.name = text(map, ".name");
    std::string symbol = text(map, ".symbol");
    if (symbol.empty())
      symbol = kernel.name + ".kd";
    kernel.maxWorkgroupSize = static_cast<uint32_t>(std::min<uint64_t>(
        number(map, ".max_flat_workgroup_size", 1024), 1024));
    auto required = map.find(".reqd_workgroup_size");
    if (required != map.end() && required->second.isArray() &&
        required->second.getArray().size() == 3)
      for (auto [i, size] : llvm::enumerate(required->second.getArray()))
        if (size.getKind() == msgpack::Type::UInt)
          kernel.requiredWorkgroup[i] = size.getUInt();
    auto args = map.find(".args");
    if (args != map.end() && args->second.isArray())
      for (msgpack::DocNode &arg : args->second.getArray()) {
        if (!arg.isMap())
          return failure("the argument metadata is malformed");
        const uint64_t offset = number(arg.getMap(), ".offset", 0);
        const uint64_t size = number(arg.getMap(), ".size", 0);
        if (offset > kMaxKernargBytes || size > kMaxKernargBytes)
          return failure("an argument of kernel '%s' has %llu bytes at %llu, "
                         "which cannot be",
                         kernel.name.c_str(), (unsigned long long)size,
                         (unsigned long long)offset);
        kernel.args.push_back(
            {static_cast<uint32_t>(offset), static_cast<uint32_t>(size),
             text(arg.getMap(), ".value_kind"), text(arg.getMap(), ".name"),
             text(arg.getMap(), ".type_name")});
      }
    uint64_t address = symbolAddress(symbol);
    if (!address)
      return failure("kernel '%s' has no descriptor '%s'", kernel.name.c_str(),
                     symbol.c_str());
    if (Error error = readDescriptor(kernel, address))
      return error;
    kernel.dynamicStack |= number(map, ".uses_dynamic_stack", 0) != 0;
    uint64_t kernargBytes = std::max<uint64_t>(
        kernel.kernargBytes, number(map, ".kernarg_segment_size", 0));
    for (const KernelArg &arg : kernel.args)
      kernargBytes = std::max(kernargBytes, uint64_t(arg.offset) + arg.size);
    // Registers are loaded from the segment before the kernel begins.
    kernargBytes = std::max<uint64_t>(
        kernargBytes, 4 * (kernel.preloadOffsetDwords + kernel.preloadDwords));
    if (kernargBytes > kMaxKernargBytes)
      return failure("the arguments of kernel '%s' take %llu bytes; %llu are "
                     "the most that the simulator takes",
                     kernel.name.c_str(), (unsigned long long)kernargBytes,
                     (unsigned long long)kMaxKernargBytes);
    kernel.kernargBytes = static_cast<uint32_t>(kernargBytes);
    kernels[kernel.name] = std::move(kernel);
  }
  return Error::success();
}

Error CodeObject::readDescriptor(Kernel &kernel, uint64_t address) {
  amdhsa::kernel_descriptor_t &kd = kernel.descriptor;
  if (!isLoaded(address, sizeof(kd)))
    return failure("the descriptor of kernel '%s' lies outside of the code "
                   "object",
                   kernel.name.c_str());
  std::memcpy(&kd, reinterpret_cast<const char *>(address), sizeof(kd));
  kernel.entry = address + kd.kernel_code_entry_byte_offset;
  uint64_t end;
  if (!isCode(kernel.entry, end))
    return failure("the entry of kernel '%s' lies outside of the code",
                   kernel.name.c_str());
  kernel.wave32 =
      target.hasWave32 &&
      kernel.property(amdhsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32);
  kernel.dynamicStack =
      kernel.property(amdhsa::KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK);
  kernel.ldsBytes = kd.group_segment_fixed_size;
  kernel.privateBytes = kd.private_segment_fixed_size;
  kernel.kernargBytes = kd.kernarg_size;
  kernel.preloadDwords =
      AMDHSA_BITS_GET(kd.kernarg_preload, amdhsa::KERNARG_PRELOAD_SPEC_LENGTH);
  kernel.preloadOffsetDwords =
      AMDHSA_BITS_GET(kd.kernarg_preload, amdhsa::KERNARG_PRELOAD_SPEC_OFFSET);

  uint32_t total =
      (AMDHSA_BITS_GET(
           kd.compute_pgm_rsrc1,
           amdhsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT) +
       1) *
      target.vgprGranule(kernel.wave32);
  kernel.vgprCount = std::min(total, 256u);
  if (target.hasUnifiedRegisterFile) {
    uint32_t split =
        (AMDHSA_BITS_GET(kd.compute_pgm_rsrc3,
                         amdhsa::COMPUTE_PGM_RSRC3_GFX90A_ACCUM_OFFSET) +
         1) *
        4;
    kernel.vgprCount = std::min(std::min(split, total), 256u);
    kernel.agprCount = std::min(total - kernel.vgprCount, 256u);
  }
  return Error::success();
}
