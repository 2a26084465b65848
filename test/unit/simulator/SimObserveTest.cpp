//===- SimObserveTest.cpp - Tests of what observers of a launch see -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/exec/Observe.h"
#include "simulator/launch/Launch.h"

#include <gtest/gtest.h>
#include <map>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

std::string rangesText(llvm::ArrayRef<RegRange> ranges) {
  std::string text;
  for (const RegRange &range : ranges) {
    static const char *const kRoles[] = {"", "@", "="};
    text += (text.empty() ? "" : " ") + std::string(kRoles[range.role]) +
            (range.vector ? "v" : "s") + std::to_string(range.first) + "+" +
            std::to_string(range.count);
  }
  return text;
}

/// Records all calls for workgroup 0, one line for each call.
class Recorder : public LaunchObserver {
public:
  bool serial() const override { return true; }
  void launchBegin(const LaunchState &, unsigned slot) override {
    this->slot = slot;
    say("launchBegin");
  }
  std::string launchEnd(const LaunchState &,
                        const std::string &error) override {
    say("launchEnd " + error);
    return veto;
  }
  void groupBegin(Workgroup &group) override {
    EXPECT_EQ(group.observed[slot], nullptr);
    say("groupBegin");
  }
  void groupEnd(Workgroup &) override { say("groupEnd"); }
  void waveBegin(Wave &wave) override { say("waveBegin", &wave); }
  void waveEnd(Wave &wave) override { say("waveEnd", &wave); }
  void before(Wave &wave, const Op &op) override {
    info[op.inst->text()] = *op.info;
    if (operations)
      say("before " + op.inst->mnemonic, &wave);
  }
  void after(Wave &wave, const Op &op) override {
    if (operations)
      say("after " + op.inst->mnemonic, &wave);
  }
  void access(Wave &wave, const Op &op, const MemoryAccess &access) override {
    static const char *const kSpaces[] = {"global", "lds", "scratch", "scalar"};
    static const char *const kKinds[] = {"none", "read", "write", "atomic"};
    char text[160];
    unsigned first = __builtin_ctzll(access.lanes);
    uint64_t address = access.addresses[first];
    if (access.space == MemorySpace::Global && address >= base)
      address -= base;
    else if (access.space == MemorySpace::Scalar)
      address = 0;
    std::snprintf(text, sizeof(text),
                  "%s %s%s %u bytes, lanes %llx, at %llu, dword %u",
                  kSpaces[unsigned(access.space)],
                  kKinds[unsigned(access.kind)], access.dma ? " dma" : "",
                  access.bytes, (unsigned long long)access.lanes,
                  (unsigned long long)address, access.firstDword);
    std::string line = text;
    if (access.data)
      line += ", data " + std::to_string(access.data[first]);
    say(line, &wave);
  }
  void wait(Wave &wave, const Op &, const WaitCounts &counts) override {
    std::string text = "wait";
    for (uint8_t most : counts.most)
      text += most == WaitCounts::kNoWait ? " -" : " " + std::to_string(most);
    say(text, &wave);
  }
  void barrierArrive(Wave &wave, const Op &) override { say("arrive", &wave); }
  void barrierRelease(Workgroup &) override { say("release"); }
  void fault(Wave &wave, const Op &op, const std::string &) override {
    say("fault " + op.inst->mnemonic, &wave);
  }

  void say(const std::string &what, const Wave *wave = nullptr) {
    lines.push_back(wave ? std::to_string(wave->index) + ": " + what : what);
  }
  size_t count(const std::string &line) const {
    return std::count(lines.begin(), lines.end(), line);
  }

  unsigned slot = 0;
  bool operations = false;
  uint64_t base = UINT64_MAX;
  std::string veto;
  std::vector<std::string> lines;
  std::map<std::string, OpInfo> info;
};

TEST(SimObserve, CallsComeInOrder) {
  SimDevice device;
  Recorder recorder;
  recorder.operations = true;
  device.addObserver(recorder);
  std::string image =
      assemble("gfx942", kernelText("gfx942", "s_barrier\n s_endpgm\n"));
  int *out = onDevice<int>(device, {0});
  EXPECT_EQ(run(device, image, {out}, {1, 1, 1}, {128, 1, 1}), "");
  std::vector<std::string> lines = recorder.lines;
  ASSERT_EQ(lines.size(), 19u) << ::testing::PrintToString(lines);
  EXPECT_EQ(lines[0], "launchBegin");
  EXPECT_EQ(lines[1], "groupBegin");
  EXPECT_EQ(lines[2], "0: waveBegin");
  EXPECT_EQ(lines[3], "1: waveBegin");
  // Both waves arrive, in either order, before they are released together.
  for (unsigned at : {4u, 7u}) {
    EXPECT_EQ(lines[at].substr(2), " before s_barrier");
    EXPECT_EQ(lines[at + 1].substr(2), " after s_barrier");
    EXPECT_EQ(lines[at + 2].substr(2), " arrive");
  }
  EXPECT_EQ(lines[10], "release");
  EXPECT_EQ(recorder.count("0: waveEnd"), 1u);
  EXPECT_EQ(recorder.count("1: waveEnd"), 1u);
  EXPECT_EQ(lines[17], "groupEnd");
  EXPECT_EQ(lines[18], "launchEnd ");
}

TEST(SimObserve, AccessesOfEachSpace) {
  SimDevice device;
  Recorder recorder;
  device.addObserver(recorder);
  const char *body = R"(
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, 77
    global_store_dword v1, v2, s[4:5] offset:8
    s_mov_b64 exec, 6
    global_load_ushort v3, v1, s[4:5]
    ds_write_b32 v1, v2 offset:16
    ds_read2_b32 v[4:5], v1 offset0:4 offset1:5
    v_mov_b32_e32 v4, 1
    global_atomic_add v1, v4, s[4:5]
    s_waitcnt vmcnt(3) lgkmcnt(1)
    s_endpgm
)";
  KernelOptions options;
  options.ldsBytes = 1024;
  std::string image =
      assemble("gfx942", kernelText("gfx942", body, 1, options));
  std::vector<int> zeros(128, 0);
  int *out = onDevice<int>(device, zeros);
  recorder.base = reinterpret_cast<uint64_t>(out);
  EXPECT_EQ(run(device, image, {out}, {1, 1, 1}, {64, 1, 1}), "");
  const std::string all = "lanes ffffffffffffffff";
  for (const std::string &line : std::vector<std::string>{
           "0: scalar read 8 bytes, lanes 1, at 0, dword 0",
           "0: global write 4 bytes, " + all + ", at 8, dword 0, data 77",
           "0: global read 2 bytes, lanes 6, at 4, dword 0",
           "0: lds write 4 bytes, lanes 6, at 20, dword 0, data 77",
           "0: lds read 4 bytes, lanes 6, at 20, dword 0",
           "0: lds read 4 bytes, lanes 6, at 24, dword 1",
           "0: global atomic 4 bytes, lanes 6, at 4, dword 0, data 1"})
    EXPECT_EQ(recorder.count(line), 1u)
        << line << "\n"
        << ::testing::PrintToString(recorder.lines);
  // A full wait on lgkmcnt alone leaves the other counters at their maximum.
  EXPECT_EQ(recorder.count("0: wait 63 - 0 - 7"), 1u)
      << ::testing::PrintToString(recorder.lines);
  EXPECT_EQ(recorder.count("0: wait 3 - 1 - 7"), 1u);
}

TEST(SimObserve, FaultEndsTheLaunchAndIsTold) {
  SimDevice device;
  Recorder recorder;
  device.addObserver(recorder);
  std::string image = assemble("gfx942", kernelText("gfx942", R"(
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0
    global_load_dword v1, v[2:3], off
    s_endpgm
)"));
  int *out = onDevice<int>(device, {0});
  EXPECT_NE(run(device, image, {out}, {1, 1, 1}, {64, 1, 1}), "");
  EXPECT_EQ(recorder.count("0: fault global_load_dword"), 1u);
  EXPECT_NE(recorder.lines.back(), "launchEnd ");
}

TEST(SimObserve, AnObserverCanFailTheLaunch) {
  SimDevice device;
  Recorder recorder;
  recorder.veto = "seen enough";
  device.addObserver(recorder);
  std::string image = assemble("gfx1100", kernelText("gfx1100", "s_endpgm\n"));
  int *out = onDevice<int>(device, {0});
  EXPECT_NE(
      run(device, image, {out}, {1, 1, 1}, {32, 1, 1}).find("seen enough"),
      std::string::npos);
}

/// The reported reads and writes of each instruction, by chip.
struct Described {
  const char *chip, *text;
  OpClass opClass;
  const char *reads, *writes;
  unsigned counters;
  bool readsScc, writesScc;
};

TEST(SimObserve, Descriptions) {
  constexpr unsigned load = 1, store = 2, lds = 4, scalar = 8;
  const Described kCases[] = {
      {"gfx942", "v_add_f32_e32 v1, v2, v3", OpClass::VectorAlu, "v2+1 v3+1",
       "v1+1", 0, false, false},
      {"gfx942", "v_fmac_f32_e32 v1, s2, v3", OpClass::VectorAlu,
       "s2+1 v3+1 v1+1", "v1+1", 0, false, false},
      {"gfx942", "v_add_co_u32_e32 v1, vcc, v2, v3", OpClass::VectorAlu,
       "v2+1 v3+1", "v1+1 s106+2", 0, false, false},
      {"gfx942", "v_cmp_lt_u32_e64 s[4:5], v2, v3", OpClass::VectorAlu,
       "v2+1 v3+1", "s4+2", 0, false, false},
      {"gfx942", "v_cndmask_b32_e32 v1, v2, v3, vcc", OpClass::VectorAlu,
       "v2+1 v3+1 s106+2", "v1+1", 0, false, false},
      {"gfx942", "v_rcp_f32_e32 v1, v2", OpClass::Transcendental, "v2+1",
       "v1+1", 0, false, false},
      {"gfx942", "v_readlane_b32 s3, v2, s4", OpClass::VectorAlu, "v2+1 s4+1",
       "s3+1", 0, false, false},
      {"gfx942", "v_writelane_b32 v3, s2, m0", OpClass::VectorAlu,
       "s2+1 s124+1 v3+1", "v3+1", 0, false, false},
      {"gfx942", "v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]",
       OpClass::Matrix, "v2+2 v4+2 v256+16", "v256+16", 0, false, false},
      {"gfx942", "s_and_saveexec_b64 s[2:3], vcc", OpClass::ScalarAlu,
       "s106+2 s126+2", "s2+2 s126+2", 0, false, true},
      {"gfx942", "s_addc_u32 s2, s3, s4", OpClass::ScalarAlu, "s3+1 s4+1",
       "s2+1", 0, true, true},
      {"gfx942", "s_cmp_eq_u32 s2, 5", OpClass::ScalarAlu, "s2+1", "", 0, false,
       true},
      {"gfx942", "s_load_dwordx4 s[4:7], s[2:3], s8", OpClass::ScalarMemory,
       "@s2+2 @s8+1", "s4+4", lds, false, false},
      {"gfx942", "ds_write2_b64 v1, v[2:3], v[4:5] offset1:1", OpClass::Lds,
       "@v1+1 =v2+2 =v4+2", "", lds, false, false},
      {"gfx942", "ds_add_rtn_u32 v1, v2, v3", OpClass::Lds, "@v2+1 =v3+1",
       "v1+1", lds, false, false},
      {"gfx942", "ds_bpermute_b32 v1, v2, v3", OpClass::LdsPermute, "v2+1 v3+1",
       "v1+1", lds, false, false},
      {"gfx942", "global_store_dwordx2 v1, v[2:3], s[4:5]", OpClass::Global,
       "@v1+1 =v2+2 @s4+2", "", load, false, false},
      {"gfx942", "global_load_lds_dword v1, s[4:5]", OpClass::Global,
       "@v1+1 @s4+2 @s124+1", "", load, false, false},
      {"gfx942", "flat_load_dword v1, v[2:3]", OpClass::Flat, "@v2+2", "v1+1",
       load | lds, false, false},
      {"gfx942", "buffer_store_dword v1, v2, s[4:7], s3 offen", OpClass::Buffer,
       "=v1+1 @v2+1 @s4+4 @s3+1", "", load, false, false},
      {"gfx942", "buffer_atomic_add v1, v2, s[4:7], 0 offen sc0",
       OpClass::Buffer, "=v1+1 @v2+1 @s4+4", "v1+1", load, false, false},
      {"gfx1100", "global_store_b32 v1, v2, s[4:5]", OpClass::Global,
       "@v1+1 =v2+1 @s4+2", "", store, false, false},
      {"gfx1100", "v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v4, v5, v7",
       OpClass::Dual, "v2+1 v5+1 v7+1", "v1+1 v4+1", 0, false, false},
      {"gfx1100", "v_cmpx_lt_u32_e32 v2, v3", OpClass::VectorAlu, "v2+1 v3+1",
       "s126+2", 0, false, false},
      {"gfx1100", "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]",
       OpClass::Matrix, "v0+8 v8+8 v16+8", "v16+8", 0, false, false},
      {"gfx1201", "s_load_b64 s[4:5], s[2:3], 0x8", OpClass::ScalarMemory,
       "@s2+2", "s4+2", scalar, false, false},
      {"gfx1201", "ds_load_b32 v1, v2", OpClass::Lds, "@v2+1", "v1+1", lds,
       false, false},
      {"gfx1201",
       "global_atomic_add_u32 v1, v2, v3, s[4:5] th:TH_ATOMIC_RETURN "
       "scope:SCOPE_DEV",
       OpClass::Global, "@v2+1 =v3+1 @s4+2", "v1+1", load, false, false},
  };
  for (const Described &test : kCases) {
    SimDevice device;
    Recorder recorder;
    device.addObserver(recorder);
    // Never executed: the branch jumps over it, but all of it is described.
    std::string image =
        assemble(test.chip, kernelText(test.chip, "s_nop 0\n s_branch over\n" +
                                                      std::string(test.text) +
                                                      "\nover:\n s_endpgm\n"));
    auto object = CodeObject::load(image, device.globalMemory());
    ASSERT_TRUE(bool(object)) << test.text;
    const Kernel *kernel = (*object)->findKernel("test");
    auto program = Program::create(**object, kernel->wave32);
    ASSERT_TRUE(bool(program));
    const Op *op = (*program)->lookup(kernel->entry) + 2;
    ASSERT_EQ(op->inst->text().substr(0, 6),
              std::string(test.text).substr(0, 6));
    const OpInfo &info = *op->info;
    EXPECT_EQ(info.opClass, test.opClass) << op->inst->text();
    EXPECT_EQ(rangesText(info.reads), test.reads) << op->inst->text();
    EXPECT_EQ(rangesText(info.writes), test.writes) << op->inst->text();
    EXPECT_EQ(unsigned(info.counters), test.counters) << op->inst->text();
    EXPECT_EQ(info.readsScc, test.readsScc) << op->inst->text();
    EXPECT_EQ(info.writesScc, test.writesScc) << op->inst->text();
  }
}

} // namespace
