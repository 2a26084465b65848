//===- SmallFloat.cpp - Formats of 4 to 16 bits, one at a time ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace aircc::sim;

// clang-format off
static const SmallFormat kFormats[] = {
    {"f32",  8, 23, 127, SmallFormat::Ieee},
    {"f16",  5, 10,  15, SmallFormat::Ieee},
    {"bf16", 8,  7, 127, SmallFormat::Ieee},
    {"fp8",  4,  3,   7, SmallFormat::OneNan},
    {"bf8",  5,  2,  15, SmallFormat::Ieee},
    {"fp6",  2,  3,   1, SmallFormat::Numbers},
    {"bf6",  3,  2,   3, SmallFormat::Numbers},
    {"fp4",  2,  1,   1, SmallFormat::Numbers},
};
// clang-format on

const SmallFormat *aircc::sim::findSmallFormat(const char *name,
                                               unsigned length) {
  for (const SmallFormat &format : kFormats)
    if (std::strlen(format.name) == length &&
        std::memcmp(format.name, name, length) == 0)
      return &format;
  return nullptr;
}

uint32_t SmallFormat::largest() const {
  uint32_t all = (1u << (bits() - 1)) - 1;
  switch (top) {
  case Ieee:
    return all - (1u << mantissaBits);
  case OneNan:
    return all - 1;
  case Numbers:
    break;
  }
  return all;
}

double aircc::sim::decodeSmall(const SmallFormat &format, uint32_t bits) {
  const uint32_t magnitude = bits & ((1u << (format.bits() - 1)) - 1);
  const uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  const bool negative = bits >> (format.bits() - 1) & 1;
  double value;
  if (format.top != SmallFormat::Numbers && magnitude > format.largest()) {
    bool infinite = format.top == SmallFormat::Ieee && mantissa == 0;
    value = infinite ? std::numeric_limits<double>::infinity()
                     : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - format.bias - format.mantissaBits);
  } else {
    value = std::ldexp(mantissa + (1u << format.mantissaBits),
                       exponent - format.bias - format.mantissaBits);
  }
  return negative ? -value : value;
}

uint32_t aircc::sim::encodeSmall(const SmallFormat &format, double value,
                                 const SmallRounding &rounding) {
  const uint32_t sign = std::signbit(value) ? 1u << (format.bits() - 1) : 0;
  const uint32_t largest = format.largest();
  const bool numbers = format.top == SmallFormat::Numbers;
  if (std::isnan(value)) {
    if (numbers)
      return sign | largest;
    // All bits in the 8-bit formats; the quiet NaN of the others.
    return sign | (format.bits() <= 8
                       ? (1u << (format.bits() - 1)) - 1
                       : (largest + 1) | 1u << (format.mantissaBits - 1));
  }
  double magnitude = std::fabs(value);
  // An infinity stays one where there is one, whatever MODE says of overflow.
  if (std::isinf(magnitude))
    return sign | (numbers ? largest : largest + 1);
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent); // magnitude < 2^exponent
  int least = 1 - format.bias;
  int binade = exponent - 1 < least ? least : exponent - 1;
  double units = std::ldexp(magnitude, format.mantissaBits - binade);
  double whole;
  if (rounding.stochastic) {
    whole = std::floor(units + std::ldexp(rounding.random, -32));
  } else {
    whole = std::floor(units);
    double rest = units - whole;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0))
      whole += 1;
  }
  // A mantissa that rounds up to the next binade carries into the exponent.
  uint64_t code =
      static_cast<uint64_t>(whole) +
      (static_cast<uint64_t>(binade - least) << format.mantissaBits);
  if (code > largest)
    return sign | (numbers || rounding.saturate ? largest : largest + 1);
  return sign | static_cast<uint32_t>(code);
}
