//===- SimControlTest.cpp - Barriers, MODE, moves by M0 -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

using u32 = uint32_t;

/// Runs the body of a gfx12 kernel in a workgroup of four waves of 32; s[4:5]
/// is the pointer, v1 the byte offset of the lane, s3 the number of the wave.
std::string groupOfFour(SimDevice &device, const std::string &body, u32 *data) {
  KernelOptions options;
  options.ldsBytes = 1024;
  return run(device,
             assemble("gfx1201", kernelText("gfx1201",
                                            "s_load_b64 s[4:5], s[0:1], 0x0\n"
                                            "s_wait_kmcnt 0x0\n"
                                            "v_and_b32 v0, 0x3ff, v0\n"
                                            "v_lshlrev_b32 v1, 2, v0\n"
                                            "v_lshrrev_b32 v2, 5, v0\n"
                                            "v_readfirstlane_b32 s3, v2\n" +
                                                body,
                                            1, options)),
             {data}, {1, 1, 1}, {128, 1, 1});
}

/// Between signal and wait a wave does other work; data that was written before
/// the signal is visible after the wait.
TEST(SimBarrier, SignalAndWait) {
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, 0));
  // Three phases, so that signals of the next phase may arrive early.
  std::string round = "v_add_nc_u32 v4, v4, v0\n"
                      "ds_store_b32 v1, v4\ns_wait_dscnt 0x0\n"
                      "s_barrier_signal -1\n"
                      "v_xor_b32 v3, 0x1fc, v1\n"
                      "s_barrier_wait -1\n"
                      "ds_load_b32 v4, v3\ns_wait_dscnt 0x0\n"
                      "s_barrier_signal -1\ns_barrier_wait -1\n";
  EXPECT_EQ(groupOfFour(device,
                        "v_mov_b32 v4, 0\n" + round + round + round +
                            "global_store_b32 v1, v4, s[4:5]\n",
                        data),
            "");
  for (u32 i = 0; i < 128; ++i) {
    u32 other = i ^ 127;
    EXPECT_EQ(data[i], other + i + other);
  }
}

/// One of the waves that signal is the first. A barrier does not wait for a
/// wave that has ended, and does not count its signal for another wave.
TEST(SimBarrier, FirstAndEnded) {
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, 7));
  EXPECT_EQ(groupOfFour(device,
                        "s_barrier_signal_isfirst -1\n"
                        "s_cselect_b32 s6, 1, 0\n"
                        "s_cmp_eq_u32 s3, 2\n"
                        "s_cbranch_scc1 .Lout\n"
                        "s_barrier_wait -1\n"
                        "s_get_barrier_state s7, -1\n"
                        "s_barrier_signal -1\ns_barrier_wait -1\n"
                        "s_lshr_b32 s7, s7, 4\ns_and_b32 s7, s7, 0x7f\n"
                        "s_lshl_b32 s7, s7, 8\ns_or_b32 s6, s6, s7\n"
                        ".Lout:\n"
                        "v_mov_b32 v4, s6\n"
                        "global_store_b32 v1, v4, s[4:5]\n",
                        data),
            "");
  u32 first = 0;
  for (u32 wave = 0; wave < 4; ++wave) {
    first += data[32 * wave] & 1;
    if (wave != 2)
      EXPECT_TRUE(data[32 * wave] >> 8 == 3 || data[32 * wave] >> 8 == 4);
  }
  EXPECT_EQ(first, 1u);
}

/// Waves 0 and 1 meet at a named barrier twice; the other waves are not
/// affected.
TEST(SimBarrier, Named) {
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, 0));
  EXPECT_EQ(groupOfFour(device,
                        "s_mov_b32 m0, 0x20003\n" // two members, barrier 3
                        "s_cmp_lg_u32 s3, 0\n"
                        "s_cbranch_scc1 .Linit\n"
                        "s_barrier_init m0\n"
                        ".Linit:\n"
                        "s_barrier_signal -1\ns_barrier_wait -1\n"
                        "s_cmp_gt_u32 s3, 1\n"
                        "s_cbranch_scc1 .Lout\n"
                        "s_barrier_join 3\n"
                        "ds_store_b32 v1, v0\ns_wait_dscnt 0x0\n"
                        "s_barrier_signal 3\ns_barrier_wait 1\n"
                        "v_xor_b32 v3, 0x80, v1\n"
                        "ds_load_b32 v4, v3\ns_wait_dscnt 0x0\n"
                        "s_barrier_signal 3\ns_barrier_wait 1\n"
                        "s_get_barrier_state s6, 3\n"
                        "v_lshl_add_u32 v4, s6, 8, v4\n"
                        "s_barrier_leave\n"
                        "global_store_b32 v1, v4, s[4:5]\n"
                        ".Lout:\n",
                        data),
            "");
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(data[i] & 0xff, i ^ 32);
    EXPECT_EQ(data[i] >> 8 & 1, 1u) << "valid";
  }
  EXPECT_EQ(data[64], 0u);
}

TEST(SimBarrier, Errors) {
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, 0));
  std::string error = groupOfFour(device, "s_barrier_wait -1\n", data);
  EXPECT_NE(error.find("wait at barriers that cannot complete"),
            std::string::npos)
      << error;
  error = groupOfFour(device, "s_barrier_signal 5\n", data);
  EXPECT_NE(error.find("named barrier 5 is not initialized"), std::string::npos)
      << error;
  error = groupOfFour(device, "s_barrier_wait 2\n", data);
  EXPECT_NE(error.find("has not joined one"), std::string::npos) << error;
}

/// The time that the message returns increases.
TEST(SimControl, Messages) {
  LaneTest test;
  test.chip = "gfx1100";
  test.lanes = 32;
  test.count = 2;
  auto out =
      test.run("s_sendmsg_rtn_b64 s[8:9], sendmsg(MSG_RTN_GET_REALTIME)\n"
               "s_waitcnt lgkmcnt(0)\n"
               "s_sendmsg_rtn_b64 s[10:11], "
               "sendmsg(MSG_RTN_GET_REALTIME)\n"
               "s_waitcnt lgkmcnt(0)\n"
               "s_sub_u32 s10, s10, s8\ns_subb_u32 s11, s11, s9\n"
               "v_mov_b32 v40, s10\nv_mov_b32 v41, s11\n",
               {});
  ASSERT_EQ(test.error, "");
  EXPECT_EQ(out[1][0], 0u);
  test.run("s_sendmsg_rtn_b32 s8, sendmsg(MSG_RTN_GET_DOORBELL)\n", {});
  EXPECT_NE(test.error.find("has no receiver"), std::string::npos)
      << test.error;
  test.run("s_sethalt 1\n", {});
  EXPECT_NE(test.error.find("halts itself"), std::string::npos);
  test.run("s_trap 7\n", {});
  EXPECT_NE(test.error.find("trapped with code 7"), std::string::npos);
}

class SimMode : public ::testing::TestWithParam<const char *> {};

/// Runs a body on some inputs, on any chip; f16 operands are in the low halves.
std::vector<std::vector<u32>> onChip(const std::string &chip, unsigned count,
                                     const std::string &body,
                                     std::vector<std::vector<u32>> inputs) {
  LaneTest test;
  test.chip = chip;
  test.lanes = chip.substr(0, 4) == "gfx9" ? 64 : 32;
  test.count = count;
  for (std::vector<u32> &row : inputs)
    row.resize(test.lanes);
  auto out = test.run(body, inputs);
  EXPECT_EQ(test.error, "");
  return out;
}
std::vector<u32> all(u32 v) { return std::vector<u32>(64, v); }

/// Without IEEE, min and max treat a signaling NaN like any other NaN; without
/// DX10_CLAMP, clamp keeps a NaN.
TEST_P(SimMode, IeeeAndClamp) {
  const std::string body = "v_min_f32 v40, v10, v11\n"
                           "v_max_f32 v41, v11, v10\n"
                           "v_add_f32_e64 v42, v10, v11 clamp\n";
  const u32 signaling = 0x7f800001, two = 0x40000000;
  auto out = onChip(GetParam(), 3, body, {all(signaling), all(two)});
  EXPECT_EQ(out[0][3], 0x7fc00001u);
  EXPECT_EQ(out[1][3], 0x7fc00001u);
  EXPECT_EQ(out[2][3], 0u);
  out = onChip(GetParam(), 3,
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), 0\n" + body +
                   "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), 3\n",
               {all(signaling), all(two)});
  EXPECT_EQ(out[0][3], two);
  EXPECT_EQ(out[1][3], two);
  EXPECT_GT(out[2][3] & 0x7fffffff, 0x7f800000u);
}

/// FP16_OVFL saturates results that overflow, but not infinities.
TEST_P(SimMode, Fp16Overflow) {
  bool t16 = std::string(GetParam()) == "gfx1100";
  std::string l = t16 ? ".l" : "";
  const std::string body = "v_cvt_f16_f32 v40" + l + ", v10\n" +
                           "v_cvt_f16_f32 v41" + l + ", v11\n" +
                           "v_cvt_f16_f32 v42" + l + ", -v10\n" +
                           "v_pk_add_f16 v43, v12, v12\n";
  auto inputs = [&] {
    return std::vector<std::vector<u32>>{all(0x49742400),  // 1e6
                                         all(0x7f800000),  // infinity
                                         all(0x7c007bff)}; // infinity, 65504
  };
  auto low = [](u32 v) { return v & 0xffff; };
  auto out = onChip(GetParam(), 4, body, inputs());
  EXPECT_EQ(low(out[0][1]), 0x7c00u);
  EXPECT_EQ(low(out[2][1]), 0xfc00u);
  EXPECT_EQ(out[3][1], 0x7c007c00u);
  out = onChip(GetParam(), 4,
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n" + body,
               inputs());
  EXPECT_EQ(low(out[0][1]), 0x7bffu);
  EXPECT_EQ(low(out[1][1]), 0x7c00u);
  EXPECT_EQ(low(out[2][1]), 0xfbffu);
  EXPECT_EQ(out[3][1], 0x7c007bffu);
}

/// All rounding modes, and both settings for denormals.
TEST_P(SimMode, RoundingAndDenormals) {
  // 1 + 2^-24 + 2^-30 and its negative; 2^-140 (a denormal) plus 0.
  const std::vector<std::vector<u32>> inputs = {
      all(0x3f800000), all(0x33820000), all(0x00000200), all(0)};
  struct {
    unsigned mode;
    u32 up, down;
  } rows[] = {{0, 0x3f800001, 0xbf800001},
              {1, 0x3f800001, 0xbf800000},
              {2, 0x3f800000, 0xbf800001},
              {3, 0x3f800000, 0xbf800000}};
  for (auto &row : rows) {
    auto out = onChip(GetParam(), 2,
                      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), " +
                          std::to_string(row.mode) +
                          "\nv_add_f32 v40, v10, v11\n"
                          "v_sub_f32_e64 v41, -v10, v11\n",
                      inputs);
    EXPECT_EQ(out[0][2], row.up) << row.mode;
    EXPECT_EQ(out[1][2], row.down) << row.mode;
  }
  for (unsigned denorm = 0; denorm < 4; ++denorm) {
    auto out =
        onChip(GetParam(), 1,
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), " +
                   std::to_string(denorm) + "\nv_add_f32 v40, v12, v13\n",
               inputs);
    // Flushing inputs or outputs makes the value zero.
    EXPECT_EQ(out[0][2], denorm == 3 ? 0x200u : 0u) << denorm;
  }
  // The mode register reads back the value that was set.
  auto out = onChip(GetParam(), 1,
                    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x5a\n"
                    "s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 8)\n"
                    "v_mov_b32 v40, s8\n",
                    {});
  EXPECT_EQ(out[0][0], 0x5au);
}

/// Dot products of floats round to nearest and flush f32 denormals regardless
/// of MODE. The manuals differ about 16-bit products.
TEST_P(SimMode, DotProducts) {
  const bool gfx9 = GetParam()[3] == '9';
  // The first sum needs rounding, the second has the factor 2^-15 (an f16
  // denormal), the third a result of 2^-140; then the same for bf16 and f16,
  // with results of these types.
  auto out = onChip(GetParam(), 3,
                    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n"
                    "v_dot2_f32_f16 v40, v10, v11, v12\n"
                    "v_dot2_f32_f16 v41, v13, v11, v14\n"
                    "v_dot2_f32_f16 v42, v14, v14, v15\n",
                    {all(0x3c000000), all(0x3c003c00), all(0x33000000),
                     all(0x00000200), all(0), all(0x00000200)});
  EXPECT_EQ(out[0][2], 0x3f800000u);
  EXPECT_EQ(out[1][2], gfx9 ? 0u : 0x38000000u);
  EXPECT_EQ(out[2][2], 0u);
  if (gfx9)
    return;
  out = onChip(GetParam(), 2,
               "v_dot2_bf16_bf16 v40, v10, v11, v12\n"
               "v_dot2_f16_f16 v41, v13, v14, v12\n",
               {all(0x00000040), all(0x3f803f80), all(0), all(0x00000200),
                all(0x3c003c00)});
  EXPECT_EQ(out[0][2] & 0xffff, 0u);
  EXPECT_EQ(out[1][2] & 0xffff, 0x200u);
}

/// The scaling of V_DIV_SCALE, as measured on RDNA3.
TEST_P(SimMode, DivisionScales) {
  const std::string mask = GetParam()[3] == '9' ? "vcc" : "vcc_lo";
  const float nan = -std::numeric_limits<float>::quiet_NaN();
  struct {
    float numerator, denominator, scaledNumerator, scaledDenominator;
    u32 vcc;
  } const rows[] = {
      {1, 3, 1, 3, 0},
      {1, 0, nan, nan, 1},
      {0, 1, nan, nan, 1},
      {0, 0x1p-100f, nan, nan, 0},
      {0x1p127f, 1, 0x1p127f, 0x1p64f, 1},
      {0x1p-126f, 1, 0x1p-62f, 1, 1}, // The quotient is not denormal.
      {1, 0x1p127f, 1, 0x1p63f, 1},
      {0x1p100f, 0x1p127f, 0x1p36f, 0x1p63f, 0},
      {0x1p-110f, 0x1p-100f, 0x1p-46f, 0x1p-36f, 0},
      {0x1p-60f, 0x1p-140f, 0x1p4f, 0x1p-76f, 0},
  };
  for (auto &row : rows) {
    auto out = onChip(
        GetParam(), 3,
        "v_mov_b32 v20, 0\nv_mov_b32 v21, 1\n"
        "v_div_scale_f32 v40, " +
            mask + ", v10, v11, v10\nv_cndmask_b32_e32 v42, v20, v21, " + mask +
            "\nv_div_scale_f32 v41, " + mask + ", v11, v11, v10\n",
        {all(std::bit_cast<u32>(row.numerator)),
         all(std::bit_cast<u32>(row.denominator))});
    EXPECT_EQ(out[0][2], std::bit_cast<u32>(row.scaledNumerator))
        << row.numerator << " / " << row.denominator;
    EXPECT_EQ(out[1][2], std::bit_cast<u32>(row.scaledDenominator))
        << row.numerator << " / " << row.denominator;
    EXPECT_EQ(out[2][2], row.vcc) << row.numerator << " / " << row.denominator;
  }
  // Minimum and maximum of two NaNs return the first.
  auto out = onChip(GetParam(), 2,
                    "v_min_f32 v40, v10, v11\nv_max_f32 v41, v10, v11\n",
                    {all(0x7fc00001), all(0xffc00002)});
  EXPECT_EQ(out[0][2], 0x7fc00001u);
  EXPECT_EQ(out[1][2], 0x7fc00001u);
}

INSTANTIATE_TEST_SUITE_P(
    Chips, SimMode, ::testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100"),
    [](const auto &info) { return std::string(info.param); });

/// VSKIP: vector instructions are skipped, scalar ones are executed.
TEST(SimControl, SkippedVectors) {
  auto out = onChip("gfx90a", 2,
                    "v_mov_b32 v40, 1\nv_mov_b32 v41, 1\n"
                    "s_mov_b32 s8, 4\ns_setvskip s8, 2\n"
                    "v_mov_b32 v40, 2\ns_mov_b32 s9, 5\n"
                    "s_setvskip 0, 0\nv_mov_b32 v41, s9\n",
                    {});
  EXPECT_EQ(out[0][0], 1u);
  EXPECT_EQ(out[1][0], 5u);
}

/// A divergent branch: both sides execute, the side with fewer lanes first, and
/// all lanes reconverge at the join.
TEST(SimControl, ForkAndJoin) {
  auto out = onChip("gfx90a", 2,
                    "v_mov_b32 v40, 0\nv_mov_b32 v41, 0\n"
                    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, 3), 0\n"
                    "s_mov_b64 s[20:21], s[0:1]\n"
                    "s_mov_b32 s22, 0\ns_mov_b32 s23, 0\n"
                    "v_cmp_gt_u32 vcc, 20, v0\n"
                    // The stack begins at s0.
                    "s_cbranch_i_fork vcc, .Lpass\n"
                    "s_add_u32 s22, s22, 1\nv_mov_b32 v41, s22\n"
                    "v_mov_b32 v40, 5\ns_branch .Ljoin\n"
                    ".Lpass:\n"
                    "s_add_u32 s22, s22, 1\nv_mov_b32 v41, s22\n"
                    "v_mov_b32 v40, 6\n"
                    ".Ljoin:\ns_cbranch_join s23\n"
                    "s_mov_b64 exec, -1\n"
                    "s_mov_b64 s[0:1], s[20:21]\n",
                    {});
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(out[0][i], i < 20 ? 6u : 5u);
    EXPECT_EQ(out[1][i], i < 20 ? 1u : 2u);
  }
}

/// The body of a subvector loop executes once for each half of a wave64.
TEST(SimControl, SubvectorLoop) {
  LaneTest test;
  test.chip = "gfx1100";
  test.lanes = 64;
  test.options.wave64 = true;
  auto out = test.run("v_mov_b32 v40, 0\ns_mov_b32 s8, 0\n"
                      "s_subvector_loop_begin s9, .Lbehind\n"
                      ".Lbody:\n"
                      "s_add_u32 s8, s8, 1\nv_mov_b32 v40, s8\n"
                      "s_subvector_loop_end s9, .Lbody\n"
                      ".Lbehind:\n",
                      {});
  ASSERT_EQ(test.error, "");
  for (u32 i = 0; i < 64; ++i)
    EXPECT_EQ(out[0][i], i < 32 ? 1u : 2u);
}

/// Moves whose registers M0 selects.
TEST(SimControl, RelativeMoves) {
  auto out = onChip("gfx942", 3,
                    "s_mov_b32 s20, 11\ns_mov_b32 s21, 22\n"
                    "s_mov_b32 s22, 33\ns_mov_b32 s23, 44\n"
                    "s_mov_b32 m0, 2\n"
                    "s_movrels_b32 s30, s20\n"
                    "s_movrels_b64 s[32:33], s[20:21]\n"
                    "s_movreld_b32 s34, 55\n" // s36
                    "s_nop 0\n"
                    "v_mov_b32 v40, s30\nv_mov_b32 v41, s33\n"
                    "v_mov_b32 v42, s36\n",
                    {});
  EXPECT_EQ(out[0][0], 33u);
  EXPECT_EQ(out[1][0], 44u);
  EXPECT_EQ(out[2][0], 55u);
  std::vector<std::vector<u32>> in(4, std::vector<u32>(64));
  for (u32 k = 0; k < 4; ++k)
    std::iota(in[k].begin(), in[k].end(), 100 * k);
  for (const char *chip : {"gfx1100", "gfx1201"}) {
    out = onChip(chip, 8,
                 "s_mov_b32 m0, 3\n"
                 "v_movrels_b32 v40, v10\n" // v13
                 "v_movreld_b32 v38, v10\n" // v41
                 "v_movrelsd_b32 v39, v8\n" // v42 = v11
                 "s_mov_b32 m0, 0x20001\n"
                 "v_movrelsd_2_b32 v41, v11\n" // v43 = v12
                 "s_mov_b32 m0, 1\n"
                 "v_movrels_b32_dpp v44, v10 row_shr:1 row_mask:0xf "
                 "bank_mask:0xf bound_ctrl:1\n" // v11 of the lane before
                 "v_mov_b32 v45, v10\nv_mov_b32 v46, v11\n"
                 "s_mov_b32 m0, 0x10001\n"
                 "v_swaprel_b32 v44, v45\n" // v45 with v46
                 "v_mov_b32 v47, 0\n",
                 in);
    for (u32 i = 0; i < 32; ++i) {
      EXPECT_EQ(out[0][i], 300 + i) << chip;
      EXPECT_EQ(out[1][i], i);
      EXPECT_EQ(out[2][i], 100 + i);
      EXPECT_EQ(out[3][i], 200 + i);
      EXPECT_EQ(out[4][i], i % 16 ? 100 + i - 1 : 0);
      EXPECT_EQ(out[5][i], 100 + i);
      EXPECT_EQ(out[6][i], i);
    }
  }
}

/// The halves of a register are exchanged.
TEST(SimControl, SwappedHalves) {
  std::vector<std::vector<u32>> in = {all(0x11112222), all(0x33334444)};
  auto out = onChip("gfx1100", 2,
                    "v_mov_b32 v40, v10\nv_mov_b32 v41, v11\n"
                    "v_swap_b16 v40.h, v41.l\n",
                    in);
  EXPECT_EQ(out[0][0], 0x44442222u);
  EXPECT_EQ(out[1][0], 0x33331111u);
}

/// gfx12's scalar transcendental functions and fused multiplications give the
/// same results as the vector instructions.
TEST(SimControl, ScalarFloats) {
  std::string code = "s_mov_b32 s20, 0\n";
  unsigned cases = 0;
  // s10 is the scalar result, v10 that of the vector instruction; s20 is the
  // last case in which they differ.
  auto compare = [&](const std::string &mask) {
    code += "v_readfirstlane_b32 s11, v10\n"
            "s_wait_alu 0xfffe\n"
            "s_xor_b32 s10, s10, s11\n"
            "s_and_b32 s10, s10, " +
            mask +
            "\n"
            "s_cmp_lg_u32 s10, 0\n"
            "s_cselect_b32 s20, " +
            std::to_string(++cases) + ", s20\n";
  };
  auto hex = [](u32 bits) { return std::to_string(bits); };
  const u32 singles[] = {0,          0x80000000, 0x3f800000, 0xc0200000,
                         0x3e99999a, 0x7f800000, 0xff800000, 0x7fc00000,
                         0x00000001, 0x007fffff, 0x7f7fffff, 0xc2fe8000};
  const u32 halves[] = {0,      0x8000, 0x3c00, 0xc100, 0x34cd, 0x7c00,
                        0xfc00, 0x7e00, 0x0001, 0x03ff, 0x7bff, 0x4b00};
  for (const char *name : {"exp", "log", "rcp", "rsq", "sqrt"}) {
    for (u32 value : singles) {
      code += "s_mov_b32 s9, " + hex(value) + "\nv_mov_b32 v9, s9\nv_s_" +
              name + "_f32 s10, s9\nv_" + name + "_f32 v10, v9\n";
      compare("-1");
    }
    for (u32 value : halves) {
      code += "s_mov_b32 s9, " + hex(value) + "\nv_mov_b32 v9, s9\nv_s_" +
              name + "_f16 s10, s9\nv_" + name + "_f16 v10, v9\n";
      compare("0xffff");
    }
  }
  for (u32 a : singles)
    for (u32 b : {0x3fc00000u, 0xbf800001u}) {
      const std::string three = "s_mov_b32 s8, " + hex(a) + "\ns_mov_b32 s9, " +
                                hex(b) + "\ns_mov_b32 s10, 0x3eaaaaab\n" +
                                "v_mov_b32 v8, s8\nv_mov_b32 v9, s9\n"
                                "v_mov_b32 v10, s10\n";
      code += three + "s_fmac_f32 s10, s8, s9\nv_fma_f32 v10, v8, v9, v10\n";
      compare("-1");
      code += three + "s_fmaak_f32 s10, s8, s9, 0x40490fdb\n"
                      "v_fmaak_f32 v10, s8, v9, 0x40490fdb\n";
      compare("-1");
      code += three + "s_fmamk_f32 s10, s8, 0x40490fdb, s9\n"
                      "v_fmamk_f32 v10, s8, 0x40490fdb, v9\n";
      compare("-1");
    }
  for (u32 a : halves) {
    code += "s_mov_b32 s8, " + hex(a) +
            "\ns_mov_b32 s9, 0x3e01\ns_mov_b32 s10, 0x3555\n"
            "v_mov_b32 v8, s8\nv_mov_b32 v9, s9\nv_mov_b32 v10, s10\n"
            "s_fmac_f16 s10, s8, s9\n"
            "v_fma_f16 v10, v8, v9, v10\n";
    compare("0xffff");
  }
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, ~0u));
  EXPECT_EQ(groupOfFour(device,
                        code + "v_mov_b32 v4, s20\n"
                               "global_store_b32 v1, v4, s[4:5]\n",
                        data),
            "");
  EXPECT_EQ(cases, 204u);
  for (u32 i = 0; i < 128; ++i)
    ASSERT_EQ(data[i], 0u) << "lane " << i;
}

} // namespace
