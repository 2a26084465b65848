//===- KernelArgument.cpp - Arguments of a kernel as text -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/KernelArgument.h"

#include "driver/Failure.h"
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
  return fail(ExitCode::BadUsage, "--arg " + text + ": " + why,
              {"aircc sim --help shows what an argument can be"});
}

/// The bytes of `value`.
template <class T> static std::vector<uint8_t> bytesOf(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

Expected<KernelArgument> KernelArgument::parse(StringRef text,
                                               unsigned number) {
  KernelArgument argument;
  argument.text = text.str();
  if (text == "null") {
    argument.kind = Kind::Null;
    argument.parameters.push_back(bytesOf<uint64_t>(0));
    return argument;
  }
  if (text.starts_with("same:")) {
    argument.kind = Kind::Same;
    auto [which, offset] = text.drop_front(5).split('+');
    if (which.getAsInteger(10, argument.sameAs) ||
        (!offset.empty() && offset.getAsInteger(0, argument.offset)))
      return argument.wrong("expected same:N or same:N+BYTES");
    if (argument.sameAs >= number)
      return argument.wrong("this is argument " + Twine(number) +
                            ", and N must be one before it");
    return argument;
  }
  if (text.starts_with("lds:")) {
    argument.kind = Kind::Lds;
    if (text.drop_front(4).getAsInteger(0, argument.offset))
      return argument.wrong("expected lds:BYTES");
    return argument;
  }

  // By value: the type stands before the first '='.
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
    SmallVector<StringRef> parts;
    values.split(parts, ',');
    for (StringRef part : parts) {
      bytes.resize(bytes.size() + type->bytes);
      if (!parseElement(*type, part.trim(), &bytes[bytes.size() - type->bytes]))
        return argument.wrong("'" + part + "' is no number of type " + name);
    }
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

Error KernelArgument::parseBuffer(StringRef spec, unsigned number) {
  buffer.emplace();
  if (spec.ends_with(".npy"))
    return parseNpy(spec, "");
  if (size_t at = spec.rfind(".npy:"); at != StringRef::npos)
    return parseNpy(spec.take_front(at + 4), spec.drop_front(at + 5));

  auto [name, rest] = spec.split(':');
  buffer->type = findElementType(name);
  if (!buffer->type)
    return wrong("'" + name.split('=').first + "' is no type; types are " +
                 listElementTypes());
  auto [shape, fillText] = rest.split(':');
  SmallVector<StringRef> sizes;
  shape.split(sizes, 'x');
  uint64_t bytes = buffer->type->bytes;
  for (StringRef text : sizes) {
    int64_t size;
    if (text.getAsInteger(10, size) || size < 0)
      return wrong("'" + shape +
                   "' is no shape; expected sizes such as 256 or 16x64");
    bool overflow = false;
    bytes = SaturatingMultiply<uint64_t>(bytes, size, &overflow);
    if (overflow)
      return wrong("so large a buffer cannot be");
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
    return wrong("'" + typeName + "' is no type; types are " +
                 listElementTypes());
  if (type->bytes != array->type->bytes)
    return wrong("the elements of the file have " + Twine(array->type->bytes) +
                 " bytes, those of " + typeName + " " + Twine(type->bytes));
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
                   " bytes, the buffer " + Twine(buffer->bytes));
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
      return wrong("'" + numbers.back() + "' is no seed");
    numbers = numbers.drop_back();
  }
  for (StringRef text : numbers) {
    double value;
    if (text.getAsDouble(value) || !std::isfinite(value))
      return wrong("'" + text + "' is no number");
    if (!type.isFloat() && value != std::floor(value))
      return wrong("'" + text + "' is no number of type " + type.name);
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
  case Fill::None:
    // What was never written is found: NaN in every format, -1 as an integer.
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

Error KernelArgument::prepare(simulator::Simulator &simulator,
                              ArrayRef<KernelArgument> before,
                              uint32_t &ldsOffset) {
  switch (kind) {
  case Kind::Value:
  case Kind::Null:
    return Error::success();
  case Kind::Lds:
    ldsOffset = alignTo(ldsOffset, 16);
    parameters.push_back(bytesOf<uint32_t>(ldsOffset));
    ldsOffset += offset;
    return Error::success();
  case Kind::Same: {
    const std::optional<KernelBuffer> &other = before[sameAs].buffer;
    if (!other)
      return wrong("argument " + Twine(sameAs) + " is no buffer");
    if (offset > other->bytes)
      return wrong("argument " + Twine(sameAs) + " has " + Twine(other->bytes) +
                   " bytes");
    parameters.push_back(
        bytesOf<uint64_t>(reinterpret_cast<uint64_t>(other->memory) + offset));
    return Error::success();
  }
  case Kind::Buffer:
    break;
  }
  if (simulator::Status status =
          simulator.allocate(buffer->bytes, buffer->memory);
      !status.ok())
    return fail(ExitCode::Environment,
                "--arg " + text + ": " + status.message());
  fillBuffer();
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
  const bool isAddress = kind == Kind::Same || kind == Kind::Null ||
                         (kind == Kind::Buffer && index < (isMemref ? 2 : 1));
  if (wanted.isPointer() && !isAddress)
    return "is a pointer to global memory: give a buffer such as f32:256, a "
           ".npy file, or null";
  if (wanted.valueKind == "dynamic_shared_pointer" && kind != Kind::Lds)
    return "is a pointer to LDS: give lds:BYTES";
  if (kind == Kind::Lds && wanted.valueKind != "dynamic_shared_pointer")
    return "is no pointer to LDS; for LDS that the kernel takes without an "
           "argument there is --dynamic-lds";
  size_t given = parameters[index].size();
  if (given == wanted.size)
    return {};
  std::string why = "takes " + utostr(wanted.size) + " bytes by value";
  why += kind == Kind::Buffer && isMemref
             ? ", and the memref's descriptor has " + utostr(given) + " there"
         : isAddress ? ", and this is a pointer"
                     : ", and this gives " + utostr(given);
  return why;
}
