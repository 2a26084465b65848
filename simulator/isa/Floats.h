//===- Floats.h - Floating-point formats of up to 32 bits -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All conversions of small floats: f16, bf16, tf32, the 8-bit formats of OCP
// and their FNUZ variants (finite, unsigned zero), and the microscaling
// formats.
//
// Functions for loops over lanes are always inlined, because code that is
// compiled once for each level of the host's vector instructions includes this
// header, and no copy for a newer level may be linked into the baseline
// (exec/Wave.h). They avoid branches where this makes the loops vectorizable.
// Functions that convert a single number of any format are in Floats.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_FLOATS_H
#define AIRCC_SIMULATOR_ISA_FLOATS_H

#include <cstdint>

#define AIRCC_FLOAT_INLINE inline __attribute__((always_inline))

namespace aircc::sim::floats {

AIRCC_FLOAT_INLINE float asFloat(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
AIRCC_FLOAT_INLINE uint32_t bitsOf(float v) {
  return __builtin_bit_cast(uint32_t, v);
}
/// Replaces a NaN with the default NaN of the same sign.
AIRCC_FLOAT_INLINE float withDefaultNan(float v) {
  return v != v ? asFloat((bitsOf(v) & 0x80000000) | 0x7fc00000) : v;
}

//===----------------------------------------------------------------------===//
// 16 bits, independent of the host's floating-point modes
//===----------------------------------------------------------------------===//

/// Converts f16 to f32 exactly; NaNs keep their bits. No operation has a
/// denormal operand or result, because these take a hundred cycles on some
/// processors.
AIRCC_FLOAT_INLINE float halfToFloat(uint32_t half) {
  const uint32_t aligned = (half & 0x7fff) << 13;
  const uint32_t normal = aligned + (112u << 23);
  // Adding the least normal number aligns the mantissa of the denormal.
  const uint32_t denormal =
      bitsOf(asFloat(aligned + (113u << 23)) - asFloat(113u << 23));
  uint32_t bits = aligned < (1u << 23) ? denormal : normal;
  bits = aligned >= (31u << 23) ? aligned | 0x7f800000 : bits;
  return asFloat(bits | (half & 0x8000) << 16);
}

/// Converts f32 to f16, rounding to nearest even. A NaN keeps its high bits and
/// becomes quiet.
AIRCC_FLOAT_INLINE uint32_t floatToHalf(float v) {
  const uint32_t bits = bitsOf(v), sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  // Adding 0.5 aligns the last bits of an f16 denormal and of the f32 sum.
  const uint32_t least = 0x38800000; // 2^-14
  const uint32_t denormal =
      bitsOf(asFloat(magnitude < least ? magnitude : 0) + 0.5f) - 0x3f000000;
  const uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  uint32_t half = magnitude < least ? denormal : (rounded - (112u << 23)) >> 13;
  half = magnitude >= 0x477ff000 ? 0x7c00 : half; // 65520
  half = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : half;
  return sign | half;
}

/// Converts f32 to f16, rounding toward zero.
AIRCC_FLOAT_INLINE uint32_t halfTowardZero(float v) {
  uint32_t bits = bitsOf(v);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | (magnitude & 0x7fffff) >> 13;
  if (magnitude == 0x7f800000)
    return sign | 0x7c00;
  if (magnitude >= 0x47800000)
    return sign | 0x7bff;
  if (magnitude < 0x33800000) // below the least denormal
    return sign;
  int exponent = static_cast<int>(magnitude >> 23) - 127;
  uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  if (exponent < -14)
    return sign | mantissa >> (13 + (-14 - exponent));
  return sign | ((exponent + 15) << 10 | (mantissa >> 13 & 0x3ff));
}
AIRCC_FLOAT_INLINE float bf16ToFloat(uint32_t b) { return asFloat(b << 16); }
/// Round to nearest even.
AIRCC_FLOAT_INLINE uint32_t floatToBf16(float v) {
  uint32_t bits = bitsOf(v);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16 | 0x40) : rounded;
}

/// Returns the bits of an f32 without those that tf32 does not have.
AIRCC_FLOAT_INLINE float truncateToTf32(uint32_t bits) {
  return asFloat(bits & ~uint32_t(0x1fff));
}

//===----------------------------------------------------------------------===//
// 16 bits, in the host's modes
//===----------------------------------------------------------------------===//

namespace hostmode {

/// Converts f16 to f32 exactly. The multiplication normalizes a denormal, or
/// flushes it if the host's mode is to flush denormals.
AIRCC_FLOAT_INLINE float halfToFloat(uint32_t h) {
  uint32_t magnitude = (h & 0x7fff) << 13;
  float scaled = asFloat(magnitude) * asFloat(0x77800000); // 2^112
  uint32_t bits = bitsOf(scaled);
  bits = (h & 0x7fff) >= 0x7c00 ? (magnitude | 0x7f800000) : bits;
  return asFloat(bits | (h & 0x8000) << 16);
}

/// Converts f32 to f16 in the host's rounding mode. Adding and subtracting 2^13
/// times the power of two below the value rounds it to f16's precision.
AIRCC_FLOAT_INLINE uint32_t floatToHalf(float v) {
  uint32_t bits = bitsOf(v);
  uint32_t sign = bits & 0x80000000;
  uint32_t exponent = bits & 0x7f800000;
  uint32_t least = exponent < 0x38800000 ? 0x38800000 : exponent; // 2^-14
  float magic = asFloat((least + (13u << 23)) | sign);
  float rounded = (v + magic) - magic;
  uint32_t magnitude =
      bitsOf(rounded * asFloat(0x07800000)) & 0x7fffffff; // 2^-112
  uint32_t half = magnitude >> 13;
  // The rounding mode determines whether overflow gives infinity or the largest
  // value.
  float probe = v * asFloat(0x77800000); // 2^112
  uint32_t over =
      exponent < 0x47800000 || (bitsOf(probe) & 0x7fffffff) == 0x7f800000
          ? 0x7c00
          : 0x7bff;
  half = (bitsOf(rounded) & 0x7fffffff) >= 0x47800000 ? over : half;
  half = exponent == 0x7f800000
             ? ((bits & 0x7fffff) ? 0x7e00 | (bits & 0x7fffff) >> 13 : 0x7c00)
             : half;
  return half | sign >> 16;
}

/// Converts f64 to f32, rounded to odd, so that a second rounding is harmless.
AIRCC_FLOAT_INLINE float doubleToFloatOdd(double v) {
  float f = static_cast<float>(v);
  uint32_t bits = bitsOf(f);
  double back = static_cast<double>(f);
  bool away = __builtin_fabs(back) > __builtin_fabs(v);
  uint32_t down = away ? bits - 1 : bits;
  bool inexact = back != v && v == v;
  return asFloat(inexact ? down | 1 : bits);
}
AIRCC_FLOAT_INLINE uint32_t doubleToHalf(double v) {
  return floatToHalf(doubleToFloatOdd(v));
}

} // namespace hostmode

//===----------------------------------------------------------------------===//
// 8 bits
//===----------------------------------------------------------------------===//

/// A format with 1 sign bit, E exponent bits and M mantissa bits.
template <int E, int M, int Bias, bool Fnuz> struct Format8 {
  static constexpr int kMantissa = M;
  static constexpr uint32_t kNan = Fnuz ? 0x80 : 0x7f;
  /// The code of the largest finite magnitude.
  static constexpr uint32_t kMax = Fnuz ? 0x7f : E == 4 ? 0x7e : 0x7b;
  /// The code of an overflow.
  static constexpr uint32_t kOver = Fnuz ? 0x80 : E == 4 ? 0x7f : 0x7c;

  static AIRCC_FLOAT_INLINE float decode(uint32_t v) {
    v &= 0xff;
    uint32_t sign = v << 24 & 0x80000000;
    uint32_t magnitude = v & 0x7f;
    uint32_t mantissa = magnitude & ((1 << M) - 1);
    int exponent = static_cast<int>(magnitude >> M);
    float value =
        exponent ? asFloat(static_cast<uint32_t>(exponent - Bias + 127) << 23 |
                           mantissa << (23 - M))
                 : static_cast<float>(mantissa) *
                       asFloat(static_cast<uint32_t>(1 - Bias - M + 127) << 23);
    bool nan = Fnuz ? v == 0x80 : E == 4 ? magnitude == 0x7f : magnitude > 0x7c;
    bool infinite = !Fnuz && E == 5 && magnitude == 0x7c;
    uint32_t bits = nan ? 0x7fc00000 : infinite ? 0x7f800000 : bitsOf(value);
    return asFloat(bits | (nan ? 0 : sign));
  }

  /// `extra` is added below the result's last place: half of it for rounding to
  /// nearest (ties to even), random bits for stochastic rounding.
  static AIRCC_FLOAT_INLINE uint32_t encode(float v, bool stochastic,
                                            uint32_t random) {
    uint32_t bits = bitsOf(v);
    uint32_t sign = bits >> 24 & 0x80;
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
      return Fnuz ? 0x80 : sign | 0x7f;
    if (magnitude == 0x7f800000)
      return Fnuz ? 0x80 : sign | kOver;
    int exponent = static_cast<int>(magnitude >> 23) - 127 + Bias;
    uint64_t mantissa =
        (magnitude & 0x7fffff) | (magnitude >> 23 ? 0x800000 : 0);
    // This is the number of bits to drop, which is larger for a denormal
    // result.
    int drop = 23 - M + (exponent < 1 ? 1 - exponent : 0);
    // Far below the least denormal, limit the shift.
    if (drop > 40) {
      mantissa >>= drop - 40 < 63 ? drop - 40 : 63;
      drop = 40;
    }
    uint64_t half = uint64_t(1) << (drop - 1);
    uint64_t add = !stochastic  ? half - 1 + (mantissa >> drop & 1)
                   : drop <= 32 ? uint64_t(random) >> (32 - drop)
                                : uint64_t(random) << (drop - 32);
    uint64_t kept = (mantissa + add) >> drop;
    uint32_t code =
        static_cast<uint32_t>(kept) +
        (exponent < 1 ? 0 : static_cast<uint32_t>(exponent - 1) << M);
    if (code > kMax)
      return Fnuz ? 0x80 : sign | kOver;
    if (Fnuz && code == 0)
      return 0;
    return sign | code;
  }
  static AIRCC_FLOAT_INLINE uint32_t nearest(float v) {
    return encode(v, false, 0);
  }
};
using Fp8Fnuz = Format8<4, 3, 8, true>;
using Bf8Fnuz = Format8<5, 2, 16, true>;
using Fp8Ocp = Format8<4, 3, 7, false>;
using Bf8Ocp = Format8<5, 2, 15, false>;

//===----------------------------------------------------------------------===//
// Any format, one number at a time
//===----------------------------------------------------------------------===//

/// Converts f64 to f16 in the host's rounding mode. Overflow gives infinity,
/// and a NaN gives the default NaN of the same sign.
uint32_t doubleToHalf(double v);

/// A binary floating-point format of at most 32 bits: a sign, `exponentBits`
/// and `mantissaBits`.
struct SmallFormat {
  const char *name;
  uint8_t exponentBits, mantissaBits;
  int8_t bias;
  /// The special values: infinities and NaNs as in IEEE 754, one NaN with all
  /// bits set (fp8), a NaN encoded as -0 (the FNUZ formats), or no special
  /// values (fp6, bf6, fp4).
  enum Specials : uint8_t { Ieee, OneNan, NegativeZero, None } specials;

  unsigned bits() const { return 1u + exponentBits + mantissaBits; }
  /// Returns the bits of the largest finite magnitude.
  uint32_t largest() const;
};

/// How a number that the format cannot represent is rounded.
struct SmallRounding {
  bool stochastic = false; ///< Otherwise, rounds to nearest, ties to even.
  uint32_t random = 0;     ///< In units of 2^-32 of the last place.
  bool saturate = false;   ///< Whether overflow gives the largest finite value.
};

/// Returns the format with a name: "f32", "f16", "bf16", "fp8fnuz", "bf8fnuz",
/// or one of the OCP formats "fp8", "bf8", "fp6", "bf6", "fp4". Returns null
/// for other names.
const SmallFormat *findSmallFormat(const char *name, unsigned length);

/// Returns the value of `bits`, or NaN for a NaN.
double decodeSmall(const SmallFormat &format, uint32_t bits);

/// Returns the bits of `value`. A format without infinity or NaN saturates; a
/// NaN becomes its largest value, with the NaN's sign.
uint32_t encodeSmall(const SmallFormat &format, double value,
                     const SmallRounding &rounding);

} // namespace aircc::sim::floats

#endif // AIRCC_SIMULATOR_ISA_FLOATS_H
