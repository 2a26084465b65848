//===- Images.cpp - Code objects within files -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/Images.h"

#include "runtime-stubs/support/CodeObject.h"
#include "simulator/exec/CodeObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

using namespace aircc::sim;
using namespace llvm;
namespace rt = aircc::rt;
using ELFT = object::ELF64LE;

static Error failure(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static bool isAmdgpuElf(StringRef bytes) {
  return bytes.size() >= sizeof(ELFT::Ehdr) &&
         bytes.starts_with(ELF::ElfMagic) &&
         bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
         bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB &&
         support::endian::read16le(
             bytes.data() + offsetof(ELFT::Ehdr, e_machine)) == ELF::EM_AMDGPU;
}

/// Returns the processor that the header of a code object names.
static Expected<std::string> processorOf(StringRef code) {
  auto file =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(code, "code"));
  if (!file)
    return file.takeError();
  auto *elf = dyn_cast<object::ELFObjectFile<ELFT>>(file->get());
  StringRef name = elf ? processorInHeader(*elf) : "";
  if (name.empty())
    return failure("the code object is for a processor that LLVM " +
                   Twine(LLVM_VERSION_STRING) + " does not know");
  return name.str();
}

/// Returns the size of the SPIR-V module at the start of `bytes`, or 0. The
/// header does not contain the size, but the module ends after a function that
/// no other function follows.
static size_t spirvSize(StringRef bytes) {
  constexpr size_t kHeader = 5;
  auto word = [&](size_t at) {
    return support::endian::read32le(bytes.data() + 4 * at);
  };
  const size_t words = bytes.size() / 4;
  if (words < kHeader || word(0) != spv::MagicNumber || word(1) >> 17 ||
      (word(1) & 0xff))
    return 0;
  size_t end = 0;
  for (size_t at = kHeader; at < words;) {
    const size_t count = word(at) >> 16;
    const auto op = static_cast<spv::Op>(word(at) & 0xffff);
    const bool mayFollow = op == spv::Op::OpFunction || op == spv::Op::OpLine ||
                           op == spv::Op::OpNoLine;
    if (!count || count > words - at || (at == end && !mayFollow))
      break;
    at += count;
    if (op == spv::Op::OpFunctionEnd)
      end = at;
  }
  return 4 * end;
}

/// Adds a SPIR-V module.
static void addSpirv(EmbeddedCodes &found, StringRef processor,
                     StringRef code) {
  found.codes.push_back({processor.str(), code, /*isSpirv=*/true});
}

/// Adds a code object. Copies it if its header would be misaligned.
static void add(EmbeddedCodes &found, std::string processor, StringRef code) {
  if (reinterpret_cast<uintptr_t>(code.data()) % alignof(uint64_t)) {
    found.storage.push_back(MemoryBuffer::getMemBufferCopy(code));
    code = found.storage.back()->getBuffer();
  }
  found.codes.push_back({std::move(processor), code});
}

/// Adds the entries of the bundle at the start of `bytes` and returns the
/// bundle's size.
static Expected<size_t> readBundle(StringRef bytes, EmbeddedCodes &found) {
  std::vector<rt::BundleEntry> entries;
  if (rt::Status status =
          rt::readBundle(std::string_view(bytes.data(), bytes.size()), entries);
      !status.ok())
    return failure(status.message());
  size_t end = 1;
  for (const rt::BundleEntry &entry : entries) {
    StringRef code(entry.code.data(), entry.code.size());
    end = std::max<size_t>(end, code.end() - bytes.begin());
    if (entry.target.empty())
      continue;
    if (isAmdgpuElf(code))
      add(found, std::string(entry.target), code);
    else if (rt::classifyImage(entry.code) == rt::ImageKind::SPIRV)
      addSpirv(found, entry.target, code);
  }
  return end;
}

/// Returns the same for a compressed bundle.
static Expected<size_t> readCompressed(StringRef bytes, EmbeddedCodes &found) {
  auto header =
      object::CompressedOffloadBundle::CompressedBundleHeader::tryParse(bytes);
  if (!header)
    return header.takeError();
  size_t size = std::min(header->FileSize.value_or(bytes.size()), bytes.size());
  // The header can claim any size, and memory would be allocated for it.
  constexpr uint64_t kMaxUnpacked = uint64_t(512) << 20;
  if (header->UncompressedFileSize > kMaxUnpacked)
    return failure(
        "the compressed offload bundle declares an unpacked size of " +
        Twine(header->UncompressedFileSize) +
        " bytes; the simulator supports at most " + Twine(kMaxUnpacked));
  auto buffer = MemoryBuffer::getMemBuffer(bytes.take_front(size), "bundle",
                                           /*RequiresNullTerminator=*/false);
  auto plain = object::CompressedOffloadBundle::decompress(*buffer);
  if (!plain)
    return plain.takeError();
  found.storage.push_back(std::move(*plain));
  auto read = readBundle(found.storage.back()->getBuffer(), found);
  if (!read)
    return read.takeError();
  return size;
}

/// Reads consecutive bundles with padding between them.
static Error readBundles(StringRef bytes, EmbeddedCodes &found) {
  while (true) {
    bytes = bytes.ltrim('\0');
    auto kind = rt::classifyImage(std::string_view(bytes.data(), bytes.size()));
    Expected<size_t> length = 0;
    if (kind == rt::ImageKind::Bundle)
      length = readBundle(bytes, found);
    else if (kind == rt::ImageKind::CompressedBundle)
      length = readCompressed(bytes, found);
    else
      return Error::success();
    if (!length)
      return length.takeError();
    bytes = bytes.drop_front(*length);
  }
}

/// Returns the size of the ELF file at the start of `bytes`, or 0.
static size_t elfSize(StringRef bytes) {
  auto elf = object::ELFFile<ELFT>::create(bytes);
  if (!elf)
    return consumeError(elf.takeError()), 0;
  const ELFT::Ehdr &header = elf->getHeader();
  uint64_t end = header.e_shoff + uint64_t(header.e_shnum) * header.e_shentsize;
  auto segments = elf->program_headers();
  if (!segments)
    return consumeError(segments.takeError()), 0;
  for (const auto &segment : *segments)
    end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  return end <= bytes.size() ? end : 0;
}

/// Finds SPIR-V modules anywhere in a host file, either plain or in bundles
/// that name their processor.
static Error findSpirv(StringRef image, EmbeddedCodes &found) {
  for (size_t at = image.find(rt::bundleMagic); at != StringRef::npos;
       at = image.find(rt::bundleMagic, at + 1)) {
    EmbeddedCodes bundled;
    Expected<size_t> read = readBundle(image.drop_front(at), bundled);
    if (!read) { // This is the magic number without a bundle.
      consumeError(read.takeError());
      continue;
    }
    for (const EmbeddedCode &code : bundled.codes)
      if (code.isSpirv)
        found.codes.push_back(code);
  }
  const size_t named = found.codes.size();
  const StringRef magic("\x03\x02\x23\x07", 4);
  for (size_t at = image.find(magic); at != StringRef::npos;
       at = image.find(magic, at + 4)) {
    StringRef rest = image.drop_front(at);
    const size_t size = spirvSize(rest);
    const bool isNamed = llvm::any_of(ArrayRef(found.codes).take_front(named),
                                      [&](const EmbeddedCode &code) {
                                        return code.code.data() == rest.data();
                                      });
    if (size && !isNamed)
      addSpirv(found, "spirv", rest.take_front(size));
  }
  return Error::success();
}

/// Finds device code in a host file, either in hipcc's section or as constants
/// anywhere in its data.
static Error readHostFile(StringRef image, EmbeddedCodes &found) {
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(image, "image"));
  if (!file)
    return file.takeError();
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    if (*name != ".hip_fatbin")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    return readBundles(*contents, found);
  }
  StringRef magic("\x7f"
                  "ELF",
                  4);
  for (size_t at = image.find(magic, 1); at != StringRef::npos;
       at = image.find(magic, at + 1)) {
    StringRef rest = image.drop_front(at);
    size_t size = isAmdgpuElf(rest) ? elfSize(rest) : 0;
    if (!size)
      continue;
    add(found, "", rest.take_front(size));
    Expected<std::string> processor = processorOf(found.codes.back().code);
    if (processor) {
      found.codes.back().processor = *processor;
    } else {
      consumeError(processor.takeError());
      found.codes.pop_back();
    }
    at += size - 1;
  }
  return findSpirv(image, found);
}

Expected<EmbeddedCodes> aircc::sim::findCodeObjects(StringRef image) {
  EmbeddedCodes found;
  switch (rt::classifyImage(std::string_view(image.data(), image.size()))) {
  case rt::ImageKind::ELF: {
    if (!isAmdgpuElf(image)) {
      if (Error error = readHostFile(image, found))
        return error;
      break;
    }
    auto processor = processorOf(image);
    if (!processor)
      return processor.takeError();
    found.codes.push_back({*processor, image});
    break;
  }
  case rt::ImageKind::Bundle:
  case rt::ImageKind::CompressedBundle:
    if (Error error = readBundles(image, found))
      return error;
    break;
  case rt::ImageKind::SPIRV:
    addSpirv(found, "spirv", image);
    break;
  case rt::ImageKind::Unknown:
    return failure("this is neither an ELF file, SPIR-V nor an offload bundle");
  }
  if (found.codes.empty())
    return failure("it contains no code for AMD or Intel GPUs");
  return found;
}
