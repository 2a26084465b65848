//===- HipTest.cpp - The C ABI on HIP, with a HIP library that checks -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "test/unit/runtime/DeviceTestSupport.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace aircc::test;
using ::testing::ExitedWithCode;

const std::string fakeHip = AIRCC_FAKES_DIR "/libfakehip.so";

/// A code object in the format of the fake HIP.
const char *const code = "\x7f"
                         "ELFgfx942\nscale 8 4 8\nother 8\n";

void *loadCode() {
  static const std::string image = code;
  return load(image);
}

std::string takeLog() { return takeLogOf(fakeHip, "fakeHipTakeLog"); }

class Hip : public testing::Test {
protected:
  // The runtime opens the device once per process, so all tests here use the
  // same device.
  static void SetUpTestSuite() {
    setenv("AIRCC_DEVICE", "hip", 1);
    setenv("AIRCC_HIP_LIBRARY", fakeHip.c_str(), 1);
    setenv("FAKE_HIP_ARCH", "gfx942:sramecc+:xnack-,gfx90a:sramecc+:xnack+", 1);
    // A forked child must not inherit an open device.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  void SetUp() override {
    mgpuGetDeviceCount();
    mgpuSetDevice(0);
    takeLog();
  }
};

/// As Hip, but each test opens the device itself, in a child.
class HipDeath : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("AIRCC_DEVICE", "hip", 1);
    setenv("AIRCC_HIP_LIBRARY", fakeHip.c_str(), 1);
    setenv("FAKE_HIP_ARCH", "gfx942:sramecc+:xnack-", 1);
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(Hip, RunsAKernel) {
  void *module = loadCode();
  EXPECT_EQ(takeLog(), "") << "loading is lazy";
  std::vector<float> host = {1, 2, 3, 4};
  void *stream = mgpuStreamCreate();
  void *data = mgpuMemAlloc(16, stream, false);
  mgpuMemcpy(data, host.data(), 16, stream);
  float factor = 2.5f;
  int64_t count = 4;
  void *params[] = {&data, &factor, &count};
  void *kernel = mgpuModuleGetFunction(module, "scale");
  mgpuLaunchKernel(kernel, 1, 2, 3, 64, 4, 1, 512, stream, params, nullptr, 3);
  mgpuMemcpy(host.data(), data, 16, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(host, (std::vector<float>{2.5f, 5, 7.5f, 10}));
  mgpuMemFree(data, stream);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);
  EXPECT_EQ(takeLog(),
            "hipStreamCreate()\n"
            "hipMalloc(16)\n"
            "hipMemcpyAsync(ptr, ptr, 16, 4, ptr)\n"
            "hipModuleLoadData(ptr)\n"
            "hipModuleGetFunction(ptr, scale)\n"
            "hipModuleLaunchKernel(scale, 1, 2, 3, 64, 4, 1, 512, ptr, null, "
            "ptr, 00002040, 0400000000000000)\n"
            "hipMemcpyAsync(ptr, ptr, 16, 4, ptr)\n"
            "hipStreamSynchronize(ptr)\n"
            "hipFree(ptr)\n"
            "hipStreamDestroy(ptr)\n"
            "hipModuleUnload(ptr)\n");
}

TEST_F(Hip, StreamsAndEvents) {
  void *stream = mgpuStreamCreate();
  void *start = mgpuEventCreate(), *stop = mgpuEventCreate();
  mgpuEventRecord(start, stream);
  mgpuStreamWaitEvent(nullptr, start);
  mgpuEventRecord(stop, nullptr);
  mgpuEventSynchronize(stop);
  float ms = 0;
  testing::internal::CaptureStdout();
  EXPECT_EQ(mgpuEventElapsedTime(&ms, start, stop), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "Elapsed time: 1.250 ms\n");
  EXPECT_EQ(ms, 1.25f);
  mgpuEventDestroy(start);
  mgpuEventDestroy(stop);
  mgpuStreamDestroy(stream);
  EXPECT_EQ(takeLog(), "hipStreamCreate()\n"
                       "hipEventCreate()\n"
                       "hipEventCreate()\n"
                       "hipEventRecord(ptr, ptr)\n"
                       "hipStreamWaitEvent(null, ptr, 0)\n"
                       "hipEventRecord(ptr, null)\n"
                       "hipEventSynchronize(ptr)\n"
                       "hipEventElapsedTime(ptr, ptr)\n"
                       "hipEventDestroy(ptr)\n"
                       "hipEventDestroy(ptr)\n"
                       "hipStreamDestroy(ptr)\n");
}

TEST_F(Hip, FillsMemory) {
  auto *data = static_cast<unsigned char *>(mgpuMemAlloc(16, nullptr, true));
  mgpuMemset32(data, -2, 2, nullptr);
  mgpuMemset16(data + 8, -3, 3, nullptr);
  std::vector<unsigned char> expected = {0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff,
                                         0xff, 0xff, 0xfd, 0xff, 0xfd, 0xff,
                                         0xfd, 0xff, 0xa5, 0xa5};
  EXPECT_EQ(std::vector<unsigned char>(data, data + 16), expected);
  mgpuMemFree(data, nullptr);
  EXPECT_EQ(takeLog(), "hipMallocManaged(16, 1)\n"
                       "hipMemsetD32Async(ptr, -2, 2, null)\n"
                       "hipMemsetD16Async(ptr, 65533, 3, null)\n"
                       "hipFree(ptr)\n");
}

TEST_F(Hip, NothingToDoCallsNothing) {
  EXPECT_EQ(mgpuMemAlloc(0, nullptr, false), nullptr);
  mgpuMemFree(nullptr, nullptr);
  mgpuMemcpy(nullptr, nullptr, 0, nullptr);
  mgpuMemset16(nullptr, 1, 0, nullptr);
  mgpuMemset32(nullptr, 1, 0, nullptr);
  mgpuModuleUnload(nullptr);
  mgpuModuleUnload(loadCode());
  EXPECT_EQ(takeLog(), "");
}

TEST_F(Hip, AnEmptyGridIsNotLaunched) {
  void *module = loadCode();
  void *kernel = mgpuModuleGetFunction(module, "other");
  takeLog();
  void *data = nullptr;
  void *params[] = {&data};
  mgpuLaunchKernel(kernel, 4, 0, 1, 64, 1, 1, 0, nullptr, params, nullptr, 1);
  EXPECT_EQ(takeLog(), "");
  mgpuModuleUnload(module);
}

TEST_F(Hip, FunctionsAreLookedUpOnce) {
  void *module = loadCode();
  void *first = mgpuModuleGetFunction(module, "scale");
  EXPECT_EQ(mgpuModuleGetFunction(module, "scale"), first);
  EXPECT_NE(mgpuModuleGetFunction(module, "other"), first);
  EXPECT_EQ(takeLog(), "hipModuleLoadData(ptr)\n"
                       "hipModuleGetFunction(ptr, scale)\n"
                       "hipModuleGetFunction(ptr, other)\n");
  mgpuModuleUnload(module);
}

TEST_F(Hip, OneOfManyThreadsLoads) {
  void *module = loadCode();
  std::vector<std::thread> threads;
  std::vector<void *> kernels(8);
  for (size_t i = 0; i < kernels.size(); ++i)
    threads.emplace_back(
        [&, i] { kernels[i] = mgpuModuleGetFunction(module, "scale"); });
  for (std::thread &thread : threads)
    thread.join();
  for (void *kernel : kernels)
    EXPECT_EQ(kernel, kernels[0]);
  EXPECT_EQ(takeLog(), "hipModuleLoadData(ptr)\n"
                       "hipModuleGetFunction(ptr, scale)\n");
  mgpuModuleUnload(module);
}

TEST_F(Hip, EachDeviceGetsItsOwnCode) {
  // Two entries suit device 0, and the entry with more feature suffixes is
  // chosen; the names of the kernels tell which code was loaded.
  std::string image = bundle({
      {"host-x86_64-unknown-linux--", ""},
      {"hipv4-amdgcn-amd-amdhsa--gfx942", "\x7f"
                                          "ELFgfx942\nplain 8\n"},
      {"hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", "\x7f"
                                                 "ELFgfx942\nkernel 8\n"},
      {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "\x7f"
                                                 "ELFgfx90a\nkernel 8\n"},
  });
  void *module = load(image);
  void *kernel = mgpuModuleGetFunction(module, "kernel");
  void *data = nullptr;
  void *params[] = {&data};
  EXPECT_EQ(mgpuGetDevice(), 0);
  EXPECT_EQ(mgpuGetDeviceCount(), 2);
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr, 1);
  mgpuSetDefaultDevice(1);
  EXPECT_EQ(mgpuGetDevice(), 1);
  // With the same handle, the kernel is loaded for the other device.
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr, 1);
  const std::string launch =
      "hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, "
      "null, null, ptr)\n";
  EXPECT_EQ(takeLog(), "hipModuleLoadData(ptr)\n"
                       "hipModuleGetFunction(ptr, kernel)\n" +
                           launch +
                           "hipSetDevice(1)\n"
                           "hipModuleLoadData(ptr)\n"
                           "hipModuleGetFunction(ptr, kernel)\n" +
                           launch);
  mgpuModuleUnload(module);
  EXPECT_EQ(takeLog(), "hipModuleUnload(ptr)\nhipModuleUnload(ptr)\n");
}

TEST_F(Hip, SelectsATarget) {
  const char *names[] = {"gfx90a", "gfx942", "gfx942:xnack-", "gfx942:xnack+"};
  EXPECT_EQ(mgpuSelectTarget(names, 4), 2);
  mgpuSetDevice(1);
  EXPECT_EQ(mgpuSelectTarget(names, 4), 0);
}

TEST_F(Hip, ThreadsHaveTheirOwnDevice) {
  mgpuSetDevice(1);
  int32_t other = -1;
  std::thread([&] { other = mgpuGetDevice(); }).join();
  EXPECT_EQ(other, 0);
  EXPECT_EQ(mgpuGetDevice(), 1);
}

TEST_F(Hip, RegistersMemRefs) {
  std::vector<int32_t> data(4096);
  MemRef<2> memref = {data.data(), data.data(), 16, {3, 4}, {4, 1}};
  mgpuMemHostRegisterMemRef(2, &memref, 4);
  mgpuMemHostUnregisterMemRef(2, &memref, 4);
  // The stride of a dimension with one element has no effect.
  MemRef<2> row = {data.data(), data.data(), 0, {1, 4}, {77, 1}};
  mgpuMemHostRegisterMemRef(2, &row, 4);
  MgpuMemRef1d seen =
      mgpuMemGetDeviceMemRef1dInt32(data.data(), data.data(), 1, 2, 3);
  EXPECT_EQ(seen.aligned, reinterpret_cast<char *>(data.data()) + 4096);
  EXPECT_EQ(seen.allocated, seen.aligned);
  EXPECT_EQ(seen.offset, 1);
  EXPECT_EQ(seen.size, 2);
  EXPECT_EQ(seen.stride, 3);
  mgpuMemHostUnregister(data.data());
  MemRef<2> empty = {data.data(), data.data(), 0, {0, 4}, {4, 1}};
  mgpuMemHostRegisterMemRef(2, &empty, 4);
  mgpuMemHostUnregisterMemRef(2, &empty, 4);
  EXPECT_EQ(takeLog(), "hipHostRegister(ptr, 48, 2)\n"
                       "hipHostUnregister(ptr)\n"
                       "hipHostRegister(ptr, 16, 2)\n"
                       "hipHostGetDevicePointer(ptr, 0)\n"
                       "hipHostUnregister(ptr)\n");
}

TEST_F(Hip, SymmetricHeapOfOneRank) {
  mgpuSymmetricHeapInit(1000);
  auto *base = static_cast<char *>(mgpuGetHeapBase(0));
  EXPECT_EQ(mgpuGetHeapBases()[0], base);
  auto *a = static_cast<char *>(mgpuSymmetricAlloc(1, nullptr));
  auto *b = static_cast<char *>(mgpuSymmetricAlloc(257, nullptr));
  auto *c = static_cast<char *>(mgpuSymmetricAlloc(256, nullptr));
  EXPECT_EQ(a - base, 0);
  EXPECT_EQ(b - base, 256);
  EXPECT_EQ(c - base, 768);
  // Freed ranges are merged with adjacent free ranges.
  mgpuSymmetricFree(a, nullptr);
  mgpuSymmetricFree(c, nullptr);
  mgpuSymmetricFree(b, nullptr);
  EXPECT_EQ(mgpuSymmetricAlloc(1024, nullptr), base);
  mgpuBarrier();
  mgpuSymmetricHeapDestroy();
  std::string log = takeLog();
  EXPECT_NE(log.find("hipMemCreate(65536, 0, 0)\n"), std::string::npos) << log;
  EXPECT_NE(log.find("hipMemsetD8Async(ptr, 0, 65536, null)\n"
                     "hipStreamSynchronize(null)\n"
                     "hipMallocManaged(8, 1)\n"),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("hipFree(ptr)\n"
                     "hipMemUnmap(ptr, 65536)\n"
                     "hipMemRelease(ptr)\n"
                     "hipMemAddressFree(ptr, 65536)\n"),
            std::string::npos)
      << log;
}

//===----------------------------------------------------------------------===//
// What fails ends the program
//===----------------------------------------------------------------------===//

TEST_F(HipDeath, EveryCallThatHipRefusesEndsTheProgram) {
  void *const bad = reinterpret_cast<void *>(0x1230);
  static float ms;
  static char host[16];
  struct Case {
    void (*run)(void *bad);
    const char *message;
  };
  const Case cases[] = {
      {[](void *bad) { mgpuStreamDestroy(bad); },
       "mgpuStreamDestroy\\(stream=0x1230\\): hipStreamDestroy failed: "
       "hipErrorInvalidHandle \\(400\\): an error of the fake HIP\n"
       "aircc runtime: note: the device is hip device 0 "
       "\\(gfx942:sramecc\\+:xnack-\\)"},
      {[](void *bad) { mgpuStreamSynchronize(bad); },
       "mgpuStreamSynchronize\\(stream=0x1230\\): hipStreamSynchronize failed"},
      {[](void *bad) { mgpuStreamWaitEvent(nullptr, bad); },
       "mgpuStreamWaitEvent\\(stream=null, event=0x1230\\): hipStreamWaitEvent "
       "failed"},
      {[](void *bad) { mgpuEventDestroy(bad); },
       "mgpuEventDestroy\\(event=0x1230\\): hipEventDestroy failed"},
      {[](void *bad) { mgpuEventSynchronize(bad); },
       "mgpuEventSynchronize\\(event=0x1230\\): hipEventSynchronize failed"},
      {[](void *bad) { mgpuEventRecord(bad, nullptr); },
       "mgpuEventRecord\\(event=0x1230, stream=null\\): hipEventRecord failed"},
      {[](void *bad) { mgpuEventElapsedTime(&ms, bad, bad); },
       "mgpuEventElapsedTime\\(start=0x1230, stop=0x1230\\): "
       "hipEventElapsedTime failed"},
      {[](void *bad) { mgpuMemFree(bad, nullptr); },
       "mgpuMemFree\\(ptr=0x1230, stream=null\\): hipFree failed: "
       "hipErrorInvalidValue \\(1\\)"},
      {[](void *) { mgpuMemcpy(nullptr, host, 16, nullptr); },
       "mgpuMemcpy\\(dst=null, src=0x[0-9a-f]+, bytes=16, stream=null\\): "
       "hipMemcpyAsync failed"},
      {[](void *bad) { mgpuMemset32(bad, -1, 4, nullptr); },
       "mgpuMemset32\\(dst=0x1230, value=-1, count=4, stream=null\\): "
       "hipMemsetD32Async failed"},
      {[](void *bad) { mgpuMemset16(bad, -1, 4, nullptr); },
       "mgpuMemset16\\(dst=0x1230, value=-1, count=4, stream=null\\): "
       "hipMemsetD16Async failed"},
      {[](void *bad) { mgpuMemHostRegister(bad, 0); },
       "mgpuMemHostRegister\\(ptr=0x1230, bytes=0\\): hipHostRegister failed"},
      {[](void *bad) { mgpuMemHostUnregister(bad); },
       "mgpuMemHostUnregister\\(ptr=0x1230\\): hipHostUnregister failed"},
      {[](void *bad) {
         mgpuMemGetDeviceMemRef1dFloat(nullptr, static_cast<float *>(bad), 0, 1,
                                       1);
       },
       "mgpuMemGetDeviceMemRef1dFloat\\(aligned=0x1230, offset=0, size=1, "
       "stride=1\\): hipHostGetDevicePointer failed"},
      {[](void *) { mgpuSetDevice(1); },
       "mgpuSetDevice\\(device=1\\): there is no device 1: hip has 1 device\n"},
      {[](void *) { mgpuSetDefaultDevice(-1); },
       "mgpuSetDefaultDevice\\(device=-1\\): there is no device -1"},
      {[](void *) { mgpuModuleGetFunction(loadCode(), "absent"); },
       "mgpuModuleGetFunction\\(module=0x[0-9a-f]+, name=\"absent\"\\): "
       "hipModuleGetFunction failed: hipErrorNotFound \\(500\\): named symbol "
       "not found"},
      {[](void *) {
         static const std::string image = "\x7f"
                                          "ELFgfx90a\nkernel\n";
         mgpuModuleGetFunction(load(image), "kernel");
       },
       "name=\"kernel\"\\): hipModuleLoadData failed: hipErrorNoBinaryForGpu "
       "\\(209\\): no kernel image is available for execution on the device\n"
       "aircc runtime: note: the device is hip device 0 \\(gfx942"},
  };
  for (const Case &c : cases)
    EXPECT_EXIT(c.run(bad), ExitedWithCode(1),
                std::string("aircc runtime: error: .*") + c.message);
}

TEST_F(HipDeath, InjectedFailures) {
  struct Case {
    const char *fail;
    void (*run)();
    const char *message;
  };
  const Case cases[] = {
      {"hipInit=100", [] { mgpuStreamCreate(); },
       "mgpuStreamCreate\\(\\): hipInit failed: unknown error \\(100\\).*"
       "\\(AIRCC_DEVICE=hip\\)"},
      {"hipGetDeviceCount=100", [] { mgpuStreamCreate(); },
       "mgpuStreamCreate\\(\\): hipGetDeviceCount failed"},
      {"hipGetDevicePropertiesR0600=1", [] { mgpuStreamCreate(); },
       "hipGetDevicePropertiesR0600 failed"},
      {"hipStreamCreate=2", [] { mgpuStreamCreate(); },
       "mgpuStreamCreate\\(\\): hipStreamCreate failed: hipErrorOutOfMemory "
       "\\(2\\): out of memory"},
      {"hipEventCreate=2", [] { mgpuEventCreate(); },
       "mgpuEventCreate\\(\\): hipEventCreate failed"},
      {"hipMalloc=2", [] { mgpuMemAlloc(4096, nullptr, false); },
       "mgpuMemAlloc\\(bytes=4096, stream=null, hostShared=false\\): hipMalloc "
       "failed: hipErrorOutOfMemory"},
      {"hipMallocManaged=2", [] { mgpuMemAlloc(4096, nullptr, true); },
       "mgpuMemAlloc\\(bytes=4096, stream=null, hostShared=true\\): "
       "hipMallocManaged failed"},
      {"hipSetDevice=101", [] { mgpuSetDevice(0); },
       "mgpuSetDevice\\(device=0\\): hipSetDevice failed"},
      {"hipModuleLoadData=200",
       [] { mgpuModuleGetFunction(loadCode(), "scale"); },
       "hipModuleLoadData failed: hipErrorInvalidImage \\(200\\)\n"},
      {"hipModuleUnload=1",
       [] {
         void *module = loadCode();
         mgpuModuleGetFunction(module, "scale");
         mgpuModuleUnload(module);
       },
       "mgpuModuleUnload\\(module=0x[0-9a-f]+\\): hipModuleUnload failed"},
  };
  for (const Case &c : cases)
    EXPECT_EXIT(
        {
          setenv("FAKE_HIP_FAIL", c.fail, 1);
          c.run();
        },
        ExitedWithCode(1), c.message);
}

TEST_F(HipDeath, LaunchesThatCannotBe) {
  auto launch = [](const char *name, intptr_t gridX, intptr_t blockX,
                   int32_t shared, void **extra) {
    void *kernel = name ? mgpuModuleGetFunction(loadCode(), name) : nullptr;
    void *data = nullptr;
    void *params[] = {&data};
    mgpuLaunchKernel(kernel, gridX, 1, 1, blockX, 1, 1, shared, nullptr, params,
                     extra, 1);
  };
  void *extra[] = {nullptr};
  EXPECT_EXIT(
      launch("other", 4, 2048, 0, nullptr), ExitedWithCode(1),
      "mgpuLaunchKernel\\(function=\"other\", gridX=4, gridY=1, gridZ=1, "
      "blockX=2048, blockY=1, blockZ=1, dynamicSharedBytes=0, "
      "stream=null, paramsCount=1\\): hipModuleLaunchKernel failed: "
      "hipErrorInvalidConfiguration \\(9\\)");
  EXPECT_EXIT(launch("other", -1, 64, 0, nullptr), ExitedWithCode(1),
              "a grid of size -1 is not possible");
  EXPECT_EXIT(launch("other", intptr_t(1) << 32, 64, 0, nullptr),
              ExitedWithCode(1), "a grid of size 4294967296 is not possible");
  EXPECT_EXIT(launch("other", 1, 0, 0, nullptr), ExitedWithCode(1),
              "the block has no lanes");
  EXPECT_EXIT(launch("other", 1, 64, -4, nullptr), ExitedWithCode(1),
              "the size of shared memory is negative");
  EXPECT_EXIT(launch("other", 1, 64, 0, extra), ExitedWithCode(1),
              "extra launch parameters are not supported");
  EXPECT_EXIT(launch(nullptr, 1, 64, 0, nullptr), ExitedWithCode(1),
              "function=null.*there is no function");
  EXPECT_EXIT(mgpuLaunchClusterKernel(nullptr, 2, 1, 1, 4, 1, 1, 64, 1, 1, 0,
                                      nullptr, nullptr, nullptr),
              ExitedWithCode(1), "launches in clusters are not supported");
}

TEST_F(HipDeath, ModulesThatDoNotLoad) {
  EXPECT_EXIT(mgpuModuleLoad(nullptr, 4), ExitedWithCode(1),
              "mgpuModuleLoad\\(image=null, size=4\\): there is no image");
  EXPECT_EXIT(mgpuModuleLoadJIT(const_cast<char *>(".text"), 2),
              ExitedWithCode(1),
              "mgpuModuleLoadJIT\\(.*optLevel=2\\): the "
              "program embeds assembly");
  EXPECT_EXIT(mgpuModuleGetFunction(nullptr, "k"), ExitedWithCode(1),
              "there is no module");
  EXPECT_EXIT(mgpuModuleGetFunction(loadCode(), nullptr), ExitedWithCode(1),
              "there is no name");
  auto get = [](const std::string &image) {
    mgpuModuleGetFunction(load(image), "kernel");
  };
  EXPECT_EXIT(
      get("BLOB"), ExitedWithCode(1),
      "the image is neither an ELF file, SPIR-V nor an offload bundle; it "
      "begins with 42 4c 4f 42");
  EXPECT_EXIT(get(""), ExitedWithCode(1), "it is empty");
  EXPECT_EXIT(get("CCOB\x02"), ExitedWithCode(1),
              "compressed offload bundles are not supported");
  EXPECT_EXIT(get(bundle({{"host-x86_64-unknown-linux--", ""},
                          {"hipv4-amdgcn-amd-amdhsa--gfx90a", code},
                          {"hipv4-amdgcn-amd-amdhsa--gfx942:xnack+", code}})),
              ExitedWithCode(1),
              "the program has no code for hip device 0 "
              "\\(gfx942:sramecc\\+:xnack-\\); it has code for gfx90a, "
              "gfx942:xnack\\+\n");
  EXPECT_EXIT(get(bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", "text"}})),
              ExitedWithCode(1), "entry is neither an ELF file nor SPIR-V");
  const char *names[] = {"gfx90a", "gfx1100"};
  EXPECT_EXIT(
      mgpuSelectTarget(names, 2), ExitedWithCode(1),
      "mgpuSelectTarget\\(.*count=2\\): the program has no code for hip "
      "device 0 .*; it has code for gfx90a, gfx1100");
}

TEST_F(HipDeath, MemRefsThatAreNotContiguous) {
  static int32_t data[64];
  MemRef<2> memref = {data, data, 0, {3, 4}, {8, 1}};
  EXPECT_EXIT(
      mgpuMemHostRegisterMemRef(2, &memref, 4), ExitedWithCode(1),
      "mgpuMemHostRegisterMemRef\\(rank=2, descriptor=0x[0-9a-f]+, "
      "elementBytes=4\\): the memref is not contiguous: dimension 0 has "
      "stride 8 instead of 4");
}

TEST_F(HipDeath, Libraries) {
  EXPECT_EXIT(
      {
        setenv("AIRCC_HIP_LIBRARY", "/nowhere/libamdhip64.so", 1);
        mgpuStreamCreate();
      },
      ExitedWithCode(1),
      "mgpuStreamCreate\\(\\): cannot load the HIP library that "
      "AIRCC_HIP_LIBRARY names: /nowhere/libamdhip64.so: cannot open");
  EXPECT_EXIT(
      {
        setenv("AIRCC_HIP_LIBRARY", AIRCC_FAKES_DIR "/libfakehip_incomplete.so",
               1);
        mgpuStreamCreate();
      },
      ExitedWithCode(1),
      "the HIP library .*libfakehip_incomplete.so lacks hipEventElapsedTime");
  EXPECT_EXIT(
      {
        setenv("FAKE_HIP_ARCH", "", 1);
        mgpuStreamCreate();
      },
      ExitedWithCode(1), "HIP sees no device");
  // In ROCm 5 the struct of the device's properties is different.
  EXPECT_EXIT(
      {
        setenv("AIRCC_HIP_LIBRARY", AIRCC_FAKES_DIR "/libfakehip_rocm5.so", 1);
        mgpuSetDevice(7);
      },
      ExitedWithCode(1),
      "the device is hip device 0 \\(gfx942:sramecc\\+:xnack-\\)");
}

TEST_F(HipDeath, OneOfManyThreadsOpensTheDevice) {
  std::string path = testing::TempDir() + "aircc-hip-open.log";
  auto open = [&] {
    setenv("FAKE_HIP_LOG", path.c_str(), 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([] { mgpuStreamDestroy(mgpuStreamCreate()); });
    for (std::thread &thread : threads)
      thread.join();
    std::exit(0);
  };
  EXPECT_EXIT(open(), ExitedWithCode(0), "");
  std::ifstream file(path);
  std::map<std::string, int> calls;
  for (std::string line; std::getline(file, line);)
    ++calls[line];
  EXPECT_EQ(calls["hipInit(0)"], 1);
  EXPECT_EQ(calls["hipStreamCreate()"], 8);
  EXPECT_EQ(calls["hipStreamDestroy(ptr)"], 8);
  std::remove(path.c_str());
}

TEST_F(HipDeath, SymmetricHeap) {
  EXPECT_EXIT(mgpuSymmetricAlloc(16, nullptr), ExitedWithCode(1),
              "mgpuSymmetricAlloc\\(bytes=16, stream=null\\): there is no "
              "symmetric heap; call mgpuSymmetricHeapInit first");
  auto inHeap = [](void (*run)()) {
    mgpuSymmetricHeapInit(512);
    run();
  };
  EXPECT_EXIT(inHeap([] { mgpuSymmetricHeapInit(512); }), ExitedWithCode(1),
              "the symmetric heap already exists");
  EXPECT_EXIT(inHeap([] { mgpuSymmetricAlloc(513, nullptr); }),
              ExitedWithCode(1),
              "there is no room for 513 bytes: the symmetric heap has 512");
  EXPECT_EXIT(inHeap([] {
                auto *p = static_cast<char *>(mgpuSymmetricAlloc(16, nullptr));
                mgpuSymmetricFree(p + 16, nullptr);
              }),
              ExitedWithCode(1),
              "this is not an allocation of the symmetric heap");
  EXPECT_EXIT(inHeap([] { mgpuGetHeapBase(1); }), ExitedWithCode(1),
              "mgpuGetHeapBase\\(rank=1\\): there is only rank 0");
}

} // namespace
