//===- SimLaunchTest.cpp - Whole kernels on the simulated device ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in LLVM IR, compiled for each chip and compared with the host.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimChips.h"
#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/launch/LaunchProgress.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

class SimLaunch : public ::testing::TestWithParam<const char *> {
protected:
  std::string chip() const { return GetParam(); }
  SimDevice device;
};

const char *kIntrinsics = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare void @llvm.amdgcn.s.barrier()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
)";

TEST_P(SimLaunch, VectorAdd) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %a, ptr addrspace(1) %b,
                                ptr addrspace(1) %c) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %g, 192
  %i = add i32 %base, %t
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %i
  %pc = getelementptr float, ptr addrspace(1) %c, i32 %i
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %s = fadd float %va, %vb
  store float %s, ptr addrspace(1) %pc
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,192" }
)" + std::string(kIntrinsics);
  const size_t n = 192 * 5;
  std::vector<float> a(n), b(n), c(n, -1);
  for (size_t i = 0; i < n; ++i) {
    a[i] = 0.1f * i;
    b[i] = 3.0f - i;
  }
  float *da = onDevice(device, a), *db = onDevice(device, b),
        *dc = onDevice(device, c);
  ASSERT_EQ(
      run(device, compile(chip(), ir), {da, db, dc}, {5, 1, 1}, {192, 1, 1}),
      "");
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(dc[i], a[i] + b[i]) << i;
}

/// A tree reduction in LDS: loops, barriers, divergence.
TEST_P(SimLaunch, ReduceInLds) {
  std::string ir = R"(
@lds = internal addrspace(3) global [256 x i32] poison
define amdgpu_kernel void @test(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %g, 256
  %i = add i32 %base, %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  store i32 %v, ptr addrspace(3) %l
  br label %loop
loop:
  %half = phi i32 [128, %entry], [%next, %join]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %active = icmp ult i32 %t, %half
  br i1 %active, label %add, label %join
add:
  %o = add i32 %t, %half
  %q = getelementptr i32, ptr addrspace(3) @lds, i32 %o
  %x = load i32, ptr addrspace(3) %l
  %y = load i32, ptr addrspace(3) %q
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %l
  br label %join
join:
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %exit
write:
  %r = load i32, ptr addrspace(3) @lds
  %w = getelementptr i32, ptr addrspace(1) %out, i32 %g
  store i32 %r, ptr addrspace(1) %w
  br label %exit
exit:
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="256,256" }
)" + std::string(kIntrinsics);
  std::vector<uint32_t> in(256 * 7);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint32_t>(i * 2654435761u);
  uint32_t *din = onDevice(device, in);
  uint32_t *dout = onDevice(device, std::vector<uint32_t>(7));
  ASSERT_EQ(
      run(device, compile(chip(), ir), {din, dout}, {7, 1, 1}, {256, 1, 1}),
      "");
  for (size_t g = 0; g < 7; ++g)
    EXPECT_EQ(dout[g], std::accumulate(in.begin() + 256 * g,
                                       in.begin() + 256 * (g + 1), 0u));
}

/// Calls, recursion and an array on the stack: scratch and s_swappc.
TEST_P(SimLaunch, CallsAndScratch) {
  std::string ir = R"(
define internal i32 @fib(i32 %n) noinline {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %leaf, label %inner
leaf:
  ret i32 %n
inner:
  %a = sub i32 %n, 1
  %b = sub i32 %n, 2
  %x = call i32 @fib(i32 %a)
  %y = call i32 @fib(i32 %b)
  %z = add i32 %x, %y
  ret i32 %z
}
define amdgpu_kernel void @test(ptr addrspace(1) %out) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %array = alloca [16 x i32], addrspace(5)
  br label %loop
loop:
  %k = phi i32 [0, %entry], [%next, %loop]
  %p = getelementptr i32, ptr addrspace(5) %array, i32 %k
  %v = mul i32 %k, 3
  %vt = add i32 %v, %t
  store volatile i32 %vt, ptr addrspace(5) %p
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %done
done:
  %n = and i32 %t, 7
  %f = call i32 @fib(i32 %n)
  %q = getelementptr i32, ptr addrspace(5) %array, i32 %n
  %generic = addrspacecast ptr addrspace(5) %q to ptr
  %u = load volatile i32, ptr %generic
  %s = add i32 %f, %u
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
)" + std::string(kIntrinsics);
  uint32_t *out = onDevice(device, std::vector<uint32_t>(128));
  ASSERT_EQ(run(device, compile(chip(), ir), {out}, {1, 1, 1}, {128, 1, 1}),
            "");
  const uint32_t fib[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (uint32_t t = 0; t < 128; ++t)
    ASSERT_EQ(out[t], fib[t & 7] + (t & 7) * 3 + t) << t;
}

/// Global atomics of many workgroups on a few counters, and the old values.
TEST_P(SimLaunch, GlobalAtomics) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %count, ptr addrspace(1) %seen) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("agent") monotonic
  %p = getelementptr i32, ptr addrspace(1) %seen, i32 %old
  store i32 1, ptr addrspace(1) %p
  %c64 = getelementptr i8, ptr addrspace(1) %count, i64 8
  %wide = zext i32 %t to i64
  %o2 = atomicrmw umax ptr addrspace(1) %c64, i64 %wide syncscope("agent") monotonic
  %cf = getelementptr i8, ptr addrspace(1) %count, i64 16
  br label %loop
loop:
  %now = load atomic i64, ptr addrspace(1) %cf syncscope("agent") monotonic, align 8
  %next = add i64 %now, 4294967297
  %pair = cmpxchg ptr addrspace(1) %cf, i64 %now, i64 %next syncscope("agent") monotonic monotonic
  %ok = extractvalue {i64, i1} %pair, 1
  br i1 %ok, label %done, label %loop
done:
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="96,96" }
)" + std::string(kIntrinsics);
  uint64_t *count = onDevice(device, std::vector<uint64_t>(4, 0));
  uint32_t *seen = onDevice(device, std::vector<uint32_t>(96 * 20, 0));
  ASSERT_EQ(
      run(device, compile(chip(), ir), {count, seen}, {20, 1, 1}, {96, 1, 1}),
      "");
  EXPECT_EQ(static_cast<uint32_t>(count[0]), 96u * 20);
  EXPECT_EQ(count[1], 95u);
  EXPECT_EQ(count[2], 96u * 20 * 4294967297u);
  for (size_t i = 0; i < 96 * 20; ++i)
    ASSERT_EQ(seen[i], 1u) << i;
}

/// A workgroup that waits for one that starts later must not hang.
TEST_P(SimLaunch, WorkgroupsMayWaitForLaterOnes) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %flags) #0 {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %last = icmp eq i32 %g, 7
  br i1 %last, label %signal, label %wait
wait:
  %later = add i32 %g, 1
  %p = getelementptr i32, ptr addrspace(1) %flags, i32 %later
  br label %spin
spin:
  %v = load atomic i32, ptr addrspace(1) %p syncscope("agent") acquire, align 4
  %z = icmp eq i32 %v, 0
  br i1 %z, label %spin, label %signal
signal:
  %q = getelementptr i32, ptr addrspace(1) %flags, i32 %g
  store atomic i32 1, ptr addrspace(1) %q syncscope("agent") release, align 4
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)" + std::string(kIntrinsics);
  uint32_t *flags = onDevice(device, std::vector<uint32_t>(8, 0));
  ASSERT_EQ(run(device, compile(chip(), ir), {flags}, {8, 1, 1}, {64, 1, 1}),
            "");
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(flags[i], 1u);
}

/// Grid and block sizes from the hidden arguments, in three dimensions. If all
/// waves of a launch wait, the launch reports this, and it continues when the
/// awaited value arrives.
TEST_P(SimLaunch, SaysThatAllWait) {
  std::string image = compile(GetParam(), R"(
    define amdgpu_kernel void @test(ptr addrspace(1) %flag) {
    entry:
      br label %loop
    loop:
      %value = load volatile i32, ptr addrspace(1) %flag, align 4
      %set = icmp ne i32 %value, 0
      br i1 %set, label %exit, label %loop
    exit:
      ret void
    }
  )");
  SimDevice device;
  uint32_t *flag = onDevice(device, std::vector<uint32_t>{0});
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  int saved = dup(2);
  ASSERT_GE(dup2(ends[1], 2), 0);
  setenv("AIRCC_SIM_PATIENCE", "1", 1);
  std::string error;
  std::thread launch(
      [&] { error = run(device, image, {flag}, {3, 1, 1}, {128, 1, 1}); });
  std::string text;
  pollfd readable{ends[0], POLLIN, 0};
  if (poll(&readable, 1, 120000) == 1) {
    text.resize(4096);
    text.resize(read(ends[0], text.data(), text.size()));
  }
  __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
  launch.join();
  unsetenv("AIRCC_SIM_PATIENCE");
  dup2(saved, 2);
  close(saved);
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(error, "");
  EXPECT_NE(text.find("warning: kernel 'test': for 1 seconds, all waves have "
                      "been waiting; workgroups that have started but not "
                      "finished: "
                      "3\n  workgroup ("),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("), wave "), std::string::npos) << text;
  EXPECT_NE(text.find(" (test+0x"), std::string::npos) << text;
}

TEST_P(SimLaunch, HiddenArguments) {
  std::string ir = R"(
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
define amdgpu_kernel void @test(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %args = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %ncx = load i32, ptr addrspace(4) %args
  %p12 = getelementptr i8, ptr addrspace(4) %args, i64 12
  %sx = load i16, ptr addrspace(4) %p12
  %p14 = getelementptr i8, ptr addrspace(4) %args, i64 14
  %sy = load i16, ptr addrspace(4) %p14
  %p16 = getelementptr i8, ptr addrspace(4) %args, i64 16
  %sz = load i16, ptr addrspace(4) %p16
  %bx = zext i16 %sx to i32
  %by = zext i16 %sy to i32
  %bz = zext i16 %sz to i32
  %g = mul i32 %gy, %ncx
  %group = add i32 %g, %gx
  %bxy = mul i32 %bx, %by
  %bxyz = mul i32 %bxy, %bz
  %zo = mul i32 %z, %bxy
  %yo = mul i32 %y, %bx
  %l1 = add i32 %zo, %yo
  %l2 = add i32 %l1, %x
  %go = mul i32 %group, %bxyz
  %i = add i32 %go, %l2
  %packed1 = shl i32 %z, 20
  %packed2 = shl i32 %y, 10
  %packed3 = or i32 %packed1, %packed2
  %packed = or i32 %packed3, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %packed, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
)" + std::string(kIntrinsics);
  const uint32_t bx = 5, by = 3, bz = 7, groups = 6;
  uint32_t *out =
      onDevice(device, std::vector<uint32_t>(groups * bx * by * bz, ~0u));
  ASSERT_EQ(run(device, compile(chip(), ir), {out}, {3, 2, 1}, {bx, by, bz}),
            "");
  for (uint32_t i = 0; i < groups * bx * by * bz; ++i) {
    uint32_t lane = i % (bx * by * bz);
    ASSERT_EQ(out[i], lane % bx | lane / bx % by << 10 | lane / (bx * by) << 20)
        << i;
  }
}

/// The simulator reports errors that hardware does not.
TEST_P(SimLaunch, OutOfBoundsIsAnError) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %t, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)" + std::string(kIntrinsics);
  uint32_t *p = onDevice(device, std::vector<uint32_t>(50));
  std::string error =
      run(device, compile(chip(), ir), {p}, {1, 1, 1}, {64, 1, 1});
  EXPECT_NE(error.find("kernel 'test', workgroup (0,0,0), wave "),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("write of 4 bytes"), std::string::npos) << error;
  EXPECT_NE(error.find("0 bytes past the end of a buffer of 200 bytes"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("global_store"), std::string::npos) << error;
}

TEST_P(SimLaunch, FreedMemoryIsAnError) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %p) #0 {
  %v = load volatile i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)";
  uint32_t *p = onDevice(device, std::vector<uint32_t>(50));
  ASSERT_TRUE(device.free(p, nullptr).ok());
  std::string error =
      run(device, compile(chip(), ir), {p}, {1, 1, 1}, {64, 1, 1});
  EXPECT_NE(error.find("read of 4 bytes"), std::string::npos) << error;
}

/// Host memory is accessible while it is registered.
TEST_P(SimLaunch, RegisteredHostMemory) {
  std::string ir = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %t, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)" + std::string(kIntrinsics);
  std::vector<uint32_t> host(64, 77);
  std::string image = compile(chip(), ir);
  EXPECT_NE(run(device, image, {host.data()}, {1, 1, 1}, {64, 1, 1}), "");
  EXPECT_EQ(host[3], 77u);
  ASSERT_TRUE(device.registerHost(host.data(), 256).ok());
  EXPECT_EQ(run(device, image, {host.data()}, {1, 1, 1}, {64, 1, 1}), "");
  EXPECT_EQ(host[3], 3u);
  ASSERT_TRUE(device.unregisterHost(host.data()).ok());
  EXPECT_NE(run(device, image, {host.data()}, {1, 1, 1}, {64, 1, 1}), "");
  EXPECT_FALSE(device.unregisterHost(host.data()).ok());
}

INSTANTIATE_TEST_SUITE_P(Chips, SimLaunch, ::testing::ValuesIn(kChips),
                         nameOfChip);

TEST(SimFault, UnimplementedInstruction) {
  // 0x7e01fe00 is not a VOP1 instruction of gfx942.
  SimDevice device;
  uint32_t *p = onDevice(device, std::vector<uint32_t>(64));
  std::string error =
      run(device,
          assemble("gfx942", kernelText("gfx942", "s_nop 0\n.long 0x7e01fe00")),
          {p}, {1, 1, 1}, {64, 1, 1});
  EXPECT_NE(error.find("(test+0x4)"), std::string::npos) << error;
  EXPECT_NE(error.find("is not implemented"), std::string::npos) << error;
}

TEST(SimFault, LdsOutOfBounds) {
  SimDevice device;
  uint32_t *p = onDevice(device, std::vector<uint32_t>(64));
  KernelOptions options;
  options.ldsBytes = 128;
  std::string error =
      run(device,
          assemble("gfx942", kernelText("gfx942",
                                        "v_and_b32 v0, 0x3ff, v0\n"
                                        "v_lshlrev_b32 v1, 2, v0\n"
                                        "ds_write_b32 v1, v0 offset:4",
                                        1, options)),
          {p}, {1, 1, 1}, {64, 1, 1});
  EXPECT_NE(error.find("lane 31"), std::string::npos) << error;
  EXPECT_NE(
      error.find("LDS address 0x80, outside of the workgroup's 128 bytes"),
      std::string::npos)
      << error;
}

TEST(SimFault, WrongRequests) {
  SimDevice device;
  uint32_t *p = onDevice(device, std::vector<uint32_t>(64));
  std::string image = assemble("gfx942", kernelText("gfx942", "s_nop 0"));
  EXPECT_NE(run(device, image, {p, p}, {1, 1, 1}, {64, 1, 1})
                .find("takes 1 arguments, but is launched with 2"),
            std::string::npos);
  EXPECT_NE(run(device, image, {p}, {1, 1, 1}, {64, 32, 1})
                .find("was compiled for workgroups of at most 1024 lanes, but "
                      "is launched with 2048"),
            std::string::npos);
  EXPECT_NE(run(device, image, {p}, {1, 0, 1}, {64, 1, 1}).find("empty grid"),
            std::string::npos);
  EXPECT_NE(run(device, image, {p}, {1, 1, 1}, {64, 1, 1}, 1 << 20)
                .find("gfx942 has only 65536"),
            std::string::npos);
  EXPECT_NE(run(device, "no ELF", {p}, {1, 1, 1}, {64, 1, 1}), "");
  aircc::rt::ModuleHandle module;
  ASSERT_TRUE(device.loadModule(image.data(), image.size(), module).ok());
  aircc::rt::FunctionHandle function;
  aircc::rt::Status status = device.getFunction(module, "tset", function);
  EXPECT_EQ(status.message(), "the module has no kernel 'tset'; it has: test");
}

/// Overwrites `bytes` of a copy.
template <class T>
std::string withNumber(std::string image, size_t at, T value) {
  std::memcpy(&image[at], &value, sizeof(value));
  return image;
}

TEST(SimFault, DamagedCodeObjects) {
  SimDevice device;
  uint32_t *p = onDevice(device, std::vector<uint32_t>(64));
  const std::string good = assemble("gfx942", kernelText("gfx942", "s_nop 0"));
  const std::vector<uint64_t> values = {0,
                                        1,
                                        0xfff,
                                        0x7fffffff,
                                        0xffffffff,
                                        uint64_t(1) << 32,
                                        uint64_t(1) << 40,
                                        uint64_t(1) << 63,
                                        ~uint64_t(0) - 7,
                                        ~uint64_t(0)};
  auto field = [&](size_t at) {
    uint64_t value = 0;
    std::memcpy(&value, &good[at], 8);
    return value;
  };
  // The damaged code object runs or is rejected with a message: the loader must
  // not rely on its contents, nor allocate memory only because of a claimed
  // size.
  auto tryAll = [&](size_t at) {
    for (uint64_t value : values)
      (void)run(device, withNumber(good, at, value), {p}, {1, 1, 1},
                {64, 1, 1});
  };
  const size_t programHeaders = field(0x20), sectionHeaders = field(0x28);
  uint16_t segments, sections;
  std::memcpy(&segments, &good[0x38], 2);
  std::memcpy(&sections, &good[0x3c], 2);
  ASSERT_GT(segments, 0);
  for (size_t n = 0; n < segments; ++n)
    for (size_t at : {8, 16, 32, 40})
      tryAll(programHeaders + n * 56 + at);
  for (size_t n = 0; n < sections; ++n) {
    const size_t header = sectionHeaders + n * 64;
    for (size_t at : {24, 32, 56})
      tryAll(header + at);
    uint32_t type;
    std::memcpy(&type, &good[header + 4], 4);
    if (type != 2 && type != 11)
      continue;
    // Values and sizes of symbols.
    const size_t begin = field(header + 24), size = field(header + 32);
    for (size_t symbol = begin; symbol < begin + size; symbol += 24) {
      tryAll(symbol + 8);
      tryAll(symbol + 16);
    }
  }
  EXPECT_EQ(run(device, good, {p}, {1, 1, 1}, {64, 1, 1}), "");
}

TEST(SimFault, CodeForOtherChips) {
  // gfx1250 is of a simulated generation, but not simulated itself.
  SimDevice device;
  std::string image = assemble("gfx1200", kernelText("gfx1200", "s_nop 0"));
  image[0x30] = 0x49;
  EXPECT_NE(run(device, image, {}, {1, 1, 1}, {32, 1, 1})
                .find("for processor 'gfx1250', which the simulator does not "
                      "simulate"),
            std::string::npos);
  EXPECT_EQ(device.targetPreference("gfx1250"), 0);
  EXPECT_EQ(device.targetPreference("gfx1251"), 0);
  EXPECT_EQ(device.targetPreference("gfx1030"), 0);
  EXPECT_GT(device.targetPreference("gfx1153"), 0);
}

TEST(SimDeviceTest, Targets) {
  SimDevice device;
  EXPECT_GT(device.targetPreference("gfx942"), 0);
  EXPECT_GT(device.targetPreference("gfx90a:xnack-"), 0);
  EXPECT_GT(device.targetPreference("gfx1201"), 0);
  EXPECT_EQ(device.targetPreference("gfx999"), 0);
  EXPECT_EQ(device.targetPreference("sm_90"), 0);
}

TEST(SimProgress, SaysHowFarALaunchIs) {
  using std::chrono::seconds;
  EXPECT_EQ(describeProgress("k", 0, 64, seconds(3)),
            "kernel 'k': 0 of 64 workgroups, 0:03");
  EXPECT_EQ(describeProgress("k", 16, 64, seconds(100)),
            "kernel 'k': 16 of 64 workgroups, 1:40, about 5:00 left");
  EXPECT_EQ(describeProgress("k", 1, 2, seconds(3661)),
            "kernel 'k': 1 of 2 workgroups, 1:01:01, about 1:01:01 left");
}

} // namespace
