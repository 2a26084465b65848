//===- PackedTable.cpp - VOP3P: packed arithmetic and dot products --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers have applied op_sel, op_sel_hi, neg_lo and neg_hi: a packed
// source is a dword with its low and high value, in this order. CDNA3 ISA
// guide, "VOP3P Instructions". Dot products add in the manual's order, rounding
// after each step.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <iterator>
#include <limits>

namespace aircc::sim {
namespace {

constexpr ValueType kF16x2 = ValueType::PkF16, kB16x2 = ValueType::PkB16,
                    kF32x2 = ValueType::PkF32;

#define PK2(NAME, TYPE, E, ...)                                                \
  LaneEntry {                                                                  \
    NAME,                                                                      \
        &runPk2<E,                                                             \
                decltype([](E::T a, E::T b) -> E::T { return __VA_ARGS__; })>, \
        TYPE, kNo, {TYPE, TYPE, kNo}, 2, kPacked                               \
  }
#define PK3(NAME, TYPE, E, ...)                                                \
  LaneEntry {                                                                  \
    NAME, &runPk3<E, decltype([](E::T a, E::T b, E::T c) -> E::T {             \
                    return __VA_ARGS__;                                        \
                  })>,                                                         \
        TYPE, kNo, {TYPE, TYPE, TYPE}, 3, kPacked                              \
  }
#define WIDE2(NAME, E, ...)                                                    \
  LaneEntry {                                                                  \
    NAME, &runPkWide2<E, decltype([](E::T a, E::T b) -> E::T {                 \
                        return __VA_ARGS__;                                    \
                      })>,                                                     \
        kF32x2, kNo, {kF32x2, kF32x2, kNo}, 2, kPacked                         \
  }
#define WIDE3(NAME, E, ...)                                                    \
  LaneEntry {                                                                  \
    NAME, &runPkWide3<E, decltype([](E::T a, E::T b, E::T c) -> E::T {         \
                        return __VA_ARGS__;                                    \
                      })>,                                                     \
        kF32x2, kNo, {kF32x2, kF32x2, kF32x2}, 3, kPacked                      \
  }

template <class T> LANE_INLINE T minOf(T a, T b) { return a < b ? a : b; }
template <class T> LANE_INLINE T maxOf(T a, T b) { return a > b ? a : b; }
LANE_INLINE i32 byteOf(u32 v, unsigned k) {
  return static_cast<i8>(v >> 8 * k);
}
LANE_INLINE u32 ubyteOf(u32 v, unsigned k) { return v >> 8 * k & 0xff; }
LANE_INLINE i32 nibbleOf(u32 v, unsigned k) {
  return static_cast<i32>(v << (28 - 4 * k)) >> 28;
}
LANE_INLINE u32 unibbleOf(u32 v, unsigned k) { return v >> 4 * k & 0xf; }
LANE_INLINE float lowHalf(u32 v) { return halfToFloat(v & 0xffff); }
LANE_INLINE float highHalf(u32 v) { return halfToFloat(v >> 16); }
LANE_INLINE float lowBf16(u32 v) { return asF32(v << 16); }
LANE_INLINE float highBf16(u32 v) { return asF32(v & 0xffff0000); }

// Dot products of integers. The type of the sum says whether it wraps (u32) or
// is exact (64 bits), as those that saturate need it.
template <class Sum> LANE_INLINE Sum dotI8(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 4; ++k)
    c += static_cast<Sum>(byteOf(a, k) * byteOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotU8(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 4; ++k)
    c += static_cast<Sum>(ubyteOf(a, k) * ubyteOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotI4(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 8; ++k)
    c += static_cast<Sum>(nibbleOf(a, k) * nibbleOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotU4(u32 a, u32 b, Sum c) {
  for (unsigned k = 0; k < 8; ++k)
    c += static_cast<Sum>(unibbleOf(a, k) * unibbleOf(b, k));
  return c;
}
template <class Sum> LANE_INLINE Sum dotI16(u32 a, u32 b, Sum c) {
  return c + static_cast<Sum>(static_cast<i16>(a) * static_cast<i16>(b)) +
         static_cast<Sum>(static_cast<i16>(a >> 16) *
                          static_cast<i16>(b >> 16));
}
template <class Sum> LANE_INLINE Sum dotU16(u32 a, u32 b, Sum c) {
  return c + static_cast<Sum>((a & 0xffff) * (b & 0xffff)) +
         static_cast<Sum>((a >> 16) * (b >> 16));
}
/// The fused steps from the high product inwards. Those of floats round to
/// nearest and take f32 denormals for zeros, whatever MODE says; on CDNA ("6.4
/// Denormalized and Rounding Modes") and with bf16 ("7.2.4" of RDNA3) those of
/// 16 bits as well.
LANE_INLINE float dotSteps(float ah, float bh, float al, float bl, float c) {
  c = flushed(__builtin_fmaf(ah, bh, flushed(c)));
  return flushed(__builtin_fmaf(al, bl, c));
}
LANE_INLINE float dotF16(u32 a, u32 b, float c) {
  return dotSteps(highHalf(a), highHalf(b), lowHalf(a), lowHalf(b), c);
}
LANE_INLINE u32 flushedHalves(u32 v) {
  return (v & 0x7c00 ? v & 0xffff : v & 0x8000) |
         (v & 0x7c000000 ? v & 0xffff0000 : v & 0x80000000);
}
LANE_INLINE float dotBf16(u32 a, u32 b, float c) {
  return dotSteps(flushed(highBf16(a)), flushed(highBf16(b)),
                  flushed(lowBf16(a)), flushed(lowBf16(b)), c);
}

// clang-format off
const LaneEntry kEntries[] = {
    // f16.
    PK2("v_pk_add_f16", kF16x2, F16, a + b),
    PK2("v_pk_mul_f16", kF16x2, F16, a *b),
    PK2("v_pk_min_f16", kF16x2, F16, minNum(a, b)),
    PK2("v_pk_max_f16", kF16x2, F16, maxNum(a, b)),
    PK2("v_pk_minimum_f16", kF16x2, F16, minimum(a, b)),
    PK2("v_pk_maximum_f16", kF16x2, F16, maximum(a, b)),
    PK3("v_pk_minimum3_f16", kF16x2, F16, minimum(minimum(a, b), c)),
    PK3("v_pk_maximum3_f16", kF16x2, F16, maximum(maximum(a, b), c)),
    {"v_pk_fma_f16",
     &runPk3<H16, decltype([](u32 a, u32 b, u32 c) -> u32 {
               return doubleToHalf(__builtin_fma(
                   static_cast<double>(halfToFloat(a)),
                   static_cast<double>(halfToFloat(b)),
                   static_cast<double>(halfToFloat(c))));
             })>,
     kF16x2, kNo, {kF16x2, kF16x2, kF16x2}, 3, kPacked},
    {"v_pk_fmac_f16",
     &runPk3<H16, decltype([](u32 a, u32 b, u32 c) -> u32 {
               return doubleToHalf(__builtin_fma(
                   static_cast<double>(halfToFloat(a)),
                   static_cast<double>(halfToFloat(b)),
                   static_cast<double>(halfToFloat(c))));
             })>,
     kF16x2, kNo, {kF16x2, kF16x2, kF16x2}, 3, kPacked | kTiedDest},

    // 16-bit integers.
    PK2("v_pk_add_u16", kB16x2, U16, static_cast<u16>(a + b)),
    PK2("v_pk_sub_u16", kB16x2, U16, static_cast<u16>(a - b)),
    PK2("v_pk_add_i16", kB16x2, U16, static_cast<u16>(a + b)),
    PK2("v_pk_sub_i16", kB16x2, U16, static_cast<u16>(a - b)),
    PK2("v_pk_add_u16.clamp", kB16x2, U16,
        static_cast<u16>(minOf<i32>(a + b, 0xffff))),
    PK2("v_pk_sub_u16.clamp", kB16x2, U16,
        static_cast<u16>(maxOf<i32>(a - b, 0))),
    PK2("v_pk_add_i16.clamp", kB16x2, I16,
        static_cast<i16>(maxOf<i32>(minOf<i32>(a + b, 32767), -32768))),
    PK2("v_pk_sub_i16.clamp", kB16x2, I16,
        static_cast<i16>(maxOf<i32>(minOf<i32>(a - b, 32767), -32768))),
    PK2("v_pk_mul_lo_u16", kB16x2, U16,
        static_cast<u16>(static_cast<u32>(a) * b)),
    PK2("v_pk_mul_lo_u16.clamp", kB16x2, U16,
        static_cast<u16>(minOf<u32>(static_cast<u32>(a) * b, 0xffff))),
    PK2("v_pk_min_i16", kB16x2, I16, minOf(a, b)),
    PK2("v_pk_max_i16", kB16x2, I16, maxOf(a, b)),
    PK2("v_pk_min_u16", kB16x2, U16, minOf(a, b)),
    PK2("v_pk_max_u16", kB16x2, U16, maxOf(a, b)),
    PK2("v_pk_lshlrev_b16", kB16x2, U16, static_cast<u16>(b << (a & 15))),
    PK2("v_pk_lshrrev_b16", kB16x2, U16, static_cast<u16>(b >> (a & 15))),
    PK2("v_pk_ashrrev_i16", kB16x2, I16, static_cast<i16>(b >> (a & 15))),
    PK3("v_pk_mad_u16", kB16x2, U16,
        static_cast<u16>(static_cast<u32>(a) * b + c)),
    PK3("v_pk_mad_i16", kB16x2, U16,
        static_cast<u16>(static_cast<u32>(a) * b + c)),

    PK3("v_pk_mad_u16.clamp", kB16x2, U16,
        static_cast<u16>(minOf<u64>(static_cast<u64>(a) * b + c, 0xffff))),
    PK3("v_pk_mad_i16.clamp", kB16x2, I16,
        static_cast<i16>(maxOf<i64>(
            minOf<i64>(static_cast<i64>(a) * b + c, 32767), -32768))),

    // Pairs of f32.
    WIDE2("v_pk_add_f32", F32, a + b),
    WIDE2("v_pk_mul_f32", F32, a *b),
    WIDE3("v_pk_fma_f32", F32, __builtin_fmaf(a, b, c)),
    // Not one half after the other: the second source's op_sel bit says which
    // of its registers goes to the upper half, and op_sel_hi says nothing.
    {"v_pk_mov_b32",
     [](u32 *d, u32 *, const u32 *a, const u32 *b, const u32 *,
        unsigned lanes) {
       // op_sel chooses the dword of each source; op_sel_hi means nothing.
       LANE_LOOP(u32 low = a[i]; u32 high = b[i]; d[i] = low;
                 d[i + kRowLanes] = high)
     },
     ValueType::PkB32, kNo, {ValueType::PkB32, ValueType::PkB32, kNo}, 2,
     kPacked},

    // Mixed precision: each source f32 or one half of a register.
    LANE3("v_mad_mix_f32", F32, MixF32, MixF32, MixF32,
          __builtin_fmaf(a, b, c)),
    LANE3("v_fma_mix_f32", F32, MixF32, MixF32, MixF32,
          __builtin_fmaf(a, b, c)),
    LANE3F(kKeepHigh16, "v_mad_mixlo_f16", F16, MixF32, MixF32, MixF32,
           __builtin_fmaf(a, b, c)),
    LANE3F(kKeepHigh16, "v_fma_mixlo_f16", F16, MixF32, MixF32, MixF32,
           __builtin_fmaf(a, b, c)),
    LANE3F(kHighHalfDest, "v_mad_mixhi_f16", F16, MixF32, MixF32, MixF32,
           __builtin_fmaf(a, b, c)),
    LANE3F(kHighHalfDest, "v_fma_mixhi_f16", F16, MixF32, MixF32, MixF32,
           __builtin_fmaf(a, b, c)),

    // Dot products.
    LANE3F(kPacked, "v_dot2_f32_f16", F32, RawF16x2, RawF16x2, F32,
           dotF16(a, b, c)),
    LANE3F(kPacked | kTiedDest, "v_dot2c_f32_f16", F32, RawF16x2, RawF16x2,
           F32, dotF16(a, b, c)),
    LANE3F(kPacked, "v_dot2_f32_f16.gfx9", F32, RawF16x2, RawF16x2, F32,
           dotF16(flushedHalves(a), flushedHalves(b), c)),
    LANE3F(kPacked | kTiedDest, "v_dot2c_f32_f16.gfx9", F32, RawF16x2, RawF16x2,
           F32, dotF16(flushedHalves(a), flushedHalves(b), c)),
    LANE3F(kPacked, "v_dot2_f32_bf16", F32, RawBF16x2, RawBF16x2, F32,
           dotBf16(a, b, c)),
    LANE3F(kPacked | kTiedDest, "v_dot2c_f32_bf16", F32, RawBF16x2, RawBF16x2,
           F32, dotBf16(a, b, c)),
    LANE3F(kPacked, "v_dot2_i32_i16", U32, RawB16x2, RawB16x2, U32,
           dotI16<u32>(a, b, c)),
    LANE3F(kPacked, "v_dot2_u32_u16", U32, RawB16x2, RawB16x2, U32,
           dotU16<u32>(a, b, c)),
    LANE3F(kTiedDest, "v_dot2c_i32_i16", U32, U32, U32, U32, dotI16<u32>(a, b, c)),
    LANE3("v_dot4_i32_i8", U32, U32, U32, U32, dotI8<u32>(a, b, c)),
    LANE3("v_dot4_u32_u8", U32, U32, U32, U32, dotU8<u32>(a, b, c)),
    LANE3("v_dot8_i32_i4", U32, U32, U32, U32, dotI4<u32>(a, b, c)),
    LANE3("v_dot8_u32_u4", U32, U32, U32, U32, dotU4<u32>(a, b, c)),
    LANE3F(kTiedDest, "v_dot4c_i32_i8", U32, U32, U32, U32, dotI8<u32>(a, b, c)),
    LANE3F(kTiedDest, "v_dot8c_i32_i4", U32, U32, U32, U32, dotI4<u32>(a, b, c)),
    LANE3("v_dot4_i32_i8.clamp", I32, U32, U32, I32,
          saturateI32(dotI8<i64>(a, b, c))),
    LANE3F(kTiedDest, "v_dot4c_i32_i8.clamp", I32, U32, U32, I32,
           saturateI32(dotI8<i64>(a, b, c))),
    LANE3("v_dot8_i32_i4.clamp", I32, U32, U32, I32,
          saturateI32(dotI4<i64>(a, b, c))),
    LANE3F(kTiedDest, "v_dot8c_i32_i4.clamp", I32, U32, U32, I32,
           saturateI32(dotI4<i64>(a, b, c))),
    LANE3("v_dot8_u32_u4.clamp", U32, U32, U32, U32,
          saturateU32(dotU4<u64>(a, b, c))),
    LANE3F(kPacked, "v_dot2_i32_i16.clamp", I32, RawB16x2, RawB16x2, I32,
           saturateI32(dotI16<i64>(a, b, c))),
    LANE3F(kPacked, "v_dot2_u32_u16.clamp", U32, RawB16x2, RawB16x2, U32,
           saturateU32(dotU16<u64>(a, b, c))),
    LANE3F(kTiedDest, "v_dot2c_i32_i16.clamp", I32, U32, U32, I32,
           saturateI32(dotI16<i64>(a, b, c))),
    LANE3("v_dot4_u32_u8.clamp", U32, U32, U32, U32,
          saturateU32(dotU8<u64>(a, b, c))),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable packedTable() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
