//===- CodeObjectMetadata.cpp - The kernels of a code object --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Reads the metadata note and the kernel descriptors (LLVM's AMDGPUUsage, "Code
// Object Metadata" and "Kernel Descriptor").
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include <algorithm>
#include <cstring>

using namespace aircc::sim;
using namespace llvm;

/// The maximum number of bytes that the arguments of a kernel may take. HIP and
/// HSA allow 4 KiB.
static constexpr uint64_t kMaxKernargBytes = uint64_t(1) << 20;

template <class... Ts>
static Error failure(const char *format, const Ts &...values) {
  return createStringError(inconvertibleErrorCode(), format, values...);
}

/// Returns whether msgpack::Document can read the metadata, which assumes that
/// keys are comparable and that collections have the length that they declare.
static bool isWellFormed(StringRef note) {
  struct Level {
    size_t left; ///< The number of objects that come next.
    bool isMap;  ///< In a map, keys and values alternate, a key first.
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

/// Returns a string in a map, or "" if there is none.
static std::string getText(msgpack::MapDocNode &map, StringRef key) {
  auto it = map.find(key);
  return it != map.end() && it->second.isString() ? it->second.getString().str()
                                                  : std::string();
}

/// Returns a number in a map, or `otherwise`.
static uint64_t getNumber(msgpack::MapDocNode &map, StringRef key,
                          uint64_t otherwise) {
  auto it = map.find(key);
  if (it == map.end())
    return otherwise;
  if (it->second.getKind() == msgpack::Type::UInt)
    return it->second.getUInt();
  if (it->second.getKind() == msgpack::Type::Int)
    return static_cast<uint64_t>(it->second.getInt());
  return otherwise;
}

static Error readArguments(msgpack::MapDocNode &map, Kernel &kernel) {
  auto args = map.find(".args");
  if (args == map.end() || !args->second.isArray())
    return Error::success();
  for (msgpack::DocNode &node : args->second.getArray()) {
    if (!node.isMap())
      return failure("the argument metadata is malformed");
    msgpack::MapDocNode &arg = node.getMap();
    const uint64_t offset = getNumber(arg, ".offset", 0);
    const uint64_t size = getNumber(arg, ".size", 0);
    if (offset > kMaxKernargBytes || size > kMaxKernargBytes)
      return failure("an argument of kernel '%s' has %llu bytes at %llu, which "
                     "is not possible",
                     kernel.name.c_str(), (unsigned long long)size,
                     (unsigned long long)offset);
    kernel.args.push_back({static_cast<uint32_t>(offset),
                           static_cast<uint32_t>(size),
                           getText(arg, ".value_kind"), getText(arg, ".name"),
                           getText(arg, ".type_name")});
  }
  return Error::success();
}

/// Sets the size of the kernarg segment to the largest of those that the
/// descriptor, the metadata, the arguments and the preloaded registers imply.
static Error setKernargBytes(msgpack::MapDocNode &map, Kernel &kernel) {
  uint64_t bytes = std::max<uint64_t>(
      kernel.kernargBytes, getNumber(map, ".kernarg_segment_size", 0));
  for (const KernelArg &arg : kernel.args)
    bytes = std::max(bytes, uint64_t(arg.offset) + arg.size);
  bytes = std::max<uint64_t>(
      bytes, 4 * (kernel.preloadOffsetDwords + kernel.preloadDwords));
  if (bytes > kMaxKernargBytes)
    return failure("the arguments of kernel '%s' take %llu bytes; the "
                   "simulator supports at most %llu",
                   kernel.name.c_str(), (unsigned long long)bytes,
                   (unsigned long long)kMaxKernargBytes);
  kernel.kernargBytes = static_cast<uint32_t>(bytes);
  return Error::success();
}

Error CodeObject::readMetadata(StringRef note) {
  msgpack::Document document;
  if (!isWellFormed(note) || !document.readFromBlob(note, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return failure("the metadata of the code object is not a msgpack map");
  msgpack::MapDocNode &root = document.getRoot().getMap();
  auto list = root.find("amdhsa.kernels");
  if (list == root.end() || !list->second.isArray())
    return Error::success();
  for (msgpack::DocNode &node : list->second.getArray()) {
    if (!node.isMap())
      return failure("the kernel metadata is malformed");
    msgpack::MapDocNode &map = node.getMap();
    Kernel kernel;
    kernel.name = getText(map, ".name");
    std::string symbol = getText(map, ".symbol");
    if (symbol.empty())
      symbol = kernel.name + ".kd";
    kernel.maxWorkgroupSize = static_cast<uint32_t>(std::min<uint64_t>(
        getNumber(map, ".max_flat_workgroup_size", 1024), 1024));
    auto required = map.find(".reqd_workgroup_size");
    if (required != map.end() && required->second.isArray() &&
        required->second.getArray().size() == 3)
      for (auto [i, size] : llvm::enumerate(required->second.getArray()))
        if (size.getKind() == msgpack::Type::UInt)
          kernel.requiredWorkgroup[i] = size.getUInt();
    if (Error error = readArguments(map, kernel))
      return error;
    uint64_t address = symbolAddress(symbol);
    if (!address)
      return failure("kernel '%s' has no descriptor '%s'", kernel.name.c_str(),
                     symbol.c_str());
    if (Error error = readDescriptor(kernel, address))
      return error;
    kernel.dynamicStack |= getNumber(map, ".uses_dynamic_stack", 0) != 0;
    if (Error error = setKernargBytes(map, kernel))
      return error;
    kernels[kernel.name] = std::move(kernel);
  }
  return Error::success();
}

Error CodeObject::readDescriptor(Kernel &kernel, uint64_t address) {
  amdhsa::kernel_descriptor_t &kd = kernel.descriptor;
  if (!isLoaded(address, sizeof(kd)))
    return failure("the descriptor of kernel '%s' is outside the code object",
                   kernel.name.c_str());
  std::memcpy(&kd, reinterpret_cast<const char *>(address), sizeof(kd));
  kernel.entry = address + kd.kernel_code_entry_byte_offset;
  uint64_t end;
  if (!isCode(kernel.entry, end))
    return failure("the entry of kernel '%s' is outside the code",
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
