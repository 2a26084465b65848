//===- KernelArgument.cpp - Kernel arguments as text ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/KernelArgument.h"

#include "driver/diagnostics/Failure.h"
#include "driver/sim/NpyFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstring>

using namespace aircc;
using namespace llvm;

Expected<std::string> aircc::readWholeFile(const std::string &path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(ExitCode::BadInput,
                "cannot read " + path + ": " + file.getError().message());
  return (*file)->getBuffer().str();
}

Error KernelArgument::wrong(const Twine &why) const {
  return fail(ExitCode::BadUsage, option + ": " + why,
              {"aircc sim --help shows what an argument can be"});
}

/// Returns the bytes of `value`.
template <class T> static std::vector<uint8_t> bytesOf(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::optional<BufferAddress> aircc::parseBufferAddress(StringRef text) {
  if (text == "null")
    return BufferAddress();
  auto [name, offset] = text.split('+');
  BufferAddress address;
  if (!name.consume_front("&") || name.empty() ||
      (text.contains('+') && offset.getAsInteger(0, address.offset)))
    return std::nullopt;
  address.name = name.str();
  return address;
}

/// Parses comma-separated numbers of one type: "1,2,3". If one is malformed,
/// returns false and stores it in `bad`.
static bool parseNumbers(const ElementType &type, StringRef text,
                         std::vector<uint8_t> &bytes, StringRef &bad) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    bytes.resize(bytes.size() + type.bytes);
    bad = part;
    if (!parseElement(type, part.trim(), &bytes[bytes.size() - type.bytes]))
      return false;
  }
  return true;
}

std::optional<KernelArgument>
KernelArgument::parseInteger(StringRef text, unsigned bytes,
                             const std::string &option) {
  for (const char *name :
       {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}) {
    const ElementType *type = findElementType(name);
    std::vector<uint8_t> value(bytes);
    if (type->bytes != bytes || !parseElement(*type, text, value.data()))
      continue;
    KernelArgument argument;
    argument.option = option;
    argument.parameters.push_back(std::move(value));
    return argument;
  }
  return std::nullopt;
}

Expected<KernelArgument> KernelArgument::parse(StringRef text, unsigned number,
                                               const std::string &option) {
  KernelArgument argument;
  argument.option = option;
  if (text == "null" || text.starts_with("&")) {
    argument.kind = Kind::Address;
    std::optional<BufferAddress> address = parseBufferAddress(text);
    if (!address)
      return argument.wrong("expected &NAME or &NAME+BYTES");
    argument.addresses.push_back(std::move(*address));
    return argument;
  }
  if (text.starts_with("same:")) {
    argument.kind = Kind::Address;
    auto [which, offset] = text.drop_front(5).split('+');
    unsigned sameAs;
    BufferAddress address;
    if (which.getAsInteger(10, sameAs) ||
        (!offset.empty() && offset.getAsInteger(0, address.offset)))
      return argument.wrong("expected same:N or same:N+BYTES");
    if (sameAs >= number)
      return argument.wrong("N must be less than " + Twine(number) +
                            ", the number of this argument");
    address.name = utostr(sameAs);
    argument.addresses.push_back(std::move(address));
    return argument;
  }
  if (text.starts_with("lds:")) {
    argument.kind = Kind::Lds;
    if (text.drop_front(4).getAsInteger(0, argument.ldsBytes) ||
        argument.ldsBytes > UINT32_MAX)
      return argument.wrong("expected lds:BYTES");
    return argument;
  }
  if (text.starts_with("struct:")) {
    argument.kind = Kind::Struct;
    if (Error error = argument.parseStruct(text.drop_front(7)))
      return error;
    return argument;
  }

  // For a value, the type precedes the first '='.
  auto [name, values] = text.split('=');
  if (name == "bytes" && text.contains('=')) {
    std::string bytes;
    if (values.empty() || !tryGetFromHex(values, bytes))
      return argument.wrong("expected an even number of hexadecimal digits");
    argument.parameters.emplace_back(bytes.begin(), bytes.end());
    return argument;
  }
  if (const ElementType *type = findElementType(name);
      type && text.contains('=')) {
    std::vector<uint8_t> bytes;
    StringRef bad;
    if (!parseNumbers(*type, values, bytes, bad))
      return argument.wrong("'" + bad + "' is not a number of type " + name);
    argument.parameters.push_back(std::move(bytes));
    return argument;
  }

  argument.kind = Kind::Buffer;
  StringRef spec = text;
  argument.isMemref = spec.consume_front("memref:");
  if (Error error = argument.parseBuffer(spec, number))
    return error;
  return argument;
}

Error KernelArgument::parseStruct(StringRef spec) {
  std::vector<uint8_t> bytes;
  size_t most = 1;
  // Lay out the members of the structure as a C compiler does.
  auto align = [&](size_t alignment) {
    bytes.resize(alignTo(bytes.size(), alignment));
    most = std::max(most, alignment);
  };
  SmallVector<StringRef> parts;
  spec.split(parts, ';');
  for (StringRef part : parts) {
    part = part.trim();
    if (std::optional<BufferAddress> address = parseBufferAddress(part)) {
      align(sizeof(uint64_t));
      addressOffsets.push_back(bytes.size());
      addresses.push_back(std::move(*address));
      bytes.resize(bytes.size() + sizeof(uint64_t));
      continue;
    }
    auto [name, values] = part.split('=');
    std::string raw;
    uint64_t padding;
    StringRef bad;
    if (const ElementType *type = findElementType(name)) {
      align(type->bytes);
      if (!parseNumbers(*type, values, bytes, bad))
        return wrong("'" + bad + "' is not a number of type " + name);
    } else if (name == "bytes" && !values.empty() &&
               tryGetFromHex(values, raw)) {
      bytes.insert(bytes.end(), raw.begin(), raw.end());
    } else if (name == "pad" && !values.getAsInteger(0, padding) &&
               padding <= (1u << 20)) {
      bytes.resize(bytes.size() + padding);
    } else {
      return wrong("'" + part +
                   "' is not part of a structure: use TYPE=VALUES, bytes=HEX, "
                   "pad=BYTES, &NAME or null");
    }
  }
  align(most);
  parameters.push_back(std::move(bytes));
  return Error::success();
}

Error KernelArgument::parseAddresses(StringRef spec) {
  SmallVector<StringRef> parts;
  spec.split(parts, ',');
  for (StringRef part : parts) {
    std::optional<BufferAddress> address = parseBufferAddress(part.trim());
    if (!address)
      return wrong("'" + part +
                   "' is not an address: use &NAME, &NAME+BYTES or null");
    addresses.push_back(std::move(*address));
  }
  buffer->type = findElementType("u64");
  buffer->shape = {int64_t(addresses.size())};
  buffer->bytes = addresses.size() * sizeof(uint64_t);
  fill = Fill::Addresses;
  return Error::success();
}

Error KernelArgument::parseBuffer(StringRef spec, unsigned number) {
  buffer.emplace();
  if (spec.consume_front("ptr:"))
    return parseAddresses(spec);
  if (spec.ends_with(".npy"))
    return parseNpy(spec, "");
  if (size_t at = spec.rfind(".npy:"); at != StringRef::npos)
    return parseNpy(spec.take_front(at + 4), spec.drop_front(at + 5));

  auto [name, rest] = spec.split(':');
  buffer->type = findElementType(name);
  if (!buffer->type)
    return wrong("'" + name.split('=').first + "' is not a type; types are " +
                 listElementTypes());
  auto [shape, fillText] = rest.split(':');
  SmallVector<StringRef> sizes;
  shape.split(sizes, 'x');
  uint64_t bytes = buffer->type->bytes;
  for (StringRef text : sizes) {
    int64_t size;
    if (text.getAsInteger(10, size) || size < 0)
      return wrong("'" + shape +
                   "' is not a shape; expected sizes such as 256 or 16x64");
    bool overflow = false;
    bytes = SaturatingMultiply<uint64_t>(bytes, size, &overflow);
    if (overflow)
      return wrong("the buffer is too large");
    buffer->shape.push_back(size);
  }
  buffer->bytes = bytes;
  return rest.contains(':') ? parseFill(fillText, number) : Error::success();
}

Error KernelArgument::parseNpy(StringRef file, StringRef typeName) {
  Expected<std::string> bytes = readWholeFile(file.str());
  if (!bytes)
    return bytes.takeError();
  Expected<NpyArray> array = readNpy(*bytes);
  if (!array)
    return fail(ExitCode::BadInput, file + ": " + toString(array.takeError()));
  buffer->type = array->type;
  buffer->shape = array->shape;
  if (buffer->shape.empty())
    buffer->shape.push_back(1);
  buffer->bytes = array->data.size();
  fill = Fill::Bytes;
  contents = array->data.str();
  if (typeName.empty())
    return Error::success();
  const ElementType *type = findElementType(typeName);
  if (!type)
    return wrong("'" + typeName + "' is not a type; types are " +
                 listElementTypes());
  if (type->bytes != array->type->bytes)
    return wrong("elements in the file have " + Twine(array->type->bytes) +
                 " bytes, but those of type " + typeName + " have " +
                 Twine(type->bytes));
  buffer->type = type;
  return Error::success();
}

Error KernelArgument::parseFill(StringRef spec, unsigned position) {
  const ElementType &type = *buffer->type;
  if (spec.consume_front("@")) {
    Expected<std::string> bytes = readWholeFile(spec.str());
    if (!bytes)
      return bytes.takeError();
    if (bytes->size() != buffer->bytes)
      return wrong("the file has " + Twine(bytes->size()) +
                   " bytes, but the buffer has " + Twine(buffer->bytes));
    fill = Fill::Bytes;
    contents = std::move(*bytes);
    return Error::success();
  }
  SmallVector<StringRef> parts;
  spec.split(parts, ',');
  StringRef name = parts.front();
  if (name != "iota" && name != "random") {
    fill = Fill::Number;
    number.resize(type.bytes);
    if (!parseElement(type, spec, number.data()))
      return wrong("'" + spec + "' is neither a number of type " + type.name +
                   " nor iota, random or @FILE");
    return Error::success();
  }

  ArrayRef<StringRef> numbers = ArrayRef<StringRef>(parts).drop_front();
  fill = name == "iota" ? Fill::Iota : Fill::Random;
  if (numbers.size() > (fill == Fill::Iota ? 2 : 3) ||
      (fill == Fill::Random && numbers.size() == 1))
    return wrong(fill == Fill::Iota
                     ? "expected iota, iota,START or iota,START,STEP"
                     : "expected random, random,LOW,HIGH or "
                       "random,LOW,HIGH,SEED");
  seed = position;
  if (fill == Fill::Random && numbers.size() == 3) {
    if (numbers.back().getAsInteger(0, seed))
      return wrong("'" + numbers.back() + "' is not a seed");
    numbers = numbers.drop_back();
  }
  for (StringRef text : numbers) {
    double value;
    if (text.getAsDouble(value) || !std::isfinite(value))
      return wrong("'" + text + "' is not a number");
    if (!type.isFloat() && value != std::floor(value))
      return wrong("'" + text + "' is not a number of type " + type.name);
    fillParameters.push_back(value);
  }
  if (fill == Fill::Random && fillParameters.size() == 2 &&
      fillParameters[0] > fillParameters[1])
    return wrong("its lower bound is above its upper bound");
  return Error::success();
}

/// splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators").
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void KernelArgument::fillBuffer() {
  const ElementType &type = *buffer->type;
  char *to = static_cast<char *>(buffer->memory);
  const size_t count = buffer->bytes / type.bytes;
  uint64_t state = seed;
  auto parameter = [&](unsigned i, double otherwise) {
    return i < fillParameters.size() ? fillParameters[i] : otherwise;
  };
  switch (fill) {
  case Fill::Addresses:
    return; // Resolved after all buffers have been allocated.
  case Fill::None:
    // Make reads of uninitialized elements visible: these bytes are NaN in
    // every floating-point format and -1 as an integer.
    std::memset(to, 0xff, buffer->bytes);
    return;
  case Fill::Bytes:
    std::memcpy(to, contents.data(), contents.size());
    return;
  case Fill::Number:
    for (size_t i = 0; i < count; ++i, to += type.bytes)
      std::memcpy(to, number.data(), type.bytes);
    return;
  case Fill::Iota: {
    const double start = parameter(0, 0), step = parameter(1, 1);
    for (size_t i = 0; i < count; ++i, to += type.bytes)
      if (type.isFloat())
        storeElement(type, start + step * static_cast<double>(i), to);
      else
        storeInteger(type,
                     static_cast<int64_t>(start) +
                         static_cast<int64_t>(step) * static_cast<int64_t>(i),
                     to);
    return;
  }
  case Fill::Random: {
    const double low = parameter(0, -1), high = parameter(1, 1);
    for (size_t i = 0; i < count; ++i, to += type.bytes) {
      uint64_t bits = nextRandom(state);
      if (type.isFloat()) {
        double unit = static_cast<double>(bits >> 11) * 0x1p-53;
        storeElement(type, low + (high - low) * unit, to);
      } else if (fillParameters.empty()) {
        std::memcpy(to, &bits, type.bytes);
      } else {
        uint64_t span = static_cast<uint64_t>(static_cast<int64_t>(high) -
                                              static_cast<int64_t>(low)) +
                        1;
        storeInteger(type,
                     static_cast<int64_t>(low) +
                         static_cast<int64_t>(span ? bits % span : bits),
                     to);
      }
    }
    return;
  }
  }
}

Error KernelArgument::allocate(simulator::Simulator &simulator) {
  if (kind != Kind::Buffer)
    return Error::success();
  if (simulator::Status status =
          simulator.allocate(buffer->bytes, buffer->memory);
      !status.ok())
    return fail(ExitCode::Environment, option + ": " + status.message());
  fillBuffer();
  return Error::success();
}

Expected<uint64_t> KernelArgument::addressOf(const BufferAddress &address,
                                             FindBuffer find) const {
  if (address.name.empty())
    return 0;
  const KernelBuffer *found = find(address.name);
  const bool isNumber = llvm::all_of(address.name, isDigit);
  if (!found)
    return wrong(isNumber
                     ? "argument " + Twine(address.name) + " is not a buffer"
                     : "there is no buffer '" + Twine(address.name) +
                           "'; --buffer " + address.name + "=SPEC creates one");
  if (address.offset > found->bytes)
    return wrong((isNumber ? "argument " : "buffer ") + Twine(address.name) +
                 " has " + Twine(found->bytes) + " bytes");
  return reinterpret_cast<uint64_t>(found->memory) + address.offset;
}

Error KernelArgument::resolve(FindBuffer find, uint32_t &ldsOffset) {
  for (auto [n, address] : enumerate(addresses)) {
    Expected<uint64_t> value = addressOf(address, find);
    if (!value)
      return value.takeError();
    if (kind == Kind::Address)
      parameters.push_back(bytesOf(*value));
    else if (kind == Kind::Struct)
      std::memcpy(&parameters[0][addressOffsets[n]], &*value, sizeof(*value));
    else
      std::memcpy(static_cast<char *>(buffer->memory) + n * sizeof(*value),
                  &*value, sizeof(*value));
  }
  if (kind == Kind::Lds) {
    ldsOffset = alignTo(ldsOffset, 16);
    parameters.push_back(bytesOf<uint32_t>(ldsOffset));
    if (ldsBytes > UINT32_MAX - ldsOffset)
      return wrong("the LDS size is too large");
    ldsOffset += ldsBytes;
  }
  if (kind != Kind::Buffer)
    return Error::success();
  auto address = bytesOf(reinterpret_cast<uint64_t>(buffer->memory));
  parameters.push_back(address);
  if (!isMemref)
    return Error::success();
  parameters.push_back(address);
  parameters.push_back(bytesOf<int64_t>(0));
  for (int64_t size : buffer->shape)
    parameters.push_back(bytesOf(size));
  for (size_t i = 0; i < buffer->shape.size(); ++i) {
    int64_t stride = 1;
    for (size_t k = i + 1; k < buffer->shape.size(); ++k)
      stride *= buffer->shape[k];
    parameters.push_back(bytesOf(stride));
  }
  return Error::success();
}

std::string KernelArgument::mismatch(const simulator::Argument &wanted,
                                     unsigned index) const {
  const bool isAddress = kind == Kind::Address ||
                         (kind == Kind::Buffer && index < (isMemref ? 2 : 1));
  if (wanted.isPointer() && !isAddress)
    return "is a pointer to global memory; pass a buffer such as f32:256, a "
           ".npy file, or null";
  if (wanted.valueKind == "dynamic_shared_pointer" && kind != Kind::Lds)
    return "is a pointer to LDS; pass lds:BYTES";
  if (kind == Kind::Lds && wanted.valueKind != "dynamic_shared_pointer")
    return "is not a pointer to LDS; use --dynamic-lds for LDS that the kernel "
           "takes without an argument";
  size_t given = parameters[index].size();
  if (given == wanted.size)
    return {};
  std::string why = "takes " + utostr(wanted.size) + " bytes by value";
  why += kind == Kind::Buffer && isMemref
             ? ", but the memref's descriptor has " + utostr(given) + " there"
         : isAddress ? ", but this is a pointer"
                     : ", but this provides " + utostr(given);
  return why;
}
