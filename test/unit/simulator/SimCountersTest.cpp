//===- SimCountersTest.cpp - Tests of the counters of a launch ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/observe/AccessCost.h"
#include "simulator/observe/Counters.h"

#include <functional>
#include <gtest/gtest.h>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

constexpr uint64_t kAll = ~uint64_t(0);

/// Returns the cycles and conflicts of an access in which lane L accesses
/// at(L).
std::pair<unsigned, unsigned> lds(const char *chip, AccessKind kind,
                                  unsigned bytes, uint64_t lanes,
                                  const std::function<uint64_t(unsigned)> &at) {
  uint64_t addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = at(lane);
  LdsCost cost = ldsCost(Chip::parse(chip)->memoryFigures(), kind, bytes, lanes,
                         addresses);
  return {cost.cycles, cost.conflicts};
}

unsigned lines(unsigned bytes, uint64_t lanes,
               const std::function<uint64_t(unsigned)> &at) {
  uint64_t addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane)
    addresses[lane] = at(lane);
  return cacheLines(128, bytes, lanes, addresses);
}

using Cycles = std::pair<unsigned, unsigned>;
constexpr AccessKind kRead = AccessKind::Read, kWrite = AccessKind::Write,
                     kAtomic = AccessKind::Atomic;

TEST(LdsBanks, DwordsOfHalfWaves) {
  // With one dword per lane, each half of the wave takes a cycle.
  EXPECT_EQ(lds("gfx942", kRead, 4, kAll, [](unsigned l) { return 4 * l; }),
            Cycles(2, 0));
  // Every other bank serves two dwords.
  EXPECT_EQ(lds("gfx942", kRead, 4, kAll, [](unsigned l) { return 8 * l; }),
            Cycles(4, 2));
  EXPECT_EQ(lds("gfx942", kWrite, 4, kAll, [](unsigned l) { return 12 * l; }),
            Cycles(2, 0));
  // All lanes access one bank: each lane has a row of 32 dwords.
  EXPECT_EQ(lds("gfx942", kRead, 4, kAll, [](unsigned l) { return 128 * l; }),
            Cycles(64, 62));
  // Accesses of all lanes to the same dword, or to bytes of it, do not
  // conflict.
  EXPECT_EQ(lds("gfx942", kRead, 4, kAll, [](unsigned) { return 64; }),
            Cycles(2, 0));
  EXPECT_EQ(lds("gfx942", kRead, 1, kAll, [](unsigned l) { return l; }),
            Cycles(2, 0));
  // Conflicts are counted within a half: lanes 0 and 32 never conflict.
  EXPECT_EQ(
      lds("gfx942", kRead, 4, 0x100000001, [](unsigned l) { return 128 * l; }),
      Cycles(2, 0));
  EXPECT_EQ(lds("gfx942", kRead, 4, 0x3, [](unsigned l) { return 128 * l; }),
            Cycles(2, 1));
}

TEST(LdsBanks, WideAccesses) {
  EXPECT_EQ(lds("gfx942", kRead, 8, kAll, [](unsigned l) { return 8 * l; }),
            Cycles(4, 0));
  // Sixteen lanes access addresses 16 bytes apart: half of the banks serve two
  // dwords each.
  EXPECT_EQ(lds("gfx942", kRead, 8, kAll, [](unsigned l) { return 16 * l; }),
            Cycles(8, 4));
  EXPECT_EQ(lds("gfx942", kWrite, 16, kAll, [](unsigned l) { return 16 * l; }),
            Cycles(8, 0));
  EXPECT_EQ(lds("gfx942", kRead, 16, kAll, [](unsigned l) { return 16 * l; }),
            Cycles(8, 0));
  EXPECT_EQ(lds("gfx942", kRead, 16, kAll, [](unsigned l) { return 128 * l; }),
            Cycles(64, 56));
  // Each quad of lanes accesses another row; the upper sixteen lanes of each
  // half access the upper half of the row. Writes serve adjacent quads
  // together, which conflict; reads serve a lower quad together with an upper
  // one.
  auto quads = [](unsigned l) {
    return uint64_t(l) / 4 * 128 + l % 4 * 16 + l / 16 % 2 * 64;
  };
  EXPECT_EQ(lds("gfx942", kWrite, 16, kAll, quads), Cycles(16, 8));
  EXPECT_EQ(lds("gfx942", kRead, 16, kAll, quads), Cycles(8, 0));
}

TEST(LdsBanks, OtherChips) {
  // With 64 banks, a stride of two dwords causes no conflict, but a stride of
  // 64 dwords does.
  EXPECT_EQ(lds("gfx950", kRead, 4, kAll, [](unsigned l) { return 8 * l; }),
            Cycles(2, 0));
  EXPECT_EQ(lds("gfx950", kRead, 4, kAll, [](unsigned l) { return 256 * l; }),
            Cycles(64, 62));
  EXPECT_EQ(lds("gfx950", kWrite, 16, kAll, [](unsigned l) { return 16 * l; }),
            Cycles(4, 0));
  EXPECT_EQ(lds("gfx950", kRead, 16, kAll, [](unsigned l) { return 16 * l; }),
            Cycles(4, 0));
  // Waves of 32 lanes.
  EXPECT_EQ(
      lds("gfx1100", kRead, 4, 0xffffffff, [](unsigned l) { return 4 * l; }),
      Cycles(1, 0));
  EXPECT_EQ(
      lds("gfx1201", kRead, 16, 0xffffffff, [](unsigned l) { return 16 * l; }),
      Cycles(4, 0));
  EXPECT_EQ(
      lds("gfx1201", kWrite, 8, 0xffffffff, [](unsigned l) { return 256 * l; }),
      Cycles(32, 30));
}

TEST(LdsBanks, AtomicsGoOneByOne) {
  EXPECT_EQ(lds("gfx942", kAtomic, 4, kAll, [](unsigned) { return 0; }),
            Cycles(64, 62));
  EXPECT_EQ(lds("gfx942", kAtomic, 4, kAll, [](unsigned l) { return 4 * l; }),
            Cycles(2, 0));
}

TEST(CacheLines, AreCountedOnce) {
  EXPECT_EQ(lines(4, kAll, [](unsigned l) { return 0x1000 + 4 * l; }), 2u);
  EXPECT_EQ(lines(4, kAll, [](unsigned l) { return 0x1004 + 4 * l; }), 3u);
  EXPECT_EQ(lines(16, kAll, [](unsigned l) { return 0x1000 + 16 * l; }), 8u);
  EXPECT_EQ(lines(4, kAll, [](unsigned l) { return 0x1000 + 128 * l; }), 64u);
  EXPECT_EQ(lines(4, kAll, [](unsigned) { return 0x1000; }), 1u);
  // The lanes access lines in any order, and some lines again later.
  EXPECT_EQ(lines(4, kAll, [](unsigned l) { return 0x1000 + l % 2 * 128; }),
            2u);
  EXPECT_EQ(lines(8, 1, [](unsigned) { return 0x107c; }), 2u);
}

/// Returns the counts of one run of `body` in one workgroup of `lanes` lanes,
/// with a pointer to 4096 bytes of zeros in s[4:5].
KernelCounters count(const std::string &chip, const std::string &body,
                     unsigned lanes = 64, unsigned groups = 1) {
  bool gfx9 = chip[3] == '9';
  std::string wait =
      chip == "gfx1201" ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
  KernelOptions options;
  options.ldsBytes = 16384;
  options.privateBytes = 64;
  SimDevice device;
  uint32_t *memory = onDevice(device, std::vector<uint32_t>(1024, 0));
  KernelCounters counters;
  CounterObserver observer(
      [&](const KernelCounters &done) { counters = done; });
  device.addObserver(observer);
  std::string load = gfx9 ? "s_load_dwordx2 " : "s_load_b64 ";
  EXPECT_EQ(
      run(device,
          assemble(chip, kernelText(
                             chip, load + "s[4:5], s[0:1], 0x0\n" + wait + body,
                             1, options)),
          {memory}, {groups, 1, 1}, {lanes, 1, 1}),
      "");
  return counters;
}

const KernelCounters::Class &of(const KernelCounters &counters, OpClass c) {
  return counters.classes[static_cast<unsigned>(c)];
}

TEST(Counters, InstructionsAndLanes) {
  KernelCounters c = count("gfx942", R"(
    v_lshlrev_b32 v1, 2, v0
    v_exp_f32 v2, v1
    s_mov_b64 exec, 0xff
    v_add_f32 v3, v2, v2
    s_mov_b64 exec, -1
    s_barrier
    s_nop 0)",
                           128, 3);
  EXPECT_EQ(c.kernel, "test");
  EXPECT_EQ(c.processor, "gfx942");
  EXPECT_EQ(c.workgroups, 3u);
  EXPECT_EQ(c.waves, 6u);
  EXPECT_EQ(of(c, OpClass::ScalarMemory).instructions, 6u);
  EXPECT_EQ(of(c, OpClass::Wait).instructions, 6u);
  EXPECT_EQ(of(c, OpClass::ScalarAlu).instructions, 12u);
  EXPECT_EQ(of(c, OpClass::VectorAlu).instructions, 12u);
  EXPECT_EQ(of(c, OpClass::VectorAlu).lanes, 6u * (64 + 8));
  EXPECT_EQ(of(c, OpClass::Transcendental).lanes, 6u * 64);
  EXPECT_EQ(of(c, OpClass::End).instructions, 6u);
  EXPECT_EQ(c.barriers, 6u);
  EXPECT_EQ(c.instructions(), 6u * 10);
  EXPECT_DOUBLE_EQ(c.laneUtilization(), (64 + 8 + 64) / 192.0);
  EXPECT_EQ(c.scalar.bytes, 6u * 8);
  // Four cycles per wave and vector instruction, and sixteen for the
  // exponential function.
  EXPECT_EQ(c.issue[static_cast<unsigned>(IssueUnit::Vector)],
            6u * (4 + 4 + 16));
}

TEST(Counters, GlobalMemory) {
  KernelCounters c = count("gfx942", R"(
    v_lshlrev_b32 v1, 2, v0
    v_lshlrev_b32 v2, 5, v0
    v_lshlrev_b32 v3, 4, v0
    global_load_dword v10, v1, s[4:5]
    global_load_dword v11, v2, s[4:5]
    global_load_dword v11, v1, s[4:5] offset:64
    global_load_dwordx4 v[12:15], v3, s[4:5]
    s_waitcnt vmcnt(0)
    s_mov_b64 exec, 0xffff
    global_store_dword v1, v10, s[4:5]
    global_atomic_add v1, v10, s[4:5])");
  const auto &loads = c.global[{AccessKind::Read, 4}];
  EXPECT_EQ(loads.instructions, 3u);
  EXPECT_EQ(loads.lanes, 192u);
  EXPECT_EQ(loads.bytes, 768u);
  // 256 contiguous bytes; 64 lanes at a distance of 32 bytes; 256 bytes that
  // begin in the middle of a line. (Buffers are aligned to 256 bytes.)
  EXPECT_EQ(loads.lines, 2u + 16 + 3);
  EXPECT_EQ((c.global[{AccessKind::Read, 16}].lines), 8u);
  EXPECT_EQ((c.global[{AccessKind::Write, 4}].lanes), 16u);
  EXPECT_EQ((c.global[{AccessKind::Write, 4}].lines), 1u);
  EXPECT_EQ((c.global[{AccessKind::Atomic, 4}].instructions), 1u);
  EXPECT_EQ(c.lineBytes, 128u);
  // One line per cycle.
  EXPECT_EQ(c.issue[static_cast<unsigned>(IssueUnit::VectorMemory)],
            2u + 16 + 3 + 8 + 1 + 1);
  EXPECT_EQ(count("gfx90a", "s_nop 0").lineBytes, 64u);
}

TEST(Counters, LdsAndScratch) {
  KernelCounters c = count("gfx942", R"(
    v_lshlrev_b32 v1, 3, v0
    ds_write_b32 v1, v0
    ds_read_b64 v[2:3], v1
    ds_read2_b32 v[4:5], v1 offset0:0 offset1:1
    ds_bpermute_b32 v6, v1, v0
    scratch_store_dwordx2 off, v[2:3], off offset:8
    s_waitcnt vmcnt(0) lgkmcnt(0))");
  const auto &write = c.lds[{AccessKind::Write, 4}];
  EXPECT_EQ(write.cycles, 4u);
  EXPECT_EQ(write.conflicts, 2u);
  EXPECT_EQ((c.lds[{AccessKind::Read, 8}].cycles), 4u);
  // The instruction accesses its two addresses one after the other.
  const auto &two = c.lds[{AccessKind::Read, 4}];
  EXPECT_EQ(two.instructions, 2u);
  EXPECT_EQ(two.cycles, 8u);
  EXPECT_EQ(of(c, OpClass::LdsPermute).instructions, 1u);
  EXPECT_EQ(c.issue[static_cast<unsigned>(IssueUnit::Lds)], 4u + 4 + 8 + 2);
  EXPECT_EQ((c.scratch[{AccessKind::Write, 8}].bytes), 64u * 8);
}

TEST(Counters, MatrixInstructions) {
  KernelCounters c = count("gfx942", R"(
    v_mfma_f32_32x32x8_f16 v[16:31], v[2:3], v[4:5], v[16:31]
    v_mfma_f32_16x16x16_f16 v[16:19], v[2:3], v[4:5], v[16:19])");
  const auto &large = c.matrix["v_mfma_f32_32x32x8_f16"];
  EXPECT_EQ(large.instructions, 1u);
  EXPECT_EQ(large.passes, 8u);
  EXPECT_EQ(large.multiplyAdds, 32u * 32 * 8);
  EXPECT_EQ(c.issue[static_cast<unsigned>(IssueUnit::Matrix)], 4u * (8 + 4));

  c = count("gfx1100",
            "v_wmma_f32_16x16x16_f16 v[16:23], v[24:31], v[32:39], "
            "v[16:23]",
            32);
  EXPECT_EQ(c.issue[static_cast<unsigned>(IssueUnit::Matrix)], 32u);
  EXPECT_EQ(c.waveSize, 32u);
}

/// Five iterations of a loop around `body`.
std::string loop(const std::string &body) {
  return "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v5, 1\nv_mov_b32 v4, 1\n"
         "s_mov_b32 s10, 5\n"
         "again:\n" +
         body +
         "\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_sub_u32 s10, s10, 1\n"
         "s_cmp_lg_u32 s10, 0\ns_cbranch_scc1 again";
}

TEST(Counters, Spins) {
  // The third and fourth iteration read the same data as the iteration before,
  // and do not wait (the first includes the load of the kernel's argument).
  // Reading other data, or changing memory, does not count as waiting.
  EXPECT_EQ(count("gfx942", loop("global_load_dword v6, v1, s[4:5]")).spins,
            2u);
  EXPECT_EQ(count("gfx942", loop("global_load_dword v6, v1, s[4:5]\n"
                                 "v_add_u32 v1, 4, v1"))
                .spins,
            0u);
  EXPECT_EQ(count("gfx942", loop("global_load_dword v6, v1, s[4:5]\n"
                                 "global_store_dword v1, v0, s[4:5]"))
                .spins,
            0u);
  EXPECT_EQ(
      count("gfx942", loop("global_atomic_add v6, v1, v4, s[4:5] sc0")).spins,
      0u);
  // Memory holds 0: comparing with 1 never succeeds.
  EXPECT_EQ(
      count("gfx942", loop("global_atomic_cmpswap v6, v1, v[4:5], s[4:5] sc0"))
          .spins,
      2u);
  EXPECT_EQ(count("gfx942", loop("v_add_u32 v6, v6, v6")).spins, 0u);
  KernelCounters c = count("gfx942", loop("s_sleep 1"));
  EXPECT_EQ(c.spins, 2u);
  EXPECT_EQ(c.sleeps, 5u);
}

TEST(Counters, LaunchesAddUp) {
  KernelCounters a = count("gfx942", "v_mov_b32 v1, v0");
  KernelCounters b = count("gfx942", "v_mov_b32 v1, v0\nv_mov_b32 v1, v0", 128);
  uint64_t sum = a.instructions() + b.instructions();
  a.add(b);
  EXPECT_EQ(a.launches, 2u);
  EXPECT_EQ(a.instructions(), sum);
  EXPECT_EQ(a.waves, 3u);
  EXPECT_EQ(a.scalar.instructions, 3u);
}

} // namespace
