//===- SpirvTypes.cpp - Words and types of SPIR-V modules -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/SpirvTypes.h"

#include <bit>
#include <limits>
#include <utility>

using namespace aircc::rt;
using namespace aircc::rt::spirv;

std::string Operands::nextString() {
  Literal literal = readLiteral(words + position, count - position);
  position += literal.words;
  exhausted |= !literal.isEnded;
  return std::move(literal.text);
}

std::optional<uint64_t> spirv::alignUp(uint64_t value, uint64_t alignment) {
  uint64_t rest = value % alignment;
  if (rest == 0)
    return value;
  if (value > std::numeric_limits<uint64_t>::max() - (alignment - rest))
    return std::nullopt;
  return value + (alignment - rest);
}

static std::optional<uint64_t> multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

Status Types::setLayout(uint32_t id, std::optional<uint64_t> bytes,
                        uint64_t alignment) {
  if (!bytes)
    return damaged("type %" + std::to_string(id) +
                   " has a size that does not fit "
                   "in 64 bits");
  if (!layouts.try_emplace(id, Layout{*bytes, alignment}).second)
    return damaged("%" + std::to_string(id) + " is defined twice");
  return Status::success();
}

Status Types::structLayout(uint32_t id, Operands &operands) {
  const bool packed = decorations[id].packed;
  std::optional<uint64_t> bytes = 0;
  uint64_t alignment = 1;
  while (!operands.atEnd()) {
    auto it = layouts.find(operands.next());
    if (it == layouts.end())
      return Status::success(); // It has no size, because a member has none.
    const uint64_t memberAlignment = packed ? 1 : it->second.alignment;
    alignment = std::max(alignment, memberAlignment);
    bytes = alignUp(*bytes, memberAlignment);
    if (!bytes || __builtin_add_overflow(*bytes, it->second.bytes, &*bytes))
      return setLayout(id, std::nullopt, 1);
  }
  return setLayout(id, alignUp(*bytes, alignment), alignment);
}

/// Types are defined before their uses, except for pointees and
/// forward-declared pointers. Therefore, the size of each type is known when it
/// is defined.
Status Types::readType(uint32_t op, Operands &operands) {
  const uint32_t id = operands.next();
  switch (op) {
  case OpTypeBool:
    return setLayout(id, 1, 1);
  case OpTypeInt:
  case OpTypeFloat: {
    const uint32_t bits = operands.next();
    if (operands.tooFew())
      return Status::success(); // The caller reports it.
    if (bits == 0 || bits > 1024)
      return damaged("a type of " + std::to_string(bits) + " bits");
    const uint64_t bytes = std::bit_ceil((bits + 7u) / 8u);
    return setLayout(id, bytes, bytes);
  }
  case OpTypeVector: {
    auto it = layouts.find(operands.next());
    const uint64_t count = operands.next();
    if (it == layouts.end() || count == 0)
      return operands.tooFew() ? Status::success()
                               : damaged("a vector of an undefined type");
    const auto bytes = multiply(it->second.bytes, std::bit_ceil(count));
    return setLayout(id, bytes, bytes.value_or(1));
  }
  case OpTypeArray: {
    auto it = layouts.find(operands.next());
    auto length = constants.find(operands.next());
    if (it == layouts.end() || length == constants.end())
      return Status::success();
    return setLayout(id, multiply(it->second.bytes, length->second),
                     it->second.alignment);
  }
  case OpTypeStruct:
    return structLayout(id, operands);
  case OpTypeForwardPointer:
  case OpTypePointer:
  case OpTypeUntypedPointer: {
    if (pointerBytes == 0)
      return damaged("a type precedes the memory model");
    const bool announced = pointers.count(id);
    Pointer pointer{operands.next(), std::nullopt};
    if (op == OpTypePointer)
      pointer.pointee = operands.next();
    pointers[id] = pointer;
    return announced ? Status::success()
                     : setLayout(id, pointerBytes, pointerBytes);
  }
  case OpTypeFunction: {
    operands.next();
    std::vector<uint32_t> &parameters = functionTypes[id];
    while (!operands.atEnd())
      parameters.push_back(operands.next());
    return Status::success();
  }
  default:
    return Status::success();
  }
}
