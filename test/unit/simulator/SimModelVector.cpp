//===- SimModelVector.cpp - What vector instructions compute --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimModel.h"

#include "llvm/ADT/APFloat.h"
#include <algorithm>
#include <limits>

using namespace aircc::sim::test;

u32 aircc::sim::test::bitsBf16(double v) {
  // Converts to float first: the tested values need no more bits.
  u32 b = bits(static_cast<float>(v));
  if (v != v)
    return b >> 16 | 0x40;
  return static_cast<u16>((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

namespace {

template <class T> bool nan(T v) { return v != v; }

/// minNum and maxNum of the guides: of a number and a NaN, the result is the
/// number; -0 is less than 0.
template <class T> T least(T a, T b) {
  if (nan(a) || nan(b))
    return nan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> T most(T a, T b) {
  if (nan(a) || nan(b))
    return nan(a) ? b : a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
/// IEEE 754-2019: the result is NaN if an operand is.
template <class T> T minimum(T a, T b) {
  return nan(a) ? a : nan(b) ? b : least(a, b);
}
template <class T> T maximum(T a, T b) {
  return nan(a) ? a : nan(b) ? b : most(a, b);
}
template <class T> T middle(T a, T b, T c) {
  if (nan(a) || nan(b) || nan(c))
    return least(least(a, b), c);
  T top = most(most(a, b), c);
  return top == a ? most(b, c) : top == b ? most(a, c) : most(a, b);
}
template <class T> T middleOf(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Denormals become zero.
float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}
float flushingMad(float a, float b, float c) {
  return flushed(flushed(flushed(a) * flushed(b)) + flushed(c));
}
double fraction(double v, double below) {
  return std::isfinite(v) ? std::fmin(v - std::floor(v), below)
                          : std::numeric_limits<double>::quiet_NaN();
}
int exponentOf(double v) {
  int e = 0;
  if (std::isfinite(v) && v != 0)
    std::frexp(v, &e);
  return e;
}
double mantissaOf(double v) {
  int e = 0;
  return std::isfinite(v) ? std::frexp(v, &e) : v;
}
double scaled(double v, i64 by) {
  return std::ldexp(v, static_cast<int>(std::clamp<i64>(by, -5000, 5000)));
}
/// Converts to an integer within bounds; NaN becomes 0.
i64 whole(double v, double low, double high) {
  return nan(v) ? 0 : static_cast<i64>(std::trunc(std::clamp(v, low, high)));
}
/// -1 … 1 as 16 bits; 0 … 1.
u32 signedNorm(double v) {
  return nan(v) ? 0
                : static_cast<u16>(static_cast<i16>(
                      std::nearbyint(std::clamp(v, -1.0, 1.0) * 32767)));
}
u32 unsignedNorm(double v) {
  return nan(v) ? 0
                : static_cast<u16>(
                      std::nearbyint(std::clamp(v, 0.0, 1.0) * 65535));
}
u32 halfTowardZero(float v) {
  u32 near = bits16(v);
  if (!std::isfinite(v))
    return near;
  return std::fabs(f16(near)) > std::fabs(v) ? near - 1 : near;
}

u32 reversed(u32 v) {
  u32 out = 0;
  for (int k = 0; k < 32; ++k)
    out = out << 1 | (v >> k & 1);
  return out;
}
i32 byteOf(u32 v, int k) { return static_cast<int8_t>(v >> 8 * k); }
u32 ubyteOf(u32 v, int k) { return v >> 8 * k & 255; }
i32 nibbleOf(u32 v, int k) {
  return static_cast<i32>(v >> 4 * k & 15) - (v >> (4 * k + 3) & 1 ? 16 : 0);
}
u32 unibbleOf(u32 v, int k) { return v >> 4 * k & 15; }
i64 low24(u32 v) { return v & 0xffffff; }
i64 signed24(u32 v) { return low24(v) - (v >> 23 & 1 ? 1 << 24 : 0); }
u32 sumOfDifferences(u32 a, u32 b, bool masked = false) {
  u32 sum = 0;
  for (int k = 0; k < 4; ++k)
    if (!masked || ubyteOf(b, k))
      sum += std::abs(static_cast<i32>(ubyteOf(a, k)) -
                      static_cast<i32>(ubyteOf(b, k)));
  return sum;
}
u64 windows(u64 a, u32 b, u64 c, bool masked) {
  u64 out = 0;
  for (int k = 0; k < 4; ++k)
    out |= std::min<u64>(
               sumOfDifferences(static_cast<u32>(a >> 8 * k), b, masked) +
                   (c >> 16 * k & 0xffff),
               0xffff)
           << 16 * k;
  return out;
}
u32 permuted(u32 a, u32 b, u32 c) {
  u64 data = u64(a) << 32 | b;
  u32 out = 0;
  for (int k = 0; k < 4; ++k) {
    u32 s = ubyteOf(c, k);
    u32 v = s < 8    ? data >> 8 * s & 255
            : s < 12 ? (data >> (16 * (s - 8) + 15) & 1) * 255
            : s > 12 ? 255
                     : 0;
    out |= v << 8 * k;
  }
  return out;
}
u32 anyOfThree(u32 a, u32 b, u32 c, unsigned table) {
  u32 out = 0;
  for (int k = 0; k < 32; ++k) {
    unsigned row = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1);
    out |= (table >> row & 1) << k;
  }
  return out;
}
template <class Part> i128 dot(u32 a, u32 b, i64 c, int count, Part part) {
  i128 sum = c;
  for (int k = 0; k < count; ++k)
    sum += i64(part(a, k)) * i64(part(b, k));
  return sum;
}
i64 mixedByte(u32 v, int k, bool isSigned) {
  return isSigned ? byteOf(v, k) : i64(ubyteOf(v, k));
}
i64 mixedNibble(u32 v, int k, bool isSigned) {
  return isSigned ? nibbleOf(v, k) : i64(unibbleOf(v, k));
}
template <class Part>
i128 mixedDot(u32 a, u32 b, i64 c, int count, unsigned isSigned, Part part) {
  i128 sum = c;
  for (int k = 0; k < count; ++k)
    sum += part(a, k, isSigned & 1) * part(b, k, isSigned & 2);
  return sum;
}
/// The face of a cube that a direction hits: 0 x, 1 y, 2 z.
int major(float a, float b, float c) {
  a = std::fabs(a), b = std::fabs(b), c = std::fabs(c);
  return c >= a && c >= b ? 2 : b >= a ? 1 : 0;
}
u32 classes(u64 negative, u64 exponent, u64 mantissa, u64 top, u64 quiet) {
  if (exponent == top && mantissa)
    return mantissa & quiet ? 2 : 1;
  if (exponent == top)
    return negative ? 4 : 512;
  if (exponent)
    return negative ? 8 : 256;
  if (mantissa)
    return negative ? 16 : 128;
  return negative ? 32 : 64;
}
u32 class32(u32 v) {
  return classes(v >> 31, v >> 23 & 255, v & 0x7fffff, 255, 0x400000);
}
u32 class64(u64 v) {
  return classes(v >> 63, v >> 52 & 2047, v & 0xfffffffffffff, 2047,
                 u64(1) << 51);
}
u32 class16(u32 v) {
  return classes(v >> 15 & 1, v >> 10 & 31, v & 1023, 31, 512);
}
/// v_mullit: a * b, or -FLT_MAX if an operand is out of range.
float lit(float a, float b, float c) {
  const float least = -std::numeric_limits<float>::max();
  if (!(c > 0) || !(b > least))
    return least;
  return a == 0 || b == 0 ? 0.0f : a * b;
}
/// The sine of an angle in revolutions, plus a number of quarter revolutions.
/// Exact at quarters, where all zeros but that of -0 are positive.
double sine(double turns, int quarters) {
  if (turns == 0 && !quarters)
    return turns;
  const double part = std::fmod(turns, 1.0);
  if (const double quarter = 4 * part; quarter == std::trunc(quarter)) {
    constexpr double kAtQuarters[] = {0, 1, 0, -1};
    return kAtQuarters[(static_cast<int>(quarter) + quarters + 4) % 4];
  }
  const long double angle = 6.283185307179586476925286766559L * part;
  return static_cast<double>(quarters ? std::cos(angle) : std::sin(angle));
}

template <class T> T legacy(T a, T b) { return a == 0 || b == 0 ? 0 : a * b; }

/// The exponent's bits.
int biased(float v) { return bits(v) >> 23 & 255; }
int biased(double v) { return bits(v) >> 52 & 2047; }

/// The quotient's special cases: a is the quotient so far, b the denominator,
/// c the numerator.
template <class T> T fixedUp(T a, T b, T c, int least = -100000) {
  bool negative = std::signbit(b) != std::signbit(c);
  if (nan(c))
    return c;
  if (nan(b))
    return b;
  const T infinity = std::numeric_limits<T>::infinity();
  if ((b == 0 && c == 0) || (std::isinf(b) && std::isinf(c)))
    return std::numeric_limits<T>::quiet_NaN();
  if (b == 0 || std::isinf(c))
    return negative ? -infinity : infinity;
  if (std::isinf(b) || c == 0 || biased(c) - biased(b) < least)
    return negative ? T(-0.0) : T(0.0);
  // The intermediate quotient has overflowed.
  if (nan(a))
    return negative ? -infinity : infinity;
  return negative ? -std::fabs(a) : std::fabs(a);
}

/// 8-bit floats, converted by LLVM's APFloat.
const llvm::fltSemantics &format8(bool bf8, bool ocp) {
  using llvm::APFloat;
  return bf8   ? ocp ? APFloat::Float8E5M2() : APFloat::Float8E5M2FNUZ()
         : ocp ? APFloat::Float8E4M3FN()
               : APFloat::Float8E4M3FNUZ();
}
u32 from8(u32 v, bool bf8, bool ocp) {
  llvm::APFloat number(format8(bf8, ocp), llvm::APInt(8, v & 255));
  if (number.isNaN())
    return 0x7fc00000;
  bool lost;
  number.convert(llvm::APFloat::IEEEsingle(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  return bits(number.convertToFloat());
}
u32 to8(float v, bool bf8, bool ocp) {
  // A NaN has all bits but the sign's (FNUZ: none but that).
  if (nan(v) || (std::isinf(v) && !(bf8 && ocp)))
    return ocp ? (std::signbit(v) ? 0xff : 0x7f) : 0x80;
  llvm::APFloat number(v);
  bool lost;
  number.convert(format8(bf8, ocp), llvm::APFloat::rmNearestTiesToEven, &lost);
  if (number.isNaN())
    return ocp ? (std::signbit(v) ? 0xff : 0x7f) : 0x80;
  return number.bitcastToAPInt().getZExtValue();
}

// The comparisons of operands of one kind.
#define COMPARISONS(SUFFIX, K)                                                 \
  MODEL("v_cmp_f_" SUFFIX, Mask, K, K, None, (void(a), false)),                \
      MODEL("v_cmp_lt_" SUFFIX, Mask, K, K, None, a < b),                      \
      MODEL("v_cmp_eq_" SUFFIX, Mask, K, K, None, a == b),                     \
      MODEL("v_cmp_le_" SUFFIX, Mask, K, K, None, a <= b),                     \
      MODEL("v_cmp_gt_" SUFFIX, Mask, K, K, None, a > b),                      \
      MODEL("v_cmp_ge_" SUFFIX, Mask, K, K, None, a >= b)
#define INTEGER_COMPARISONS(SUFFIX, K)                                         \
  COMPARISONS(SUFFIX, K), MODEL("v_cmp_ne_" SUFFIX, Mask, K, K, None, a != b), \
      MODEL("v_cmp_t_" SUFFIX, Mask, K, K, None, true)
#define FLOAT_COMPARISONS(SUFFIX, K)                                           \
  COMPARISONS(SUFFIX, K),                                                      \
      MODEL("v_cmp_lg_" SUFFIX, Mask, K, K, None, a<b || a> b),                \
      MODEL("v_cmp_o_" SUFFIX, Mask, K, K, None, !nan(a) && !nan(b)),          \
      MODEL("v_cmp_u_" SUFFIX, Mask, K, K, None, nan(a) || nan(b)),            \
      MODEL("v_cmp_nge_" SUFFIX, Mask, K, K, None, !(a >= b)),                 \
      MODEL("v_cmp_nlg_" SUFFIX, Mask, K, K, None, !(a < b || a > b)),         \
      MODEL("v_cmp_ngt_" SUFFIX, Mask, K, K, None, !(a > b)),                  \
      MODEL("v_cmp_nle_" SUFFIX, Mask, K, K, None, !(a <= b)),                 \
      MODEL("v_cmp_neq_" SUFFIX, Mask, K, K, None, !(a == b)),                 \
      MODEL("v_cmp_nlt_" SUFFIX, Mask, K, K, None, !(a < b)),                  \
      MODEL("v_cmp_tru_" SUFFIX "|v_cmp_t_" SUFFIX, Mask, K, K, None, true)

std::vector<Model> comparisons() {
  return {
      INTEGER_COMPARISONS("i16", I16),
      INTEGER_COMPARISONS("u16", U16),
      INTEGER_COMPARISONS("i32", I32),
      INTEGER_COMPARISONS("u32", U32),
      INTEGER_COMPARISONS("i64", I64),
      INTEGER_COMPARISONS("u64", U64),
      FLOAT_COMPARISONS("f16", F16),
      FLOAT_COMPARISONS("f32", F32),
      FLOAT_COMPARISONS("f64", F64),
      MODEL("v_cmp_class_f32", Mask, F32, U32, None,
            (class32(bits(float(a))) & b) != 0),
      MODEL("v_cmp_class_f64", Mask, F64, U32, None,
            (class64(bits(double(a))) & b) != 0),
      MODEL("v_cmp_class_f16", Mask, F16, U16, None,
            (class16(bits16(double(a))) & b) != 0),
  };
}

// clang-format off
std::vector<Model> integers() {
  return {
      // Moves and bits.
      MODEL("v_mov_b32", U32, B32, None, None, a),
      MODEL("v_mov_b16", U16, U16, None, None, a),
      MODEL("v_mov_b64", U64, U64, None, None, a),
      MODEL("v_not_b32", U32, U32, None, None, ~a),
      MODEL("v_not_b16", U16, U16, None, None, u16(~a)),
      MODEL("v_and_b32", U32, U32, U32, None, a & b),
      MODEL("v_or_b32", U32, U32, U32, None, a | b),
      MODEL("v_xor_b32", U32, U32, U32, None, a ^ b),
      MODEL("v_xnor_b32", U32, U32, U32, None, ~(a ^ b)),
      MODEL("v_and_b16", U16, U16, U16, None, a & b),
      MODEL("v_or_b16", U16, U16, U16, None, a | b),
      MODEL("v_xor_b16", U16, U16, U16, None, a ^ b),
      MODEL("v_or3_b32", U32, U32, U32, U32, a | b | c),
      MODEL("v_xor3_b32", U32, U32, U32, U32, a ^ b ^ c),
      MODEL("v_and_or_b32", U32, U32, U32, U32, (a & b) | c),
      MODEL("v_bfi_b32", U32, U32, U32, U32, (a & b) | (~a & c)),
      MODEL("v_cndmask_b32", U32, B32, B32, Mask, c ? b : a),
      MODEL("v_cndmask_b16", U16, F16, F16, Mask, bits16(c ? b : a)),
      MODEL("v_bfe_u32", U32, U32, U32, U32,
            (c & 31) ? a >> (b & 31) & ((1u << (c & 31)) - 1) : 0),
      MODEL("v_bfe_i32", I32, I32, U32, U32,
            (c & 31) == 0 ? 0
            : (b & 31) + (c & 31) > 31 ? a >> (b & 31)
            : i32(u32(a) << (32 - (b & 31) - (c & 31))) >> (32 - (c & 31))),
      MODEL("v_bfm_b32", U32, U32, U32, None, ((1u << (a & 31)) - 1) << (b & 31)),
      MODEL("v_bfrev_b32", U32, U32, None, None, reversed(a)),
      MODEL("v_bcnt_u32_b32", U32, U32, U32, None, u32(std::popcount(a)) + b),
      MODEL("v_mbcnt_lo_u32_b32", U32, U32, U32, None,
            u32(std::popcount(x.lane < 32 ? a & ((1u << x.lane) - 1) : a)) + b),
      MODEL("v_mbcnt_hi_u32_b32", U32, U32, U32, None,
            (x.lane < 32 ? 0 : u32(std::popcount(a & ((1u << (x.lane - 32)) - 1)))) + b),
      MODEL("v_ffbh_u32|v_clz_i32_u32", U32, U32, None, None, a ? std::countl_zero(a) : -1),
      MODEL("v_ffbl_b32|v_ctz_i32_b32", U32, U32, None, None, a ? std::countr_zero(a) : -1),
      MODEL("v_ffbh_i32|v_cls_i32", U32, I32, None, None,
            a == 0 || a == -1 ? -1 : std::countl_zero(u32(a < 0 ? ~a : a))),
      MODEL("v_alignbit_b32", U32, U32, U32, U32, u32((u64(a) << 32 | b) >> (c & 31))),
      MODEL("v_alignbyte_b32", U32, U32, U32, U32, u32((u64(a) << 32 | b) >> 8 * (c & 3))),
      MODEL("v_perm_b32", U32, U32, U32, U32, permuted(a, b, c)),
      MODEL("v_bitop3_b32", U32, U32, U32, U32, anyOfThree(a, b, c, x.immediate)),
      MODEL("v_bitop3_b16", U16, U16, U16, U16, u16(anyOfThree(a, b, c, x.immediate))).keep(),
      MODEL("v_prng_b32", U32, U32, None, None, (a << 1) ^ (a >> 31 ? 0xc5 : 0)),
      MODEL("v_sat_pk_u8_i16", U16, U32, None, None,
            std::clamp(i32(i16(a)), 0, 255) | std::clamp(i32(i16(a >> 16)), 0, 255) << 8),
      MODEL("v_pack_b32_f16", U32, F16, F16, None, bits16(a) | bits16(b) << 16),

      // Shifts.
      MODEL("v_lshlrev_b32", U32, U32, U32, None, b << (a & 31)),
      MODEL("v_lshrrev_b32", U32, U32, U32, None, b >> (a & 31)),
      MODEL("v_ashrrev_i32", I32, U32, I32, None, b >> (a & 31)),
      MODEL("v_lshlrev_b16", U16, U16, U16, None, u16(b << (a & 15))),
      MODEL("v_lshrrev_b16", U16, U16, U16, None, b >> (a & 15)),
      MODEL("v_ashrrev_i16", I16, U16, I16, None, b >> (a & 15)),
      MODEL("v_lshlrev_b64", U64, U32, U64, None, b << (a & 63)),
      MODEL("v_lshrrev_b64", U64, U32, U64, None, b >> (a & 63)),
      MODEL("v_ashrrev_i64", I64, U32, I64, None, b >> (a & 63)),
      MODEL("v_lshl_or_b32", U32, U32, U32, U32, (a << (b & 31)) | c),
      MODEL("v_lshl_add_u32", U32, U32, U32, U32, (a << (b & 31)) + c),
      MODEL("v_add_lshl_u32", U32, U32, U32, U32, (a + b) << (c & 31)),
      MODEL("v_lshl_add_u64", U64, U64, U32, U64, (a << (b & 7)) + c),
      MODEL("v_ashr_pk_i8_i32", U16, I32, I32, U32,
            u32(uint8_t(std::clamp(a >> (c & 31), -128, 127))) |
                u32(uint8_t(std::clamp(b >> (c & 31), -128, 127))) << 8).keep(),
      MODEL("v_ashr_pk_u8_i32", U16, I32, I32, U32,
            std::clamp(a >> (c & 31), 0, 255) | std::clamp(b >> (c & 31), 0, 255) << 8).keep(),

      // Sums.
      MODEL("v_add_u32|v_add_nc_u32", U32, U32, U32, None, i64(a) + b).clamps(),
      MODEL("v_sub_u32|v_sub_nc_u32", U32, U32, U32, None, i64(a) - b).clamps(),
      MODEL("v_subrev_u32|v_subrev_nc_u32", U32, U32, U32, None, i64(b) - a).clamps(),
      MODEL("v_add_i32|v_add_nc_i32", I32, I32, I32, None, i64(a) + b).clamps(),
      MODEL("v_sub_i32|v_sub_nc_i32", I32, I32, I32, None, i64(a) - b).clamps(),
      MODEL("v_add_co_u32", U32, U32, U32, None, i64(a) + b).carries().clamps(),
      MODEL("v_sub_co_u32", U32, U32, U32, None, i64(a) - b).carries().clamps(),
      MODEL("v_subrev_co_u32", U32, U32, U32, None, i64(b) - a).carries().clamps(),
      MODEL("v_addc_co_u32|v_add_co_ci_u32", U32, U32, U32, Mask, i64(a) + b + c).carries().clamps(),
      MODEL("v_subb_co_u32|v_sub_co_ci_u32", U32, U32, U32, Mask, i64(a) - b - c).carries().clamps(),
      MODEL("v_subbrev_co_u32|v_subrev_co_ci_u32", U32, U32, U32, Mask, i64(b) - a - c).carries().clamps(),
      MODEL("v_add3_u32", U32, U32, U32, U32, a + b + c),
      MODEL("v_xad_u32", U32, U32, U32, U32, (a ^ b) + c),
      MODEL("v_add_u16", U16, U16, U16, None, a + b).clamps(),
      MODEL("v_sub_u16", U16, U16, U16, None, a - b).clamps(),
      MODEL("v_subrev_u16", U16, U16, U16, None, b - a).clamps(),
      MODEL("v_add_nc_u16", U16, U16, U16, None, a + b).clamps(),
      MODEL("v_sub_nc_u16", U16, U16, U16, None, a - b).clamps(),
      MODEL("v_add_i16|v_add_nc_i16", I16, I16, I16, None, a + b).clamps().keep(),
      MODEL("v_sub_i16|v_sub_nc_i16", I16, I16, I16, None, a - b).clamps().keep(),

      // Products.
      MODEL("v_mul_lo_u32", U32, U32, U32, None, a * b),
      MODEL("v_mul_hi_u32", U32, U32, U32, None, u32(u64(a) * b >> 32)),
      MODEL("v_mul_hi_i32", I32, I32, I32, None, i64(a) * b >> 32),
      MODEL("v_mul_u32_u24", U32, U32, U32, None, low24(a) * low24(b)).clamps(),
      MODEL("v_mul_i32_i24", I32, U32, U32, None, signed24(a) * signed24(b)).clamps(),
      MODEL("v_mul_hi_u32_u24", U32, U32, U32, None, u64(low24(a) * low24(b)) >> 32),
      MODEL("v_mul_hi_i32_i24", I32, U32, U32, None, signed24(a) * signed24(b) >> 32),
      MODEL("v_mad_u32_u24", U32, U32, U32, U32, low24(a) * low24(b) + c).clamps(),
      MODEL("v_mad_i32_i24", I32, U32, U32, I32, signed24(a) * signed24(b) + c).clamps(),
      MODEL("v_mul_lo_u16", U16, U16, U16, None, i64(a) * b).clamps(),
      MODEL("v_mad_u16", U16, U16, U16, U16, i64(a) * b + c).clamps().keep(),
      MODEL("v_mad_i16", I16, I16, I16, I16, i64(a) * b + c).clamps().keep(),
      MODEL("v_mad_legacy_u16", U16, U16, U16, U16, i64(a) * b + c).clamps(),
      MODEL("v_mad_legacy_i16", I16, I16, I16, I16, i64(a) * b + c).clamps(),
      MODEL("v_mad_u32_u16", U32, U16, U16, U32, i64(a) * b + c).clamps(),
      MODEL("v_mad_i32_i16", I32, I16, I16, I32, i64(a) * b + c).clamps(),
      MODEL("v_mad_u64_u32|v_mad_co_u64_u32", U64, U32, U32, U64, i128(a) * b + c).carries().clamps(),
      MODEL("v_mad_i64_i32|v_mad_co_i64_i32", I64, I32, I32, I64, i128(a) * b + c).carries().clamps(),

      // Orders.
      MODEL("v_min_i32", I32, I32, I32, None, std::min(a, b)),
      MODEL("v_max_i32", I32, I32, I32, None, std::max(a, b)),
      MODEL("v_min_u32", U32, U32, U32, None, std::min(a, b)),
      MODEL("v_max_u32", U32, U32, U32, None, std::max(a, b)),
      MODEL("v_min_i16", I16, I16, I16, None, std::min(a, b)),
      MODEL("v_max_i16", I16, I16, I16, None, std::max(a, b)),
      MODEL("v_min_u16", U16, U16, U16, None, std::min(a, b)),
      MODEL("v_max_u16", U16, U16, U16, None, std::max(a, b)),
      MODEL("v_min3_i32", I32, I32, I32, I32, std::min({a, b, c})),
      MODEL("v_max3_i32", I32, I32, I32, I32, std::max({a, b, c})),
      MODEL("v_med3_i32", I32, I32, I32, I32, middleOf(a, b, c)),
      MODEL("v_min3_u32", U32, U32, U32, U32, std::min({a, b, c})),
      MODEL("v_max3_u32", U32, U32, U32, U32, std::max({a, b, c})),
      MODEL("v_med3_u32", U32, U32, U32, U32, middleOf(a, b, c)),
      MODEL("v_min3_i16", I16, I16, I16, I16, std::min({a, b, c})).keep(),
      MODEL("v_max3_i16", I16, I16, I16, I16, std::max({a, b, c})).keep(),
      MODEL("v_med3_i16", I16, I16, I16, I16, middleOf(a, b, c)).keep(),
      MODEL("v_min3_u16", U16, U16, U16, U16, std::min({a, b, c})).keep(),
      MODEL("v_max3_u16", U16, U16, U16, U16, std::max({a, b, c})).keep(),
      MODEL("v_med3_u16", U16, U16, U16, U16, middleOf(a, b, c)).keep(),
      MODEL("v_minmax_i32", I32, I32, I32, I32, std::max(std::min(a, b), c)),
      MODEL("v_maxmin_i32", I32, I32, I32, I32, std::min(std::max(a, b), c)),
      MODEL("v_minmax_u32", U32, U32, U32, U32, std::max(std::min(a, b), c)),
      MODEL("v_maxmin_u32", U32, U32, U32, U32, std::min(std::max(a, b), c)),

      // Differences.
      MODEL("v_sad_u8", U32, U32, U32, U32, i64(sumOfDifferences(a, b)) + c).clamps(),
      MODEL("v_sad_hi_u8", U32, U32, U32, U32, (i64(sumOfDifferences(a, b)) << 16) + c).clamps(),
      MODEL("v_msad_u8", U32, U32, U32, U32, i64(sumOfDifferences(a, b, true)) + c).clamps(),
      MODEL("v_sad_u16", U32, U32, U32, U32,
            i64(std::abs(i32(a & 0xffff) - i32(b & 0xffff))) +
                std::abs(i32(a >> 16) - i32(b >> 16)) + c).clamps(),
      MODEL("v_sad_u32", U32, U32, U32, U32, i64(std::max(a, b) - std::min(a, b)) + c).clamps(),
      MODEL("v_qsad_pk_u16_u8", U64, U64, U32, U64, windows(a, b, c, false)),
      MODEL("v_mqsad_pk_u16_u8", U64, U64, U32, U64, windows(a, b, c, true)),
      MODEL("v_lerp_u8", U32, U32, U32, U32, [&] {
              u32 out = 0;
              for (int k = 0; k < 4; ++k)
                out |= (ubyteOf(a, k) + ubyteOf(b, k) + (ubyteOf(c, k) & 1)) / 2 << 8 * k;
              return out;
            }()),

      // Pairs of 16 bits.
      MODEL("v_pk_add_u16", U16, U16, U16, None, a + b).halves().clamps(),
      MODEL("v_pk_sub_u16", U16, U16, U16, None, a - b).halves().clamps(),
      MODEL("v_pk_add_i16", I16, I16, I16, None, a + b).halves().clamps(),
      MODEL("v_pk_sub_i16", I16, I16, I16, None, a - b).halves().clamps(),
      MODEL("v_pk_mul_lo_u16", U16, U16, U16, None, u16(u32(a) * b)).halves(),
      MODEL("v_pk_mad_u16", U16, U16, U16, U16, i64(a) * b + c).halves().clamps(),
      MODEL("v_pk_mad_i16", I16, I16, I16, I16, i64(a) * b + c).halves().clamps(),
      MODEL("v_pk_min_i16", I16, I16, I16, None, std::min(a, b)).halves(),
      MODEL("v_pk_max_i16", I16, I16, I16, None, std::max(a, b)).halves(),
      MODEL("v_pk_min_u16", U16, U16, U16, None, std::min(a, b)).halves(),
      MODEL("v_pk_max_u16", U16, U16, U16, None, std::max(a, b)).halves(),
      MODEL("v_pk_lshlrev_b16", U16, U16, U16, None, u16(b << (a & 15))).halves(),
      MODEL("v_pk_lshrrev_b16", U16, U16, U16, None, b >> (a & 15)).halves(),
      MODEL("v_pk_ashrrev_i16", I16, U16, I16, None, b >> (a & 15)).halves(),

      // Dot products.
      MODEL("v_dot2_i32_i16", I32, Pair, Pair, I32,
            i128(i32(i16(a)) * i16(b)) + i32(i16(a >> 16)) * i16(b >> 16) + c).clamps(),
      MODEL("v_dot2_u32_u16", U32, Pair, Pair, U32,
            i128(u64(a & 0xffff) * (b & 0xffff)) + u64(a >> 16) * (b >> 16) + c).clamps(),
      MODEL("v_dot2c_i32_i16", I32, U32, U32, I32,
            i128(i32(i16(a)) * i16(b)) + i32(i16(a >> 16)) * i16(b >> 16) + c).tieLast().clamps(),
      MODEL("v_dot4_i32_i8", I32, U32, U32, I32, dot(a, b, c, 4, byteOf)).clamps(),
      MODEL("v_dot4_u32_u8", U32, U32, U32, U32, dot(a, b, c, 4, ubyteOf)).clamps(),
      MODEL("v_dot8_i32_i4", I32, U32, U32, I32, dot(a, b, c, 8, nibbleOf)).clamps(),
      MODEL("v_dot8_u32_u4", U32, U32, U32, U32, dot(a, b, c, 8, unibbleOf)).clamps(),
      MODEL("v_dot4c_i32_i8", I32, U32, U32, I32, dot(a, b, c, 4, byteOf)).tieLast().clamps(),
      MODEL("v_dot8c_i32_i4", I32, U32, U32, I32, dot(a, b, c, 8, nibbleOf)).tieLast().clamps(),
      MODEL("v_dot4_i32_iu8", I32, U32, U32, I32, mixedDot(a, b, c, 4, x.isSigned, mixedByte)).clamps(),
      MODEL("v_dot8_i32_iu4", I32, U32, U32, I32, mixedDot(a, b, c, 8, x.isSigned, mixedNibble)).clamps(),
  };
}

std::vector<Model> conversions() {
  return {
      MODEL("v_cvt_f32_i32", F32, I32, None, None, float(a)),
      MODEL("v_cvt_f32_u32", F32, U32, None, None, float(a)),
      MODEL("v_cvt_f64_i32", F64, I32, None, None, double(a)),
      MODEL("v_cvt_f64_u32", F64, U32, None, None, double(a)),
      MODEL("v_cvt_i32_f32", I32, F32, None, None, whole(a, -2147483648.0, 2147483647.0)),
      MODEL("v_cvt_u32_f32", U32, F32, None, None, whole(a, 0, 4294967295.0)),
      MODEL("v_cvt_i32_f64", I32, F64, None, None, whole(a, -2147483648.0, 2147483647.0)),
      MODEL("v_cvt_u32_f64", U32, F64, None, None, whole(a, 0, 4294967295.0)),
      MODEL("v_cvt_flr_i32_f32|v_cvt_floor_i32_f32", I32, F32, None, None,
            whole(std::floor(a), -2147483648.0, 2147483647.0)),
      MODEL("v_cvt_rpi_i32_f32|v_cvt_nearest_i32_f32", I32, F32, None, None,
            whole(std::floor(a + 0.5f), -2147483648.0, 2147483647.0)),
      MODEL("v_cvt_f32_f64", F32, F64, None, None, float(a)),
      MODEL("v_cvt_f64_f32", F64, F32, None, None, double(a)),
      MODEL("v_cvt_f16_f32", F16, F32, None, None, double(a)),
      MODEL("v_cvt_f32_f16", F32, F16, None, None, float(a)),
      MODEL("v_cvt_f32_bf16", F32, BF16, None, None, float(a)),
      MODEL("v_cvt_f16_u16", F16, U16, None, None, double(a)),
      MODEL("v_cvt_f16_i16", F16, I16, None, None, double(a)),
      MODEL("v_cvt_u16_f16", U16, F16, None, None, whole(a, 0, 65535)),
      MODEL("v_cvt_i16_f16", I16, F16, None, None, whole(a, -32768, 32767)),
      MODEL("v_cvt_u32_u16", U32, U16, None, None, a),
      MODEL("v_cvt_i32_i16", I32, I16, None, None, a),
      MODEL("v_cvt_f32_ubyte0", F32, U32, None, None, float(ubyteOf(a, 0))),
      MODEL("v_cvt_f32_ubyte1", F32, U32, None, None, float(ubyteOf(a, 1))),
      MODEL("v_cvt_f32_ubyte2", F32, U32, None, None, float(ubyteOf(a, 2))),
      MODEL("v_cvt_f32_ubyte3", F32, U32, None, None, float(ubyteOf(a, 3))),
      MODEL("v_cvt_off_f32_i4", F32, U32, None, None, nibbleOf(a, 0) / 16.0f),
      MODEL("v_cvt_norm_i16_f16", U16, F16, None, None, signedNorm(a)),
      MODEL("v_cvt_norm_u16_f16", U16, F16, None, None, unsignedNorm(a)),
      MODEL("v_cvt_pknorm_i16_f32|v_cvt_pk_norm_i16_f32", U32, F32, F32, None,
            signedNorm(a) | signedNorm(b) << 16),
      MODEL("v_cvt_pknorm_u16_f32|v_cvt_pk_norm_u16_f32", U32, F32, F32, None,
            unsignedNorm(a) | unsignedNorm(b) << 16),
      MODEL("v_cvt_pknorm_i16_f16|v_cvt_pk_norm_i16_f16", U32, F16, F16, None,
            signedNorm(a) | signedNorm(b) << 16),
      MODEL("v_cvt_pknorm_u16_f16|v_cvt_pk_norm_u16_f16", U32, F16, F16, None,
            unsignedNorm(a) | unsignedNorm(b) << 16),
      MODEL("v_cvt_pkrtz_f16_f32|v_cvt_pk_rtz_f16_f32", U32, F32, F32, None,
            halfTowardZero(a) | halfTowardZero(b) << 16),
      MODEL("v_cvt_pk_bf16_f32", U32, F32, F32, None, bitsBf16(a) | bitsBf16(b) << 16),
      MODEL("v_cvt_pk_f16_f32", U32, F32, F32, None, bits16(a) | bits16(b) << 16),
      MODEL("v_cvt_pk_i16_f32", U32, F32, F32, None,
            u32(u16(whole(a, -32768, 32767))) | u32(u16(whole(b, -32768, 32767))) << 16),
      MODEL("v_cvt_pk_u16_f32", U32, F32, F32, None,
            u32(whole(a, 0, 65535)) | u32(whole(b, 0, 65535)) << 16),
      MODEL("v_cvt_pk_u16_u32", U32, U32, U32, None, std::min(a, 65535u) | std::min(b, 65535u) << 16),
      MODEL("v_cvt_pk_i16_i32", U32, I32, I32, None,
            u32(u16(std::clamp(a, -32768, 32767))) | u32(u16(std::clamp(b, -32768, 32767))) << 16),
      MODEL("v_cvt_pk_u8_f32", U32, F32, U32, U32, [&] {
              u32 v = nan(a) ? 0 : u32(std::nearbyint(std::clamp(a, 0.0f, 255.0f)));
              return (c & ~(255u << 8 * (b & 3))) | v << 8 * (b & 3);
            }()),
      MODEL("v_cvt_pkaccum_u8_f32", U32, F32, U32, U32, [&] {
              u32 v = nan(a) ? 0 : u32(std::nearbyint(std::clamp(a, 0.0f, 255.0f)));
              return (c & ~(255u << 8 * (b & 3))) | v << 8 * (b & 3);
            }()).tieLast(),
      MODEL("v_cvt_f32_fp8", F32, U32, None, None, f32(from8(a, false, x.ocp))),
      MODEL("v_cvt_f32_bf8", F32, U32, None, None, f32(from8(a, true, x.ocp))),
      MODEL("v_cvt_pk_f32_fp8", U64, U16, None, None,
            from8(a, false, x.ocp) | u64(from8(a >> 8, false, x.ocp)) << 32),
      MODEL("v_cvt_pk_f32_bf8", U64, U16, None, None,
            from8(a, true, x.ocp) | u64(from8(a >> 8, true, x.ocp)) << 32),
      MODEL("v_cvt_pk_fp8_f32", U16, F32, F32, None,
            to8(a, false, x.ocp) | to8(b, false, x.ocp) << 8).keep(),
      MODEL("v_cvt_pk_bf8_f32", U16, F32, F32, None,
            to8(a, true, x.ocp) | to8(b, true, x.ocp) << 8).keep(),
      MODEL("v_frexp_exp_i32_f32", I32, F32, None, None, exponentOf(a)),
      MODEL("v_frexp_exp_i32_f64", I32, F64, None, None, exponentOf(a)),
      MODEL("v_frexp_exp_i16_f16", I16, F16, None, None, exponentOf(a)),
  };
}

// The operations that f16, f32 and f64 share.
#define FLOATS(S, K)                                                           \
  MODEL("v_add_" S, K, K, K, None, a + b),                                     \
      MODEL("v_mul_" S, K, K, K, None, a * b),                                 \
      MODEL("v_min_" S "|v_min_num_" S, K, K, K, None, least(a, b)),           \
      MODEL("v_max_" S "|v_max_num_" S, K, K, K, None, most(a, b)),            \
      MODEL("v_minimum_" S, K, K, K, None, minimum(a, b)),                     \
      MODEL("v_maximum_" S, K, K, K, None, maximum(a, b)),                     \
      MODEL("v_floor_" S, K, K, None, None, std::floor(a)),                    \
      MODEL("v_ceil_" S, K, K, None, None, std::ceil(a)),                      \
      MODEL("v_trunc_" S, K, K, None, None, std::trunc(a)),                    \
      MODEL("v_rndne_" S, K, K, None, None, std::nearbyint(a)),                \
      MODEL("v_sqrt_" S, K, K, None, None, std::sqrt(a)),                      \
      MODEL("v_rcp_" S, K, K, None, None, 1 / a),                              \
      MODEL("v_rsq_" S, K, K, None, None, 1 / std::sqrt(double(a))).near()
#define SMALL_FLOATS(S, K)                                                     \
  FLOATS(S, K), MODEL("v_sub_" S, K, K, K, None, a - b),                       \
      MODEL("v_subrev_" S, K, K, K, None, b - a),                              \
      MODEL("v_fmaak_" S, K, K, K, K, std::fma(a, b, c)),                      \
      MODEL("v_fmamk_" S, K, K, K, K, std::fma(a, b, c)),                      \
      MODEL("v_min3_" S "|v_min3_num_" S, K, K, K, K, least(least(a, b), c))   \
          .keep(),                                                             \
      MODEL("v_max3_" S "|v_max3_num_" S, K, K, K, K, most(most(a, b), c))     \
          .keep(),                                                             \
      MODEL("v_med3_" S "|v_med3_num_" S, K, K, K, K, middle(a, b, c)).keep(), \
      MODEL("v_minmax_" S "|v_minmax_num_" S, K, K, K, K,                      \
            most(least(a, b), c)),                                             \
      MODEL("v_maxmin_" S "|v_maxmin_num_" S, K, K, K, K,                      \
            least(most(a, b), c)),                                             \
      MODEL("v_minimum3_" S, K, K, K, K, minimum(minimum(a, b), c)),           \
      MODEL("v_maximum3_" S, K, K, K, K, maximum(maximum(a, b), c)),           \
      MODEL("v_minimummaximum_" S, K, K, K, K, maximum(minimum(a, b), c)),     \
      MODEL("v_maximumminimum_" S, K, K, K, K, minimum(maximum(a, b), c))

std::vector<Model> floats() {
  return {
      SMALL_FLOATS("f32", F32),
      SMALL_FLOATS("f16", F16),
      FLOATS("f64", F64),
      MODEL("v_fma_f32", F32, F32, F32, F32, std::fma(a, b, c)),
      MODEL("v_fma_f64", F64, F64, F64, F64, std::fma(a, b, c)),
      MODEL("v_fma_f16", F16, F16, F16, F16, std::fma(a, b, c)).keep(),
      MODEL("v_fmac_f32", F32, F32, F32, F32, std::fma(a, b, c)).tieLast(),
      MODEL("v_fmac_f64", F64, F64, F64, F64, std::fma(a, b, c)).tieLast(),
      MODEL("v_fmac_f16", F16, F16, F16, F16, std::fma(a, b, c)).tieLast(),
      MODEL("v_fma_legacy_f16", F16, F16, F16, F16, std::fma(a, b, c)),
      MODEL("v_mad_f16", F16, F16, F16, F16, double(f16(bits16(a * b))) + c).keep(),
      MODEL("v_mad_legacy_f16", F16, F16, F16, F16, double(f16(bits16(a * b))) + c),
      MODEL("v_mac_f16", F16, F16, F16, F16, double(f16(bits16(a * b))) + c).tieLast(),
      MODEL("v_madak_f16", F16, F16, F16, F16, double(f16(bits16(a * b))) + c),
      MODEL("v_madmk_f16", F16, F16, F16, F16, double(f16(bits16(a * b))) + c),
      MODEL("v_mad_f32|v_madak_f32|v_madmk_f32", F32, F32, F32, F32, flushingMad(a, b, c)),
      MODEL("v_mac_f32", F32, F32, F32, F32, flushingMad(a, b, c)).tieLast(),
      MODEL("v_mul_legacy_f32|v_mul_dx9_zero_f32", F32, F32, F32, None, legacy(a, b)),
      MODEL("v_fma_legacy_f32|v_fma_dx9_zero_f32", F32, F32, F32, F32,
            a == 0 || b == 0 ? c : std::fma(a, b, c)),
      MODEL("v_fmac_legacy_f32|v_fmac_dx9_zero_f32", F32, F32, F32, F32,
            a == 0 || b == 0 ? c : std::fma(a, b, c)).tieLast(),
      MODEL("v_mullit_f32", F32, F32, F32, F32, lit(a, b, c)),
      MODEL("v_ldexp_f32", F32, F32, I32, None, scaled(a, b)),
      MODEL("v_ldexp_f64", F64, F64, I32, None, scaled(a, b)),
      MODEL("v_ldexp_f16", F16, F16, I16, None, scaled(a, b)),
      MODEL("v_fract_f32", F32, F32, None, None, fraction(a, f32(0x3f7fffff))),
      MODEL("v_fract_f64", F64, F64, None, None, fraction(a, f64(0x3fefffffffffffff))),
      MODEL("v_fract_f16", F16, F16, None, None, fraction(a, f16(0x3bff))),
      MODEL("v_frexp_mant_f32", F32, F32, None, None, mantissaOf(a)),
      MODEL("v_frexp_mant_f64", F64, F64, None, None, mantissaOf(a)),
      MODEL("v_frexp_mant_f16", F16, F16, None, None, mantissaOf(a)),
      MODEL("v_rcp_iflag_f32", F32, F32, None, None, 1 / a),
      MODEL("v_exp_f32|v_exp_legacy_f32", F32, F32, None, None,
            flushed(float(std::exp2(double(flushed(a)))))).near(),
      MODEL("v_log_f32|v_log_legacy_f32", F32, F32, None, None,
            float(std::log2(double(flushed(a))))).near(),
      MODEL("v_sin_f32", F32, F32, None, None, float(sine(a, 0))).near(),
      MODEL("v_cos_f32", F32, F32, None, None, float(sine(a, 1))).near(),
      MODEL("v_sin_f16", F16, F16, None, None, sine(a, 0)).near(),
      MODEL("v_cos_f16", F16, F16, None, None, sine(a, 1)).near(),
      MODEL("v_mad_legacy_f32", F32, F32, F32, F32, legacy(a, b) + c),
      MODEL("v_exp_f16", F16, F16, None, None, std::exp2(a)).near(),
      MODEL("v_log_f16", F16, F16, None, None, std::log2(a)).near(),
      MODEL("v_div_fixup_f32", F32, F32, F32, F32, fixedUp(a, b, c, -150)),
      MODEL("v_div_fixup_f64", F64, F64, F64, F64, fixedUp(a, b, c, -1075)),
      MODEL("v_div_fixup_f16", F16, F16, F16, F16, fixedUp(a, b, c)).keep(),
      MODEL("v_div_fixup_legacy_f16", F16, F16, F16, F16, fixedUp(a, b, c)),
      MODEL("v_cubeid_f32", F32, F32, F32, F32,
            major(a, b, c) == 2 ? (c < 0 ? 5.0f : 4.0f)
            : major(a, b, c) == 1 ? (b < 0 ? 3.0f : 2.0f) : (a < 0 ? 1.0f : 0.0f)),
      MODEL("v_cubema_f32", F32, F32, F32, F32,
            2 * (major(a, b, c) == 2 ? c : major(a, b, c) == 1 ? b : a)),
      MODEL("v_cubesc_f32", F32, F32, F32, F32,
            major(a, b, c) == 2 ? (c < 0 ? -a : a)
            : major(a, b, c) == 1 ? a : (a < 0 ? c : -c)),
      MODEL("v_cubetc_f32", F32, F32, F32, F32,
            major(a, b, c) == 1 ? (b < 0 ? -c : c) : -b),

      // Pairs.
      MODEL("v_pk_add_f16", F16, F16, F16, None, a + b).halves(),
      MODEL("v_pk_mul_f16", F16, F16, F16, None, a * b).halves(),
      MODEL("v_pk_fma_f16", F16, F16, F16, F16, std::fma(a, b, c)).halves(),
      MODEL("v_pk_fmac_f16", F16, F16, F16, F16, std::fma(a, b, c)).halves().tieLast(),
      MODEL("v_pk_min_f16|v_pk_min_num_f16", F16, F16, F16, None, least(a, b)).halves(),
      MODEL("v_pk_max_f16|v_pk_max_num_f16", F16, F16, F16, None, most(a, b)).halves(),
      MODEL("v_pk_minimum_f16", F16, F16, F16, None, minimum(a, b)).halves(),
      MODEL("v_pk_maximum_f16", F16, F16, F16, None, maximum(a, b)).halves(),
      MODEL("v_pk_minimum3_f16", F16, F16, F16, F16, minimum(minimum(a, b), c)).halves(),
      MODEL("v_pk_maximum3_f16", F16, F16, F16, F16, maximum(maximum(a, b), c)).halves(),
      MODEL("v_pk_add_f32", F32, F32, F32, None, a + b).halves(),
      MODEL("v_pk_mul_f32", F32, F32, F32, None, a * b).halves(),
      MODEL("v_pk_fma_f32", F32, F32, F32, F32, std::fma(a, b, c)).halves(),

      // Mixed precision.
      MODEL("v_fma_mix_f32|v_mad_mix_f32", F32, Mix, Mix, Mix, std::fma(a, b, c)),
      MODEL("v_fma_mixlo_f16|v_mad_mixlo_f16", F16, Mix, Mix, Mix, double(std::fma(a, b, c))).keep(),
      MODEL("v_fma_mixhi_f16|v_mad_mixhi_f16", F16, Mix, Mix, Mix, double(std::fma(a, b, c))).keep(),
  };
}
// clang-format on

} // namespace

const std::map<std::string, Model> &aircc::sim::test::vectorModels() {
  static const std::map<std::string, Model> models = [] {
    std::vector<Model> list = comparisons();
    for (auto more : {integers(), conversions(), floats()})
      list.insert(list.end(), more.begin(), more.end());
    return byName(list);
  }();
  return models;
}
