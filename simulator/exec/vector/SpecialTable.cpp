//===- SpecialTable.cpp - Vector instructions of no other family ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Argument reduction, sums of absolute differences over windows, arbitrary
// three-operand logic, stochastic rounding, and the newer dot products, as in
// the CDNA3, CDNA4, RDNA3 and RDNA4 ISA guides.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

/// The first 1216 bits of 2/pi after the binary point.
const u32 kTwoOverPi[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab,
};

/// V_TRIG_PREOP_F64 returns 53 bits of 2/pi, from a position that the
/// argument's exponent and the segment number select.
double trigPreop(double argument, u32 segment) {
  int exponent = exponentOf(argument);
  int shift = static_cast<int>(segment & 31) * 53;
  if (exponent > 1077)
    shift += exponent - 1077;
  u64 bits = 0;
  for (int k = 0; k < 53; ++k) {
    int at = shift + k;
    u32 bit = at < 1201 ? kTwoOverPi[at / 32] >> (31 - at % 32) & 1 : 0;
    bits = bits << 1 | bit;
  }
  int scale = -53 - shift;
  if (exponent >= 1968)
    scale += 128;
  return std::scalbn(static_cast<double>(bits), scale);
}

/// Computes any function of three bits, given as bit (4a + 2b + c) of the truth
/// table.
LANE_INLINE u32 bitop3(u32 a, u32 b, u32 c, u32 table) {
  u32 out = 0;
  for (u32 k = 0; k < 8; ++k) {
    u32 term = (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    out |= table >> k & 1 ? term : 0;
  }
  return out;
}

LANE_INLINE u32 sad4(u32 a, u32 b, bool masked) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    i32 x = a >> k & 0xff, y = b >> k & 0xff;
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
/// Compares four windows of S0, each one byte further, with S1. The sums have
/// 16 bits.
LANE_INLINE u64 windowSads(u64 a, u32 b, u64 c, bool masked) {
  u64 out = 0;
  for (int k = 0; k < 4; ++k) {
    u32 sum = sad4(static_cast<u32>(a >> 8 * k), b, masked) +
              static_cast<u32>(c >> 16 * k & 0xffff);
    out |= static_cast<u64>(sum > 0xffff ? 0xffff : sum) << 16 * k;
  }
  return out;
}

LANE_INLINE i32 clampTo(i32 v, i32 low, i32 high) {
  return v < low ? low : v > high ? high : v;
}

/// Adds random bits below the last place, then truncates.
LANE_INLINE u32 stochasticBf16(float v, u32 random) {
  u32 bits = bitsOf(v);
  if ((bits & 0x7fffffff) >= 0x7f800000)
    return bits >> 16 | ((bits & 0x7fffff) ? 0x40 : 0);
  return (bits + (random >> 16)) >> 16;
}
LANE_INLINE u32 stochasticHalf(float v, u32 random) {
  u32 bits = bitsOf(v), sign = bits >> 16 & 0x8000;
  u32 magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000)
    return sign | 0x7c00 | (magnitude > 0x7f800000 ? 0x200 : 0);
  int exponent = static_cast<int>(magnitude >> 23) - 127 + 15;
  u64 mantissa = (magnitude & 0x7fffff) | (magnitude >> 23 ? 0x800000 : 0);
  int drop = 13 + (exponent < 1 ? 1 - exponent : 0);
  if (drop > 40) {
    mantissa >>= drop - 40 < 63 ? drop - 40 : 63;
    drop = 40;
  }
  u64 add =
      drop <= 32 ? u64(random) >> (32 - drop) : u64(random) << (drop - 32);
  u64 kept = (mantissa + add) >> drop;
  u32 code = static_cast<u32>(kept) +
             (exponent < 1 ? 0 : static_cast<u32>(exponent - 1) << 10);
  return sign | (code > 0x7c00 ? 0x7c00 : code);
}

LANE_INLINE u32 dotSigned8(u32 a, u32 b, u32 c, u32 isSigned) {
  for (unsigned k = 0; k < 32; k += 8) {
    i32 x =
        isSigned & 1 ? static_cast<i8>(a >> k) : static_cast<i32>(a >> k & 255);
    i32 y =
        isSigned & 2 ? static_cast<i8>(b >> k) : static_cast<i32>(b >> k & 255);
    c += static_cast<u32>(x * y);
  }
  return c;
}
LANE_INLINE u32 dotSigned4(u32 a, u32 b, u32 c, u32 isSigned) {
  for (unsigned k = 0; k < 32; k += 4) {
    i32 x = isSigned & 1 ? static_cast<i32>(a << (28 - k)) >> 28
                         : static_cast<i32>(a >> k & 15);
    i32 y = isSigned & 2 ? static_cast<i32>(b << (28 - k)) >> 28
                         : static_cast<i32>(b >> k & 15);
    c += static_cast<u32>(x * y);
  }
  return c;
}

/// Returns the exact sum, which fits in 32 bits. It is signed even if the
/// factors are not.
template <unsigned Bits>
LANE_INLINE u32 dotSaturated(u32 a, u32 b, u32 c, u32 isSigned) {
  i64 sum = static_cast<i32>(c);
  for (unsigned k = 0; k < 32; k += Bits) {
    i32 x = isSigned & 1 ? static_cast<i32>(a << (32 - Bits - k)) >> (32 - Bits)
                         : static_cast<i32>(a >> k & ((1u << Bits) - 1));
    i32 y = isSigned & 2 ? static_cast<i32>(b << (32 - Bits - k)) >> (32 - Bits)
                         : static_cast<i32>(b >> k & ((1u << Bits) - 1));
    sum += x * y;
  }
  return static_cast<u32>(sum < INT32_MIN   ? INT32_MIN
                          : sum > INT32_MAX ? INT32_MAX
                                            : sum);
}
template <unsigned Bits>
void runDotSaturated(u32 *d, u32 *d2, const u32 *a, const u32 *b, const u32 *c,
                     unsigned lanes) {
  LANE_LOOP(d[i] = dotSaturated<Bits>(a[i], b[i], c[i], d2[i]))
}

const LaneKernel kKernels[] = {
#include "simulator/isa/tables/Special.def"
};

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable specialTable() { return {kKernels, std::size(kKernels)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
