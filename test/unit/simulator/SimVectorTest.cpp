//===- SimVectorTest.cpp - Vector arithmetic of the simulator -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs each instruction alone on edge values, and compares with plain C++ that
// follows the description in the ISA guide. f16 is computed with the compiler's
// _Float16.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimLaneCases.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

class SimVector : public ::testing::TestWithParam<const char *> {};

TEST_P(SimVector, Float32) {
  checkCases(
      GetParam(),
      {
          F32_CASE("v_add_f32 D, A, B", a + b),
          F32_CASE("v_sub_f32 D, A, B", a - b),
          F32_CASE("v_subrev_f32 D, A, B", b - a),
          F32_CASE("v_mul_f32 D, A, B", a * b),
          F32_CASE("v_fma_f32 D, A, B, C", std::fma(a, b, c)),
          F32_CASE("v_fma_f32 D, -A, |B|, -|C|",
                   std::fma(-a, std::fabs(b), -std::fabs(c))),
          F32_CASE("v_add_f32 D, 1.0, A", 1.0f + a),
          F32_CASE("v_add_f32 D, 0x40490fdb, A", f32(0x40490fdb) + a),
          // Nothing where results may be denormal.
          F32_CASE("v_mul_f32_e64 D, A, B mul:4", a * b),
          F32_CASE("v_add_f32_e64 D, A, B clamp",
                   a + b > 0 ? std::min(a + b, 1.0f) : 0.0f),
          F32_CASE("v_floor_f32 D, A", std::floor(a)),
          F32_CASE("v_ceil_f32 D, A", std::ceil(a)),
          F32_CASE("v_trunc_f32 D, A", std::trunc(a)),
          F32_CASE("v_rndne_f32 D, A", std::nearbyint(a)),
          F32_CASE("v_sqrt_f32 D, A", std::sqrt(a)),
          F32_CASE("v_rcp_f32 D, A", 1.0f / a),
          F32_CASE("v_ldexp_f32 D, A, 5", std::ldexp(a, 5)),
          F32_CASE("v_ldexp_f32 D, A, -16", std::ldexp(a, -16)),
          F32_CASE("v_cvt_f32_i32 D, A", static_cast<float>(i32(u32(ra)))),
          F32_CASE("v_cvt_f32_u32 D, A", static_cast<float>(u32(ra))),
          F32_CASE("v_cvt_f32_ubyte2 D, A",
                   static_cast<float>(ra >> 16 & 0xff)),
          F32_CASE("v_cvt_f32_f16 D, A", f16(ra)),
          F32_CASE("v_cvt_f32_f64 D, AA", static_cast<float>(f64(ra))),
          // The edge values contain no signaling NaN, except as values of other
          // formats.
          F32_CASE("v_min_f32 D, A, B", std::fmin(a, b) == 0 && a == b
                                            ? (std::signbit(a) ? a : b)
                                            : std::fmin(a, b)),
          F32_CASE("v_max_f32 D, A, B", std::fmax(a, b) == 0 && a == b
                                            ? (std::signbit(a) ? b : a)
                                            : std::fmax(a, b)),
      });
}

/// Denormals and -0 become 0.
float plain(float v) { return std::fabs(v) < 0x1p-126f ? 0.0f : v; }

/// omod has an effect only if IEEE mode and denormals are off.
TEST_P(SimVector, OutputModifiers) {
  const std::string flushes =
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n";
  checkCases(GetParam(),
             {
                 F32_CASE("v_mul_f32_e64 D, A, B mul:4",
                          plain(plain(plain(a) * plain(b)) * 4)),
                 F32_CASE("v_mul_f32_e64 D, A, B div:2",
                          plain(plain(plain(a) * plain(b)) * 0.5f)),
                 F32_CASE("v_add_f32_e64 D, A, B clamp mul:2",
                          (plain(a) + plain(b)) * 2 > 0
                              ? std::min(plain(plain(a) + plain(b)) * 2, 1.0f)
                              : 0.0f),
             },
             flushes + "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 0\n");
  checkCases(GetParam(),
             {{"v_mul_f32_e64 D, A, B mul:4", false,
               [](u64 ra, u64 rb, u64) -> u64 {
                 auto flushed = [](float v) {
                   return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
                 };
                 return bits(flushed(flushed(f32(ra)) * flushed(f32(rb))));
               },
               Case::Float}},
             flushes);
}

TEST_P(SimVector, Float64) {
  checkCases(
      GetParam(),
      {
          F64_CASE("v_add_f64 DD, AA, BB", a + b),
          F64_CASE("v_add_f64 DD, AA, -|BB|", a - std::fabs(b)),
          F64_CASE("v_mul_f64 DD, AA, BB", a * b),
          F64_CASE("v_mul_f64 DD, AA, 0.5", a * 0.5),
          F64_CASE("v_fma_f64 DD, AA, BB, CC", std::fma(a, b, c)),
          F64_CASE("v_ldexp_f64 DD, AA, -3", std::ldexp(a, -3)),
          F64_CASE("v_floor_f64 DD, AA", std::floor(a)),
          F64_CASE("v_trunc_f64 DD, AA", std::trunc(a)),
          F64_CASE("v_rndne_f64 DD, AA", std::nearbyint(a)),
          F64_CASE("v_rcp_f64 DD, AA", 1.0 / a),
          F64_CASE("v_sqrt_f64 DD, AA", std::sqrt(a)),
          F64_CASE("v_cvt_f64_i32 DD, A", static_cast<double>(i32(u32(ra)))),
          F64_CASE("v_cvt_f64_u32 DD, A", static_cast<double>(u32(ra))),
          F64_CASE("v_cvt_f64_f32 DD, A", static_cast<double>(f32(ra))),
      });
}

TEST_P(SimVector, Float16) {
  checkCases(
      GetParam(),
      {
          F16_CASE("v_add_f16 D, A, B", a + b),
          F16_CASE("v_sub_f16 D, A, B", a - b),
          F16_CASE("v_mul_f16 D, A, B", a * b),
          F16_CASE("v_fma_f16 D, A, B, C", std::fma(a, b, c)),
          F16_CASE("v_fma_f16 D, -A, |B|, C", std::fma(-a, std::fabs(b), c)),
          F16_CASE("v_floor_f16 D, A", std::floor(a)),
          F16_CASE("v_sqrt_f16 D, A", std::sqrt(a)),
          F16_CASE("v_add_f16 D, 0.5, A", 0.5 + a),
          F16_CASE("v_cvt_f16_f32 D, A", f32(ra)),
          F16_CASE("v_cvt_f16_u16 D, A", double(u16(ra))),
          F16_CASE("v_cvt_f16_i16 D, A", double(i16(ra))),
      });
}

TEST_P(SimVector, Conversions) {
  auto toInt = [](double v, double low, double high) -> double {
    return v != v ? 0 : std::trunc(std::fmin(std::fmax(v, low), high));
  };
  checkCases(GetParam(),
             {
                 {"v_cvt_i32_f32 D, A", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u32(i32(toInt(f32(a), -2147483648.0, 2147483647.0)));
                  }},
                 {"v_cvt_u32_f32 D, A", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u32(toInt(f32(a), 0, 4294967295.0));
                  }},
                 {"v_cvt_i32_f64 D, AA", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u32(i32(toInt(f64(a), -2147483648.0, 2147483647.0)));
                  }},
                 {"v_cvt_u32_f64 D, AA", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u32(toInt(f64(a), 0, 4294967295.0));
                  }},
                 {"v_cvt_u16_f16 D, A", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u16(toInt(f16(a), 0, 65535));
                  }},
                 {"v_cvt_i16_f16 D, A", false,
                  [=](u64 a, u64, u64) -> u64 {
                    return u16(i16(toInt(f16(a), -32768, 32767)));
                  }},
             });
}

TEST_P(SimVector, Integer32) {
  checkCases(
      GetParam(),
      {
          U32_CASE("v_and_b32 D, A, B", a & b),
          U32_CASE("v_or_b32 D, A, B", a | b),
          U32_CASE("v_xor_b32 D, A, B", a ^ b),
          U32_CASE("v_not_b32 D, A", ~a),
          U32_CASE("v_lshlrev_b32 D, A, B", b << (a & 31)),
          U32_CASE("v_lshrrev_b32 D, A, B", b >> (a & 31)),
          I32_CASE("v_ashrrev_i32 D, A, B", b >> (a & 31)),
          U32_CASE("v_mul_lo_u32 D, A, B", a * b),
          U32_CASE("v_mul_hi_u32 D, A, B", u64(a) * b >> 32),
          I32_CASE("v_mul_hi_i32 D, A, B", i64(a) * b >> 32),
          U32_CASE("v_mul_u32_u24 D, A, B", (a & 0xffffff) * (b & 0xffffff)),
          U32_CASE("v_mul_hi_u32_u24 D, A, B",
                   u64(a & 0xffffff) * (b & 0xffffff) >> 32),
          U32_CASE("v_mul_i32_i24 D, A, B",
                   i64(i32(a << 8) >> 8) * (i32(b << 8) >> 8)),
          U32_CASE("v_mad_u32_u24 D, A, B, C",
                   (a & 0xffffff) * (b & 0xffffff) + c),
          U32_CASE("v_mad_i32_i24 D, A, B, C",
                   i64(i32(a << 8) >> 8) * (i32(b << 8) >> 8) + c),
          U32_CASE("v_bfe_u32 D, A, B, C",
                   (c & 31) ? a >> (b & 31) & (~0u >> (32 - (c & 31))) : 0),
          {"v_bfe_i32 D, A, B, C", false,
           [](u64 a, u64 b, u64 c) -> u64 {
             i64 shifted = i64(i32(a)) >> (b & 31);
             unsigned width = c & 31;
             return width ? u32(shifted << (64 - width) >> (64 - width)) : 0;
           }},
          U32_CASE("v_bfi_b32 D, A, B, C", (a & b) | (~a & c)),
          U32_CASE("v_alignbit_b32 D, A, B, C", (u64(a) << 32 | b) >> (c & 31)),
          U32_CASE("v_alignbyte_b32 D, A, B, C",
                   (u64(a) << 32 | b) >> 8 * (c & 3)),
          U32_CASE("v_bcnt_u32_b32 D, A, B", std::popcount(a) + b),
          U32_CASE("v_add3_u32 D, A, B, C", a + b + c),
          U32_CASE("v_lshl_add_u32 D, A, B, C", (a << (b & 31)) + c),
          U32_CASE("v_add_lshl_u32 D, A, B, C", (a + b) << (c & 31)),
          U32_CASE("v_lshl_or_b32 D, A, B, C", (a << (b & 31)) | c),
          U32_CASE("v_and_or_b32 D, A, B, C", (a & b) | c),
          U32_CASE("v_or3_b32 D, A, B, C", a | b | c),
          I32_CASE("v_min_i32 D, A, B", std::min(a, b)),
          I32_CASE("v_max_i32 D, A, B", std::max(a, b)),
          U32_CASE("v_min_u32 D, A, B", std::min(a, b)),
          U32_CASE("v_max_u32 D, A, B", std::max(a, b)),
          I32_CASE("v_med3_i32 D, A, B, C",
                   std::max(std::min(a, b), std::min(std::max(a, b), c))),
          U32_CASE("v_max3_u32 D, A, B, C", std::max(std::max(a, b), c)),
          U32_CASE("v_sad_u32 D, A, B, C", (a > b ? a - b : b - a) + c),
          U32_CASE("v_xad_u32 D, A, B, C", (a ^ b) + c),
          {"v_perm_b32 D, A, B, C", false,
           [](u64 a, u64 b, u64 c) -> u64 {
             // Bytes 7..4 are those of A, bytes 3..0 those of B.
             u64 data = a << 32 | (b & 0xffffffff);
             u32 out = 0;
             for (int k = 0; k < 4; ++k) {
               u32 sel = c >> 8 * k & 0xff;
               u32 byte = sel < 8    ? data >> 8 * sel & 0xff
                          : sel < 12 ? (data >> (16 * (sel - 8) + 15) & 1) * 255
                          : sel == 12 ? 0
                                      : 255;
               out |= byte << 8 * k;
             }
             return out;
           }},
          U32_CASE("s_mov_b32 s20, 0x02070005\nv_perm_b32 D, A, B, s20",
                   (b >> 16 & 0xff) << 24 | a >> 24 << 16 | (b & 0xff) << 8 |
                       (a >> 8 & 0xff)),
          U32_CASE("v_bfm_b32 D, A, B", ((1u << (a & 31)) - 1) << (b & 31)),
          U32_CASE("v_bfrev_b32 D, A",
                   [](u32 v) {
                     u32 r = 0;
                     for (int i = 0; i < 32; ++i)
                       r |= (v >> i & 1) << (31 - i);
                     return r;
                   }(a)),
          U64_CASE("v_lshlrev_b64 DD, A, BB", b << (a & 63)),
          U64_CASE("v_lshrrev_b64 DD, A, BB", b >> (a & 63)),
          U64_CASE("v_ashrrev_i64 DD, A, BB", i64(b) >> (a & 63)),
      });
}

TEST(SimVectorGfx9, Integers) {
  for (const char *chip : {"gfx90a", "gfx942"})
    checkCases(
        chip,
        {
            U32_CASE("v_add_u32 D, A, B", a + b),
            U32_CASE("v_sub_u32 D, A, B", a - b),
            U32_CASE("v_subrev_u32 D, A, B", b - a),
            U32_CASE("v_add_u32_e64 D, A, B clamp",
                     u64(a) + b > ~0u ? ~0u : a + b),
            U32_CASE("v_sub_u32_e64 D, A, B clamp", a < b ? 0 : a - b),
            {"v_add_i32 D, A, B clamp", false,
             [](u64 a, u64 b, u64) -> u64 {
               i64 s = i64(i32(a)) + i32(b);
               return u32(
                   i32(std::min<i64>(std::max<i64>(s, INT32_MIN), INT32_MAX)));
             }},
            U32_CASE("v_ffbh_u32 D, A", a ? std::countl_zero(a) : -1),
            U32_CASE("v_ffbl_b32 D, A", a ? std::countr_zero(a) : -1),
            U64_CASE("v_mad_u64_u32 DD, vcc, A, B, CC",
                     u64(u32(a)) * u32(b) + c),
            U64_CASE("v_mad_i64_i32 DD, vcc, A, B, CC",
                     u64(i64(i32(a)) * i32(b)) + c),
            // 16-bit results clear the upper half.
            U32_CASE("v_add_u16 D, A, B", u16(a + b)),
            U32_CASE("v_mul_lo_u16 D, A, B", u16(a * b)),
            U32_CASE("v_lshrrev_b16 D, A, B", u16(b) >> (a & 15)),
            U32_CASE("v_ashrrev_i16 D, A, B", u16(i16(b) >> (a & 15))),
            U32_CASE("v_max_i16 D, A, B", u16(std::max(i16(a), i16(b)))),
            U32_CASE("v_mad_u16 D, A, B, C op_sel:[1,0,1,0]",
                     u16((a >> 16) * u16(b) + (c >> 16))),
            U32_CASE("v_mad_u16 D, A, B, C op_sel:[0,1,0,1]",
                     u32(u16(u16(a) * (b >> 16) + c)) << 16),
            U32_CASE("v_pk_add_u16 D, A, B",
                     u16(a + b) | ((a >> 16) + (b >> 16)) << 16),
            U32_CASE("v_pk_sub_i16 D, A, B op_sel:[1,0] op_sel_hi:[0,1]",
                     u16((a >> 16) - b) | (u16(a) - (b >> 16)) << 16),
            U32_CASE("v_pk_mad_u16 D, A, B, C",
                     u16(u16(a) * u16(b) + u16(c)) |
                         ((a >> 16) * (b >> 16) + (c >> 16)) << 16),
            U32_CASE("v_pk_lshlrev_b16 D, 3, A op_sel_hi:[0,1]",
                     u16(a << 3) | u16((a >> 16) << 3) << 16),
            U32_CASE("v_dot4_i32_i8 D, A, B, C",
                     int8_t(a) * int8_t(b) + int8_t(a >> 8) * int8_t(b >> 8) +
                         int8_t(a >> 16) * int8_t(b >> 16) +
                         int8_t(a >> 24) * int8_t(b >> 24) + c),
            U32_CASE("v_dot4_u32_u8 D, A, B, C",
                     (a & 255) * (b & 255) + (a >> 8 & 255) * (b >> 8 & 255) +
                         (a >> 16 & 255) * (b >> 16 & 255) +
                         (a >> 24) * (b >> 24) + c),
            // SDWA.
            U32_CASE("v_add_u32_sdwa D, A, B dst_sel:DWORD "
                     "src0_sel:BYTE_1 src1_sel:WORD_1",
                     (a >> 8 & 255) + (b >> 16)),
            U32_CASE("v_add_u32_sdwa D, sext(A), B dst_sel:WORD_1 "
                     "dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:DWORD",
                     u32(i32(int8_t(a >> 24)) + b) << 16),
            U32_CASE("v_mov_b32_sdwa D, A dst_sel:BYTE_0 "
                     "dst_unused:UNUSED_SEXT src0_sel:BYTE_2",
                     i32(int8_t(a >> 16))),
        });
}

TEST(SimVectorGfx9, Gfx950) {
  checkCases(
      "gfx950",
      {
          U32_CASE("v_bitop3_b32 D, A, B, C bitop3:0x96", a ^ b ^ c),
          U32_CASE("v_bitop3_b32 D, A, B, C bitop3:0xca", (a & b) | (~a & c)),
          U32_CASE("v_bitop3_b16 D, A, B, C bitop3:3", u16(~(a | b))),
          U32_CASE("v_prng_b32 D, A", (a << 1) ^ (a >> 31) * 0xc5),
      });
}

TEST(SimVectorGfx9, PackedFloat) {
  auto half = [](u64 v, int k) -> double { return f16(v >> 16 * k); };
  checkCases(
      "gfx942",
      {
          {"v_pk_fma_f32 DD, AA, BB, CC", true,
           [](u64 a, u64 b, u64 c) -> u64 {
             return bits(std::fma(f32(a), f32(b), f32(c))) |
                    u64(bits(
                        std::fma(f32(a >> 32), f32(b >> 32), f32(c >> 32))))
                        << 32;
           },
           Case::TwoFloats},
          {"v_pk_mul_f32 DD, AA, BB op_sel:[1,0] op_sel_hi:[0,1] "
           "neg_lo:[1,0]",
           true,
           [](u64 a, u64 b, u64) -> u64 {
             return bits(-f32(a >> 32) * f32(b)) |
                    u64(bits(f32(a) * f32(b >> 32))) << 32;
           },
           Case::TwoFloats},
          {"v_pk_add_f32 DD, AA, 1.0 op_sel_hi:[1,0]", true,
           [](u64 a, u64, u64) -> u64 {
             return bits(f32(a) + 1.0f) | u64(bits(f32(a >> 32) + 1.0f)) << 32;
           },
           Case::TwoFloats},
          {"v_pk_mul_f16 D, A, B op_sel_hi:[0,1]", false,
           [=](u64 a, u64 b, u64) -> u64 {
             return bits16(half(a, 0) * half(b, 0)) |
                    bits16(half(a, 0) * half(b, 1)) << 16;
           },
           Case::TwoHalves},
          {"v_pk_fma_f16 D, A, B, C neg_lo:[0,1,0] neg_hi:[1,0,1]", false,
           [=](u64 a, u64 b, u64 c) -> u64 {
             return bits16(std::fma(half(a, 0), -half(b, 0), half(c, 0))) |
                    bits16(std::fma(-half(a, 1), half(b, 1), -half(c, 1)))
                        << 16;
           },
           Case::TwoHalves},
      });
}

TEST(SimVectorGfx9, Gfx90aSdwaFloat) {
  checkCases(
      "gfx90a",
      {
          F32_CASE("v_cvt_f32_f16_sdwa D, -A dst_sel:DWORD src0_sel:WORD_1",
                   -f16(ra >> 16)),
          F16_CASE("v_add_f16_sdwa D, A, B dst_sel:DWORD src0_sel:WORD_1 "
                   "src1_sel:WORD_0",
                   double(f16(ra >> 16)) + f16(rb)),
          F32_CASE("v_fma_mix_f32 D, A, B, C op_sel:[0,1,0] "
                   "op_sel_hi:[1,1,0]",
                   std::fma(f16(ra), f16(rb >> 16), f32(rc))),
          F32_CASE("v_fma_mix_f32 D, -A, |B|, C",
                   std::fma(-a, std::fabs(b), c)),
      });
}

TEST_P(SimVector, Compares) {
  // The mask is returned as one bit per lane.
  struct {
    const char *text;
    bool (*expect)(u32, u32);
  } cases[] = {
      {"v_cmp_lt_f32", [](u32 a, u32 b) { return f32(a) < f32(b); }},
      {"v_cmp_nlt_f32", [](u32 a, u32 b) { return !(f32(a) < f32(b)); }},
      {"v_cmp_lg_f32",
       [](u32 a, u32 b) { return f32(a) < f32(b) || f32(a) > f32(b); }},
      {"v_cmp_u_f32",
       [](u32 a, u32 b) { return f32(a) != f32(a) || f32(b) != f32(b); }},
      {"v_cmp_gt_i32", [](u32 a, u32 b) { return i32(a) > i32(b); }},
      {"v_cmp_le_u32", [](u32 a, u32 b) { return a <= b; }},
      {"v_cmp_eq_u16", [](u32 a, u32 b) { return u16(a) == u16(b); }},
      {"v_cmp_gt_i16", [](u32 a, u32 b) { return i16(a) > i16(b); }},
      {"v_cmp_ge_f16", [](u32 a, u32 b) { return f16(a) >= f16(b); }},
      {"v_cmp_class_f32",
       [](u32 a, u32 b) {
         float v = f32(a);
         unsigned c = isNan32(a)         ? (a & 0x400000 ? 1 : 0)
                      : std::isinf(v)    ? (v < 0 ? 2 : 9)
                      : v == 0           ? (std::signbit(v) ? 5 : 6)
                      : std::isnormal(v) ? (v < 0 ? 3 : 8)
                                         : (v < 0 ? 4 : 7);
         return (b >> c & 1) != 0;
       }},
  };
  bool wave32 = std::string(GetParam()).substr(0, 4) != "gfx9";
  for (auto &c : cases)
    for (unsigned round = 0; round < 4; ++round) {
      std::vector<std::vector<u32>> inputs(2, std::vector<u32>(64));
      for (size_t lane = 0; lane < 64; ++lane) {
        inputs[0][lane] = kEdges[(lane + round) % kEdges.size()];
        inputs[1][lane] = kEdges[(lane * 7 + round * 3) % kEdges.size()];
      }
      LaneTest test;
      test.chip = GetParam();
      auto out = test.run(std::string(c.text) +
                              (wave32 ? "_e64 s10, v10, v11\n"
                                        "v_cndmask_b32 v40, 7, 9, s10"
                                      : "_e64 s[10:11], v10, v11\n"
                                        "v_cndmask_b32 v40, 7, 9, s[10:11]"),
                          inputs);
      ASSERT_EQ(test.error, "");
      for (size_t lane = 0; lane < 64; ++lane)
        ASSERT_EQ(out[0][lane],
                  c.expect(inputs[0][lane], inputs[1][lane]) ? 9u : 7u)
            << c.text << std::hex << " " << inputs[0][lane] << " "
            << inputs[1][lane];
    }
}

/// Lanes that are inactive in EXEC keep their values; their bits of masks are
/// 0.
TEST(SimVectorGfx9, PartialExec) {
  std::vector<std::vector<u32>> inputs(2, std::vector<u32>(64));
  for (u32 lane = 0; lane < 64; ++lane) {
    inputs[0][lane] = lane;
    inputs[1][lane] = 100 + lane;
  }
  LaneTest test;
  test.count = 4;
  auto out = test.run("v_mov_b32 v40, -1\n"
                      "v_mov_b32 v41, -1\n"
                      "v_mov_b32 v42, -1\n"
                      "v_mov_b32 v43, -1\n"
                      "s_mov_b64 s[10:11], -1\n"
                      "s_mov_b32 exec_lo, 0x0f0f0f0f\n"
                      "s_mov_b32 exec_hi, 0x33333333\n"
                      "v_add_u32 v40, v10, v11\n"
                      "v_add_co_u32 v41, s[12:13], v10, v11\n"
                      "v_cmp_lt_u32_e64 s[10:11], v10, v11\n"
                      "v_mov_b64 v[42:43], 5\n"
                      "s_mov_b64 exec, -1\n"
                      "v_cndmask_b32 v42, v42, 33, s[10:11]",
                      inputs);
  ASSERT_EQ(test.error, "");
  u64 exec = 0x333333330f0f0f0f;
  for (u32 lane = 0; lane < 64; ++lane) {
    bool on = exec >> lane & 1;
    EXPECT_EQ(out[0][lane], on ? 100 + 2 * lane : ~0u);
    EXPECT_EQ(out[1][lane], on ? 100 + 2 * lane : ~0u);
    EXPECT_EQ(out[2][lane], on ? 33u : ~0u);
    EXPECT_EQ(out[3][lane], on ? 0u : ~0u);
  }
}

/// Denormals and rounding follow MODE: from the descriptor and s_setreg.
TEST(SimVectorGfx9, FloatModes) {
  std::vector<std::vector<u32>> inputs(2, std::vector<u32>(64, 0));
  inputs[0].assign(64, 0x00400000); // a denormal
  inputs[1].assign(64, 0x3f800001); // 1 + ulp
  LaneTest test;
  test.count = 6;
  auto out = test.run("v_mul_f32 v40, 1.0, v10\n"
                      "v_mul_f32 v41, 0x3f800003, v11\n"
                      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n"
                      "v_mul_f32 v42, 1.0, v10\n"
                      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n"
                      "v_mul_f32 v43, 0x3f800003, v11\n"
                      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\n"
                      "v_mul_f32 v44, 0x3f800003, v11\n"
                      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0\n"
                      "v_mul_f32 v45, 0x3f800003, v11",
                      inputs);
  ASSERT_EQ(test.error, "");
  EXPECT_EQ(out[0][5], 0x00400000u);
  EXPECT_EQ(out[1][5], 0x3f800004u);
  EXPECT_EQ(out[2][5], 0u);
  EXPECT_EQ(out[3][5], 0x3f800005u);
  EXPECT_EQ(out[4][5], 0x3f800004u);
  EXPECT_EQ(out[5][5], 0x3f800004u);
}

/// v_trig_preop_f64 returns 53 bits of 2/pi, from a position that depends on
/// the exponent of the argument.
TEST_P(SimVector, TrigPreop) {
  LaneTest test;
  test.chip = GetParam();
  test.count = 6;
  std::vector<u32> low(64, 0), high(64);
  for (u32 i = 0; i < 64; ++i) // 2**i, and 2**60 … 2**91
    high[i] = (1023 + (i < 32 ? i : 28 + i)) << 20;
  auto out = test.run("v_trig_preop_f64 v[40:41], v[10:11], 0\n"
                      "v_trig_preop_f64 v[42:43], v[10:11], 1\n"
                      "v_trig_preop_f64 v[44:45], v[10:11], 2\n",
                      {low, high});
  ASSERT_EQ(test.error, "");
  // 2/pi = 0xa2f9836e 4e441529 fc2757d1 f534ddc0 db629599 3c439041 … / 2**32.
  const u32 digits[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                        0xdb629599, 0x3c439041, 0xfe5163ab};
  for (u32 i = 0; i < 64; ++i)
    for (u32 k = 0; k < 3; ++k) {
      u32 shift = 53 * k + (i < 32 ? 0 : 1023 + 28 + i - 1077);
      u64 piece = 0;
      for (u32 b = shift; b < shift + 53; ++b)
        piece = piece << 1 | (digits[b / 32] >> (31 - b % 32) & 1);
      double want =
          std::ldexp(static_cast<double>(piece), -53 - static_cast<int>(shift));
      EXPECT_EQ(f64(out[2 * k][i] | u64(out[2 * k + 1][i]) << 32), want)
          << i << " " << k;
    }
}

/// The tied operand of gfx11's v_fmac_f16 is the half that is written.
TEST(SimVectorGfx11, FmacHalves) {
  const char *const dpp = " quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf";
  std::string body;
  unsigned k = 0;
  for (const char *form : {"_e32", "_e64", "_dpp"})
    for (unsigned halves = 0; halves < 8; ++halves, ++k) {
      auto half = [&](unsigned reg, unsigned bit) {
        return "v" + std::to_string(reg) + (halves >> bit & 1 ? ".h" : ".l");
      };
      body += "v_mov_b32 v" + std::to_string(40 + k) + ", v12\nv_fmac_f16" +
              form + " " + half(40 + k, 0) + ", " + half(10, 1) + ", " +
              half(11, 2) + (form[1] == 'd' ? dpp : "") + "\n";
    }
  LaneTest test;
  test.chip = "gfx1100";
  test.lanes = 32;
  test.count = k;
  auto value = [](double low, double high) {
    return std::vector<u32>(32, bits16(low) | bits16(high) << 16);
  };
  auto out = test.run(body, {value(3, 5), value(7, -11), value(100, 1000)});
  ASSERT_EQ(test.error, "");
  const double a[] = {3, 5}, b[] = {7, -11}, c[] = {100, 1000};
  for (unsigned i = 0; i < k; ++i) {
    unsigned d = i & 1;
    double want[] = {c[0], c[1]};
    want[d] += a[i >> 1 & 1] * b[i >> 2 & 1];
    EXPECT_EQ(out[i][9], bits16(want[0]) | bits16(want[1]) << 16) << i;
  }
}

/// Divisions as LLVM expands them, V_DIV_SCALE to V_DIV_FIXUP: rounded once,
/// also where the quotient is denormal or just too small to be.
TEST(SimVectorDivision, RoundsOnce) {
  const char *const ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %a, ptr addrspace(1) %b,
                                ptr addrspace(1) %c) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = mul i32 %group, 64
  %at = add i32 %first, %id
  %pa = getelementptr TYPE, ptr addrspace(1) %a, i32 %at
  %pb = getelementptr TYPE, ptr addrspace(1) %b, i32 %at
  %pc = getelementptr TYPE, ptr addrspace(1) %c, i32 %at
  %x = load TYPE, ptr addrspace(1) %pa
  %y = load TYPE, ptr addrspace(1) %pb
  %q = fdiv TYPE %x, %y
  store TYPE %q, ptr addrspace(1) %pc
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)";
  auto check = [&](const char *chip, const char *type, auto least, auto below) {
    using T = decltype(least);
    std::string text = ir;
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    // Small multiples of the least denormal by small numbers; and numbers of
    // all sizes.
    std::vector<T> a, b;
    for (int n = 1; n <= 16; ++n)
      for (int d = 1; d <= 16; ++d)
        for (T scale : {T(1), T(0.5), T(4096)}) {
          a.push_back(least * n);
          b.push_back(scale * d);
          a.push_back(std::ldexp(T(n) / 3, 7 * n - 50));
          b.push_back(std::ldexp(T(d) / 7, below / d));
        }
    // Of any size, so that operands are far apart either way.
    std::mt19937_64 random(1);
    for (int i = 0; i < 4096; ++i)
      for (std::vector<T> *to : {&a, &b}) {
        uint64_t drawn = random();
        T value;
        std::memcpy(&value, &drawn, sizeof(T));
        to->push_back(std::isnan(value) ? T(i) : value);
      }
    SimDevice device;
    T *x = onDevice(device, a), *y = onDevice(device, b);
    T *q = onDevice(device, std::vector<T>(a.size()));
    ASSERT_EQ(run(device, compile(chip, text), {x, y, q},
                  {unsigned(a.size() / 64), 1, 1}, {64, 1, 1}),
              "");
    for (size_t i = 0; i < a.size() / 64 * 64; ++i)
      EXPECT_EQ(bits(q[i]), bits(a[i] / b[i]))
          << chip << ": " << a[i] << " / " << b[i];
  };
  for (const char *chip : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    check(chip, "float", 0x1p-149f, 120);
    check(chip, "double", 0x1p-1074, 900);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimVector,
                         ::testing::Values("gfx90a", "gfx942"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
