//===- Float8Table.cpp - fp8 and bf8 conversions --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// V_CVT_*_FP8, V_CVT_*_BF8. gfx942 has the FNUZ formats (one zero, one NaN, no
// infinity), gfx950 and gfx12 the OCP ones: entries ".ocp". Values too large
// for the format become its NaN, of OCP bf8 its infinity (MODE.FP16_OVFL is
// clear for HSA kernels). CDNA3 and CDNA4 ISA guides; OCP 8-bit floating point.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>

namespace aircc::sim {
namespace {

/// A format of 1 sign, E exponent and M mantissa bits.
template <int E, int M, int Bias, bool Fnuz> struct Format8 {
  static constexpr int kMantissa = M;
  static constexpr u32 kNan = Fnuz ? 0x80 : 0x7f;
  /// The largest finite magnitude's code.
  static constexpr u32 kMax = Fnuz ? 0x7f : E == 4 ? 0x7e : 0x7b;
  /// What lies above it.
  static constexpr u32 kOver = Fnuz ? 0x80 : E == 4 ? 0x7f : 0x7c;

  static LANE_INLINE float decode(u32 v) {
    v &= 0xff;
    u32 sign = v << 24 & 0x80000000;
    u32 magnitude = v & 0x7f;
    u32 mantissa = magnitude & ((1 << M) - 1);
    int exponent = static_cast<int>(magnitude >> M);
    float value = exponent
                      ? asF32(static_cast<u32>(exponent - Bias + 127) << 23 |
                              mantissa << (23 - M))
                      : static_cast<float>(mantissa) *
                            asF32(static_cast<u32>(1 - Bias - M + 127) << 23);
    bool nan = Fnuz ? v == 0x80 : E == 4 ? magnitude == 0x7f : magnitude > 0x7c;
    bool infinite = !Fnuz && E == 5 && magnitude == 0x7c;
    u32 bits = nan ? 0x7fc00000 : infinite ? 0x7f800000 : bitsOf(value);
    return asF32(bits | (nan ? 0 : sign));
  }

  /// `extra` is added below the result's last place: half of it for rounding to
  /// nearest (ties to even), random bits for stochastic rounding.
  static LANE_INLINE u32 encode(float v, bool stochastic, u32 random) {
    u32 bits = bitsOf(v);
    u32 sign = bits >> 24 & 0x80;
    u32 magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
      return Fnuz ? 0x80 : sign | 0x7f;
    if (magnitude == 0x7f800000)
      return Fnuz ? 0x80 : sign | kOver;
    int exponent = static_cast<int>(magnitude >> 23) - 127 + Bias;
    u64 mantissa = (magnitude & 0x7fffff) | (magnitude >> 23 ? 0x800000 : 0);
    // Bits to drop: more where the result is denormal.
    int drop = 23 - M + (exponent < 1 ? 1 - exponent : 0);
    // Far below the least denormal: a small part of its place.
    if (drop > 40) {
      mantissa >>= drop - 40 < 63 ? drop - 40 : 63;
      drop = 40;
    }
    u64 half = u64(1) << (drop - 1);
    u64 add = !stochastic  ? half - 1 + (mantissa >> drop & 1)
              : drop <= 32 ? u64(random) >> (32 - drop)
                           : u64(random) << (drop - 32);
    u64 kept = (mantissa + add) >> drop;
    u32 code = static_cast<u32>(kept) +
               (exponent < 1 ? 0 : static_cast<u32>(exponent - 1) << M);
    if (code > kMax)
      return Fnuz ? 0x80 : sign | kOver;
    if (Fnuz && code == 0)
      return 0;
    return sign | code;
  }
  static LANE_INLINE u32 nearest(float v) { return encode(v, false, 0); }
};
using Fp8Fnuz = Format8<4, 3, 8, true>;
using Bf8Fnuz = Format8<5, 2, 16, true>;
using Fp8Ocp = Format8<4, 3, 7, false>;
using Bf8Ocp = Format8<5, 2, 15, false>;

// d2 is the number of the byte.
template <class Format>
void decodeByte(u32 *d, u32 *d2, const u32 *a, const u32 *, const u32 *,
                unsigned lanes) {
  LANE_LOOP(F32::put(d, i, Format::decode(a[i] >> (8 * (d2[i] & 3)))))
}
template <class Format>
void decodePair(u32 *d, u32 *, const u32 *a, const u32 *, const u32 *,
                unsigned lanes) {
  LANE_LOOP(u32 v = a[i]; F32::put(d, i, Format::decode(v));
            F32::put(d, i + kRowLanes, Format::decode(v >> 8)))
}
/// One byte of the destination; c is its old value.
template <class Format>
void encodeStochastic(u32 *d, u32 *d2, const u32 *a, const u32 *b, const u32 *c,
                      unsigned lanes) {
  LANE_LOOP(u32 shift = 8 * (d2[i] & 3);
            d[i] = (c[i] & ~(0xffu << shift)) |
                   Format::encode(F32::get(a, i), true, b[i]) << shift)
}

#define FORMAT_ENTRIES(NAME, SUFFIX, FORMAT)                                   \
  {"v_cvt_f32_" NAME SUFFIX,                                                   \
   &decodeByte<FORMAT>,                                                        \
   ValueType::F32,                                                             \
   kNo,                                                                        \
   {ValueType::B32, kNo, kNo},                                                 \
   1,                                                                          \
   kImmediate},                                                                \
      {"v_cvt_pk_f32_" NAME SUFFIX,                                            \
       &decodePair<FORMAT>,                                                    \
       ValueType::B64,                                                         \
       kNo,                                                                    \
       {ValueType::B16, kNo, kNo},                                             \
       1,                                                                      \
       0},                                                                     \
      LANE2F(kKeepHigh16, "v_cvt_pk_" NAME "_f32" SUFFIX, U16, F32, F32,       \
             static_cast<u16>(FORMAT::nearest(a) | FORMAT::nearest(b) << 8)),  \
  {                                                                            \
    "v_cvt_sr_" NAME "_f32" SUFFIX, &encodeStochastic<FORMAT>, ValueType::B32, \
        kNo, {ValueType::F32, ValueType::B32, ValueType::B32}, 3,              \
        kTiedDest | kImmediate                                                 \
  }

// clang-format off
const LaneEntry kEntries[] = {
    FORMAT_ENTRIES("fp8", "", Fp8Fnuz),
    FORMAT_ENTRIES("bf8", "", Bf8Fnuz),
    FORMAT_ENTRIES("fp8", ".ocp", Fp8Ocp),
    FORMAT_ENTRIES("bf8", ".ocp", Bf8Ocp),
    // Four products of bytes, added in order to the addend.
#define DOT4(NAME, A, B)                                                       \
  LANE3(NAME, F32, U32, U32, F32,                                              \
        __builtin_fmaf(                                                        \
            A::decode(a >> 24), B::decode(b >> 24),                            \
            __builtin_fmaf(                                                    \
                A::decode(a >> 16), B::decode(b >> 16),                        \
                __builtin_fmaf(A::decode(a >> 8), B::decode(b >> 8),           \
                               __builtin_fmaf(A::decode(a), B::decode(b),      \
                                              c)))))
    DOT4("v_dot4_f32_fp8_fp8", Fp8Ocp, Fp8Ocp),
    DOT4("v_dot4_f32_fp8_bf8", Fp8Ocp, Bf8Ocp),
    DOT4("v_dot4_f32_bf8_fp8", Bf8Ocp, Fp8Ocp),
    DOT4("v_dot4_f32_bf8_bf8", Bf8Ocp, Bf8Ocp),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable float8Table() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
