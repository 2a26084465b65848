//===- SimEdgeTest.cpp - Rarer vector instructions over edge values -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests instructions on edge values. The expected results follow the
// descriptions in the ISA guides, with one line for each instruction.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimLaneCases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

using namespace aircc::sim::test;

namespace {

int64_t within(int64_t v, int64_t low, int64_t high) {
  return std::min(std::max(v, low), high);
}
u32 sat32(int64_t v) {
  return static_cast<u32>(within(v, INT32_MIN, INT32_MAX));
}
u32 satU32(int64_t v) { return static_cast<u32>(within(v, 0, UINT32_MAX)); }
u32 sat16(int64_t v) { return static_cast<u16>(within(v, -32768, 32767)); }
u32 satU16(int64_t v) { return static_cast<u16>(within(v, 0, 65535)); }
i32 byte(u32 v, int k) { return static_cast<int8_t>(v >> 8 * k); }
i32 ubyte(u32 v, int k) { return v >> 8 * k & 255; }
i32 nibble(u32 v, int k) { return static_cast<i32>(v << (28 - 4 * k)) >> 28; }
i32 unibble(u32 v, int k) { return v >> 4 * k & 15; }
i64 signed24(u32 v) { return static_cast<i32>(v << 8) >> 8; }
u32 differences(u32 a, u32 b, bool masked = false) {
  u32 sum = 0;
  for (int k = 0; k < 4; ++k)
    if (!masked || ubyte(b, k))
      sum += std::abs(ubyte(a, k) - ubyte(b, k));
  return sum;
}
/// The result of a packed operation, half by half.
template <class F> u32 halves(u32 a, u32 b, F f) {
  return (f(a & 0xffff, b & 0xffff) & 0xffff) | f(a >> 16, b >> 16) << 16;
}
template <class F> i64 dot(u32 a, u32 b, i64 c, int count, F part) {
  for (int k = 0; k < count; ++k)
    c += static_cast<i64>(part(a, k)) * part(b, k);
  return c;
}

class SimEdge : public ::testing::TestWithParam<const char *> {};

TEST_P(SimEdge, Integers) {
  checkCases(
      GetParam(),
      {
          U32_CASE("v_bfe_u32 D, A, B, C",
                   (c & 31) ? a >> (b & 31) & ((1u << (c & 31)) - 1) : 0),
          I32_CASE("v_bfe_i32 D, A, B, C",
                   (c & 31) == 0 ? 0
                   : (b & 31) + (c & 31) >= 32
                       ? static_cast<i32>(static_cast<i64>(a >> (b & 31))
                                              << (64 - (c & 31)) >>
                                          (64 - (c & 31)))
                       : static_cast<i32>(static_cast<u32>(a)
                                          << (32 - (b & 31) - (c & 31))) >>
                             (32 - (c & 31))),
          U32_CASE("v_bfi_b32 D, A, B, C", (a & b) | (~a & c)),
          U32_CASE("v_alignbit_b32 D, A, B, C", (u64(a) << 32 | b) >> (c & 31)),
          U32_CASE("v_alignbyte_b32 D, A, B, C",
                   (u64(a) << 32 | b) >> 8 * (c & 3)),
          U32_CASE("v_lshl_add_u32 D, A, B, C", (a << (b & 31)) + c),
          U32_CASE("v_add_lshl_u32 D, A, B, C", (a + b) << (c & 31)),
          U32_CASE("v_lshl_or_b32 D, A, B, C", (a << (b & 31)) | c),
          U32_CASE("v_and_or_b32 D, A, B, C", (a & b) | c),
          U32_CASE("v_or3_b32 D, A, B, C", a | b | c),
          U32_CASE("v_xad_u32 D, A, B, C", (a ^ b) + c),
          U32_CASE("v_add3_u32 D, A, B, C", a + b + c),
          U32_CASE("v_mad_u32_u24 D, A, B, C",
                   (a & 0xffffff) * (b & 0xffffff) + c),
          U32_CASE("v_mad_i32_i24 D, A, B, C",
                   u32(signed24(a) * signed24(b)) + c),
          U32_CASE("v_mul_hi_u32_u24 D, A, B",
                   u64(a & 0xffffff) * (b & 0xffffff) >> 32),
          U32_CASE("v_mul_hi_i32_i24 D, A, B",
                   u64(signed24(a) * signed24(b)) >> 32),
          I32_CASE("v_min3_i32 D, A, B, C", std::min({a, b, c})),
          U32_CASE("v_max3_u32 D, A, B, C", std::max({a, b, c})),
          I32_CASE("v_med3_i32 D, A, B, C",
                   std::max(std::min(a, b), std::min(std::max(a, b), c))),
          U32_CASE("v_med3_u32 D, A, B, C",
                   std::max(std::min(a, b), std::min(std::max(a, b), c))),
          U32_CASE("v_sad_u8 D, A, B, C", differences(a, b) + c),
          U32_CASE("v_sad_hi_u8 D, A, B, C", (differences(a, b) << 16) + c),
          U32_CASE("v_msad_u8 D, A, B, C", differences(a, b, true) + c),
          U32_CASE("v_sad_u16 D, A, B, C",
                   u32(std::abs(i32(a & 0xffff) - i32(b & 0xffff))) +
                       u32(std::abs(i32(a >> 16) - i32(b >> 16))) + c),
          U32_CASE("v_sad_u32 D, A, B, C", (a > b ? a - b : b - a) + c),
          U32_CASE("v_lerp_u8 D, A, B, C",
                   [&] {
                     u32 out = 0;
                     for (int k = 0; k < 4; ++k)
                       out |=
                           u32(ubyte(a, k) + ubyte(b, k) + (c >> 8 * k & 1)) / 2
                           << 8 * k;
                     return out;
                   }()),
          U32_CASE("v_bcnt_u32_b32 D, A, B", std::popcount(a) + b),
          U32_CASE("v_bfm_b32 D, A, B", ((1u << (a & 31)) - 1) << (b & 31)),
          U32_CASE("v_mad_u32_u16 D, Ah, Bh, C",
                   (a & 0xffff) * (b & 0xffff) + c),
          U32_CASE("v_mad_i32_i16 D, Ah, Bh, C",
                   u32(i32(i16(a)) * i32(i16(b))) + c),
          U64_CASE("v_mqsad_pk_u16_u8 DD, AA, B, CC",
                   [&] {
                     u64 out = 0;
                     for (int k = 0; k < 4; ++k)
                       out |= u64(satU16(
                                  differences(u32(a >> 8 * k), u32(b), true) +
                                  i64(c >> 16 * k & 0xffff)))
                              << 16 * k;
                     return out;
                   }()),
          U64_CASE("v_qsad_pk_u16_u8 DD, AA, B, CC",
                   [&] {
                     u64 out = 0;
                     for (int k = 0; k < 4; ++k)
                       out |= u64(satU16(differences(u32(a >> 8 * k), u32(b)) +
                                         i64(c >> 16 * k & 0xffff)))
                              << 16 * k;
                     return out;
                   }()),
      });
}

/// clamp saturates the exact result of an integer operation.
TEST_P(SimEdge, IntegerClamp) {
  checkCases(
      GetParam(),
      {
          U32_CASE("v_mad_u32_u24 D, A, B, C clamp",
                   satU32(i64(a & 0xffffff) * (b & 0xffffff) + c)),
          I32_CASE("v_mad_i32_i24 D, A, B, C clamp",
                   sat32(signed24(a) * signed24(b) + c)),
          U32_CASE("v_mad_u32_u16 D, Ah, Bh, C clamp",
                   satU32(i64(a & 0xffff) * (b & 0xffff) + c)),
          U32_CASE("v_sad_u8 D, A, B, C clamp",
                   satU32(i64(differences(a, b)) + c)),
          U32_CASE("v_sad_hi_u8 D, A, B, C clamp",
                   satU32((i64(differences(a, b)) << 16) + c)),
          U32_CASE("v_sad_u32 D, A, B, C clamp",
                   satU32(i64(a > b ? a - b : b - a) + c)),
          U32_CASE("v_pk_add_u16 D, A, B clamp",
                   halves(a, b, [](u32 x, u32 y) { return satU16(x + y); })),
          U32_CASE("v_pk_sub_u16 D, A, B clamp",
                   halves(a, b, [](i64 x, i64 y) { return satU16(x - y); })),
          U32_CASE("v_pk_add_i16 D, A, B clamp",
                   halves(a, b,
                          [](u32 x, u32 y) { return sat16(i16(x) + i16(y)); })),
          U32_CASE("v_pk_sub_i16 D, A, B clamp",
                   halves(a, b,
                          [](u32 x, u32 y) { return sat16(i16(x) - i16(y)); })),
          U32_CASE("v_pk_mad_u16 D, A, B, 3 op_sel_hi:[1,1,0] clamp",
                   satU16(i64(a & 0xffff) * (b & 0xffff) + 3) |
                       satU16(i64(a >> 16) * (b >> 16) + 3) << 16),
          U32_CASE("v_pk_mad_i16 D, A, B, -2 op_sel_hi:[1,1,0] clamp",
                   sat16(i64(i16(a)) * i16(b) - 2) |
                       sat16(i64(i16(a >> 16)) * i16(b >> 16) - 2) << 16),
          {"v_mad_u64_u32 DD, vcc, A, B, CC clamp", true,
           [](u64 a, u64 b, u64 c) -> u64 {
             unsigned __int128 sum =
                 static_cast<unsigned __int128>(u32(a)) * u32(b) + c;
             return sum >> 64 ? ~u64(0) : u64(sum);
           }},
          {"v_mad_i64_i32 DD, vcc, A, B, CC clamp", true,
           [](u64 a, u64 b, u64 c) -> u64 {
             __int128 sum = static_cast<__int128>(i64(i32(a)) * i32(b)) +
                            static_cast<i64>(c);
             return sum > INT64_MAX   ? u64(INT64_MAX)
                    : sum < INT64_MIN ? u64(INT64_MIN)
                                      : u64(sum);
           }},
      });
}

TEST_P(SimEdge, Floats) {
  const float inf = INFINITY;
  (void)inf;
  checkCases(
      GetParam(),
      {
          F32_CASE("v_cubeid_f32 D, A, B, C",
                   std::fabs(c) >= std::fabs(a) && std::fabs(c) >= std::fabs(b)
                       ? (c < 0 ? 5 : 4)
                   : std::fabs(b) >= std::fabs(a) ? (b < 0 ? 3 : 2)
                                                  : (a < 0 ? 1 : 0)),
          F32_CASE("v_cubema_f32 D, A, B, C",
                   std::fabs(c) >= std::fabs(a) && std::fabs(c) >= std::fabs(b)
                       ? 2 * c
                   : std::fabs(b) >= std::fabs(a) ? 2 * b
                                                  : 2 * a),
          F32_CASE("v_cubesc_f32 D, A, B, C",
                   std::fabs(c) >= std::fabs(a) && std::fabs(c) >= std::fabs(b)
                       ? (c < 0 ? -a : a)
                   : std::fabs(b) >= std::fabs(a) ? a
                                                  : (a < 0 ? c : -c)),
          F32_CASE("v_cubetc_f32 D, A, B, C",
                   std::fabs(c) >= std::fabs(a) && std::fabs(c) >= std::fabs(b)
                       ? -b
                   : std::fabs(b) >= std::fabs(a) ? (b < 0 ? -c : c)
                                                  : -b),
          F32_CASE("v_fract_f32 D, A",
                   !std::isfinite(a)
                       ? std::numeric_limits<float>::quiet_NaN()
                       : std::fmin(a - std::floor(a), f32(0x3f7fffff))),
          {"v_frexp_exp_i32_f32 D, A", false,
           [](u64 ra, u64, u64) -> u64 {
             float a = f32(ra);
             int e = 0;
             if (std::isfinite(a) && a != 0)
               std::frexp(a, &e);
             return u32(e);
           }},
          F32_CASE("v_frexp_mant_f32 D, A",
                   std::isfinite(a) ? [&] {
                     int e;
                     return std::frexp(a, &e);
                   }()
                                    : a),
          F32_CASE("v_ldexp_f32 D, A, B",
                   std::ldexp(static_cast<double>(a),
                              int(within(i32(u32(rb)), -1000, 1000)))),
          {"v_cvt_pk_u8_f32 D, A, B, C", false,
           [](u64 ra, u64 rb, u64 rc) -> u64 {
             float a = f32(ra);
             u32 whole = !(a > 0) ? 0 : a > 255 ? 255 : u32(std::nearbyint(a));
             u32 shift = 8 * (rb & 3);
             return (u32(rc) & ~(255u << shift)) | whole << shift;
           }},
          F32_CASE("v_cvt_off_f32_i4 D, A",
                   (i32(u32(ra) << 28) >> 28) / 16.0),
          F64_CASE("v_fract_f64 DD, AA",
                   !std::isfinite(a)
                       ? std::numeric_limits<double>::quiet_NaN()
                       : std::fmin(a - std::floor(a),
                                   f64(0x3fefffffffffffff))),
          // v_cmp_class: each bit of the mask is one class of numbers.
          {"v_cmp_class_f32 vcc, A, B\nv_cndmask_b32 D, 0, 1, vcc", false,
           [](u64 ra, u64 rb, u64) -> u64 {
             float a = f32(ra);
             bool quiet = ra >> 22 & 1, negative = std::signbit(a);
             u32 kind = std::isnan(a)   ? (quiet ? 2 : 1)
                        : std::isinf(a) ? (negative ? 4 : 512)
                        : a == 0        ? (negative ? 32 : 64)
                        : std::fpclassify(a) == FP_SUBNORMAL
                            ? (negative ? 16 : 128)
                            : (negative ? 8 : 256);
             return (rb & kind) != 0;
           }},
          {"v_pk_mul_f16 D, A, B neg_lo:[1,0] neg_hi:[0,1] clamp", false,
           [](u64 ra, u64 rb, u64) -> u64 {
             auto one = [](double v) {
               return bits16(v > 0 ? std::fmin(f16(bits16(v)), 1.0) : 0.0);
             };
             return one(-f16(ra & 0xffff) * f16(rb & 0xffff)) |
                    one(f16(ra >> 16 & 0xffff) * -f16(rb >> 16 & 0xffff)) << 16;
           },
           Case::TwoHalves},
      },
      std::string(GetParam()).substr(0, 5) == "gfx9" ? "" : "");
}

INSTANTIATE_TEST_SUITE_P(Chips, SimEdge,
                         ::testing::Values("gfx90a", "gfx942", "gfx950"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

/// Instructions that only gfx9 has: dot products with saturation, carries,
/// pairs.
TEST(SimEdgeGfx9, Integers) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    checkCases(
        chip,
        {
            U32_CASE("v_add_co_u32 D, vcc, A, B clamp", satU32(i64(a) + b)),
            U32_CASE("v_sub_co_u32 D, vcc, A, B clamp", satU32(i64(a) - b)),
            U32_CASE("v_subrev_co_u32 D, vcc, A, B clamp", satU32(i64(b) - a)),
            U32_CASE("s_mov_b64 s[8:9], -1\n"
                     "v_addc_co_u32 D, vcc, A, B, s[8:9] clamp",
                     satU32(i64(a) + b + 1)),
            U32_CASE("s_mov_b64 s[8:9], -1\n"
                     "v_subb_co_u32 D, vcc, A, B, s[8:9] clamp",
                     satU32(i64(a) - b - 1)),
            I32_CASE("v_dot4_i32_i8 D, A, B, C clamp",
                     sat32(dot(a, b, c, 4, byte))),
            U32_CASE("v_dot4_u32_u8 D, A, B, C clamp",
                     satU32(dot(a, b, c, 4, ubyte))),
            I32_CASE("v_dot8_i32_i4 D, A, B, C clamp",
                     sat32(dot(a, b, c, 8, nibble))),
            U32_CASE("v_dot8_u32_u4 D, A, B, C clamp",
                     satU32(dot(a, b, c, 8, unibble))),
            U32_CASE("v_dot8_i32_i4 D, A, B, C", dot(a, b, c, 8, nibble)),
            I32_CASE("v_dot2_i32_i16 D, A, B, C clamp",
                     sat32(i64(i16(a)) * i16(b) +
                           i64(i16(a >> 16)) * i16(b >> 16) + c)),
            U32_CASE("v_dot2_u32_u16 D, A, B, C",
                     (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16) + c),
            // op_sel selects the dword of each source.
            U64_CASE("v_pk_mov_b32 DD, AA, BB", u32(a) | b << 32),
            U64_CASE("v_pk_mov_b32 DD, AA, BB op_sel:[1,0]", a >> 32 | b << 32),
            U64_CASE("v_pk_mov_b32 DD, AA, BB op_sel:[0,1]",
                     u32(a) | (b >> 32) << 32),
            U64_CASE("v_pk_mov_b32 DD, AA, BB op_sel:[1,1]",
                     a >> 32 | (b >> 32) << 32),
            F16_CASE("v_madak_f16 D, A, B, 0x4200", f16(bits16(a * b)) + 3.0),
            F16_CASE("v_madmk_f16 D, A, 0x4200, B", f16(bits16(a * 3.0)) + b),
            F16_CASE("v_fma_legacy_f16 D, A, B, C", std::fma(a, b, c)),
            {"v_mov_b32 D, C\nv_cvt_pkaccum_u8_f32 D, A, B", false,
             [](u64 ra, u64 rb, u64 rc) -> u64 {
               float a = f32(ra);
               u32 whole = !(a > 0)  ? 0
                           : a > 255 ? 255
                                     : u32(std::nearbyint(a));
               u32 shift = 8 * (rb & 3);
               return (u32(rc) & ~(255u << shift)) | whole << shift;
             }},
            // SDWA of words and bytes: the selected part, with or without sign
            // extension.
            U32_CASE("v_add_u32_sdwa D, A, B dst_sel:DWORD "
                     "dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_1",
                     (a >> 24) + (b >> 16)),
            U32_CASE("v_add_u32_sdwa D, sext(A), sext(B) dst_sel:DWORD "
                     "dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_0",
                     byte(a, 1) + i16(b)),
            U32_CASE("v_mov_b32 D, C\nv_sub_u32_sdwa D, A, B dst_sel:BYTE_2 "
                     "dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD",
                     (c & ~0xff0000u) | ((a - b) & 255) << 16),
            U32_CASE("v_mov_b32 D, C\nv_sub_u32_sdwa D, A, B dst_sel:WORD_1 "
                     "dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
                     (a - b) << 16),
            U32_CASE("v_sub_u32_sdwa D, A, B dst_sel:BYTE_1 "
                     "dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:DWORD",
                     u32(byte(a - b, 0)) << 8),
        });
}

/// V_MQSAD_U32_U8: four windows, four sums.
TEST(SimEdgeGfx9, MaskedQuadSad) {
  for (bool clamp : {false, true}) {
    LaneTest test;
    test.chip = "gfx942";
    test.count = 4;
    std::vector<std::vector<u32>> in(7, std::vector<u32>(64));
    for (u32 k = 0; k < 7; ++k)
      for (u32 i = 0; i < 64; ++i)
        in[k][i] = i == 3 ? 0xffffffff : (i * 7 + k + 1) * 2654435761u;
    for (u32 i = 0; i < 64; i += 2)
      in[2][i] &= 0xff00ffff; // a byte that masks
    auto out = test.run(std::string("v_mov_b32 v20, v13\nv_mov_b32 v21, v14\n"
                                    "v_mov_b32 v22, v15\nv_mov_b32 v23, v16\n"
                                    "v_mqsad_u32_u8 v[40:43], v[10:11], v12, "
                                    "v[20:23]") +
                            (clamp ? " clamp\n" : "\n"),
                        in);
    ASSERT_EQ(test.error, "");
    for (u32 i = 0; i < 64; ++i)
      for (u32 k = 0; k < 4; ++k) {
        u64 window = in[0][i] | u64(in[1][i]) << 32;
        u64 sum = u64(differences(u32(window >> 8 * k), in[2][i], true)) +
                  in[3 + k][i];
        EXPECT_EQ(out[k][i], clamp ? satU32(i64(sum)) : u32(sum)) << i;
      }
  }
}

/// Instructions of gfx11 and gfx12.
class SimEdgeLater : public ::testing::TestWithParam<const char *> {};

TEST_P(SimEdgeLater, Vectors) {
  checkCases(
      GetParam(),
      {
          U32_CASE("v_add_nc_u32 D, A, B clamp", satU32(i64(a) + b)),
          U32_CASE("v_sub_nc_u32 D, A, B clamp", satU32(i64(a) - b)),
          I32_CASE("v_add_nc_i32 D, A, B clamp", sat32(i64(a) + b)),
          U32_CASE("v_add_co_u32 D, vcc_lo, A, B clamp", satU32(i64(a) + b)),
          I32_CASE("v_minmax_i32 D, A, B, C", std::max(std::min(a, b), c)),
          U32_CASE("v_maxmin_u32 D, A, B, C", std::min(std::max(a, b), c)),
          U32_CASE("v_xor3_b32 D, A, B, C", a ^ b ^ c),
          U32_CASE("v_clz_i32_u32 D, A", a ? std::countl_zero(a) : ~0),
          U32_CASE("v_ctz_i32_b32 D, A", a ? std::countr_zero(a) : ~0),
          U32_CASE("v_cls_i32 D, A",
                   a == 0 || ~a == 0 ? ~0
                                     : std::countl_zero(i32(a) < 0 ? ~a : a)),
          I32_CASE("v_dot4_i32_iu8 D, A, B, C neg_lo:[1,1,0] clamp",
                   sat32(dot(a, b, c, 4, byte))),
          U32_CASE("v_dot4_i32_iu8 D, A, B, C", dot(a, b, c, 4, ubyte)),
          I32_CASE("v_dot4_i32_iu8 D, A, B, C neg_lo:[1,0,0]",
                   [&] {
                     i64 sum = c;
                     for (int k = 0; k < 4; ++k)
                       sum += i64(byte(a, k)) * ubyte(b, k);
                     return sum;
                   }()),
          U32_CASE("v_dot4_u32_u8 D, A, B, C clamp",
                   satU32(dot(a, b, c, 4, ubyte))),
          I32_CASE("v_dot8_i32_iu4 D, A, B, C neg_lo:[1,1,0] clamp",
                   sat32(dot(a, b, c, 8, nibble))),
          U32_CASE("v_dot8_u32_u4 D, A, B, C", dot(a, b, c, 8, unibble)),
          F32_CASE("v_mullit_f32 D, A, B, C",
                   !(b > -std::numeric_limits<float>::max()) || !(c > 0)
                       ? -std::numeric_limits<float>::max()
                   : a == 0 || b == 0 ? 0.0f
                                      : a * b),
          F32_CASE("v_fma_dx9_zero_f32 D, A, B, C",
                   a == 0 || b == 0 ? c : std::fma(a, b, c)),
          F32_CASE("v_mul_dx9_zero_f32 D, A, B", a == 0 || b == 0 ? 0 : a * b),
          U64_CASE("v_lshlrev_b64 DD, A, BB", b << (a & 63)),
          U64_CASE("v_ashrrev_i64 DD, A, BB", u64(i64(b) >> (a & 63))),
          U32_CASE("v_perm_b32 D, A, B, C",
                   [&] {
                     u64 data = u64(a) << 32 | b;
                     u32 out = 0;
                     for (int k = 0; k < 4; ++k) {
                       u32 s = ubyte(c, k);
                       u32 v = s <= 7 ? u32(data >> 8 * s) & 255
                               : s <= 11
                                   ? (data >> (16 * (s - 8) + 15) & 1 ? 255 : 0)
                               : s == 12 ? 0
                                         : 255;
                       out |= v << 8 * k;
                     }
                     return out;
                   }()),
      });
}

INSTANTIATE_TEST_SUITE_P(Chips, SimEdgeLater,
                         ::testing::Values("gfx1100", "gfx1201"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

/// DPP: masks, bound_ctrl and fi over all controls; what is not written stays.
TEST(SimEdgeDpp, Controls) {
  struct {
    const char *text;
    std::function<int(int)> from;
  } rows[] = {
      {"quad_perm:[3,0,0,1]",
       [](int l) { return (l & ~3) | "\3\0\0\1"[l & 3]; }},
      {"row_shl:3", [](int l) { return l % 16 + 3 < 16 ? l + 3 : -1; }},
      {"row_shr:15", [](int l) { return l % 16 == 15 ? l - 15 : -1; }},
      {"row_ror:5", [](int l) { return (l & ~15) | ((l + 11) & 15); }},
      {"row_mirror", [](int l) { return l ^ 15; }},
      {"row_half_mirror", [](int l) { return l ^ 7; }},
      {"wave_shl:1", [](int l) { return l < 63 ? l + 1 : -1; }},
      {"wave_rol:1", [](int l) { return (l + 1) & 63; }},
      {"wave_shr:1", [](int l) { return l - 1; }},
      {"wave_ror:1", [](int l) { return (l + 63) & 63; }},
      {"row_bcast:15", [](int l) { return l < 16 ? -1 : (l & ~15) - 1; }},
      {"row_bcast:31", [](int l) { return l < 32 ? -1 : 31; }},
      {"row_newbcast:9", [](int l) { return (l & ~15) | 9; }},
  };
  std::vector<std::vector<u32>> in(2, std::vector<u32>(64));
  for (u32 i = 0; i < 64; ++i) {
    in[0][i] = 100 + i;
    in[1][i] = 1000 * i;
  }
  const u64 exec = 0xfffffffffff7fffe; // lanes 0 and 19 are off
  for (auto &row : rows)
    for (int rowMask : {15, 5})
      for (int bankMask : {15, 6})
        for (bool bound : {false, true}) {
          LaneTest test;
          test.chip = "gfx90a";
          test.count = 2;
          std::string mods = std::string(row.text) +
                             " row_mask:" + std::to_string(rowMask) +
                             " bank_mask:" + std::to_string(bankMask) +
                             (bound ? " bound_ctrl:0" : "");
          auto out = test.run("v_mov_b32 v40, 7\nv_mov_b32 v41, v10\n"
                              "s_mov_b64 s[20:21], exec\n"
                              "s_mov_b32 exec_lo, 0xfff7fffe\n"
                              "s_nop 4\n"
                              "v_add_u32_dpp v40, v10, v11 " +
                                  mods + "\nv_mov_b32_dpp v41, v41 " + mods +
                                  "\ns_mov_b64 exec, s[20:21]\n",
                              in);
          ASSERT_EQ(test.error, "");
          for (int lane = 0; lane < 64; ++lane) {
            int from = row.from(lane);
            bool active = exec >> lane & 1;
            bool valid = from >= 0 && (exec >> from & 1);
            bool written = active && (rowMask >> lane / 16 & 1) &&
                           (bankMask >> lane / 4 % 4 & 1) && (valid || bound);
            u32 value = valid ? 100 + from : 0;
            EXPECT_EQ(out[0][lane], written ? value + 1000u * u32(lane) : 7u)
                << mods << " lane " << lane;
            EXPECT_EQ(out[1][lane], written ? value : 100u + u32(lane))
                << mods << " lane " << lane;
          }
        }
}

/// gfx11: DPP8 and fetching from inactive lanes.
TEST(SimEdgeDpp, Dpp8) {
  std::vector<std::vector<u32>> in(1, std::vector<u32>(32));
  for (u32 i = 0; i < 32; ++i)
    in[0][i] = 100 + i;
  for (const char *chip : {"gfx1100", "gfx1201"})
    for (bool fetch : {false, true}) {
      LaneTest test;
      test.chip = chip;
      test.lanes = 32;
      test.count = 3;
      std::string fi = fetch ? " fi:1" : "";
      auto out = test.run(
          "v_mov_b32 v40, 7\nv_mov_b32 v41, 7\nv_mov_b32 v42, 7\n"
          "s_mov_b32 s20, exec_lo\ns_mov_b32 exec_lo, 0xfffffffd\n"
          "v_mov_b32_dpp v40, v10 dpp8:[7,6,5,4,3,2,1,0]" +
              fi +
              "\nv_mov_b32_dpp v41, v10 row_share:1 row_mask:0xf "
              "bank_mask:0xf" +
              fi +
              "\nv_add_nc_u32_e64_dpp v42, v10, v10 row_xmask:3 row_mask:0xf "
              "bank_mask:0xf bound_ctrl:1" +
              fi + "\ns_mov_b32 exec_lo, s20\n",
          in);
      ASSERT_EQ(test.error, "");
      for (u32 lane = 0; lane < 32; ++lane) {
        auto value = [&](u32 from, u32 otherwise) {
          return lane == 1 ? 7 : from != 1 || fetch ? 100 + from : otherwise;
        };
        EXPECT_EQ(out[0][lane], value(lane ^ 7, 0)) << chip << lane << fetch;
        EXPECT_EQ(out[1][lane], value((lane & 16) | 1, 7)) << chip << lane;
        u32 x = value(lane ^ 3, 0);
        EXPECT_EQ(out[2][lane], lane == 1 ? 7 : x + 100 + lane) << chip << lane;
      }
    }
}

/// ds_swizzle: rotations, and the permutations of an FFT.
TEST(SimEdgeDpp, Swizzles) {
  std::vector<std::vector<u32>> in(1, std::vector<u32>(64));
  for (u32 i = 0; i < 64; ++i)
    in[0][i] = 100 + i;
  auto run = [&](const std::string &offset) {
    LaneTest test;
    test.chip = "gfx942";
    auto out = test.run("ds_swizzle_b32 v40, v10 offset:" + offset +
                            "\ns_waitcnt lgkmcnt(0)\n",
                        in);
    EXPECT_EQ(test.error, "");
    return out[0];
  };
  auto right = run("0xc060"), left = run("0xc460"), within = run("0xc087");
  auto whole = run("0xe000"), part = run("0xe003");
  for (u32 i = 0; i < 64; ++i) {
    u32 half = i & 32, in32 = i & 31;
    EXPECT_EQ(right[i], 100 + (half | ((in32 + 3) & 31)));
    EXPECT_EQ(left[i], 100 + (half | ((in32 - 3) & 31)));
    // Bits 2:0 are kept.
    EXPECT_EQ(within[i], 100 + (half | (in32 & 7) | ((in32 + 4) & 24)));
    u32 reversed = 0;
    for (u32 b = 0; b < 5; ++b)
      reversed |= (in32 >> b & 1) << (4 - b);
    EXPECT_EQ(whole[i], 100 + (half | reversed));
    EXPECT_EQ(part[i], 100 + (half | reversed >> 2 | (in32 & 3)));
  }
}

} // namespace
