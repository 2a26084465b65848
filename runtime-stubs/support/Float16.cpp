//===- Float16.cpp - 16-bit floats on the host ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This file also defines the conversions that LLVM's x86-64 backend calls for
// bfloat and, under their old names, for half, because libgcc has them only
// since GCC 13, or not at all. They are weak, so that definitions in the
// compiler's library take precedence.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Float16.h"
#include "runtime-stubs/support/Support.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace aircc::rt;

float aircc::rt::bfloatToFloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

float aircc::rt::halfToFloat(uint16_t bits) {
  bool negative = bits >> 15;
  int exponent = (bits >> 10) & 0x1f;
  int mantissa = bits & 0x3ff;
  float magnitude;
  if (exponent == 0x1f) {
    // A NaN keeps the upper bits of its payload.
    magnitude = std::bit_cast<float>(0x7f800000u | uint32_t(mantissa) << 13);
  } else if (exponent == 0) {
    magnitude = std::ldexp(float(mantissa), -24);
  } else {
    magnitude = std::ldexp(float(mantissa | 0x400), exponent - 25);
  }
  return negative ? -magnitude : magnitude;
}

/// Shifts `value` right by `count` (1 to 63) bits, rounding to nearest even.
static uint64_t shiftRounding(uint64_t value, unsigned count) {
  uint64_t kept = value >> count;
  uint64_t lost = value & ((uint64_t(1) << count) - 1);
  uint64_t half = uint64_t(1) << (count - 1);
  return kept + (lost > half || (lost == half && (kept & 1)));
}

/// Rounds a double to a 16-bit format with `exponentBits` and `mantissaBits`.
/// It rounds only once, so the result is correct for both floats and doubles.
static uint16_t roundTo16(double value, unsigned exponentBits,
                          unsigned mantissaBits) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 63) << 15;
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  const int bias = (1 << (exponentBits - 1)) - 1;
  const uint16_t infinity =
      static_cast<uint16_t>(((1u << exponentBits) - 1) << mantissaBits);

  if (exponent == 1024) {
    if (fraction == 0)
      return sign | infinity;
    return sign | infinity | uint16_t(1u << (mantissaBits - 1)) |
           static_cast<uint16_t>(fraction >> (52 - mantissaBits));
  }
  if (exponent > bias)
    return sign | infinity;
  uint64_t significand = fraction | (uint64_t(1) << 52);
  unsigned shift = 52 - mantissaBits;
  if (exponent >= 1 - bias) {
    // The implicit bit adds one to the exponent field. A carry from rounding
    // also propagates into the field, up to infinity.
    uint64_t field = uint64_t(exponent + bias - 1) << mantissaBits;
    return sign |
           static_cast<uint16_t>(field + shiftRounding(significand, shift));
  }
  // The result is subnormal. Subnormal doubles are far below the 16-bit range.
  shift += static_cast<unsigned>(1 - bias - exponent);
  return shift > 54
             ? sign
             : sign | static_cast<uint16_t>(shiftRounding(significand, shift));
}

uint16_t aircc::rt::floatToHalf(float value) { return roundTo16(value, 5, 10); }
uint16_t aircc::rt::doubleToBFloat(double value) {
  return roundTo16(value, 8, 7);
}

// Returns a bfloat in the low 16 bits of an XMM register, as a float is in the
// low 32.
static float inRegister(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits));
}

AIRCC_SUPPORT float __truncsfbf2(float value) {
  return inRegister(doubleToBFloat(value));
}
AIRCC_SUPPORT float __truncdfbf2(double value) {
  return inRegister(doubleToBFloat(value));
}
AIRCC_SUPPORT float __gnu_h2f_ieee(uint16_t bits) { return halfToFloat(bits); }
AIRCC_SUPPORT uint16_t __gnu_f2h_ieee(float value) {
  return floatToHalf(value);
}
