//===- ConvertTable.cpp - Conversions -------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between formats. Float to integer truncates (or as the name says)
// and saturates, NaN gives 0. CDNA3 ISA guide, chapter 12, V_CVT_*.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

LANE_INLINE i32 toI32(double v) {
  double limited = v < -2147483648.0  ? -2147483648.0
                   : v > 2147483647.0 ? 2147483647.0
                                      : v;
  return static_cast<i32>(isNan(v) ? 0.0 : limited);
}
LANE_INLINE u32 toU32(double v) {
  double limited = v < 0 ? 0.0 : v > 4294967295.0 ? 4294967295.0 : v;
  return static_cast<u32>(static_cast<i64>(isNan(v) ? 0.0 : limited));
}
LANE_INLINE i32 toI32(float v) {
  float limited = v < -2147483648.0f ? -2147483648.0f : v;
  i32 whole = static_cast<i32>(isNan(v) || v >= 2147483648.0f ? 0.0f : limited);
  return v >= 2147483648.0f ? INT32_MAX : whole;
}
LANE_INLINE u32 toU32(float v) {
  float limited = v < 0 ? 0.0f : v;
  u32 whole = static_cast<u32>(
      static_cast<i64>(isNan(v) || v >= 4294967296.0f ? 0.0f : limited));
  return v >= 4294967296.0f ? UINT32_MAX : whole;
}
LANE_INLINE i16 toI16(float v) {
  float limited = v < -32768.0f ? -32768.0f : v > 32767.0f ? 32767.0f : v;
  return static_cast<i16>(static_cast<i32>(isNan(v) ? 0.0f : limited));
}
LANE_INLINE u16 toU16(float v) {
  float limited = v < 0 ? 0.0f : v > 65535.0f ? 65535.0f : v;
  return static_cast<u16>(static_cast<i32>(isNan(v) ? 0.0f : limited));
}
/// f64 or f32 to a normalised 16-bit integer, to nearest even.
LANE_INLINE u32 snorm16(float v) {
  // In double the product is exact.
  double limited = double(minNum(maxNum(v, -1.0f), 1.0f)) * 32767.0;
  return static_cast<u16>(
      static_cast<i16>(isNan(v) ? 0.0 : __builtin_roundeven(limited)));
}
LANE_INLINE u32 unorm16(float v) {
  double limited = double(minNum(maxNum(v, 0.0f), 1.0f)) * 65535.0;
  return static_cast<u16>(
      static_cast<i32>(isNan(v) ? 0.0 : __builtin_roundeven(limited)));
}

/// Byte S1 of S2 becomes S0 as an 8-bit integer.
LANE_INLINE u32 packU8(float a, u32 b, u32 c) {
  u32 shift = 8 * (b & 3);
  float whole = isNan(a) || a < 0 ? 0.0f
                : a > 255         ? 255.0f
                                  : __builtin_roundevenf(a);
  return (c & ~(0xffu << shift)) | static_cast<u32>(whole) << shift;
}

// clang-format off
const LaneEntry kEntries[] = {
    LANE1("v_cvt_f32_i32", F32, I32, static_cast<float>(a)),
    LANE1("v_cvt_f32_u32", F32, U32,
          static_cast<float>(static_cast<i64>(a))),
    LANE1("v_cvt_i32_f32", I32, F32, toI32(a)),
    LANE1("v_cvt_u32_f32", U32, F32, toU32(a)),
    LANE1("v_cvt_rpi_i32_f32", I32, F32, toI32(__builtin_floorf(a + 0.5f))),
    LANE1("v_cvt_flr_i32_f32", I32, F32, toI32(__builtin_floorf(a))),
    LANE1("v_cvt_f64_i32", F64, I32, static_cast<double>(a)),
    LANE1("v_cvt_f64_u32", F64, U32, static_cast<double>(a)),
    LANE1("v_cvt_i32_f64", I32, F64, toI32(a)),
    LANE1("v_cvt_u32_f64", U32, F64, toU32(a)),
    LANE1("v_cvt_f32_f64", F32, F64, static_cast<float>(a)),
    LANE1("v_cvt_f64_f32", F64, F32, static_cast<double>(a)),
    LANE1("v_cvt_f16_f32", F16, F32, a),
    LANE1("v_cvt_f32_f16", F32, F16, a),
    LANE1("v_cvt_f16_u16", F16, U16, static_cast<float>(a)),
    LANE1("v_cvt_f16_i16", F16, I16, static_cast<float>(a)),
    LANE1("v_cvt_u16_f16", U16, F16, toU16(a)),
    LANE1("v_cvt_i16_f16", I16, F16, toI16(a)),
    LANE1("v_cvt_u32_u16", U32, U16, a),
    LANE1("v_cvt_i32_i16", I32, I16, a),
    LANE1("v_cvt_f32_bf16", F32, BF16, a),
    LANE1("v_cvt_f32_ubyte0", F32, U32, static_cast<float>(a & 0xff)),
    LANE1("v_cvt_f32_ubyte1", F32, U32, static_cast<float>(a >> 8 & 0xff)),
    LANE1("v_cvt_f32_ubyte2", F32, U32, static_cast<float>(a >> 16 & 0xff)),
    LANE1("v_cvt_f32_ubyte3", F32, U32, static_cast<float>(a >> 24)),
    LANE1("v_cvt_off_f32_i4", F32, U32,
          static_cast<float>(static_cast<i32>(a << 28) >> 28) / 16.0f),

    LANE2("v_cvt_pkrtz_f16_f32", RawF16x2, F32, F32,
          halfTowardsZero(a) | halfTowardsZero(b) << 16),
    LANE2("v_cvt_pk_bf16_f32", U32, F32, F32,
          floatToBf16(a) | floatToBf16(b) << 16),
    LANE2("v_cvt_pk_f16_f32", RawF16x2, F32, F32,
          floatToHalf(a) | floatToHalf(b) << 16),
    LANE2("v_cvt_pknorm_i16_f32", U32, F32, F32,
          snorm16(a) | snorm16(b) << 16),
    LANE2("v_cvt_pknorm_u16_f32", U32, F32, F32,
          unorm16(a) | unorm16(b) << 16),
    LANE2("v_cvt_pknorm_i16_f16", U32, F16, F16,
          snorm16(a) | snorm16(b) << 16),
    LANE2("v_cvt_pknorm_u16_f16", U32, F16, F16,
          unorm16(a) | unorm16(b) << 16),
    LANE1("v_cvt_norm_i16_f16", U16, F16, static_cast<u16>(snorm16(a))),
    LANE1("v_cvt_norm_u16_f16", U16, F16, static_cast<u16>(unorm16(a))),
    LANE2("v_cvt_pk_i16_f32", U32, F32, F32,
          static_cast<u16>(toI16(a)) |
              static_cast<u32>(static_cast<u16>(toI16(b))) << 16),
    LANE2("v_cvt_pk_u16_f32", U32, F32, F32,
          toU16(a) | static_cast<u32>(toU16(b)) << 16),
    LANE2("v_cvt_pk_u16_u32", U32, U32, U32,
          (a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16),
    LANE2("v_cvt_pk_i16_i32", U32, I32, I32,
          static_cast<u16>(a > 32767    ? 32767
                           : a < -32768 ? -32768
                                        : a) |
              static_cast<u32>(static_cast<u16>(b > 32767    ? 32767
                                                : b < -32768 ? -32768
                                                             : b))
                  << 16),
    LANE3("v_cvt_pk_u8_f32", U32, F32, U32, U32, packU8(a, b, c)),
    LANE3F(kTiedDest, "v_cvt_pkaccum_u8_f32", U32, F32, U32, U32,
           packU8(a, b, c)),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable convertTable() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
