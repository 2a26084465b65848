//===- SimWaitingTest.cpp - Kernels that wait for others ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace aircc::sim;
using namespace aircc::sim::test;
using std::chrono::milliseconds;

namespace {

const std::string kDeclarations = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" }
)";

/// Waits until %flag is not 0, then copies it to %out.
const std::string kWait = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %flag, ptr addrspace(1) %out) #0 {
entry:
  br label %spin
spin:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %spin, label %done
done:
  store i32 %v, ptr addrspace(1) %out
  ret void
}
)" + kDeclarations;

class SimWaiting : public ::testing::Test {
protected:
  SimDevice device;
};

TEST_F(SimWaiting, WhatNeverComes) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx1100"}) {
    std::string image = compile(chip, kWait);
    int *flag = onDevice<int>(device, {0}), *out = onDevice<int>(device, {0});
    device.setWaitLimit(milliseconds(200), [&](uint64_t address) {
      return address >= uint64_t(flag) && address < uint64_t(flag + 1)
                 ? std::string("channel @C (a buffer)")
                 : "";
    });
    auto begin = std::chrono::steady_clock::now();
    std::string error = run(device, image, {flag, out}, {3, 1, 1}, {64, 1, 1});
    EXPECT_GT(std::chrono::steady_clock::now() - begin, milliseconds(200));
    EXPECT_NE(error.find("kernel 'test', workgroup ("), std::string::npos)
        << error;
    EXPECT_NE(error.find("all waves have been waiting for 0.2 s "
                         "(AIRCC_WAIT_LIMIT); this wave polls channel @C (a "
                         "buffer), address 0x"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find(", which holds 0; at 0x"), std::string::npos) << error;
    EXPECT_NE(error.find("(test+0x"), std::string::npos) << error;
    EXPECT_NE(error.find("_load_"), std::string::npos) << error;
  }
}

TEST_F(SimWaiting, WhatComesLate) {
  device.setWaitLimit(milliseconds(20000), nullptr);
  std::string image = compile("gfx942", kWait);
  int *flag = onDevice<int>(device, {0}), *out = onDevice<int>(device, {0});
  std::thread setter([&] {
    std::this_thread::sleep_for(milliseconds(300));
    __atomic_store_n(flag, 42, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(run(device, image, {flag, out}, {1, 1, 1}, {64, 1, 1}), "");
  setter.join();
  EXPECT_EQ(*out, 42);
}

TEST_F(SimWaiting, WorkIsNoWaiting) {
  // Workgroup 0 counts for much longer than the limit, while the others wait
  // for it.
  std::string image = compile("gfx942", R"(
define amdgpu_kernel void @test(ptr addrspace(1) %flag, ptr addrspace(1) %out) #0 {
entry:
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %worker = icmp eq i32 %g, 0
  br i1 %worker, label %work, label %spin
work:
  %i = phi i32 [ 0, %entry ], [ %next, %work ]
  %x = phi i32 [ 1, %entry ], [ %y, %work ]
  %m = mul i32 %x, 1664525
  %y = add i32 %m, 1013904223
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3000000
  br i1 %more, label %work, label %set
set:
  %odd = or i32 %y, 1
  store atomic i32 %odd, ptr addrspace(1) %flag release, align 4
  br label %done
spin:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %spin, label %done
done:
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %g
  store i32 1, ptr addrspace(1) %p
  ret void
}
)" + kDeclarations);
  device.setWaitLimit(milliseconds(30), nullptr);
  for (const char *threads : {"1", "3"}) {
    setenv("AIRCC_SIM_THREADS", threads, 1);
    int *flag = onDevice<int>(device, {0}),
        *out = onDevice<int>(device, {0, 0, 0});
    EXPECT_EQ(run(device, image, {flag, out}, {3, 1, 1}, {64, 1, 1}), "");
    EXPECT_EQ(out[0] + out[1] + out[2], 3);
  }
  unsetenv("AIRCC_SIM_THREADS");
}

/// Waits as kWait does, and counts the rounds in a register.
const std::string kCountingWait = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %flag, ptr addrspace(1) %out) #0 {
entry:
  br label %spin
spin:
  %i = phi i32 [ 0, %entry ], [ %next, %spin ]
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %next = add i32 %i, 1
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %spin, label %done
done:
  store i32 %next, ptr addrspace(1) %out
  ret void
}
)" + kDeclarations;

TEST_F(SimWaiting, WaitThatIsCounted) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    std::string image = compile(chip, kCountingWait);
    int *flag = onDevice<int>(device, {0}), *out = onDevice<int>(device, {0});
    device.setWaitLimit(milliseconds(300), nullptr);
    std::string error = run(device, image, {flag, out}, {2, 1, 1}, {64, 1, 1});
    EXPECT_NE(error.find("all waves have been waiting for 0.3 s "
                         "(AIRCC_WAIT_LIMIT); this wave polls address 0x"),
              std::string::npos)
        << chip << ": " << error;
  }
}

TEST_F(SimWaiting, CountedWaitForWhatComesLate) {
  device.setWaitLimit(milliseconds(20000), nullptr);
  std::string image = compile("gfx942", kCountingWait);
  int *flag = onDevice<int>(device, {0}), *out = onDevice<int>(device, {0});
  std::thread setter([&] {
    std::this_thread::sleep_for(milliseconds(700));
    __atomic_store_n(flag, 42, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(run(device, image, {flag, out}, {1, 1, 1}, {64, 1, 1}), "");
  setter.join();
  EXPECT_GT(*out, 1000);
}

TEST_F(SimWaiting, WorkThatLooksAtAFlagIsNoWaiting) {
  // Reads a flag that nobody sets in each iteration, for much longer than the
  // limit. One kernel also writes its intermediate results; another one also
  // reads other addresses.
  const std::string head = R"(
define amdgpu_kernel void @test(ptr addrspace(1) %flag, ptr addrspace(1) %out) #0 {
entry:
  br label %work
work:
  %i = phi i32 [ 0, %entry ], [ %next, %work ]
  %x = phi i32 [ 1, %entry ], [ %y, %work ]
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %s = add i32 %x, %v
)";
  const std::string tail = R"(
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 600000
  br i1 %more, label %work, label %done
done:
  store i32 %next, ptr addrspace(1) %out
  ret void
}
)" + kDeclarations;
  const std::string bodies[] = {
      "  %y = mul i32 %s, 1664525\n"
      "  store volatile i32 %y, ptr addrspace(1) %out\n",
      "  %low = and i32 %i, 16383\n"
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %low\n"
      "  %r = load volatile i32, ptr addrspace(1) %p\n"
      "  %y = add i32 %s, %r\n"};
  device.setWaitLimit(milliseconds(30), nullptr);
  for (const std::string &body : bodies) {
    std::string image = compile("gfx942", head + body + tail);
    int *flag = onDevice<int>(device, {0}),
        *out = onDevice<int>(device, std::vector<int>(16384));
    EXPECT_EQ(run(device, image, {flag, out}, {1, 1, 1}, {64, 1, 1}), "");
    EXPECT_EQ(*out, 600000);
  }
}

TEST_F(SimWaiting, LinesOfSharedMemoryAreWhole) {
  // One kernel stores lines of 32 equal words again and again; another, on a
  // device that maps the same memory elsewhere, sees no word that is older than
  // the last one of its line.
  std::string producer = compile("gfx942", R"(
define amdgpu_kernel void @test(ptr addrspace(1) %line, ptr addrspace(1) %count) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %begin, label %done
begin:
  %n = load i32, ptr addrspace(1) %count
  %p = getelementptr i32, ptr addrspace(1) %line, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 1, %begin ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ule i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
)" + kDeclarations);
  std::string consumer = compile("gfx942", R"(
define amdgpu_kernel void @test(ptr addrspace(1) %line, ptr addrspace(1) %count) #0 {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %begin, label %done
begin:
  %n = load i32, ptr addrspace(1) %count
  %p = getelementptr i32, ptr addrspace(1) %line, i32 %t
  br label %loop
loop:
  %old = phi i32 [ 0, %begin ], [ %sum, %loop ]
  %v = load volatile i32, ptr addrspace(1) %p
  %flag = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 31)
  %older = icmp ult i32 %v, %flag
  %bad = zext i1 %older to i32
  %sum = add i32 %old, %bad
  %more = icmp ne i32 %flag, %n
  br i1 %more, label %loop, label %end
end:
  %slot = add i32 %t, 1
  %q = getelementptr i32, ptr addrspace(1) %count, i32 %slot
  store i32 %sum, ptr addrspace(1) %q
  br label %done
done:
  ret void
}
)" + kDeclarations);
  SimDevice other;
  size_t bytes = 4096;
  void *here = nullptr, *there = nullptr;
  int fd = -1;
  ASSERT_TRUE(device.createShared(bytes, here, fd).ok());
  ASSERT_TRUE(other.reserveShared(bytes, there).ok());
  ASSERT_TRUE(other.mapShared(fd, bytes, there).ok());
  close(fd);
  ASSERT_NE(here, there);
  const int rounds = 60000;
  int *count = onDevice<int>(device, {rounds});
  std::vector<int> zeros(33, 0);
  zeros[0] = rounds;
  int *seen = onDevice<int>(other, zeros);
  std::string error;
  std::thread consumerThread([&] {
    error = run(other, consumer, {there, seen}, {1, 1, 1}, {64, 1, 1});
  });
  EXPECT_EQ(run(device, producer, {here, count}, {1, 1, 1}, {64, 1, 1}), "");
  consumerThread.join();
  EXPECT_EQ(error, "");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(seen[1 + lane], 0) << "lane " << lane;
  EXPECT_TRUE(other.unmapShared(there).ok());
  EXPECT_TRUE(other.releaseShared(there).ok());
  EXPECT_TRUE(device.destroyShared(here).ok());
}

TEST_F(SimWaiting, SharedMemoryIsChecked) {
  size_t bytes = 5000;
  void *ptr = nullptr, *range = nullptr;
  int fd = -1;
  ASSERT_TRUE(device.createShared(bytes, ptr, fd).ok());
  EXPECT_EQ(bytes, 8192u);
  ASSERT_TRUE(device.reserveShared(16384, range).ok());
  // Larger than the memory after the descriptor; smaller sizes would fit.
  EXPECT_EQ(device.mapShared(fd, 16384, range).message(),
            "it has 8192 bytes, not 16384");
  EXPECT_EQ(
      device.mapShared(fd, 8192, static_cast<char *>(range) + 12288).message(),
      "the addresses were not reserved");
  EXPECT_TRUE(
      device.mapShared(fd, 8192, static_cast<char *>(range) + 8192).ok());
  EXPECT_EQ(device.releaseShared(range).message(),
            "the range still has memory in it");
  // Both mappings are of the same memory. Accesses beyond its end fail.
  static_cast<char *>(ptr)[100] = 42;
  EXPECT_EQ(static_cast<char *>(range)[8192 + 100], 42);
  char byte[16] = {};
  EXPECT_FALSE(
      device.copy(static_cast<char *>(ptr) + 8190, byte, 16, nullptr).ok());
  close(fd);
}

} // namespace
