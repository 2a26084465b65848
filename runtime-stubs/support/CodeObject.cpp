//===- CodeObject.cpp - Formats of embedded device code -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/CodeObject.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>

using namespace aircc::rt;

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

ImageKind aircc::rt::classifyImage(std::string_view image) {
  if (startsWith(image, "\x7f"
                        "ELF"))
    return ImageKind::ELF;
  if (startsWith(image, "\x03\x02\x23\x07") ||
      startsWith(image, "\x07\x23\x02\x03"))
    return ImageKind::SPIRV;
  if (startsWith(image, bundleMagic))
    return ImageKind::Bundle;
  if (startsWith(image, "CCOB"))
    return ImageKind::CompressedBundle;
  return ImageKind::Unknown;
}

std::string_view aircc::rt::targetOfEntryId(std::string_view id) {
  // The form is KIND-ARCH-VENDOR-OS-ENVIRONMENT-TARGET. The environment is
  // usually empty, and old bundles omit its dash. A target may contain dashes.
  std::string_view parts[5];
  std::string_view rest = id;
  for (std::string_view &part : parts) {
    size_t dash = rest.find('-');
    part = rest.substr(0, dash);
    rest = dash == std::string_view::npos ? std::string_view()
                                          : rest.substr(dash + 1);
  }
  if (parts[0] == "host")
    return {};
  if (!rest.empty())
    return rest;
  std::string_view environment = parts[4];
  return environment.empty() ? parts[1] : environment;
}

Status aircc::rt::readBundle(std::string_view bundle,
                             std::vector<BundleEntry> &entries) {
  size_t position = bundleMagic.size();
  bool truncated = false;
  auto readU64 = [&]() -> uint64_t {
    if (bundle.size() - position < 8) {
      truncated = true;
      return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i)
      value |= uint64_t(static_cast<unsigned char>(bundle[position + i]))
               << (8 * i);
    position += 8;
    return value;
  };

  if (!startsWith(bundle, bundleMagic))
    return Status::failure("not an offload bundle");
  uint64_t count = readU64();
  for (uint64_t i = 0; i < count && !truncated; ++i) {
    uint64_t offset = readU64();
    uint64_t size = readU64();
    uint64_t idLength = readU64();
    if (truncated || idLength > bundle.size() - position)
      break;
    std::string_view id = bundle.substr(position, idLength);
    position += idLength;
    if (offset > bundle.size() || size > bundle.size() - offset)
      return Status::failure(
          "the offload bundle is damaged: the code of entry " +
          std::string(id) + " ends after its end");
    entries.push_back({id, targetOfEntryId(id), bundle.substr(offset, size)});
  }
  if (truncated || entries.size() != count)
    return Status::failure(
        "the offload bundle is damaged: it ends within its table");
  return Status::success();
}

/// Returns the architecture of an ELF file as spelled in triples, or "" unless
/// it is an AMD or Intel GPU.
static std::string_view architectureOfElf(std::string_view image) {
  Elf64_Ehdr header;
  if (image.size() < sizeof(header))
    return {};
  std::memcpy(&header, image.data(), sizeof(header));
  constexpr unsigned amdGpu = 224, intelGt = 205; // Values of e_machine.
  return header.e_machine == amdGpu    ? "amdgcn"
         : header.e_machine == intelGt ? "spirv64"
                                       : "";
}

bool aircc::rt::mayHoldCodeFor(std::string_view image,
                               std::string_view architecture) {
  switch (classifyImage(image)) {
  case ImageKind::ELF: {
    std::string_view of = architectureOfElf(image);
    return of.empty() || of == architecture;
  }
  case ImageKind::SPIRV:
    return architecture == "spirv64";
  case ImageKind::Bundle: {
    std::vector<BundleEntry> entries;
    if (!readBundle(image, entries).ok())
      return true;
    return std::any_of(
        entries.begin(), entries.end(), [&](const BundleEntry &entry) {
          return entry.id.find(architecture) != std::string_view::npos;
        });
  }
  default:
    return true;
  }
}

/// Selects the best entry of `bundle` for the device.
static Status selectFromBundle(Device &device, std::string_view bundle,
                               std::string_view &code) {
  std::vector<BundleEntry> entries;
  if (Status status = readBundle(bundle, entries); !status.ok())
    return status;
  int best = 0;
  std::string held;
  for (const BundleEntry &entry : entries) {
    if (entry.target.empty())
      continue;
    std::string target(entry.target);
    held += (held.empty() ? "" : ", ") + target;
    int preference = device.targetPreference(target.c_str());
    if (preference > best) {
      best = preference;
      code = entry.code;
    }
  }
  if (best > 0)
    return Status::success();
  return Status::failure("the program has no code for " + device.description() +
                         "; it has code for " +
                         (held.empty() ? "no device" : held));
}

Status aircc::rt::selectCodeObject(Device &device, std::string_view image,
                                   std::string_view &code) {
  switch (classifyImage(image)) {
  case ImageKind::ELF:
  case ImageKind::SPIRV:
    code = image;
    return Status::success();
  case ImageKind::Bundle: {
    if (Status status = selectFromBundle(device, image, code); !status.ok())
      return status;
    ImageKind kind = classifyImage(code);
    if (kind == ImageKind::ELF || kind == ImageKind::SPIRV)
      return Status::success();
    return Status::failure(
        "the offload bundle's entry is neither an ELF file nor SPIR-V");
  }
  case ImageKind::CompressedBundle:
    return Status::failure(
        "compressed offload bundles are not supported; bundle "
        "without -compress");
  case ImageKind::Unknown:
    break;
  }
  std::string bytes;
  for (char c : image.substr(0, 8)) {
    char text[4];
    std::snprintf(text, sizeof(text), " %02x", static_cast<unsigned char>(c));
    bytes += text;
  }
  return Status::failure(
      "the image is neither an ELF file, SPIR-V nor an offload "
      "bundle; it " +
      (bytes.empty() ? "is empty" : "begins with" + bytes));
}
