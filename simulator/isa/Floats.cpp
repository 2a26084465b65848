//===- Floats.cpp - Floating-point formats of up to 32 bits ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/Floats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace aircc::sim;
using floats::SmallFormat;

// clang-format off
static const SmallFormat kFormats[] = {
    {"f32",  8, 23, 127, SmallFormat::Ieee},
    {"f16",  5, 10,  15, SmallFormat::Ieee},
    {"bf16", 8,  7, 127, SmallFormat::Ieee},
    {"fp8",  4,  3,   7, SmallFormat::OneNan},
    {"bf8",  5,  2,  15, SmallFormat::Ieee},
    {"fp6",  2,  3,   1, SmallFormat::None},
    {"bf6",  3,  2,   3, SmallFormat::None},
    {"fp4",  2,  1,   1, SmallFormat::None},
    {"fp8fnuz", 4, 3, 8, SmallFormat::NegativeZero},
    {"bf8fnuz", 5, 2, 16, SmallFormat::NegativeZero},
};
// clang-format on

const SmallFormat *floats::findSmallFormat(const char *name, unsigned length) {
  for (const SmallFormat &format : kFormats)
    if (std::strlen(format.name) == length &&
        std::memcmp(format.name, name, length) == 0)
      return &format;
  return nullptr;
}

uint32_t SmallFormat::largest() const {
  uint32_t all = (1u << (bits() - 1)) - 1;
  switch (specials) {
  case Ieee:
    return all - (1u << mantissaBits);
  case OneNan:
    return all - 1;
  case NegativeZero:
  case None:
    break;
  }
  return all;
}

double floats::decodeSmall(const SmallFormat &format, uint32_t bits) {
  const uint32_t magnitude = bits & ((1u << (format.bits() - 1)) - 1);
  const uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  const bool negative = bits >> (format.bits() - 1) & 1;
  double value;
  if (format.specials == SmallFormat::NegativeZero && negative && !magnitude) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (magnitude > format.largest()) {
    bool infinite = format.specials == SmallFormat::Ieee && mantissa == 0;
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

/// Returns the code of a NaN: all bits set in the 8-bit formats, the quiet NaN
/// in wider formats, and the largest value in formats without NaN.
static uint32_t codeOfNan(const SmallFormat &format, uint32_t sign) {
  const uint32_t signBit = 1u << (format.bits() - 1);
  switch (format.specials) {
  case SmallFormat::NegativeZero:
    return signBit;
  case SmallFormat::None:
    return sign | format.largest();
  default:
    return sign | (format.bits() <= 8 ? signBit - 1
                                      : (format.largest() + 1) |
                                            1u << (format.mantissaBits - 1));
  }
}

/// Returns the code of infinities and of numbers that are too large.
static uint32_t codeOfOverflow(const SmallFormat &format, uint32_t sign) {
  switch (format.specials) {
  case SmallFormat::NegativeZero:
    return codeOfNan(format, sign);
  case SmallFormat::None:
    return sign | format.largest();
  default:
    return sign | (format.largest() + 1);
  }
}

uint32_t floats::encodeSmall(const SmallFormat &format, double value,
                             const SmallRounding &rounding) {
  uint32_t sign = std::signbit(value) ? 1u << (format.bits() - 1) : 0;
  if (std::isnan(value))
    return codeOfNan(format, sign);
  double magnitude = std::fabs(value);
  // MODE's overflow rule does not apply to infinities.
  if (std::isinf(magnitude))
    return codeOfOverflow(format, sign);
  const bool hasNegativeZero = format.specials != SmallFormat::NegativeZero;
  if (magnitude == 0)
    return hasNegativeZero ? sign : 0;
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
  if (code > format.largest())
    return rounding.saturate ? sign | format.largest()
                             : codeOfOverflow(format, sign);
  if (code == 0 && !hasNegativeZero)
    sign = 0;
  return sign | static_cast<uint32_t>(code);
}

uint32_t floats::doubleToHalf(double v) {
  uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  double a = std::fabs(v);
  if (v != v)
    return sign | 0x7e00;
  if (a == 0)
    return sign;
  if (a >= 65520.0)
    return sign | 0x7c00;
  int exponent = 0;
  std::frexp(a, &exponent);
  exponent = std::max(exponent, -13);
  // In units in the last place of this binade.
  uint32_t units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(a, 11 - exponent)));
  return sign | (((exponent + 13) << 10) + units);
}
