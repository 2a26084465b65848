//===- IntegerTable.cpp - Integer and bit arithmetic ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VOP1, VOP2 and VOP3 instructions that compute on integers and bits. CDNA3 ISA
// guide, chapter 12; names as gfx9 has them (see Renamed.def).
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneSupport.h"

#include <iterator>

namespace aircc::sim {
namespace {

LANE_INLINE i32 signExtend24(u32 v) { return static_cast<i32>(v << 8) >> 8; }
template <class T> LANE_INLINE T minOf(T a, T b) { return a < b ? a : b; }
template <class T> LANE_INLINE T maxOf(T a, T b) { return a > b ? a : b; }
template <class T> LANE_INLINE T med3Of(T a, T b, T c) {
  return maxOf(minOf(a, b), minOf(maxOf(a, b), c));
}
LANE_INLINE u16 saturateU16(i32 v) {
  return v < 0 ? 0 : v > 0xffff ? 0xffff : v;
}
LANE_INLINE i16 saturateI16(i32 v) {
  return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v;
}
LANE_INLINE u32 bitReverse(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}
LANE_INLINE u32 popcount(u32 v) {
  v = v - (v >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
/// V_FFBH_U32: leading zeros, -1 of 0. V_FFBH_I32: leading bits equal to the
/// sign, -1 of 0 and -1.
LANE_INLINE u32 firstHigh(u32 v) { return v ? __builtin_clz(v) : ~0u; }
LANE_INLINE u32 firstHighSigned(i32 v) {
  u32 flipped = v < 0 ? ~v : v;
  return flipped ? __builtin_clz(flipped) : ~0u;
}
LANE_INLINE u32 firstLow(u32 v) { return v ? __builtin_ctz(v) : ~0u; }
LANE_INLINE u32 sadU8(u32 a, u32 b) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    i32 x = a >> k & 0xff, y = b >> k & 0xff;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
/// Bytes of b whose byte in the reference b is zero do not count.
LANE_INLINE u32 msadU8(u32 a, u32 b) {
  u32 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    i32 x = a >> k & 0xff, y = b >> k & 0xff;
    sum += y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
/// One byte of V_PERM_B32; `data` has S1 in its low half.
LANE_INLINE u32 permByte(u64 data, u32 select) {
  if (select >= 13)
    return 0xff;
  if (select == 12)
    return 0;
  if (select >= 8) // The sign of bytes 1, 3, 5, 7.
    return data >> (16 * (select - 8) + 15) & 1 ? 0xff : 0;
  return data >> (8 * select) & 0xff;
}
LANE_INLINE u32 permute(u32 a, u32 b, u32 select) {
  u64 data = static_cast<u64>(a) << 32 | b;
  u32 out = 0;
  for (int k = 0; k < 32; k += 8)
    out |= permByte(data, select >> k & 0xff) << k;
  return out;
}
LANE_INLINE u32 bitfieldMask(u32 width) { return (1u << (width & 31)) - 1; }
LANE_INLINE u32 bfeU32(u32 a, u32 b, u32 c) {
  return a >> (b & 31) & bitfieldMask(c);
}
LANE_INLINE i32 bfeI32(i32 a, u32 b, u32 c) {
  u32 width = c & 31;
  u32 field = static_cast<u32>(a >> (b & 31)) & bitfieldMask(c);
  u32 sign = width ? 1u << (width - 1) : 0;
  return static_cast<i32>((field ^ sign) - sign);
}
template <class F> LANE_INLINE Both<u32, bool> carry(u64 wide, F out) {
  return {static_cast<u32>(wide), out(wide)};
}

// clang-format off
const LaneEntry kEntries[] = {
    // Moves and selections.
    LANE1("v_mov_b32", U32, U32, a),
    LANE1("v_mov_b64", U64, U64, a),
    LANE1("v_mov_b16", U16, U16, a),
    LANE1("v_accvgpr_read_b32", U32, U32, a),
    LANE1("v_accvgpr_write_b32", U32, U32, a),
    LANE1("v_accvgpr_mov_b32", U32, U32, a),
    LANE3("v_cndmask_b32", F32, F32, F32, Bit, c ? b : a),
    LANE3("v_cndmask_b16", U16, U16, U16, Bit, c ? b : a),

    // Bits.
    LANE1("v_not_b32", U32, U32, ~a),
    LANE1("v_not_b16", U16, U16, static_cast<u16>(~a)),
    LANE2("v_and_b32", U32, U32, U32, a & b),
    LANE2("v_or_b32", U32, U32, U32, a | b),
    LANE2("v_xor_b32", U32, U32, U32, a ^ b),
    LANE2("v_xnor_b32", U32, U32, U32, ~(a ^ b)),
    LANE2("v_and_b16", U16, U16, U16, static_cast<u16>(a & b)),
    LANE2("v_or_b16", U16, U16, U16, static_cast<u16>(a | b)),
    LANE2("v_xor_b16", U16, U16, U16, static_cast<u16>(a ^ b)),
    LANE3("v_or3_b32", U32, U32, U32, U32, a | b | c),
    LANE3("v_xor3_b32", U32, U32, U32, U32, a ^ b ^ c),
    LANE3("v_and_or_b32", U32, U32, U32, U32, (a & b) | c),
    LANE3("v_bfi_b32", U32, U32, U32, U32, (a & b) | (~a & c)),
    LANE3("v_bfe_u32", U32, U32, U32, U32, bfeU32(a, b, c)),
    LANE3("v_bfe_i32", I32, I32, U32, U32, bfeI32(a, b, c)),
    LANE2("v_bfm_b32", U32, U32, U32, bitfieldMask(a) << (b & 31)),
    LANE1("v_bfrev_b32", U32, U32, bitReverse(a)),
    LANE2("v_bcnt_u32_b32", U32, U32, U32, popcount(a) + b),
    // Bits of the mask for the lanes below this one.
    {"v_mbcnt_lo_u32_b32",
     [](u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
        unsigned lanes) {
       LANE_LOOP(d[i] = popcount(a[i] & (i < 32 ? (1u << (i & 31)) - 1 : ~0u)) +
                        b[i])
     },
     ValueType::B32, kNo, {ValueType::B32, ValueType::B32, kNo}, 2, 0},
    {"v_mbcnt_hi_u32_b32",
     [](u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
        unsigned lanes) {
       LANE_LOOP(d[i] = popcount(a[i] & (i < 32 ? 0 : (1u << (i & 31)) - 1)) +
                        b[i])
     },
     ValueType::B32, kNo, {ValueType::B32, ValueType::B32, kNo}, 2, 0},
    LANE1("v_ffbh_u32", U32, U32, firstHigh(a)),
    LANE1("v_ffbh_i32", U32, I32, firstHighSigned(a)),
    LANE1("v_ffbl_b32", U32, U32, firstLow(a)),
    LANE3("v_alignbit_b32", U32, U32, U32, U32,
          static_cast<u32>((static_cast<u64>(a) << 32 | b) >> (c & 31))),
    LANE3("v_alignbyte_b32", U32, U32, U32, U32,
          static_cast<u32>((static_cast<u64>(a) << 32 | b) >> (8 * (c & 3)))),
    LANE3("v_perm_b32", U32, U32, U32, U32, permute(a, b, c)),
    LANE1("v_sat_pk_u8_i16", U16, U32,
          static_cast<u16>(
              minOf(maxOf<i32>(static_cast<i16>(a), 0), 255) |
              minOf(maxOf<i32>(static_cast<i16>(a >> 16), 0), 255) << 8)),
    LANE3("v_lerp_u8", U32, U32, U32, U32,
          [](u32 a, u32 b, u32 c) {
            u32 out = 0;
            for (int k = 0; k < 32; k += 8)
              out |= (((a >> k & 0xff) + (b >> k & 0xff) + (c >> k & 1)) >> 1)
                     << k;
            return out;
          }(a, b, c)),

    // Shifts.
    LANE2("v_lshlrev_b32", U32, U32, U32, b << (a & 31)),
    LANE2("v_lshrrev_b32", U32, U32, U32, b >> (a & 31)),
    LANE2("v_ashrrev_i32", I32, U32, I32, b >> (a & 31)),
    LANE2("v_lshlrev_b64", U64, U32, U64, b << (a & 63)),
    LANE2("v_lshrrev_b64", U64, U32, U64, b >> (a & 63)),
    LANE2("v_ashrrev_i64", I64, U32, I64, b >> (a & 63)),
    LANE2("v_lshlrev_b16", U16, U16, U16, static_cast<u16>(b << (a & 15))),
    LANE2("v_lshrrev_b16", U16, U16, U16, static_cast<u16>(b >> (a & 15))),
    LANE2("v_ashrrev_i16", I16, U16, I16, static_cast<i16>(b >> (a & 15))),
    LANE3("v_lshl_or_b32", U32, U32, U32, U32, (a << (b & 31)) | c),
    LANE3("v_lshl_add_u32", U32, U32, U32, U32, (a << (b & 31)) + c),
    LANE3("v_add_lshl_u32", U32, U32, U32, U32, (a + b) << (c & 31)),
    LANE3("v_lshl_add_u64", U64, U64, U32, U64, (a << (b & 7)) + c),
    LANE3("v_xad_u32", U32, U32, U32, U32, (a ^ b) + c),
    LANE3("v_add3_u32", U32, U32, U32, U32, a + b + c),

    // Addition, subtraction.
    LANE2("v_add_u32", U32, U32, U32, a + b),
    LANE2("v_sub_u32", U32, U32, U32, a - b),
    LANE2("v_subrev_u32", U32, U32, U32, b - a),
    LANE2("v_add_u32.clamp", U32, U32, U32,
          saturateU32(static_cast<u64>(a) + b)),
    LANE2("v_sub_u32.clamp", U32, U32, U32, a < b ? 0 : a - b),
    LANE2("v_subrev_u32.clamp", U32, U32, U32, b < a ? 0 : b - a),
    LANE2("v_add_i32", U32, U32, U32, a + b),
    LANE2("v_sub_i32", U32, U32, U32, a - b),
    LANE2("v_add_i32.clamp", I32, I32, I32,
          saturateI32(static_cast<i64>(a) + b)),
    LANE2("v_sub_i32.clamp", I32, I32, I32,
          saturateI32(static_cast<i64>(a) - b)),
    entry2x2<U32, Bit, U32, U32>(
        "v_add_co_u32",
        [](u32 a, u32 b) { return Both<u32, bool>{a + b, a + b < a}; }),
    entry2x2<U32, Bit, U32, U32>(
        "v_sub_co_u32",
        [](u32 a, u32 b) { return Both<u32, bool>{a - b, a < b}; }),
    entry2x2<U32, Bit, U32, U32>(
        "v_subrev_co_u32",
        [](u32 a, u32 b) { return Both<u32, bool>{b - a, b < a}; }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_addc_co_u32",
        [](u32 a, u32 b, bool c) {
          u64 wide = static_cast<u64>(a) + b + c;
          return Both<u32, bool>{static_cast<u32>(wide), wide >> 32 != 0};
        }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_subb_co_u32",
        [](u32 a, u32 b, bool c) {
          return Both<u32, bool>{a - b - c,
                                 static_cast<u64>(b) + c > a};
        }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_subbrev_co_u32",
        [](u32 a, u32 b, bool c) {
          return Both<u32, bool>{b - a - c,
                                 static_cast<u64>(a) + c > b};
        }),

    // The carry out is that of the sum before it is clamped.
    entry2x2<U32, Bit, U32, U32>(
        "v_add_co_u32.clamp",
        [](u32 a, u32 b) {
          return Both<u32, bool>{saturateU32(static_cast<u64>(a) + b),
                                 a + b < a};
        }),
    entry2x2<U32, Bit, U32, U32>(
        "v_sub_co_u32.clamp",
        [](u32 a, u32 b) {
          return Both<u32, bool>{a < b ? 0 : a - b, a < b};
        }),
    entry2x2<U32, Bit, U32, U32>(
        "v_subrev_co_u32.clamp",
        [](u32 a, u32 b) {
          return Both<u32, bool>{b < a ? 0 : b - a, b < a};
        }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_addc_co_u32.clamp",
        [](u32 a, u32 b, bool c) {
          u64 wide = static_cast<u64>(a) + b + c;
          return Both<u32, bool>{saturateU32(wide), wide >> 32 != 0};
        }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_subb_co_u32.clamp",
        [](u32 a, u32 b, bool c) {
          bool borrow = static_cast<u64>(b) + c > a;
          return Both<u32, bool>{borrow ? 0 : a - b - c, borrow};
        }),
    entry3x2<U32, Bit, U32, U32, Bit>(
        "v_subbrev_co_u32.clamp",
        [](u32 a, u32 b, bool c) {
          bool borrow = static_cast<u64>(a) + c > b;
          return Both<u32, bool>{borrow ? 0 : b - a - c, borrow};
        }),

    // Multiplication. The 24-bit forms see 24 bits of their factors.
    LANE2("v_mul_lo_u32", U32, U32, U32, a *b),
    LANE2("v_mul_lo_i32", U32, U32, U32, a *b),
    LANE2("v_mul_hi_u32", U32, U32, U32,
          static_cast<u32>(static_cast<u64>(a) * b >> 32)),
    LANE2("v_mul_hi_i32", I32, I32, I32,
          static_cast<i32>(static_cast<i64>(a) * b >> 32)),
    LANE2("v_mul_u32_u24", U32, U32, U32, (a & 0xffffff) * (b & 0xffffff)),
    LANE2("v_mul_hi_u32_u24", U32, U32, U32,
          static_cast<u32>(static_cast<u64>(a & 0xffffff) * (b & 0xffffff) >>
                           32)),
    LANE2("v_mul_i32_i24", U32, U32, U32,
          static_cast<u32>(static_cast<i64>(signExtend24(a)) *
                           signExtend24(b))),
    LANE2("v_mul_hi_i32_i24", I32, U32, U32,
          static_cast<i32>(static_cast<i64>(signExtend24(a)) *
                               signExtend24(b) >>
                           32)),
    LANE3("v_mad_u32_u24", U32, U32, U32, U32,
          (a & 0xffffff) * (b & 0xffffff) + c),
    LANE3("v_mad_i32_i24", U32, U32, U32, U32,
          static_cast<u32>(static_cast<i64>(signExtend24(a)) *
                           signExtend24(b)) +
              c),
    LANE3("v_mad_u32_u24.clamp", U32, U32, U32, U32,
          saturateU32(static_cast<u64>(a & 0xffffff) * (b & 0xffffff) + c)),
    LANE3("v_mad_i32_i24.clamp", I32, U32, U32, I32,
          saturateI32(static_cast<i64>(signExtend24(a)) * signExtend24(b) +
                      c)),
    LANE2("v_mul_u32_u24.clamp", U32, U32, U32,
          saturateU32(static_cast<u64>(a & 0xffffff) * (b & 0xffffff))),
    LANE2("v_mul_i32_i24.clamp", I32, U32, U32,
          saturateI32(static_cast<i64>(signExtend24(a)) * signExtend24(b))),
    entry3x2<U64, Bit, U32, U32, U64>(
        "v_mad_u64_u32.clamp",
        [](u32 a, u32 b, u64 c) {
          u64 product = static_cast<u64>(a) * b;
          bool over = product + c < product;
          return Both<u64, bool>{over ? ~u64(0) : product + c, over};
        }),
    entry3x2<I64, Bit, I32, I32, I64>(
        "v_mad_i64_i32.clamp",
        [](i32 a, i32 b, i64 c) {
          i64 product = static_cast<i64>(a) * b;
          i64 sum = static_cast<i64>(static_cast<u64>(product) +
                                     static_cast<u64>(c));
          bool over = ((product ^ sum) & (c ^ sum)) < 0;
          return Both<i64, bool>{over ? (c < 0 ? INT64_MIN : INT64_MAX) : sum,
                                 over};
        }),
    entry3x2<U64, Bit, U32, U32, U64>(
        "v_mad_u64_u32",
        [](u32 a, u32 b, u64 c) {
          u64 product = static_cast<u64>(a) * b;
          return Both<u64, bool>{product + c, product + c < product};
        }),
    // The carry out is that of the signed sum.
    entry3x2<I64, Bit, I32, I32, I64>(
        "v_mad_i64_i32",
        [](i32 a, i32 b, i64 c) {
          i64 product = static_cast<i64>(a) * b;
          i64 sum = static_cast<i64>(static_cast<u64>(product) +
                                     static_cast<u64>(c));
          return Both<i64, bool>{sum, ((product ^ sum) & (c ^ sum)) < 0};
        }),

    // Minimum, maximum, differences.
    LANE2("v_min_i32", I32, I32, I32, minOf(a, b)),
    LANE2("v_max_i32", I32, I32, I32, maxOf(a, b)),
    LANE2("v_min_u32", U32, U32, U32, minOf(a, b)),
    LANE2("v_max_u32", U32, U32, U32, maxOf(a, b)),
    LANE3("v_min3_i32", I32, I32, I32, I32, minOf(minOf(a, b), c)),
    LANE3("v_max3_i32", I32, I32, I32, I32, maxOf(maxOf(a, b), c)),
    LANE3("v_med3_i32", I32, I32, I32, I32, med3Of(a, b, c)),
    LANE3("v_min3_u32", U32, U32, U32, U32, minOf(minOf(a, b), c)),
    LANE3("v_max3_u32", U32, U32, U32, U32, maxOf(maxOf(a, b), c)),
    LANE3("v_med3_u32", U32, U32, U32, U32, med3Of(a, b, c)),
    LANE3("v_minmax_i32", I32, I32, I32, I32, maxOf(minOf(a, b), c)),
    LANE3("v_maxmin_i32", I32, I32, I32, I32, minOf(maxOf(a, b), c)),
    LANE3("v_minmax_u32", U32, U32, U32, U32, maxOf(minOf(a, b), c)),
    LANE3("v_maxmin_u32", U32, U32, U32, U32, minOf(maxOf(a, b), c)),
    LANE3("v_sad_u8", U32, U32, U32, U32, sadU8(a, b) + c),
    LANE3("v_sad_hi_u8", U32, U32, U32, U32, (sadU8(a, b) << 16) + c),
    LANE3("v_msad_u8", U32, U32, U32, U32, msadU8(a, b) + c),
    LANE3("v_sad_u16", U32, U32, U32, U32,
          (maxOf(a & 0xffff, b & 0xffff) - minOf(a & 0xffff, b & 0xffff)) +
              (maxOf(a >> 16, b >> 16) - minOf(a >> 16, b >> 16)) + c),
    LANE3("v_sad_u32", U32, U32, U32, U32, maxOf(a, b) - minOf(a, b) + c),

    LANE3("v_sad_u8.clamp", U32, U32, U32, U32,
          saturateU32(static_cast<u64>(sadU8(a, b)) + c)),
    LANE3("v_sad_hi_u8.clamp", U32, U32, U32, U32,
          saturateU32((static_cast<u64>(sadU8(a, b)) << 16) + c)),
    LANE3("v_msad_u8.clamp", U32, U32, U32, U32,
          saturateU32(static_cast<u64>(msadU8(a, b)) + c)),
    LANE3("v_sad_u16.clamp", U32, U32, U32, U32,
          saturateU32(
              static_cast<u64>(maxOf(a & 0xffff, b & 0xffff) -
                               minOf(a & 0xffff, b & 0xffff)) +
              (maxOf(a >> 16, b >> 16) - minOf(a >> 16, b >> 16)) + c)),
    LANE3("v_sad_u32.clamp", U32, U32, U32, U32,
          saturateU32(static_cast<u64>(maxOf(a, b) - minOf(a, b)) + c)),

    // 16 bits. Those of VOP3 only leave the high half alone on gfx9 too.
    LANE2("v_add_u16", U16, U16, U16, static_cast<u16>(a + b)),
    LANE2("v_sub_u16", U16, U16, U16, static_cast<u16>(a - b)),
    LANE2("v_subrev_u16", U16, U16, U16, static_cast<u16>(b - a)),
    LANE2("v_add_u16.clamp", U16, U16, U16, saturateU16(a + b)),
    LANE2("v_sub_u16.clamp", U16, U16, U16, saturateU16(a - b)),
    LANE2("v_subrev_u16.clamp", U16, U16, U16, saturateU16(b - a)),
    LANE2F(kKeepHigh16, "v_add_i16", U16, U16, U16, static_cast<u16>(a + b)),
    LANE2F(kKeepHigh16, "v_sub_i16", U16, U16, U16, static_cast<u16>(a - b)),
    LANE2F(kKeepHigh16, "v_add_i16.clamp", I16, I16, I16,
           saturateI16(a + b)),
    LANE2F(kKeepHigh16, "v_sub_i16.clamp", I16, I16, I16,
           saturateI16(a - b)),
    LANE2("v_mul_lo_u16", U16, U16, U16,
          static_cast<u16>(static_cast<u32>(a) * b)),
    LANE2("v_mul_lo_u16.clamp", U16, U16, U16,
          static_cast<u16>(minOf<u32>(static_cast<u32>(a) * b, 0xffff))),
    LANE2("v_min_i16", I16, I16, I16, minOf(a, b)),
    LANE2("v_max_i16", I16, I16, I16, maxOf(a, b)),
    LANE2("v_min_u16", U16, U16, U16, minOf(a, b)),
    LANE2("v_max_u16", U16, U16, U16, maxOf(a, b)),
    LANE3F(kKeepHigh16, "v_min3_i16", I16, I16, I16, I16,
           minOf(minOf(a, b), c)),
    LANE3F(kKeepHigh16, "v_max3_i16", I16, I16, I16, I16,
           maxOf(maxOf(a, b), c)),
    LANE3F(kKeepHigh16, "v_med3_i16", I16, I16, I16, I16, med3Of(a, b, c)),
    LANE3F(kKeepHigh16, "v_min3_u16", U16, U16, U16, U16,
           minOf(minOf(a, b), c)),
    LANE3F(kKeepHigh16, "v_max3_u16", U16, U16, U16, U16,
           maxOf(maxOf(a, b), c)),
    LANE3F(kKeepHigh16, "v_med3_u16", U16, U16, U16, U16, med3Of(a, b, c)),
    LANE3F(kKeepHigh16, "v_mad_u16", U16, U16, U16, U16,
           static_cast<u16>(static_cast<u32>(a) * b + c)),
    LANE3F(kKeepHigh16, "v_mad_i16", U16, U16, U16, U16,
           static_cast<u16>(static_cast<u32>(a) * b + c)),
    LANE3F(kKeepHigh16, "v_mad_u16.clamp", U16, U16, U16, U16,
           static_cast<u16>(
               minOf<u64>(static_cast<u64>(a) * b + c, 0xffff))),
    LANE3F(kKeepHigh16, "v_mad_i16.clamp", I16, I16, I16, I16,
           saturateI16(static_cast<i32>(
               minOf<i64>(static_cast<i64>(a) * b + c, INT32_MAX)))),
    LANE3("v_mad_legacy_u16", U16, U16, U16, U16,
          static_cast<u16>(static_cast<u32>(a) * b + c)),
    LANE3("v_mad_legacy_i16", U16, U16, U16, U16,
          static_cast<u16>(static_cast<u32>(a) * b + c)),
    LANE3("v_mad_legacy_u16.clamp", U16, U16, U16, U16,
          static_cast<u16>(
              minOf<u64>(static_cast<u64>(a) * b + c, 0xffff))),
    LANE3("v_mad_legacy_i16.clamp", I16, I16, I16, I16,
          saturateI16(static_cast<i32>(
              minOf<i64>(static_cast<i64>(a) * b + c, INT32_MAX)))),
    LANE3("v_mad_u32_u16", U32, U16, U16, U32, static_cast<u32>(a) * b + c),
    LANE3("v_mad_i32_i16", U32, I16, I16, U32,
          static_cast<u32>(static_cast<i32>(a) * b) + c),
    LANE3("v_mad_u32_u16.clamp", U32, U16, U16, U32,
          saturateU32(static_cast<u64>(a) * b + c)),
    LANE3("v_mad_i32_i16.clamp", I32, I16, I16, I32,
          saturateI32(static_cast<i64>(a) * b + c)),
    LANE2("v_pack_b32_f16", RawF16x2, H16, H16, a | b << 16),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable integerTable() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
