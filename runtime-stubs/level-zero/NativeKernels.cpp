//===- NativeKernels.cpp - The kernels of native Xe code ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/NativeKernels.h"

#include <algorithm>
#include <charconv>
#include <elf.h>

using namespace aircc::rt;

static constexpr std::string_view sectionName = ".ze_info";

/// Extracts the bytes at [offset, offset + size). Returns false if they are not
/// inside the image.
static bool takeBytes(std::string_view image, uint64_t offset, uint64_t size,
                      std::string_view &bytes) {
  if (offset > image.size() || size > image.size() - offset)
    return false;
  bytes = image.substr(offset, size);
  return true;
}

template <typename T>
static bool takeStruct(std::string_view image, uint64_t offset, T &value) {
  std::string_view bytes;
  if (!takeBytes(image, offset, sizeof(T), bytes))
    return false;
  bytes.copy(reinterpret_cast<char *>(&value), sizeof(T));
  return true;
}

/// Finds the section. Returns false if the file is damaged or has none.
static bool findZeInfo(std::string_view image, std::string_view &text) {
  Elf64_Ehdr header;
  if (!takeStruct(image, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  auto section = [&](unsigned index, Elf64_Shdr &found) {
    return index < header.e_shnum && header.e_shoff <= image.size() &&
           takeStruct(image, header.e_shoff + index * sizeof(Elf64_Shdr),
                      found);
  };
  Elf64_Shdr names, candidate;
  std::string_view table;
  if (!section(header.e_shstrndx, names) ||
      !takeBytes(image, names.sh_offset, names.sh_size, table))
    return false;
  for (unsigned i = 0; section(i, candidate); ++i) {
    if (candidate.sh_name >= table.size())
      return false;
    std::string_view name = table.substr(candidate.sh_name);
    if (name.substr(0, name.find('\0')) == sectionName)
      return takeBytes(image, candidate.sh_offset, candidate.sh_size, text);
  }
  return false;
}

namespace {

/// A line "  - key: value" of YAML in block style.
struct Line {
  size_t indent = 0; ///< The indentation of the key.
  bool isItem = false;
  std::string_view key, value;
};

/// The relevant fields of an entry of payload_arguments.
struct Payload {
  std::string_view kind;
  std::optional<uint64_t> index;
  uint64_t size = 0, sourceOffset = 0;
  bool isShared = false;
};

} // namespace

static std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\''))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' ||
                           text.back() == '\'' || text.back() == '\0'))
    text.remove_suffix(1);
  return text;
}

/// Reads the next line with a key. Returns false at the end.
static bool takeLine(std::string_view &text, Line &line) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = Line();
    line.indent = std::min(whole.find_first_not_of(' '), whole.size());
    std::string_view rest = whole.substr(line.indent);
    if (rest.substr(0, 2) == "- ") {
      line.isItem = true;
      const size_t dash = std::min(rest.find_first_not_of(' ', 1), rest.size());
      line.indent += dash;
      rest.remove_prefix(dash);
    }
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos || rest.front() == '#')
      continue;
    line.key = trim(rest.substr(0, colon));
    line.value = trim(rest.substr(colon + 1));
    return true;
  }
  return false;
}

static bool readNumber(std::string_view text, uint64_t &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Parses "[ 16, 1, 1 ]".
static bool readDim(std::string_view text, Dim3 &dim) {
  uint32_t *const sizes[] = {&dim.x, &dim.y, &dim.z};
  for (unsigned i = 0; i < 3; ++i) {
    const size_t begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos)
      return false;
    text.remove_prefix(begin);
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), *sizes[i]);
    if (error != std::errc())
      return false;
    text.remove_prefix(end - text.data());
  }
  return true;
}

/// Adds a part of an argument, because arguments passed by value may have
/// several parts.
static void addPayload(const Payload &payload, SpirvKernel &kernel) {
  const bool isPointer = payload.kind == "arg_bypointer";
  if (!payload.index || (!isPointer && payload.kind != "arg_byvalue"))
    return;
  if (kernel.arguments.size() <= *payload.index)
    kernel.arguments.resize(*payload.index + 1);
  SpirvArgument &argument = kernel.arguments[*payload.index];
  argument.workgroupPointer = isPointer && payload.isShared;
  argument.bytes =
      isPointer ? sizeof(uint64_t)
                : std::max(argument.bytes, payload.sourceOffset + payload.size);
}

Status aircc::rt::ze::readZeInfo(std::string_view text,
                                 std::vector<SpirvKernel> &kernels) {
  // The section determines whether a key belongs to a kernel, to its
  // environment, or to its arguments.
  constexpr uint64_t maxArguments = 4096;
  bool inKernels = false;
  size_t kernelIndent = 0;
  std::string_view section;
  std::optional<Payload> payload;
  auto finishPayload = [&] {
    if (payload)
      addPayload(*payload, kernels.back());
    payload.reset();
  };
  auto damaged = [](const Line &line) {
    return Status::failure("the description of the native code's kernels "
                           "(.ze_info) is damaged: " +
                           std::string(line.key) + ": " +
                           std::string(line.value));
  };
  Line line;
  kernels.clear();
  while (takeLine(text, line)) {
    if (line.indent == 0 && !line.isItem) {
      if (!kernels.empty())
        finishPayload();
      inKernels = line.key == "kernels";
      continue;
    }
    if (!inKernels)
      continue;
    if (line.isItem && (kernels.empty() || line.indent == kernelIndent)) {
      if (!kernels.empty())
        finishPayload();
      kernelIndent = line.indent;
      kernels.emplace_back();
      section = {};
    }
    SpirvKernel &kernel = kernels.back();
    if (line.indent == kernelIndent) {
      finishPayload();
      section = line.key;
      if (line.key == "name")
        kernel.name = line.value;
      continue;
    }
    uint64_t number = 0;
    if (section == "execution_env") {
      if (line.key == "required_work_group_size") {
        Dim3 size;
        if (!readDim(line.value, size))
          return damaged(line);
        kernel.requiredWorkgroupSize = size;
      } else if (line.key == "required_sub_group_size" ||
                 line.key == "slm_size") {
        if (!readNumber(line.value, number))
          return damaged(line);
        if (line.key == "slm_size")
          kernel.sharedBytes = number;
        else
          kernel.requiredSubgroupSize = static_cast<uint32_t>(number);
      }
      continue;
    }
    if (section != "payload_arguments")
      continue;
    if (line.isItem) {
      finishPayload();
      payload.emplace();
    }
    if (!payload)
      return damaged(line);
    if (line.key == "arg_type")
      payload->kind = line.value;
    if (line.key == "addrspace")
      payload->isShared = line.value == "local";
    if (line.key == "arg_index" || line.key == "size" ||
        line.key == "source_offset") {
      if (!readNumber(line.value, number) || number > maxArguments * 8)
        return damaged(line);
      if (line.key == "arg_index" && number < maxArguments)
        payload->index = number;
      else if (line.key == "size")
        payload->size = number;
      else if (line.key == "source_offset")
        payload->sourceOffset = number;
      else
        return damaged(line);
    }
  }
  if (!kernels.empty())
    finishPayload();
  return Status::success();
}

Status aircc::rt::ze::readNativeKernels(std::string_view image,
                                        std::vector<SpirvKernel> &kernels) {
  std::string_view text;
  if (!findZeInfo(image, text))
    return Status::failure("the ELF file is not native code for an Intel GPU: "
                           "it has no section .ze_info");
  return readZeInfo(text, kernels);
}
