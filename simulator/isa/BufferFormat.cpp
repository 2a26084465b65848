//===- BufferFormat.cpp - Typed buffer elements ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/BufferFormat.h"

#include "simulator/isa/Floats.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

/// The widths begin with X, which has the least significant bits. Names list
/// the most significant component first.
struct DataFormat {
  const char *name;
  uint8_t count, bits[4];
};
// clang-format off
const DataFormat kData[] = {
    {"INVALID", 0, {}},
    {"8", 1, {8}},
    {"16", 1, {16}},
    {"8_8", 2, {8, 8}},
    {"32", 1, {32}},
    {"16_16", 2, {16, 16}},
    {"10_11_11", 3, {11, 11, 10}},
    {"11_11_10", 3, {10, 11, 11}},
    {"10_10_10_2", 4, {2, 10, 10, 10}},
    {"2_10_10_10", 4, {10, 10, 10, 2}},
    {"8_8_8_8", 4, {8, 8, 8, 8}},
    {"32_32", 2, {32, 32}},
    {"16_16_16_16", 4, {16, 16, 16, 16}},
    {"32_32_32", 3, {32, 32, 32}},
    {"32_32_32_32", 4, {32, 32, 32, 32}},
    {"RESERVED_15", 0, {}},
};
const char *const kNumbers[] = {"UNORM", "SNORM", "USCALED", "SSCALED",
                                "UINT",  "SINT",  "SNORM_OGL", "FLOAT"};
/// The valid pairs in gfx11's order: a data format, and a bit for each number
/// format.
struct Unified {
  uint8_t data, numbers;
};
const Unified kUnified[] = {
    {0, 0x01}, {1, 0x3f},  {2, 0xbf},  {3, 0x3f},  {4, 0xb0},
    {5, 0xbf}, {6, 0x80},  {7, 0x80},  {8, 0x33},  {9, 0x3f},
    {10, 0x3f}, {11, 0xb0}, {12, 0xbf}, {13, 0xb0}, {14, 0xb0},
};
// clang-format on

int find(StringRef name, bool data) {
  if (data) {
    for (unsigned i = 0; i < std::size(kData); ++i)
      if (name == kData[i].name)
        return i;
  } else {
    for (unsigned i = 0; i < std::size(kNumbers); ++i)
      if (name == kNumbers[i])
        return i;
  }
  return -1;
}

bool isInteger(NumberFormat number) {
  return number == NumberFormat::Uint || number == NumberFormat::Sint;
}
uint32_t bitsOf(float v) { return llvm::bit_cast<uint32_t>(v); }
float floatOf(uint32_t v) { return llvm::bit_cast<float>(v); }
int32_t signExtend(uint32_t v, unsigned bits) {
  return static_cast<int32_t>(v << (32 - bits)) >> (32 - bits);
}

float halfOf(uint32_t v) {
  return floats::withDefaultNan(floats::halfToFloat(v));
}

/// Unsigned floats with a five-bit exponent: truncated f16 without a sign.
float smallUnsigned(uint32_t v, unsigned bits) {
  return halfOf(v << (15 - bits));
}

uint32_t decodeComponent(NumberFormat number, uint32_t v, unsigned bits) {
  const double range = std::ldexp(1.0, bits) - 1;
  const double half = std::ldexp(1.0, bits - 1) - 1;
  switch (number) {
  case NumberFormat::Unorm:
    return bitsOf(static_cast<float>(v / range));
  case NumberFormat::Snorm:
  case NumberFormat::SnormOgl:
    return bitsOf(
        static_cast<float>(std::fmax(signExtend(v, bits) / half, -1.0)));
  case NumberFormat::Uscaled:
    return bitsOf(static_cast<float>(v));
  case NumberFormat::Sscaled:
    return bitsOf(static_cast<float>(signExtend(v, bits)));
  case NumberFormat::Uint:
    return v;
  case NumberFormat::Sint:
    return static_cast<uint32_t>(signExtend(v, bits));
  case NumberFormat::Float:
    break;
  }
  return bits == 32   ? v
         : bits == 16 ? bitsOf(halfOf(v))
                      : bitsOf(smallUnsigned(v, bits));
}

double limited(double v, double low, double high) {
  return std::isnan(v) ? 0 : std::fmin(std::fmax(v, low), high);
}

uint32_t encodeComponent(NumberFormat number, uint32_t v, unsigned bits) {
  const double range = std::ldexp(1.0, bits) - 1;
  const double half = std::ldexp(1.0, bits - 1) - 1;
  const double value = floatOf(v);
  int64_t whole = 0;
  switch (number) {
  case NumberFormat::Unorm:
    whole = std::llrint(limited(value, 0, 1) * range);
    break;
  case NumberFormat::Snorm:
  case NumberFormat::SnormOgl:
    whole = std::llrint(limited(value, -1, 1) * half);
    break;
  case NumberFormat::Uscaled:
    whole = static_cast<int64_t>(limited(value, 0, range));
    break;
  case NumberFormat::Sscaled:
    whole = static_cast<int64_t>(limited(value, -half - 1, half));
    break;
  case NumberFormat::Uint:
  case NumberFormat::Sint:
    whole = v;
    break;
  case NumberFormat::Float: {
    if (bits == 32)
      return v;
    uint32_t narrow = floats::doubleToHalf(value);
    if (bits == 16)
      return narrow;
    // Negative values become zero, and the mantissa is truncated.
    if ((narrow & 0x8000) && !std::isnan(value))
      return 0;
    uint32_t cut = (narrow & 0x7fff) >> (15 - bits);
    return std::isnan(value) ? cut | 1u << (bits - 6) : cut;
  }
  }
  return static_cast<uint32_t>(whole) &
         static_cast<uint32_t>((uint64_t(1) << bits) - 1);
}

} // namespace

unsigned BufferFormat::components() const { return kData[data & 15].count; }

unsigned BufferFormat::bytes() const {
  unsigned sum = 0;
  for (unsigned i = 0; i < components(); ++i)
    sum += kData[data & 15].bits[i];
  return sum / 8;
}

bool aircc::sim::parseBufferFormat(StringRef text, BufferFormat &format) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  if (text.consume_front("BUF_FMT_")) {
    if (text == "INVALID") {
      format.data = 0;
      return true;
    }
    auto [data, number] = text.rsplit('_');
    int d = find(data, true), n = find(number, false);
    if (d < 0 || n < 0)
      return false;
    format.data = static_cast<uint8_t>(d);
    format.number = static_cast<NumberFormat>(n);
    return true;
  }
  llvm::SmallVector<StringRef, 2> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    bool data = part.consume_front("BUF_DATA_FORMAT_");
    if (!data && !part.consume_front("BUF_NUM_FORMAT_"))
      return false;
    if (!data)
      part.consume_front("RESERVED_"); // 6, and SNORM_OGL elsewhere.
    int found = !data && part == "6" ? 6 : find(part, data);
    if (found < 0)
      return false;
    if (data)
      format.data = static_cast<uint8_t>(found);
    else
      format.number = static_cast<NumberFormat>(found);
  }
  return true;
}

BufferFormat aircc::sim::unifiedBufferFormat(unsigned number) {
  for (const Unified &entry : kUnified)
    for (unsigned n = 0; n < 8; ++n)
      if (entry.numbers >> n & 1) {
        if (!number)
          return {entry.data, static_cast<NumberFormat>(n)};
        --number;
      }
  return {0, NumberFormat::Unorm};
}

void aircc::sim::decodeElement(const BufferFormat &format, const uint8_t *from,
                               uint32_t components[4]) {
  const DataFormat &data = kData[format.data & 15];
  unsigned at = 0;
  for (unsigned i = 0; i < data.count; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, from + at / 8, data.bits[i] == 32 ? 4 : 1);
    for (unsigned b = 1; b < 4 && 8 * b < at % 8 + data.bits[i]; ++b)
      word |= uint64_t(from[at / 8 + b]) << 8 * b;
    uint32_t v = static_cast<uint32_t>(word >> at % 8 &
                                       ((uint64_t(1) << data.bits[i]) - 1));
    components[i] = decodeComponent(format.number, v, data.bits[i]);
    at += data.bits[i];
  }
  for (unsigned i = data.count; i < 4; ++i)
    components[i] = i < 3 ? 0 : isInteger(format.number) ? 1 : bitsOf(1.0f);
}

void aircc::sim::encodeElement(const BufferFormat &format,
                               const uint32_t components[4], uint8_t *to) {
  const DataFormat &data = kData[format.data & 15];
  std::memset(to, 0, format.bytes());
  unsigned at = 0;
  for (unsigned i = 0; i < data.count; ++i) {
    uint32_t v = encodeComponent(format.number, components[i], data.bits[i]);
    for (unsigned b = 0; b < data.bits[i]; ++b, ++at)
      to[at / 8] |= (v >> b & 1) << at % 8;
  }
}

uint32_t aircc::sim::narrowComponent(const BufferFormat &format,
                                     uint32_t component) {
  return isInteger(format.number) ? component & 0xffff
                                  : floats::doubleToHalf(floatOf(component));
}

uint32_t aircc::sim::widenComponent(const BufferFormat &format, uint32_t half) {
  half &= 0xffff;
  return format.number == NumberFormat::Uint ? half
         : format.number == NumberFormat::Sint
             ? static_cast<uint32_t>(signExtend(half, 16))
             : bitsOf(halfOf(half));
}
