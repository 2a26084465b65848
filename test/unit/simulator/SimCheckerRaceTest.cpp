//===- SimCheckerRaceTest.cpp - Data races of kernels ---------------------===//
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

#include <cstdlib>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

TEST(SimChecker, RaceBetweenWorkgroups) {
  CheckedRun run("gfx90a"), gfx12("gfx1201");
  run.grid = gfx12.grid = {2, 1, 1};
  run.block = {64, 1, 1};
  gfx12.block = {32, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_lshl_b32 s6, s2, 8
    v_add_u32_e32 v1, s6, v1
    v_add_u32_e32 v2, s2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5]
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  // Both workgroups write to the same address.
  std::string text = run(replaced(body, "v_add_u32_e32 v1, s6, v1"));
  EXPECT_TRUE(has(text, {"data race in global memory", "workgroup (1,0,0)",
                         "by workgroup (0,0,0)", "global_store_dword v1, v2",
                         "buffer of 16384 bytes"}));
  // One workgroup reads what the other writes.
  text = run(replaced(body, "s_endpgm",
                      "global_load_dword v3, v0, s[4:5]\n s_endpgm"));
  EXPECT_TRUE(has(text, {"data race in global memory", "global_load_dword v3",
                         "after the write"}));
}

/// Workgroup 0 writes data and sets a flag, workgroup 1 waits for it.
const char kHandOver[] = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v6, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s2, 0
    s_cbranch_scc0 consumer
    v_add_u32_e32 v2, 9, v0
    global_store_dword v1, v2, s[4:5] offset:1024
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    global_store_dword v5, v6, s[4:5] sc1
    s_endpgm
consumer:
    global_load_dword v3, v5, s[4:5] sc1
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s6, v3
    s_cmp_eq_u32 s6, 0
    s_cbranch_scc1 consumer
    buffer_inv sc1
    global_load_dword v4, v1, s[4:5] offset:1024
    s_waitcnt vmcnt(0)
    global_store_dword v1, v4, s[4:5] offset:2048
    s_endpgm
)";

TEST(SimChecker, ReleaseAndAcquireBetweenWorkgroups) {
  CheckedRun run;
  run.grid = {2, 1, 1};
  run.block = {64, 1, 1};
  EXPECT_EQ(run(kHandOver), "");
  EXPECT_TRUE(has(run(replaced(kHandOver, "buffer_wbl2 sc1")),
                  {"data race in global memory", "global_load_dword v4",
                   "global_store_dword v1, v2", "no release"}));
  EXPECT_TRUE(has(run(replaced(kHandOver, "buffer_inv sc1")),
                  {"data race in global memory", "global_load_dword v4"}));
  EXPECT_TRUE(has(run(replaced(kHandOver,
                               "s_waitcnt vmcnt(0)\n    global_store"
                               "_dword v5",
                               "global_store_dword v5")),
                  {"data race in global memory", "global_load_dword v4"}));
  // The access to the flag has no scope.
  EXPECT_TRUE(
      has(run(replaced(kHandOver, "v5, v6, s[4:5] sc1", "v5, v6, s[4:5]")),
          {"data race in global memory", "global_load_dword v3"}));
}

TEST(SimChecker, ReleaseAndAcquireWithoutScopesOnStores) {
  CheckedRun gfx9("gfx90a"), gfx11("gfx1100");
  gfx9.grid = gfx11.grid = {2, 1, 1};
  gfx9.block = {64, 1, 1};
  gfx11.block = {32, 1, 1};
  std::string body = kHandOver;
  for (const char *part : {"buffer_wbl2 sc1", " sc1\n    s_endpgm"})
    body = replaced(body, part, part[0] == ' ' ? "\n    s_endpgm" : "");
  body = replaced(body, "v3, v5, s[4:5] sc1", "v3, v5, s[4:5] glc");
  body = replaced(body, "buffer_inv sc1", "buffer_wbinvl1_vol");
  EXPECT_EQ(gfx9(body), "");
  EXPECT_TRUE(has(gfx9(replaced(body, "buffer_wbinvl1_vol")),
                  {"data race in global memory", "global_load_dword v4"}));
  EXPECT_TRUE(has(gfx9(replaced(body,
                                "s_waitcnt vmcnt(0)\n    global_store_"
                                "dword v5",
                                "global_store_dword v5")),
                  {"data race in global memory", "global_load_dword v4"}));
  const std::string rdna = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v6, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s2, 0
    s_cbranch_scc0 consumer
    v_add_nc_u32_e32 v2, 9, v0
    global_store_b32 v1, v2, s[4:5] offset:1024
    s_waitcnt_vscnt null, 0x0
    global_store_b32 v5, v6, s[4:5]
    s_endpgm
consumer:
    global_load_b32 v3, v5, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s6, v3
    s_cmp_eq_u32 s6, 0
    s_cbranch_scc1 consumer
    buffer_gl1_inv
    buffer_gl0_inv
    global_load_b32 v4, v1, s[4:5] offset:1024
    s_waitcnt vmcnt(0)
    global_store_b32 v1, v4, s[4:5] offset:2048
    s_endpgm
)";
  EXPECT_EQ(gfx11(rdna), "");
  EXPECT_TRUE(has(gfx11(replaced(rdna, "s_waitcnt_vscnt null, 0x0")),
                  {"data race in global memory", "global_load_b32 v4"}));
  EXPECT_TRUE(has(gfx11(replaced(rdna, "buffer_gl1_inv")),
                  {"data race in global memory", "global_load_b32 v4"}));
}

/// Workgroups 0 and 1 alternately send a line of memory to workgroup 2; the
/// last dword of the line indicates that it has arrived, and workgroup 2
/// acknowledges it. The lines do not release other stores, and no workgroup
/// waits for them.
const char kLines[] = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v5, 0
    s_waitcnt lgkmcnt(0)
    s_add_i32 s6, s2, 1
    v_mov_b32_e32 v6, s6
    s_cmp_eq_u32 s2, 2
    s_cbranch_scc1 consumer
    s_cmp_eq_u32 s2, 0
    s_cbranch_scc1 send
wait:
    global_load_b32 v3, v5, s[4:5] offset:1024 glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s7, v3
    s_cmp_eq_u32 s7, 0
    s_cbranch_scc1 wait
    buffer_gl1_inv
    buffer_gl0_inv
send:
    global_store_b32 v1, v6, s[4:5]
    s_endpgm
consumer:
    s_mov_b32 s8, 1
next:
    global_load_b32 v3, v5, s[4:5] offset:124 glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s7, v3
    s_cmp_lg_u32 s7, s8
    s_cbranch_scc1 next
    buffer_gl1_inv
    buffer_gl0_inv
    v_mov_b32_e32 v4, s8
    global_store_b32 v5, v4, s[4:5] offset:1024
    s_add_i32 s8, s8, 1
    s_cmp_lg_u32 s8, 3
    s_cbranch_scc1 next
    s_endpgm
)";

TEST(SimChecker, LinesThatAreTheirOwnFlags) {
  CheckedRun run("gfx1100");
  run.grid = {3, 1, 1};
  run.block = {32, 1, 1};
  EXPECT_EQ(run(kLines), "");
  // Without an acquire the two lines are unordered.
  std::string text = run(replaced(kLines, R"(
    buffer_gl1_inv
    buffer_gl0_inv
send:)",
                                  "\nsend:"));
  EXPECT_TRUE(has(text, {"data race in global memory", "workgroup (1,0,0)",
                         "global_store_b32 v1, v6",
                         "after the write by workgroup (0,0,0)",
                         "global_store_b32 v1, v6"}));
  // A line does not order earlier stores, which may be in flight.
  text = run(replaced(
      replaced(kLines,
               "send:", "send:\n global_store_b32 v1, v6, s[4:5] offset:512"),
      "v_mov_b32_e32 v4, s8",
      "global_load_b32 v7, v1, s[4:5] offset:512\n v_mov_b32_e32 v4, s8"));
  EXPECT_TRUE(has(text, {"data race in global memory", "global_load_b32 v7",
                         "after the write by workgroup (0,0,0)",
                         "global_store_b32 v1, v6, s[4:5] offset:512"}));
}

TEST(SimChecker, MemoryThatOtherRanksShare) {
  // Two workgroups write to one address; the flag at 1024 indicates that the
  // address is free. The flag is set by another rank, which has read the value
  // of the first write.
  const std::string body = R"(
    s_load_b64 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v6, s2
    s_waitcnt lgkmcnt(0)
    global_load_b32 v3, v5, s[4:5] offset:1024 glc
    s_waitcnt vmcnt(0)
    buffer_gl1_inv
    buffer_gl0_inv
    global_store_b32 v1, v6, s[4:5]
    s_endpgm
)";
  auto run = [](const std::string &body) {
    SimDevice device;
    Checker checker(10);
    device.addObserver(checker);
    size_t bytes = 8192;
    void *shared = nullptr;
    int descriptor = -1;
    EXPECT_TRUE(device.createShared(bytes, shared, descriptor).ok());
    std::string text = test::run(
        device, assemble("gfx1100", kernelText("gfx1100", body, 1, {})),
        {shared}, {2, 1, 1}, {32, 1, 1});
    EXPECT_TRUE(device.destroyShared(shared).ok());
    close(descriptor);
    return text;
  };
  const std::string race = run(body);
  EXPECT_TRUE(has(race, {"data race in global memory", "global_store_b32 v1",
                         "0 bytes past the start of shared memory of 8192 "
                         "bytes",
                         ", of this rank"}));
  setenv("WORLD_SIZE", "2", 1);
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "buffer_gl1_inv")),
                  {"data race in global memory", "global_store_b32 v1"}));
  EXPECT_TRUE(has(run(replaced(body, "offset:1024 glc", "offset:1024")),
                  {"data race in global memory", "global_store_b32 v1"}));
  unsetenv("WORLD_SIZE");
}

TEST(SimChecker, EveryReaderCounts) {
  // Four waves read one address of LDS, then one of them writes it. The writer
  // must be known to follow each read: all waves pass all barriers except one.
  for (const char *chip : {"gfx942", "gfx1100", "gfx1201"}) {
    CheckedRun run(chip);
    const bool isGfx9 = chip[3] == '9', isGfx12 = chip[4] == '2';
    const unsigned lanes = isGfx9 ? 64 : 32;
    run.block = {4 * lanes, 1, 1};
    const std::string read = isGfx9 ? "ds_read_b32" : "ds_load_b32",
                      write = isGfx9 ? "ds_write_b32" : "ds_store_b32",
                      wait = isGfx12 ? "s_wait_dscnt 0x0\n"
                                     : "s_waitcnt lgkmcnt(0)\n",
                      barrier = isGfx12 ? "s_barrier_signal -1\n"
                                          "s_barrier_wait -1\n"
                                        : "s_barrier\n";
    // Wave `late` reads again after the barrier, while wave `writer` writes.
    auto body = [&](unsigned late, unsigned writer) {
      return "v_mov_b32_e32 v1, 0\n v_mov_b32_e32 v2, 7\n" + write +
             " v1, v2\n" + wait + barrier + read + " v3, v1\n" + wait +
             "v_readfirstlane_b32 s8, v0\n" + barrier + "s_cmp_eq_u32 s8, " +
             std::to_string(late * lanes) + "\n s_cbranch_scc0 no\n" + read +
             " v3, v1\nno:\n" + "s_cmp_eq_u32 s8, " +
             std::to_string(writer * lanes) +
             "\n s_cbranch_scc0 over\n v_mov_b32_e32 v4, 5\n" + write +
             " v1, v4\nover:\n s_endpgm\n";
    };
    for (unsigned late = 0; late < 5; ++late)
      for (unsigned writer = 0; writer < 4; ++writer) {
        SCOPED_TRACE(std::string(chip) + ": wave " + std::to_string(late) +
                     " reads, wave " + std::to_string(writer) + " writes");
        const std::string text = run(body(late, writer));
        if (late == writer || late == 4)
          EXPECT_EQ(text, "");
        else
          EXPECT_TRUE(has(text, {"data race in LDS"}));
      }
  }
}

TEST(SimChecker, AtomicsOfOtherWavesBeforeARead) {
  // Four waves add to a sum in LDS. A read of the sum must be ordered after all
  // additions, also if the reader's own addition was the last one.
  const std::string body = R"(
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 0
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_mov_b32_e32 v3, 1
    ds_add_u32 v1, v3
    s_waitcnt lgkmcnt(0)
    s_barrier ; before it is read
    v_readfirstlane_b32 s8, v0
    s_cmp_eq_u32 s8, READER
    s_cbranch_scc0 over
    ds_read_b32 v4, v1
over:
    s_endpgm
)";
  for (const char *reader : {"0", "64", "128", "192"}) {
    CheckedRun run;
    run.block = {256, 1, 1};
    const std::string good = replaced(body, "READER", reader);
    EXPECT_EQ(run(good), "");
    EXPECT_TRUE(has(run(replaced(good, "s_barrier ; before it is read")),
                    {"data race in LDS", "ds_read_b32 v4", "ds_add_u32"}));
  }
}

TEST(SimChecker, AtomicsDoNotRace) {
  CheckedRun run;
  run.grid = {4, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 1
    s_waitcnt lgkmcnt(0)
    global_atomic_add v1, v2, s[4:5]
    ds_add_u32 v1, v2 offset:16
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "s_endpgm",
                               "global_load_dword v3, v1, s[4:5]\n s_endpgm")),
                  {"data race in global memory", "global_atomic_add",
                   "global_load_dword v3"}));
}

TEST(SimChecker, LoadBeforeACompareAndSwap) {
  // Compare-and-swap loops, to which compilers lower atomics that the hardware
  // lacks.
  CheckedRun run;
  run.grid = {4, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v1, s[4:5]
again:
    s_waitcnt vmcnt(0)
    v_mov_b32_e32 v5, v3
    v_add_u32_e32 v4, 3, v5
    global_atomic_cmpswap v3, v1, v[4:5], s[4:5] sc0
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32_e32 vcc, v3, v5
    s_cbranch_vccnz again
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  EXPECT_TRUE(has(run(replaced(body, "s_endpgm",
                               "global_load_dword v6, v1, s[4:5]\n s_endpgm")),
                  {"data race in global memory", "global_load_dword v6"}));
}

TEST(SimChecker, LanesOfOneInstruction) {
  CheckedRun run;
  run.block = {64, 1, 1};
  const std::string body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_and_b32_e32 v1, 0xf8, v0
    v_mov_b32_e32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5]
    ds_write_b32 v1, v2
    s_endpgm
)";
  EXPECT_EQ(run(body), "");
  std::string text =
      run(replaced(body, "v_mov_b32_e32 v2, v1", "v_mov_b32_e32 v2, v0"));
  EXPECT_TRUE(has(text, {"lanes write different values to one address",
                         "global_store_dword v1, v2", "ds_write_b32 v1, v2",
                         "lanes 0-1"}));
}

} // namespace
