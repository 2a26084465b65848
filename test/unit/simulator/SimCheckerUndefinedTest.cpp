//===- SimCheckerUndefinedTest.cpp - Undefined values in kernels ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in SimCheckerTest.cpp: each kernel is correct without its planted fault.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimCheckerSupport.h"

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

TEST(SimChecker, UninitializedLds) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    ds_write_b32 v1, v0
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v3, 1, v2
    global_store_dword v1, v3, s[4:5]
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "v2, v1", "v2, v1 offset:128")),
                  {("use of an uninitialized value: it is stored to global "
                    "memory"),
                   "lanes 32-63", "global_store_dword v1, v3",
                   "read from LDS that was never written",
                   "ds_read_b32 v2, v1 offset:128"}));
  // Reading a value without using it is not a fault.
  EXPECT_EQ(run(replaced(replaced(body, "v2, v1", "v2, v1 offset:128"),
                         "v1, v3, s", "v1, v0, s")),
            "");
  // A copy within LDS: the report names the first read of an element that was
  // never written.
  EXPECT_TRUE(
      has(run(replaced(replaced(body, "v2, v1", "v2, v1 offset:128"),
                       "v_add_u32", R"(
    ds_write_b32 v1, v2 offset:512
    ds_read_b32 v2, v1 offset:512
    s_waitcnt lgkmcnt(0)
    v_add_u32)")),
          {"it is stored to global memory", "lanes 32-63",
           "global_store_dword v1, v3", "read from LDS that was never written",
           "ds_read_b32 v2, v1 offset:128"}));
}

TEST(SimChecker, UninitializedRegisters) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string head = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
)";
  const std::string tail = "\n s_endpgm\n";
  // The value is used as an address, in a branch, in EXEC, or by an atomic.
  EXPECT_TRUE(has(run(head +
                      "v_and_b32_e32 v2, 4, v9\n"
                      "global_load_dword v3, v2, s[4:5]" +
                      tail),
                  {"an address depends on it", "global_load_dword v3"}));
  EXPECT_TRUE(has(run(head +
                      "s_cmp_lt_u32 s20, 5\n s_cbranch_scc1 over\n"
                      "s_nop 0\nover:" +
                      tail),
                  {"a branch depends on it", "s_cbranch_scc1"}));
  EXPECT_TRUE(has(run(head +
                      "v_cmp_lt_u32_e32 vcc, 3, v9\n"
                      "s_and_saveexec_b64 s[6:7], vcc" +
                      tail),
                  {"EXEC depends on it", "s_and_saveexec_b64"}));
  EXPECT_TRUE(has(run(head + "global_atomic_add v1, v9, s[4:5]" + tail),
                  {"an atomic operation uses it", "global_atomic_add"}));
  // Undefined bits that no use reads.
  EXPECT_EQ(run(head +
                "v_lshlrev_b32_e32 v2, 16, v9\n"
                "v_or_b32_e32 v2, 0xffff0000, v2\n"
                "global_store_dword v1, v2, s[4:5]" +
                tail),
            "");
  EXPECT_EQ(run(head +
                "v_and_b32_e32 v2, 0, v9\n"
                "global_store_dword v1, v2, s[4:5]" +
                tail),
            "");
  EXPECT_EQ(run(head +
                "v_mov_b32_e32 v2, 0x12345678\n"
                "v_perm_b32 v2, v9, v2, s6\n" +
                "v_lshlrev_b32_e32 v3, 8, v9\n v_or_b32_e32 v3, v3, v0\n"
                "global_store_byte v1, v3, s[4:5]" +
                tail),
            "");
  EXPECT_TRUE(has(run(head +
                      "v_lshlrev_b32_e32 v3, 7, v9\n"
                      "global_store_byte v1, v3, s[4:5]" +
                      tail),
                  {"it is stored to global memory", "global_store_byte"}));
  // After the reversal, the defined half is the upper one.
  const std::string reversed =
      "v_lshlrev_b32_e32 v2, 16, v9\n v_bfrev_b32_e32 v3, v2\n";
  EXPECT_EQ(
      run(head + reversed + "global_store_short_d16_hi v1, v3, s[4:5]" + tail),
      "");
  EXPECT_TRUE(
      has(run(head + reversed + "global_store_short v1, v3, s[4:5]" + tail),
          {"it is stored to global memory", "global_store_short"}));
  // Conversions of two values, each of which defines one half.
  const std::string pair = "v_cvt_pkrtz_f16_f32 v3, v0, v9\n";
  EXPECT_EQ(run(head + pair + "global_store_short v1, v3, s[4:5]" + tail), "");
  EXPECT_TRUE(
      has(run(head + pair + "global_store_short_d16_hi v1, v3, s[4:5]" + tail),
          {"it is stored to global memory", "global_store_short_d16_hi"}));
  // A set bit below the undefined half ends the search for the first set bit.
  const std::string first = "v_lshlrev_b32_e32 v2, 16, v9\n"
                            "v_or_b32_e32 v2, 0x100, v2\n";
  const std::string stored = "global_store_dword v1, v3, s[4:5]" + tail;
  EXPECT_EQ(run(head + first + "v_ffbl_b32_e32 v3, v2\n" + stored), "");
  EXPECT_TRUE(has(run(head + first + "v_ffbh_u32_e32 v3, v2\n" + stored),
                  {"it is stored to global memory"}));
  // Inactive lanes keep their old, undefined value.
  EXPECT_TRUE(has(run(head +
                      "s_mov_b64 exec, 0xff\n v_mov_b32_e32 v9, 1\n"
                      "s_mov_b64 exec, -1\n"
                      "global_store_dword v1, v9, s[4:5]" +
                      tail),
                  {"it is stored to global memory", "lanes 8-63"}));
  // Spilled scalars: one lane is written, and the same lane is read.
  EXPECT_EQ(run(head +
                "s_mov_b32 s8, 7\n v_writelane_b32 v20, s8, 3\n s_nop 0\n"
                "v_readlane_b32 s9, v20, 3\n s_nop 1\n v_mov_b32_e32 v2, s9\n"
                "global_store_dword v1, v2, s[4:5]" +
                tail),
            "");
  EXPECT_TRUE(has(run(head +
                      "s_mov_b32 s8, 7\n v_writelane_b32 v20, s8, 3\n"
                      "v_readlane_b32 s9, v20, 4\n v_mov_b32_e32 v2, s9\n"
                      "global_store_dword v1, v2, s[4:5]" +
                      tail),
                  {"it is stored to global memory"}));
}

/// An undefined high bit leaves the lower bits of an integer sum defined, but
/// makes a sum of floats undefined.
TEST(SimChecker, UninitializedBitsThroughScalarSums) {
  CheckedRun run("gfx1201");
  run.block = {32, 1, 1};
  const std::string body = R"(
    s_lshl_b32 s6, s20, 31
    s_add_co_u32 s7, s6, 1
    s_and_b32 s7, s7, 0x7fffffff
    s_cmp_eq_u32 s7, 5
    s_cbranch_scc1 over
    s_nop 0
over:
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(
      run(replaced(body, "s_add_co_u32 s7, s6, 1", "s_add_f32 s7, s6, 1.0")),
      {"a branch depends on it", "s_cbranch_scc1"}));
}

TEST(SimChecker, AtomicOnAHalfOfAnUninitializedDword) {
  // The low half is written; the loop does not change the high half.
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 5
    ds_write_b16 v1, v2
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
again:
    v_mov_b32_e32 v4, v3
    v_add_u16_e32 v5, 1, v4
    v_and_b32_e32 v6, 0xffff0000, v4
    v_or_b32_e32 v5, v5, v6
    ds_cmpst_rtn_b32 v3, v1, v4, v5
    s_waitcnt lgkmcnt(0)
    v_cmp_ne_u32_e32 vcc, v3, v4
    s_and_b64 exec, exec, vcc
    s_cbranch_execnz again
    s_mov_b64 exec, 1
    ds_read_u16 v7, v1
    s_waitcnt lgkmcnt(0)
    global_store_short v1, v7, s[4:5]
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  // The high half is still undefined.
  EXPECT_TRUE(has(run(replaced(body, "v7, v1", "v7, v1 offset:2")),
                  {"it is stored to global memory", "ds_read_u16 v7"}));
  EXPECT_TRUE(
      has(run(replaced(body, "v_mov_b32_e32 v4, v3", "v_mov_b32_e32 v4, v9")),
          {"an atomic operation uses it", "ds_cmpst_rtn_b32"}));
}

TEST(SimChecker, UninitializedScratch) {
  CheckedRun run;
  run.block = {64, 1, 1};
  run.options.privateBytes = 64;
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    scratch_store_dword off, v0, off offset:8
    s_waitcnt vmcnt(0) lgkmcnt(0)
    scratch_load_dword v2, off, off offset:8
    s_waitcnt vmcnt(0)
    global_store_dword v1, v2, s[4:5]
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(
      run(replaced(body, "v2, off, off offset:8", "v2, off, off offset:12")),
      {"it is stored to global memory", "global_store_dword",
       "read from scratch that was never written", "scratch_load_dword v2"}));
}

TEST(SimChecker, UndefinedBitsMoveBetweenLanes) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string head = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, 1
    v_mov_b32_e32 v9, 1
    s_mov_b64 exec, -1
)";
  const std::string tail = "\n global_store_dword v1, v2, s[4:5]\n s_endpgm\n";
  EXPECT_EQ(run(head +
                "v_readfirstlane_b32 s8, v9\n s_nop 1\n v_mov_b32_e32 v2, s8" +
                tail),
            "");
  EXPECT_TRUE(has(run(head +
                      "v_mov_b32_e32 v2, 0\n s_nop 1\n"
                      "v_mov_b32_dpp v2, v9 quad_perm:[0,0,0,0] "
                      "row_mask:0xf bank_mask:0xf" +
                      tail),
                  {"lanes 4-63"}));
  EXPECT_EQ(run(head +
                "v_mov_b32_e32 v3, 0\n ds_bpermute_b32 v2, v3, v9\n"
                "s_waitcnt lgkmcnt(0)" +
                tail),
            "");
  EXPECT_TRUE(has(run(head +
                      "v_mov_b32_e32 v3, 4\n"
                      "ds_bpermute_b32 v2, v3, v9\n"
                      "s_waitcnt lgkmcnt(0)" +
                      tail),
                  {"lanes 0-63"}));
}

TEST(SimChecker, RegistersWhoseNumbersM0Moves) {
  CheckedRun run("gfx1100");
  run.block = {32, 1, 1};
  auto told = [&](const std::string &what) {
    return run(R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 3
    v_movreld_b32_e32 v20, v0
    s_movreld_b32 s20, 7
    s_waitcnt lgkmcnt(0)
)" + what + "\n global_store_b32 v1, v2, s[4:5]\n s_endpgm\n");
  };
  EXPECT_EQ(told("v_mov_b32_e32 v2, v23"), "");
  EXPECT_EQ(told("v_movrels_b32_e32 v2, v20"), "");
  EXPECT_EQ(told("v_mov_b32_e32 v2, s23"), "");
  EXPECT_EQ(told("s_movrels_b32 s8, s20\n v_mov_b32_e32 v2, s8"), "");
  const std::string swap = "s_mov_b32 m0, 0x30001\n v_swaprel_b32 v5, v22\n";
  EXPECT_EQ(told(swap + "v_mov_b32_e32 v2, v8"), "");
  for (const std::string &wrong :
       {std::string("v_mov_b32_e32 v2, v20"),
        std::string("v_movrels_b32_e32 v2, v21"),
        std::string("v_mov_b32_e32 v2, s20"),
        std::string("s_movrels_b32 s8, s21\n v_mov_b32_e32 v2, s8"),
        swap + "v_mov_b32_e32 v2, v23"})
    EXPECT_TRUE(has(told(wrong), {"never written"})) << wrong;
}

TEST(SimChecker, ScaledConversions) {
  CheckedRun run("gfx950");
  run.block = {64, 1, 1};
  auto told = [&](const std::string &what) {
    return run(R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v4, 1.0
    s_mov_b32 s8, 0x24
    s_waitcnt lgkmcnt(0)
)" + what + "\n global_store_dword v1, v6, s[4:5]\n s_endpgm\n");
  };
  // The registers of the result were never written before.
  EXPECT_EQ(told("v_cvt_scalef32_pk_f32_fp4 v[6:7], s8, v4"), "");
  EXPECT_EQ(told("v_cvt_scalef32_pk_f32_fp4 v[6:7], v0, v4"), "");
  const std::string second = "\n v_mov_b32_e32 v6, v11";
  EXPECT_EQ(told("v_cvt_scalef32_pk_f32_fp4 v[10:11], v0, v4" + second), "");
  for (const std::string &wrong :
       {std::string("v_cvt_scalef32_pk_f32_fp4 v[6:7], v9, v4"),
        "v_cvt_scalef32_pk_f32_fp4 v[10:11], s20, v4" + second,
        std::string("v_cvt_scalef32_pk_f32_fp4 v[6:7], v0, v9"),
        // Writes one byte.
        std::string("v_cvt_scalef32_pk_fp4_f32 v6, v4, v4, v4")})
    EXPECT_TRUE(has(told(wrong), {"never written"})) << wrong;
  EXPECT_EQ(told("v_cvt_scalef32_pk_fp4_f32 v6, v4, v4, v4\n"
                 "s_nop 0\n"
                 "v_and_b32_e32 v6, 0xff, v6"),
            "");
}

} // namespace
