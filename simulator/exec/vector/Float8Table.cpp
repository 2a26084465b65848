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

using floats::Bf8Fnuz;
using floats::Bf8Ocp;
using floats::Fp8Fnuz;
using floats::Fp8Ocp;

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
