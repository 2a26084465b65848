//===- ConvertTable.cpp - Conversions -------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Conversions between formats. Float to integer truncates (or rounds as its
// name says) and saturates; NaN becomes 0. CDNA3 ISA guide, chapter 12,
// V_CVT_*.
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
/// Converts f64 or f32 to a normalized 16-bit integer, rounding to nearest
/// even.
LANE_INLINE u32 snorm16(float v) {
  // In double, the product is exact.
  double limited = double(minNum(maxNum(v, -1.0f), 1.0f)) * 32767.0;
  return static_cast<u16>(
      static_cast<i16>(isNan(v) ? 0.0 : __builtin_roundeven(limited)));
}
LANE_INLINE u32 unorm16(float v) {
  double limited = double(minNum(maxNum(v, 0.0f), 1.0f)) * 65535.0;
  return static_cast<u16>(
      static_cast<i32>(isNan(v) ? 0.0 : __builtin_roundeven(limited)));
}

/// Sets byte S1 of S2 to S0 as an 8-bit integer.
LANE_INLINE u32 packU8(float a, u32 b, u32 c) {
  u32 shift = 8 * (b & 3);
  float whole = isNan(a) || a < 0 ? 0.0f
                : a > 255         ? 255.0f
                                  : __builtin_roundevenf(a);
  return (c & ~(0xffu << shift)) | static_cast<u32>(whole) << shift;
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/Convert.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable convertTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
