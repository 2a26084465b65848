//===- SimCheckerTest.cpp - Faults planted in kernels ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test has a correct kernel, for which the checker must report nothing,
// and the same kernel with a fault, which must be reported at the right
// instruction.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimCheckerSupport.h"

#include <map>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

/// Two waves exchange through LDS: each lane writes its own element and reads
/// that of the lane whose number is 64 (32) higher.
const char kExchange[] = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x100, v1
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v2
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5]
    s_endpgm
)";
const char kExchange11[] = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x80, v1
    ds_store_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_load_b32 v3, v2
    s_waitcnt lgkmcnt(0)
    global_store_b32 v1, v3, s[4:5]
    s_endpgm
)";
const char kExchange12[] = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x80, v1
    ds_store_b32 v1, v0
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    ds_load_b32 v3, v2
    s_wait_dscnt 0x0
    s_wait_kmcnt 0x0
    global_store_b32 v1, v3, s[4:5]
    s_endpgm
)";

TEST(SimChecker, BarrierRemoved) {
  CheckedRun gfx9("gfx90a"), gfx942, gfx11("gfx1100"), gfx12("gfx1201");
  gfx11.block = gfx12.block = {64, 1, 1};
  for (CheckedRun *run : {&gfx9, &gfx942}) {
    EXPECT_EQ((*run)(kExchange), "");
    EXPECT_TRUE(has((*run)(replaced(kExchange, "s_barrier")),
                    {"data race in LDS", "ds_read_b32 v3, v2",
                     "ds_write_b32 v1, v0", "workgroup (0,0,0)"}));
  }
  EXPECT_EQ(gfx11(kExchange11), "");
  EXPECT_TRUE(
      has(gfx11(replaced(kExchange11, "s_barrier")),
          {"data race in LDS", "ds_load_b32 v3, v2", "ds_store_b32 v1, v0"}));
  EXPECT_EQ(gfx12(kExchange12), "");
  EXPECT_TRUE(
      has(gfx12(replaced(replaced(kExchange12, "s_barrier_signal -1"),
                         "s_barrier_wait -1")),
          {"data race in LDS", "ds_load_b32 v3, v2", "ds_store_b32 v1, v0"}));
}

TEST(SimChecker, WriteStillInFlightAtTheBarrier) {
  // Without the wait, the other wave may read before the write has completed.
  CheckedRun gfx942, gfx12("gfx1201");
  gfx12.block = {64, 1, 1};
  std::string late =
      replaced(kExchange, "s_waitcnt lgkmcnt(0)\n    s_barrier", "s_barrier");
  EXPECT_TRUE(has(gfx942(late), {"data race in LDS", "ds_read_b32",
                                 "with the first access complete"}));
  EXPECT_TRUE(has(gfx12(replaced(kExchange12, "s_wait_dscnt 0x0")),
                  {"data race in LDS", "ds_load_b32"}));
}

TEST(SimChecker, WaitRemoved) {
  CheckedRun gfx942, gfx11("gfx1100"), gfx12("gfx1201");
  gfx11.block = gfx12.block = {64, 1, 1};
  std::string text =
      gfx942(replaced(kExchange, "s_waitcnt lgkmcnt(0)\n    global", "global"));
  EXPECT_TRUE(has(text, {"missing wait: v3 is used", "at 0x",
                         "global_store_dword v1, v3", "ds_read_b32 v3, v2"}));
  text = gfx11(
      replaced(kExchange11, "s_waitcnt lgkmcnt(0)\n    global", "global"));
  EXPECT_TRUE(has(text, {"missing wait: v3 is used"}));
  // On gfx12 the scalar load has a separate counter.
  EXPECT_TRUE(has(
      gfx12(replaced(kExchange12, "s_wait_kmcnt 0x0")),
      {"missing wait: s4 is used", "global_store_b32", "s_load_b64 s[4:5]"}));
}

TEST(SimChecker, WaitsCountInOrder) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5]
    global_load_dword v3, v1, s[4:5] offset:256
    s_waitcnt vmcnt(1)
    v_add_u32_e32 v4, 1, v2
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v5, 1, v3
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "1, v2", "1, v3")),
                  {"missing wait: v3 is used", "v_add_u32_e32 v4, 1, v3",
                   "global_load_dword v3"}));
  // The register is overwritten while a load to it is in flight; a second load
  // of the same queue may do that.
  EXPECT_TRUE(
      has(run(replaced(body, "v_add_u32_e32 v4, 1, v2", "v_mov_b32_e32 v3, 0")),
          {"missing wait: v3 is overwritten", "v_mov_b32_e32 v3, 0"}));
  EXPECT_EQ(run(replaced(body, "v_add_u32_e32 v4, 1, v2",
                         "global_load_dword v3, v1, s[4:5]")),
            "");
}

TEST(SimChecker, ScalarLoadsComeInAnyOrder) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dword s4, s[0:1], 0x0
    s_load_dword s5, s[0:1], 0x4
    s_waitcnt lgkmcnt(1)
    s_add_u32 s6, s4, 1
    s_endpgm
)";
  EXPECT_TRUE(
      has(run(body), {"missing wait: s4 is used", "s_add_u32 s6, s4, 1"}));
  EXPECT_EQ(run(replaced(body, "lgkmcnt(1)", "lgkmcnt(0)")), "");
}

TEST(SimChecker, StoresHaveTheirOwnCounterFromGfx10On) {
  // On gfx9 a store after the load increments the same counter; on gfx11 it
  // does not.
  const std::string gfx9 = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5]
    global_store_dword v1, v0, s[4:5] offset:1024
    s_waitcnt vmcnt(1)
    v_add_u32_e32 v4, 1, v2
    s_endpgm
)";
  const std::string gfx11 = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_b32 v2, v1, s[4:5]
    global_store_b32 v1, v0, s[4:5] offset:1024
    s_waitcnt vmcnt(1)
    v_add_nc_u32_e32 v4, 1, v2
    s_endpgm
)";
  CheckedRun first, second("gfx1100");
  first.block = {64, 1, 1};
  second.block = {32, 1, 1};
  EXPECT_EQ(first(gfx9), "");
  EXPECT_TRUE(has(second(gfx11), {"missing wait: v2 is used"}));
  EXPECT_EQ(second(replaced(gfx11, "vmcnt(1)", "vmcnt(0)")), "");
}

TEST(SimChecker, LoadsStraightFromLdsHaveTheExportCounter) {
  const std::string body = R"(
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 0x20000
    ds_store_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    lds_direct_load v4 wait_vdst:0
    lds_direct_load v5 wait_vdst:0
    s_waitcnt expcnt(1)
    v_add_nc_u32_e32 v6, 1, v4
    s_endpgm
)";
  CheckedRun run("gfx1100");
  run.block = {32, 1, 1};
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "expcnt(1)", "expcnt(2)")),
                  {"missing wait: v4 is used"}));
  EXPECT_TRUE(has(run(replaced(body, "expcnt(1)", "lgkmcnt(0)")),
                  {"missing wait: v4 is used"}));
}

TEST(SimChecker, LdsDmaReadBeforeItsWait) {
  CheckedRun run("gfx950");
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 0
    s_waitcnt lgkmcnt(0)
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5] offset:1024
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "s_waitcnt vmcnt(0)")),
                  {"missing wait", "LDS DMA is still in flight",
                   "ds_read_b32 v2, v1", "global_load_lds_dword v1"}));
  // The wave that issues the transfer must wait before the barrier; otherwise
  // no wave knows when it has completed.
  run.block = {128, 1, 1};
  run.options.ldsBytes = 4096;
  const std::string two = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v3, 0x100, v1
    v_readfirstlane_b32 s6, v1
    s_mov_b32 m0, s6
    s_waitcnt lgkmcnt(0)
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0)
    s_barrier
    ds_read_b32 v2, v3
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5] offset:1024
    s_endpgm
)";
  EXPECT_EQ(run(two), "");
  EXPECT_TRUE(has(
      run(replaced(two, "s_waitcnt vmcnt(0)")),
      {"missing wait", "LDS DMA is still in flight", "ds_read_b32 v2, v3"}));
}

/// Every pair of accesses to the same bytes of LDS, the first by wave 0 and the
/// second by wave 0 or 1, with a wait, a barrier, both or nothing in between.
TEST(SimChecker, LdsDmaAgainstOtherAccesses) {
  struct Access {
    const char *name, *text, *wait;
    bool isDma, writes;
  };
  for (const char *chip : {"gfx942", "gfx950"}) {
    std::vector<Access> accesses = {
        {"dword to LDS", "buffer_load_dword v10, s[8:11], 0 offen lds\n",
         "s_waitcnt vmcnt(0)\n", true, true},
        {"write", "ds_write_b32 v10, v11\n", "s_waitcnt lgkmcnt(0)\n", false,
         true},
        {"read", "ds_read_b32 v12, v10\n", "s_waitcnt lgkmcnt(0)\n", false,
         false}};
    if (std::string(chip) == "gfx950") {
      accesses.push_back({"three dwords to LDS",
                          "buffer_load_dwordx3 v10, s[8:11], 0 offen lds\n",
                          "s_waitcnt vmcnt(0)\n", true, true});
      accesses.push_back({"four dwords to LDS",
                          "buffer_load_dwordx4 v10, s[8:11], 0 offen lds\n",
                          "s_waitcnt vmcnt(0)\n", true, true});
    }
    CheckedRun run(chip);
    run.selection = CheckSelection();
    CheckSelection::parse("races,waits", run.selection);
    for (const Access &first : accesses)
      for (const Access &second : accesses)
        for (bool sameWave : {true, false})
          for (unsigned between = 0; between < 4; ++between) {
            const bool waits = between & 1, meets = between & 2;
            // Lanes 0 to 15 write to LDS; the DMA reads different data.
            const std::string body =
                std::string("s_load_dwordx2 s[4:5], s[0:1], 0x0\n"
                            "v_readfirstlane_b32 s12, v0\n"
                            "v_and_b32_e32 v10, 63, v0\n"
                            "v_lshlrev_b32_e32 v10, 2, v10\n"
                            "v_add_u32_e32 v11, 77, v0\n"
                            "s_mov_b32 m0, 0\n"
                            "s_waitcnt lgkmcnt(0)\n"
                            "s_mov_b32 s8, s4\n"
                            "s_and_b32 s9, s5, 0xffff\n"
                            "s_mov_b32 s10, 4096\n"
                            "s_mov_b32 s11, 0x20000\n"
                            "s_cmp_lg_u32 s12, 0\n"
                            "s_cbranch_scc1 other\n") +
                first.text + (waits ? first.wait : "") +
                (meets ? "s_barrier\n" : "") + (sameWave ? second.text : "") +
                "s_branch done\nother:\n" + (meets ? "s_barrier\n" : "") +
                (sameWave ? "" : second.text) +
                "done:\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm\n";
            // The LDS operations of a wave execute in order, and before the
            // data of a later load to LDS arrives; loads return in order.
            const bool isOrdered = sameWave
                                       ? waits || !first.isDma || second.isDma
                                       : waits && meets;
            const bool conflicts = first.writes || second.writes;
            const std::string text = run(body);
            EXPECT_EQ(!text.empty(), conflicts && !isOrdered)
                << chip << ": " << first.name << ", then " << second.name
                << (sameWave ? " by the same wave" : " by the other wave")
                << (waits ? ", wait" : "") << (meets ? ", barrier" : "") << "\n"
                << text;
          }
  }
}

TEST(SimChecker, WarningsDoNotFail) {
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    v_cmp_gt_u32_e32 vcc, 64, v0
    v_readlane_b32 s6, v0, s4
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s7, v0
    v_readlane_b32 s6, v0, s7
    s_and_saveexec_b64 s[8:9], vcc
    s_barrier
    s_endpgm
)";
  CheckedRun run;
  run.block = {128, 1, 1};
  run.selection = CheckSelection();
  ASSERT_EQ(CheckSelection::parse("hazards,barriers", run.selection), "");
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run.warnings,
                  {"the checker warns of 2 hazards", "missing wait states",
                   "v_readlane_b32 s6", "divergent control flow"}));
  ASSERT_EQ(CheckSelection::parse("hazards=error,barriers", run.selection), "");
  EXPECT_TRUE(has(run(body), {"the checker found a fault in kernel 'test'",
                              "missing wait states"}));
  EXPECT_TRUE(has(run.warnings, {"a hazard", "divergent control flow"}));
}

TEST(SimChecker, SelectionOfKinds) {
  // A missing wait, a misaligned atomic, a race and an undefined branch
  // condition.
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 1
    s_add_u32 s6, s4, 1
    ds_add_u32 v1, v1
    v_mov_b32_e32 v2, 64
    ds_write_b32 v2, v0
    v_readfirstlane_b32 s9, v40
    s_cmp_eq_u32 s9, 0
    s_cbranch_scc1 done
done:
    s_waitcnt lgkmcnt(0)
    s_endpgm
)";
  CheckedRun run;
  const std::map<std::string, std::string> kinds = {
      {"waits", "missing wait: s4"},
      {"races", "data race in LDS"},
      {"bounds", "misaligned access"},
      {"undefined", "use of an uninitialized value"}};
  run.memory.resize(64);
  run.options.vgprs = 48;
  for (const auto &[kind, message] : kinds) {
    ASSERT_EQ(CheckSelection::parse(kind, run.selection), "");
    std::string text = run(body);
    for (const auto &[other, otherMessage] : kinds)
      EXPECT_EQ(text.find(otherMessage) != std::string::npos, other == kind)
          << kind << ": " << text;
  }
  // All reports: races and missing waits are first.
  ASSERT_EQ(CheckSelection::parse("1", run.selection), "");
  std::string text = run(body);
  EXPECT_LT(text.find("\ndata race in LDS"), text.find("\nmissing wait: "));
  EXPECT_LT(text.find("\nmissing wait: "), text.find("\nuse of an un"));
  ASSERT_EQ(CheckSelection::parse("barriers,hazards", run.selection), "");
  EXPECT_EQ(run(body), "");

  for (const char *none : {"", "0"}) {
    ASSERT_EQ(CheckSelection::parse(none, run.selection), "");
    EXPECT_FALSE(run.selection.any());
  }
  EXPECT_TRUE(has(CheckSelection::parse("races,wait", run.selection),
                  {"no kind of check 'wait'", "races, waits, hazards, "
                                              "barriers, undefined, bounds"}));
  EXPECT_NE(CheckSelection::parse("races,", run.selection), "");
  EXPECT_NE(CheckSelection::parse("races=warning", run.selection), "");
}

TEST(SimChecker, OutOfBounds) {
  CheckedRun run;
  run.block = {64, 1, 1};
  run.memory.assign(64, 0);
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  std::string text = run(
      replaced(body, "s[4:5]\n    s_endpgm", "s[4:5] offset:4\n    s_endpgm"));
  EXPECT_TRUE(has(text, {"write of 4 bytes", "lane 63", "0 bytes past the end",
                         "256 bytes", "global_store_dword v1, v0"}));
  text = run(
      replaced(body, "s[4:5]\n    s_endpgm", "s[4:5] offset:-8\n    s_endpgm"));
  EXPECT_TRUE(has(text, {"lane 0", "8 bytes before the start"}));
}

TEST(SimChecker, FreedMemory) {
  SimDevice device;
  Checker checker(10);
  device.addObserver(checker);
  uint32_t *memory = onDevice<uint32_t>(device, std::vector<uint32_t>(64, 0));
  ASSERT_TRUE(device.free(memory, nullptr).ok());
  std::string text =
      test::run(device, assemble("gfx942", kernelText("gfx942", R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5] offset:8
    s_endpgm
)")),
                {memory}, {1, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(has(text, {"8 bytes past the start of", "256 bytes",
                         "that was freed", "global_load_dword v2"}));
}

TEST(SimChecker, DivergentBarriers) {
  CheckedRun run, gfx11("gfx1100");
  gfx11.block = {64, 1, 1};
  // One wave ends before the barrier.
  const std::string leaves = R"(
    v_cmp_gt_u32_e32 vcc, 64, v0
    s_cbranch_vccnz stays
    s_endpgm
stays:
    s_barrier
    s_endpgm
)";
  EXPECT_TRUE(
      has(run(leaves), {"barrier not reached by all", "s_barrier", "wave 1"}));
  EXPECT_EQ(run(replaced(leaves, "s_cbranch_vccnz stays", "s_branch stays")),
            "");
  EXPECT_TRUE(has(gfx11(replaced(leaves, "vcc, 64, v0", "vcc_lo, 32, v0")),
                  {"barrier not reached by all"}));
  // The waves wait at different barriers, which is legal.
  const std::string two = R"(
    v_cmp_gt_u32_e32 vcc, 64, v0
    s_cbranch_vccnz first
    s_barrier
    s_endpgm
first:
    s_barrier
    s_endpgm
)";
  EXPECT_EQ(run(two), "");
  EXPECT_EQ(run(replaced(two, "s_cbranch_vccnz first", "s_branch first")), "");
  // Only half of the lanes of a wave execute the barrier.
  const std::string half = R"(
    v_cmp_gt_u32_e32 vcc, 32, v0
    s_and_saveexec_b64 s[4:5], vcc
    s_barrier
    s_endpgm
)";
  run.block = {64, 1, 1};
  EXPECT_TRUE(has(run(half), {"barrier not reached by all",
                              "divergent control flow", "lanes 32-63"}));
}

TEST(SimChecker, Misaligned) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    v_lshlrev_b32_e32 v1, 3, v0
    v_mov_b32_e32 v2, 1
    v_mov_b32_e32 v3, 1
    ds_add_u32 v1, v2
    ds_write2_b32 v1, v2, v3 offset1:1
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(
      run(replaced(body, "ds_add_u32 v1, v2", "ds_add_u32 v1, v2 offset:2")),
      {"misaligned access", "ds_add_u32", "multiple of 4"}));
  // Reads and writes of any alignment, also read2 and write2: compilers
  // generate them for data that is aligned to bytes.
  EXPECT_EQ(run(replaced(body, "offset1:1",
                         "offset1:1\n v_add_u32_e32 v4, 3, v1\n"
                         "ds_read2_b64 v[8:11], v4 offset1:1\n"
                         "ds_write2_b32 v4, v2, v3 offset1:1")),
            "");
  EXPECT_TRUE(has(run("s_add_u32 s0, s0, 2\n s_load_dword s4, s[0:1], 0x0\n"
                      "s_waitcnt lgkmcnt(0)\n s_endpgm\n"),
                  {"misaligned access", "s_load_dword"}));
}

TEST(SimChecker, Deadlock) {
  CheckedRun run;
  run.grid = {2, 1, 1};
  run.block = {64, 1, 1};
  // Each workgroup waits for a flag that no workgroup sets.
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    s_waitcnt lgkmcnt(0)
again:
    global_load_dword v3, v1, s[4:5] sc1
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s6, v3
    s_sleep 1
    s_cmp_eq_u32 s6, 0
    s_cbranch_scc1 again
    s_endpgm
)";
  std::string text = run(body);
  EXPECT_TRUE(has(text, {"deadlock: every wave waits", "s_cbranch_scc1",
                         "workgroup (0,0,0)", "workgroup (1,0,0)"}));
  run.memory.assign(64, 1);
  EXPECT_EQ(run(body), "");
}

TEST(SimChecker, SourceLines) {
  // All lanes store their number to one address.
  const std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %p) !dbg !4 {
  %id = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !6
  store i32 %id, ptr addrspace(1) %p, !dbg !7
  ret void, !dbg !7
}
declare i32 @llvm.amdgcn.workitem.id.x()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.mlir", directory: "")
!2 = !{i32 2, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "test", file: !1, line: 11, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 12, column: 7, scope: !4)
!7 = !DILocation(line: 14, column: 9, scope: !4)
)";
  SimDevice device;
  Checker checker(10);
  device.addObserver(checker);
  uint32_t *memory = onDevice<uint32_t>(device, {0});
  std::string text =
      test::run(device, compile("gfx942", ir), {memory}, {1, 1, 1}, {64, 1, 1});
  EXPECT_TRUE(has(text, {"lanes write different values", "global_store_dword",
                         "[kernel.mlir:14:9]"}));
}

TEST(SimChecker, LimitOfReports) {
  SimDevice device;
  Checker checker(1);
  device.addObserver(checker);
  uint32_t *memory = onDevice<uint32_t>(device, std::vector<uint32_t>(64, 0));
  std::string text =
      test::run(device, assemble("gfx942", kernelText("gfx942", R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_add_u32 s6, s4, 1
    s_add_u32 s7, s5, 1
    s_endpgm
)")),
                {memory}, {1, 1, 1}, {128, 1, 1});
  EXPECT_TRUE(has(text, {"found 2 faults", "s_add_u32 s6", "1 more are not",
                         "occurred 2 times"}));
  EXPECT_EQ(text.find("s_add_u32 s7"), std::string::npos);
}

} // namespace
