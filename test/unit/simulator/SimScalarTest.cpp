//===- SimScalarTest.cpp - Scalar instructions of the simulator -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each scalar operation over edge values; destination, SCC and EXEC compared
// with plain C++.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include <bit>
#include <functional>
#include <gtest/gtest.h>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

struct Outcome {
  u64 value;
  int scc; ///< -1: as before, which is 1
};

struct Case {
  std::string text; ///< with s[8:9] and s[10:11], to s[12:13]
  bool wide;
  std::function<Outcome(u64 a, u64 b)> expect;
};

const u64 kEdges[] = {
    0,
    1,
    2,
    0xffffffffffffffff,
    0x80000000,
    0x7fffffff,
    0xffffffff,
    0x8000000000000000,
    0x7fffffffffffffff,
    0x123456789abcdef0,
    31,
    32,
    63,
    64,
    0x00100004,
    0x00080018,
    0x0020001f,
    0xfffffffe00000000,
    0x00ff00ff,
};

/// Runs the cases on all pairs of edges, one wave a pair.
void check(const std::string &chip, const std::vector<Case> &cases) {
  const size_t n = std::size(kEdges), pairs = n * n;
  std::string body = "s_load_dwordx4 s[4:7], s[0:1], 0x0\n"
                     "s_waitcnt lgkmcnt(0)\n"
                     "s_lshl_b32 s3, s2, 4\n"
                     "s_load_dwordx4 s[8:11], s[4:5], s3\n"
                     "s_mul_i32 s3, s2, " +
                     std::to_string(16 * cases.size()) +
                     "\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v1, s3\n";
  for (size_t k = 0; k < cases.size(); ++k)
    body += "s_mov_b64 s[12:13], 0x5555\ns_cmp_eq_u32 s0, s0\n" +
            cases[k].text +
            "\ns_cselect_b32 s14, 1, 0\n"
            "v_mov_b32 v2, s12\nv_mov_b32 v3, s13\nv_mov_b32 v4, s14\n"
            "global_store_dwordx3 v1, v[2:4], s[6:7]\n"
            "v_add_u32 v1, 16, v1\n";
  std::vector<u64> inputs;
  for (u64 a : kEdges)
    for (u64 b : kEdges) {
      inputs.push_back(a);
      inputs.push_back(b);
    }
  SimDevice device;
  u64 *in = onDevice(device, inputs);
  u32 *out = onDevice(device, std::vector<u32>(pairs * cases.size() * 4));
  ASSERT_EQ(run(device, assemble(chip, kernelText(chip, body, 2)), {in, out},
                {static_cast<u32>(pairs), 1, 1}, {1, 1, 1}),
            "");
  for (size_t p = 0; p < pairs; ++p)
    for (size_t k = 0; k < cases.size(); ++k) {
      u64 a = inputs[2 * p], b = inputs[2 * p + 1];
      const u32 *got = out + (p * cases.size() + k) * 4;
      Outcome want = cases[k].expect(a, b);
      u64 value = got[0];
      if (cases[k].wide)
        value |= u64(got[1]) << 32;
      else
        want.value &= 0xffffffff;
      ASSERT_EQ(value, want.value)
          << cases[k].text << std::hex << " a=" << a << " b=" << b;
      ASSERT_EQ(got[2], want.scc < 0 ? 1u : u32(want.scc))
          << cases[k].text << " SCC " << std::hex << " a=" << a << " b=" << b;
    }
}

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
Outcome logic32(u32 v) { return {v, v != 0}; }
Outcome logic64(u64 v) { return {v, v != 0}; }

class SimScalar : public ::testing::TestWithParam<const char *> {};

TEST_P(SimScalar, Arithmetic) {
  check(
      GetParam(),
      {
          {"s_add_u32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             return Outcome{a + b, (u64(lo(a)) + lo(b)) >> 32 != 0};
           }},
          {"s_sub_u32 s12, s8, s10", false,
           [](u64 a, u64 b) { return Outcome{a - b, lo(b) > lo(a)}; }},
          {"s_addc_u32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             u64 s = u64(lo(a)) + lo(b) + 1;
             return Outcome{s, s >> 32 != 0};
           }},
          {"s_subb_u32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             return Outcome{a - b - 1, u64(lo(b)) + 1 > lo(a)};
           }},
          {"s_add_i32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             i64 s = i64(slo(a)) + slo(b);
             return Outcome{u64(s), s != i32(s)};
           }},
          {"s_sub_i32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             i64 s = i64(slo(a)) - slo(b);
             return Outcome{u64(s), s != i32(s)};
           }},
          {"s_mul_i32 s12, s8, s10", false,
           [](u64 a, u64 b) { return Outcome{a * b, -1}; }},
          {"s_mul_hi_u32 s12, s8, s10", false,
           [](u64 a, u64 b) { return Outcome{u64(lo(a)) * lo(b) >> 32, -1}; }},
          {"s_mul_hi_i32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             return Outcome{u64(i64(slo(a)) * slo(b) >> 32), -1};
           }},
          {"s_min_i32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             return Outcome{u64(std::min(slo(a), slo(b))), slo(a) < slo(b)};
           }},
          {"s_max_u32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             return Outcome{std::max(lo(a), lo(b)), lo(a) > lo(b)};
           }},
          {"s_absdiff_i32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             i32 d = i32(lo(a) - lo(b));
             return logic32(d < 0 ? 0u - u32(d) : u32(d));
           }},
          {"s_abs_i32 s12, s8", false,
           [](u64 a, u64) { return logic32(slo(a) < 0 ? 0u - lo(a) : lo(a)); }},
          {"s_lshl3_add_u32 s12, s8, s10", false,
           [](u64 a, u64 b) {
             u64 s = (u64(lo(a)) << 3) + lo(b);
             return Outcome{s, s >> 32 != 0};
           }},
          {"s_movk_i32 s12, 0x8001", false,
           [](u64, u64) { return Outcome{0xffff8001, -1}; }},
          {"s_addk_i32 s12, 0xfffe", false,
           [](u64, u64) { return Outcome{0x5553, 0}; }},
          {"s_mulk_i32 s12, 3", false,
           [](u64, u64) { return Outcome{3 * 0x5555, -1}; }},
          {"s_cmpk_lt_u32 s8, 0xffff", false,
           [](u64 a, u64) { return Outcome{0x5555, lo(a) < 0xffff}; }},
          {"s_cmpk_gt_i32 s8, 0xffff", false,
           [](u64 a, u64) { return Outcome{0x5555, slo(a) > -1}; }},
      });
}

TEST_P(SimScalar, Logic) {
  check(GetParam(),
        {
            {"s_and_b32 s12, s8, s10", false,
             [](u64 a, u64 b) { return logic32(a & b); }},
            {"s_andn2_b64 s[12:13], s[8:9], s[10:11]", true,
             [](u64 a, u64 b) { return logic64(a & ~b); }},
            {"s_or_b64 s[12:13], s[8:9], -2", true,
             [](u64 a, u64) { return logic64(a | ~u64(1)); }},
            {"s_xor_b64 s[12:13], s[8:9], s[10:11]", true,
             [](u64 a, u64 b) { return logic64(a ^ b); }},
            {"s_nand_b32 s12, s8, s10", false,
             [](u64 a, u64 b) { return logic32(~(a & b)); }},
            {"s_xnor_b64 s[12:13], s[8:9], s[10:11]", true,
             [](u64 a, u64 b) { return logic64(~(a ^ b)); }},
            {"s_orn2_b32 s12, s8, s10", false,
             [](u64 a, u64 b) { return logic32(a | ~b); }},
            {"s_not_b64 s[12:13], s[8:9]", true,
             [](u64 a, u64) { return logic64(~a); }},
            {"s_lshl_b64 s[12:13], s[8:9], s10", true,
             [](u64 a, u64 b) { return logic64(a << (b & 63)); }},
            {"s_lshr_b32 s12, s8, s10", false,
             [](u64 a, u64 b) { return logic32(lo(a) >> (b & 31)); }},
            {"s_ashr_i32 s12, s8, s10", false,
             [](u64 a, u64 b) { return logic32(slo(a) >> (b & 31)); }},
            {"s_ashr_i64 s[12:13], s[8:9], s10", true,
             [](u64 a, u64 b) { return logic64(i64(a) >> (b & 63)); }},
            {"s_bfe_u32 s12, s8, 0x80004", false,
             [](u64 a, u64) { return logic32(lo(a) >> 4 & 0xff); }},
            {"s_bfe_i32 s12, s8, 0x50003", false,
             [](u64 a, u64) { return logic32(i32(lo(a) << 24) >> 27); }},
            {"s_bfe_u64 s[12:13], s[8:9], 0x280010", true,
             [](u64 a, u64) { return logic64(a >> 16 & 0xffffffffff); }},
            {"s_bfe_i64 s[12:13], s[8:9], 0x200000", true,
             [](u64 a, u64) { return logic64(u64(i64(slo(a)))); }},
            {"s_bfm_b64 s[12:13], s8, s10", true,
             [](u64 a, u64 b) {
               return Outcome{((u64(1) << (a & 63)) - 1) << (b & 63), -1};
             }},
            {"s_bcnt1_i32_b64 s12, s[8:9]", false,
             [](u64 a, u64) { return logic32(std::popcount(a)); }},
            {"s_ff1_i32_b64 s12, s[8:9]", false,
             [](u64 a, u64) {
               return Outcome{a ? u64(std::countr_zero(a)) : ~u64(0), -1};
             }},
            {"s_flbit_i32_b32 s12, s8", false,
             [](u64 a, u64) {
               return Outcome{lo(a) ? u64(std::countl_zero(lo(a))) : ~u64(0),
                              -1};
             }},
            {"s_flbit_i32 s12, s8", false,
             [](u64 a, u64) {
               u32 v = slo(a) < 0 ? ~lo(a) : lo(a);
               return Outcome{v ? u64(std::countl_zero(v)) : ~u64(0), -1};
             }},
            {"s_sext_i32_i8 s12, s8", false,
             [](u64 a, u64) { return Outcome{u64(i64(int8_t(a))), -1}; }},
            {"s_pack_lh_b32_b16 s12, s8, s10", false,
             [](u64 a, u64 b) {
               return Outcome{(a & 0xffff) | (lo(b) & 0xffff0000), -1};
             }},
            {"s_bitset1_b32 s12, s8", false,
             [](u64 a, u64) { return Outcome{0x5555 | 1u << (a & 31), -1}; }},
            {"s_bitset0_b64 s[12:13], s8", true,
             [](u64 a, u64) {
               return Outcome{0x5555 & ~(u64(1) << (a & 63)), -1};
             }},
            {"s_cmp_gt_i32 s8, s10", false,
             [](u64 a, u64 b) { return Outcome{0x5555, slo(a) > slo(b)}; }},
            {"s_cmp_le_u32 s8, s10", false,
             [](u64 a, u64 b) { return Outcome{0x5555, lo(a) <= lo(b)}; }},
            {"s_cmp_lg_u64 s[8:9], s[10:11]", false,
             [](u64 a, u64 b) { return Outcome{0x5555, a != b}; }},
            {"s_bitcmp1_b64 s[8:9], s10", false,
             [](u64 a, u64 b) {
               return Outcome{0x5555, int(a >> (b & 63) & 1)};
             }},
            {"s_cselect_b64 s[12:13], s[8:9], s[10:11]", true,
             [](u64 a, u64) { return Outcome{a, -1}; }},
            {"s_mov_b64 exec, s[8:9]\ns_and_saveexec_b64 s[12:13], s[10:11]\n"
             "s_mov_b64 s[16:17], exec\ns_mov_b64 exec, 1\n"
             "s_xor_b64 s[12:13], s[12:13], s[16:17]\n",
             true, [](u64 a, u64 b) { return logic64(a ^ (a & b)); }},
            {"s_mov_b64 exec, s[8:9]\ns_andn1_saveexec_b64 s[12:13], s[10:11]\n"
             "s_mov_b64 s[12:13], exec\ns_mov_b64 exec, 1\n",
             true, [](u64 a, u64 b) { return logic64(~b & a); }},
        });
}

/// Branches, calls, and the loop counter of a spin.
TEST_P(SimScalar, Control) {
  check(GetParam(),
        {
            {"s_mov_b32 s12, 0\n.Lloop:\ns_add_u32 s12, s12, 3\n"
             "s_cmp_lt_u32 s12, 30\ns_cbranch_scc1 .Lloop",
             false, [](u64, u64) { return Outcome{30, 0}; }},
            {"s_cmp_eq_u32 s8, s10\ns_cbranch_scc0 .Ldiffer\n"
             "s_mov_b32 s12, 7\n.Ldiffer:\ns_cmp_eq_u32 s12, 7",
             false,
             [](u64 a, u64 b) {
               bool same = lo(a) == lo(b);
               return Outcome{same ? 7u : 0x5555u, same};
             }},
            {"s_getpc_b64 s[16:17]\n.Lpc:\n"
             "s_add_u32 s16, s16, .Lcallee-.Lpc\ns_addc_u32 s17, s17, 0\n"
             "s_swappc_b64 s[18:19], s[16:17]\ns_branch .Lafter\n"
             ".Lcallee:\ns_movk_i32 s12, 99\ns_setpc_b64 s[18:19]\n"
             ".Lafter:\ns_cmp_eq_u32 s12, 99",
             false, [](u64, u64) { return Outcome{99, 1}; }},
            {"s_mov_b64 vcc, s[8:9]\ns_cbranch_vccz .Lz\ns_mov_b32 s12, 1\n"
             ".Lz:\ns_cmp_eq_u32 s0, s0",
             false, [](u64 a, u64) { return Outcome{a ? 1u : 0x5555u, 1}; }},
        });
}

INSTANTIATE_TEST_SUITE_P(Chips, SimScalar,
                         ::testing::Values("gfx90a", "gfx942"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
