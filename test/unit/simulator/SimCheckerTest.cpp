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

#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/check/Checker.h"
#include "simulator/launch/Launch.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace aircc::sim;
using namespace aircc::sim::test;
using aircc::rt::Dim3;

namespace {

struct CheckedRun {
  std::string chip = "gfx942";
  KernelOptions options;
  unsigned pointers = 1;
  Dim3 grid{1, 1, 1}, block{128, 1, 1};
  std::vector<uint32_t> memory = std::vector<uint32_t>(4096, 0);

  explicit CheckedRun(std::string chip = "gfx942") : chip(std::move(chip)) {
    options.ldsBytes = 4096;
  }

  CheckSelection selection = CheckSelection::allAsFaults();
  std::string warnings; ///< The reports of the last launch.

  /// The error text of the launch; empty if the checker found nothing.
  std::string operator()(const std::string &body) {
    SimDevice device;
    Checker checker(10, selection);
    device.addObserver(checker);
    std::vector<void *> args;
    for (unsigned i = 0; i < pointers; ++i)
      args.push_back(onDevice<uint32_t>(device, memory));
    std::string error =
        run(device, assemble(chip, kernelText(chip, body, pointers, options)),
            args, grid, block);
    warnings = checker.warnings();
    return error;
  }
};

/// Returns `text` with the line that contains `what` replaced by `with`.
std::string replaced(std::string text, const std::string &what,
                     const std::string &with = "") {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

::testing::AssertionResult has(const std::string &text,
                               std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    if (text.find(part) == std::string::npos)
      return ::testing::AssertionFailure() << "no '" << part << "' in:\n"
                                           << text;
  return ::testing::AssertionSuccess();
}

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
