//===- LevelZeroTest.cpp - The C ABI on Level Zero, with a fake loader ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Streams.h"
#include "test/unit/SpirvAssembler.h"
#include "test/unit/runtime/DeviceTestSupport.h"
#include "test/unit/runtime/ScalingEntry.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/mman.h>
#include <thread>

namespace {

using namespace aircc::test;
using ::testing::ExitedWithCode;

const std::string fake = AIRCC_FAKES_DIR "/libfakelevelzero.so";

std::string takeLog() { return takeLogOf(fake, "fakeLevelZeroTakeLog"); }

/// Counts the lines of `text` that begin with `begin`.
int count(const std::string &text, const std::string &begin) {
  int found = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    found += line.rfind(begin, 0) == 0;
  return found;
}

/// A module with the kernels that the fake implements.
Assembler assemble() {
  Assembler a;
  a.entryPoint(100, "scale").entryPoint(110, "other");
  a.entryPoint(120, "fixed").entryPoint(130, "shared");
  a.op(16, {120, 17, 16, 2, 1});
  a.op(19, {1}).op(21, {3, 8, 0}).op(22, {4, 32}).op(21, {5, 64, 0});
  a.op(32, {6, 5, 3})
      .op(32, {7, 4, 3}); // Pointers to global memory and to workgroup memory.
  a.op(33, {10, 1, 6, 4, 5}).op(33, {11, 1, 6}).op(33, {12, 1, 6, 7});
  a.function(100, 10, {6, 4, 5}, 200).function(110, 11, {6}, 210);
  a.function(120, 11, {6}, 220).function(130, 12, {6, 7}, 230);
  return a;
}
const std::string &spirv() {
  static const std::string image = assemble().bytes();
  return image;
}
void *loadCode() { return load(spirv()); }

/// Enqueues a kernel that multiplies `count` floats at `data` by `factor`.
void scale(void *module, float *data, float factor, int64_t count,
           void *stream) {
  void *params[] = {&data, &factor, &count};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "scale"), 1, 1, 1, 16, 1, 1, 0,
                   stream, params, nullptr, 3);
}

void launch(const std::string &name, intptr_t gridY, intptr_t blockX,
            intptr_t blockY, int32_t shared, size_t paramCount = 1) {
  void *data = nullptr;
  void *params[] = {&data, &data};
  mgpuLaunchKernel(mgpuModuleGetFunction(loadCode(), name.c_str()), 1, gridY, 1,
                   blockX, blockY, 1, shared, nullptr, params, nullptr,
                   paramCount);
}

class LevelZero : public testing::Test {
protected:
  // The runtime opens the device once per process, so all tests here use the
  // same device.
  static void SetUpTestSuite() {
    setenv("AIRCC_DEVICE", "level-zero", 1);
    setenv("AIRCC_LEVEL_ZERO_LIBRARY", fake.c_str(), 1);
    setenv("FAKE_ZE_GPUS", "npu,20.1.4,20.4.4", 1);
    // A forked child must not inherit an open device.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  void SetUp() override {
    mgpuGetDeviceCount();
    mgpuSetDevice(0);
    mgpuStreamSynchronize(nullptr);
    takeLog();
  }
};

/// As LevelZero, but each test opens the device itself, in a child.
class LevelZeroDeath : public testing::Test {
protected:
  static void SetUpTestSuite() {
    LevelZeroDeath::environment();
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  static void environment() {
    setenv("AIRCC_DEVICE", "level-zero", 1);
    setenv("AIRCC_LEVEL_ZERO_LIBRARY", fake.c_str(), 1);
    setenv("FAKE_ZE_GPUS", "20.1.4", 1);
  }
};

TEST_F(LevelZero, RunsAKernel) {
  void *module = loadCode();
  EXPECT_EQ(takeLog(), "") << "loading is lazy";
  std::vector<float> host = {1, 2, 3, 4};
  void *stream = mgpuStreamCreate();
  auto *data = static_cast<float *>(mgpuMemAlloc(16, stream, false));
  mgpuMemcpy(data, host.data(), 16, stream);
  scale(module, data, 2.5f, 4, stream);
  mgpuMemcpy(host.data(), data, 16, stream);
  EXPECT_EQ(host[1], 2) << "nothing is done before the host waits";
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(host, (std::vector<float>{2.5f, 5, 7.5f, 10}));
  mgpuMemFree(data, stream);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);
  std::string log = takeLog();
  // The names of handles depend on the preceding tests.
  for (std::string kind : {"list", "module", "kernel", "device", "log"})
    for (size_t at = 0; (at = log.find(kind, at)) != std::string::npos;) {
      at += kind.size();
      while (isdigit(log[at]))
        log.erase(at, 1);
    }
  EXPECT_EQ(log,
            "zeCommandListCreateImmediate(device, 1, 1, 2)\n"
            "zeMemAllocDevice(device, 16, 256)\n"
            "zeCommandListAppendMemoryCopy(list, ptr, ptr, 16)\n"
            "zeModuleCreate(device, 0, " +
                std::to_string(spirv().size()) +
                ", -ze-opt-greater-than-4GB-buffer-required)\n"
                "zeModuleBuildLogDestroy(log)\n"
                "zeModuleGetProperties(module)\n"
                "zeKernelCreate(module, scale)\n"
                "zeKernelGetProperties(kernel)\n"
                "zeKernelSetIndirectAccess(kernel, 7)\n"
                "zeKernelSetArgumentValue(kernel, 0, 8)\n"
                "zeKernelSetArgumentValue(kernel, 1, 4)\n"
                "zeKernelSetArgumentValue(kernel, 2, 8)\n"
                "zeCommandListAppendLaunchKernel(list, scale, 1, 1, 1, 16, 1, "
                "1)\n"
                "zeCommandListAppendMemoryCopy(list, ptr, ptr, 16)\n"
                "zeCommandListHostSynchronize(list)\n"
                "zeMemFree(ptr)\n"
                "zeCommandListDestroy(list)\n"
                "zeKernelDestroy(kernel)\n"
                "zeModuleDestroy(module)\n");
}

TEST_F(LevelZero, CallsUseMemoryOfTheDeviceInPlace) {
  for (bool shared : {false, true}) {
    auto *x = static_cast<float *>(mgpuMemAlloc(16, nullptr, shared));
    auto *y = static_cast<float *>(mgpuMemAlloc(16, nullptr, shared));
    std::fill_n(x, 4, 3.0f);
    takeLog();
    ASSERT_EQ(ScalingEntry(AIRCC_ENTRY_USED)(x, y, 4), AIRCC_SUCCESS);
    EXPECT_EQ(y[3], 6);
    EXPECT_EQ(ScalingEntry::argument, x);
    EXPECT_EQ(takeLog(), "zeMemGetAllocProperties(ptr)\n"
                         "zeMemGetAllocProperties(ptr)\n");
    mgpuMemFree(x, nullptr);
    mgpuMemFree(y, nullptr);
  }
  float x[4] = {1, 2, 3, 4}, y[4];
  ASSERT_EQ(ScalingEntry(AIRCC_ENTRY_USED_BY_HOST | AIRCC_ENTRY_USED)(x, y, 4),
            AIRCC_SUCCESS);
  EXPECT_EQ(y[3], 8);
  // The devices are of one driver, which knows whose memory it is.
  auto *z = static_cast<float *>(mgpuMemAlloc(16, nullptr, false));
  mgpuSetDevice(1);
  EXPECT_EQ(ScalingEntry(AIRCC_ENTRY_USED)(z, y, 4), AIRCC_INVALID_ARGUMENT);
  mgpuSetDevice(0);
  mgpuMemFree(z, nullptr);
}

TEST_F(LevelZero, CallsTakeAListOfTheProgram) {
  // A list that the runtime does not know as a stream.
  void *own = mgpuStreamCreate();
  void *list = static_cast<aircc::rt::ze::Stream *>(own)->list;
  auto *x = static_cast<float *>(mgpuMemAlloc(16, nullptr, false));
  auto *y = static_cast<float *>(mgpuMemAlloc(16, nullptr, false));
  std::fill_n(x, 4, 3.0f);
  takeLog();
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(ScalingEntry(AIRCC_ENTRY_USED).callAsync(x, y, 4, list),
              AIRCC_SUCCESS)
        << airccLastError();
  EXPECT_EQ(y[3], 6);
  EXPECT_EQ(airccSynchronize(list), AIRCC_SUCCESS);
  EXPECT_EQ(airccReleaseStream(list), AIRCC_SUCCESS);
  // The list is still there.
  std::string log = takeLog();
  EXPECT_EQ(log.find("zeCommandListDestroy"), std::string::npos) << log;
  mgpuStreamDestroy(own);
  mgpuMemFree(x, nullptr);
  mgpuMemFree(y, nullptr);
}

TEST_F(LevelZero, TheDefaultStreamIsInOrderWithAllOthers) {
  void *module = loadCode();
  auto *data = static_cast<float *>(mgpuMemAlloc(4, nullptr, true));
  *data = 1;
  void *a = mgpuStreamCreate(), *b = mgpuStreamCreate();
  float seen[4] = {};
  scale(module, data, 2, 1, a);
  mgpuMemcpy(&seen[0], data, 4, nullptr); // Waits for stream a.
  scale(module, data, 3, 1, nullptr);
  mgpuMemcpy(&seen[1], data, 4, b); // Waits for the default stream.
  mgpuStreamSynchronize(b);
  EXPECT_EQ(seen[0], 2);
  EXPECT_EQ(seen[1], 6);
  scale(module, data, 5, 1, b);
  mgpuMemcpy(&seen[2], data, 4, nullptr);
  mgpuMemcpy(&seen[3], data, 4, a);
  mgpuStreamSynchronize(a);
  EXPECT_EQ(seen[2], 30);
  EXPECT_EQ(seen[3], 30);
  // Waiting for the default stream waits for all streams.
  scale(module, data, 2, 1, a);
  mgpuStreamSynchronize(nullptr);
  EXPECT_EQ(*data, 60);
  // Streams without work do not wait.
  takeLog();
  mgpuMemcpy(&seen[0], data, 4, a);
  mgpuMemcpy(&seen[1], data, 4, b);
  std::string log = takeLog();
  EXPECT_EQ(count(log, "zeCommandListAppendWaitOnEvents"), 0) << log;
  mgpuMemFree(data, nullptr);
  mgpuStreamDestroy(a);
  mgpuStreamDestroy(b);
  mgpuModuleUnload(module);
}

TEST_F(LevelZero, StreamsWaitForEvents) {
  void *module = loadCode();
  auto *data = static_cast<float *>(mgpuMemAlloc(4, nullptr, true));
  *data = 1;
  void *a = mgpuStreamCreate(), *b = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  mgpuStreamWaitEvent(
      b, event); // The event has not been recorded, so nothing waits for it.
  mgpuEventSynchronize(event);
  float first = 0, second = 0;
  scale(module, data, 2, 1, a);
  mgpuEventRecord(event, a);
  mgpuStreamWaitEvent(b, event);
  // The event is recorded again while stream b still waits for its first
  // recording.
  scale(module, data, 3, 1, a);
  mgpuEventRecord(event, a);
  mgpuMemcpy(&first, data, 4, b);
  mgpuStreamSynchronize(b);
  EXPECT_EQ(first, 2) << "no more of the other stream than was waited for";
  mgpuStreamWaitEvent(b, event);
  mgpuMemcpy(&second, data, 4, b);
  mgpuEventDestroy(event); // The wait remains.
  mgpuStreamSynchronize(b);
  EXPECT_EQ(second, 6);
  mgpuMemFree(data, nullptr);
  mgpuStreamDestroy(a);
  mgpuStreamDestroy(b);
  mgpuModuleUnload(module);
}

TEST_F(LevelZero, ElapsedTime) {
  void *stream = mgpuStreamCreate();
  // The counts are large enough for the clock to wrap around.
  for (int i = 0; i < 4; ++i) {
    void *start = mgpuEventCreate(), *stop = mgpuEventCreate();
    mgpuEventRecord(start, stream);
    mgpuEventRecord(stop, stream);
    mgpuEventSynchronize(stop);
    float ms = 0;
    testing::internal::CaptureStdout();
    EXPECT_EQ(mgpuEventElapsedTime(&ms, start, stop), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "Elapsed time: 1.250 ms\n");
    EXPECT_EQ(ms, 1.25f);
    testing::internal::CaptureStdout();
    mgpuEventElapsedTime(&ms, stop, start);
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(ms, -1.25f);
    mgpuEventDestroy(start);
    mgpuEventDestroy(stop);
  }
  mgpuStreamDestroy(stream);
}

TEST_F(LevelZero, SignalsAreUsedAgain) {
  void *stream = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  for (int i = 0; i < 2000; ++i) {
    mgpuEventRecord(event, stream);
    if (i % 100 == 99)
      mgpuStreamSynchronize(stream);
  }
  std::string log = takeLog();
  EXPECT_LE(count(log, "zeEventPoolCreate"), 3) << log;
  EXPECT_GE(count(log, "zeEventHostReset"), 1500) << log;
  mgpuEventDestroy(event);
  mgpuStreamDestroy(stream);
}

TEST_F(LevelZero, FillsMemory) {
  auto *data = static_cast<unsigned char *>(mgpuMemAlloc(16, nullptr, true));
  mgpuMemset32(data, -2, 2, nullptr);
  mgpuMemset16(data + 8, -3, 3, nullptr);
  mgpuStreamSynchronize(nullptr);
  std::vector<unsigned char> expected = {0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff,
                                         0xff, 0xff, 0xfd, 0xff, 0xfd, 0xff,
                                         0xfd, 0xff, 0xa5, 0xa5};
  EXPECT_EQ(std::vector<unsigned char>(data, data + 16), expected);
  mgpuMemFree(data, nullptr);
  std::string log = takeLog();
  EXPECT_NE(log.find("ptr, 4294967294, 4, 8)\n"), std::string::npos) << log;
  EXPECT_NE(log.find("ptr, 65533, 2, 6)\n"), std::string::npos) << log;
}

TEST_F(LevelZero, FreeWaitsForWhatUsesTheMemory) {
  void *module = loadCode();
  void *stream = mgpuStreamCreate();
  auto *data = static_cast<float *>(mgpuMemAlloc(4, stream, false));
  float host = 4, back = 0;
  mgpuMemcpy(data, &host, 4, stream);
  scale(module, data, 2, 1, stream);
  mgpuMemcpy(&back, data, 4, stream);
  mgpuMemFree(data, nullptr);
  EXPECT_EQ(back, 8);
  // Unloading the module waits as well.
  data = static_cast<float *>(mgpuMemAlloc(4, stream, true));
  *data = 1;
  scale(module, data, 2, 1, stream);
  mgpuModuleUnload(module);
  EXPECT_EQ(*data, 2);
  mgpuMemFree(data, nullptr);
  mgpuStreamDestroy(stream);
}

TEST_F(LevelZero, RegistersPagesOfTheProcess) {
  auto *pages =
      static_cast<char *>(mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  auto *data = reinterpret_cast<float *>(pages + 4000);
  mgpuMemHostRegister(data, 4200);
  EXPECT_EQ(takeLog(), "zeMemAllocHost(import, 12288, 4096)\n");
  MgpuMemRef1d seen = mgpuMemGetDeviceMemRef1dFloat(data, data, 1, 2, 3);
  EXPECT_EQ(seen.aligned, data);
  EXPECT_EQ(seen.offset, 1);
  // A module is unloaded only after the kernels that use it have finished.
  void *module = loadCode();
  data[0] = 3;
  scale(module, data, 2, 1, nullptr);
  mgpuMemHostUnregister(data);
  EXPECT_EQ(data[0], 6);
  EXPECT_EQ(count(takeLog(), "zeMemFree(ptr)"), 1);
  MemRef<1> memref = {data, data, 0, {4}, {1}};
  mgpuMemHostRegisterMemRef(1, &memref, 4);
  mgpuMemHostUnregisterMemRef(1, &memref, 4);
  mgpuModuleUnload(module);
  munmap(pages, 4 * 4096);
}

TEST_F(LevelZero, EachDeviceGetsItsOwnCode) {
  // Device 1 is an lnl, which runs code for bmg if there is no code for lnl.
  Assembler own = assemble();
  own.op(8, {0, 0, 0}); // A module of another size.
  std::string both = bundle({{"host-x86_64-unknown-linux--", ""},
                             {"hip-spirv64-unknown-unknown--", "none"},
                             {"hipv4-spirv64-unknown-unknown--bmg", spirv()},
                             {"hipv4-amdgcn-amd-amdhsa--gfx942", "none"},
                             {"spirv64-unknown-unknown---lnl", own.bytes()}});
  std::string one = bundle({{"hipv4-spirv64-unknown-unknown--bmg", spirv()}});
  std::string any = bundle({{"hip-spirv64-unknown-unknown--", spirv()}});
  EXPECT_EQ(mgpuGetDeviceCount(), 2) << "of three, one is no GPU";
  void *modules[] = {load(both), load(one), load(any)};
  for (int device : {0, 1}) {
    mgpuSetDefaultDevice(device);
    for (void *module : modules)
      mgpuModuleGetFunction(module, "other");
  }
  std::string log = takeLog();
  auto small = ", 0, " + std::to_string(spirv().size()) + ",";
  auto large = ", 0, " + std::to_string(own.bytes().size()) + ",";
  std::istringstream lines(log);
  std::string chosen;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("zeModuleCreate(", 0) == 0)
      chosen += line.find(small) != std::string::npos   ? "small "
                : line.find(large) != std::string::npos ? "large "
                                                        : line;
  EXPECT_EQ(chosen, "small small small large small small ");
  for (void *module : modules)
    mgpuModuleUnload(module);
}

TEST_F(LevelZero, SelectsATarget) {
  const char *names[] = {"gfx942", "pvc", "bmg", "lnl", "bmg-g31"};
  EXPECT_EQ(mgpuSelectTarget(names, 5), 2);
  mgpuSetDevice(1);
  EXPECT_EQ(mgpuSelectTarget(names, 5), 3);
  EXPECT_EQ(mgpuSelectTarget(names, 3), 2);
}

TEST_F(LevelZero, DynamicSharedMemory) {
  void *module = loadCode();
  void *kernel = mgpuModuleGetFunction(module, "shared");
  takeLog();
  void *data = nullptr;
  void *params[] = {&data};
  mgpuLaunchKernel(kernel, 1, 1, 1, 16, 1, 1, 2048, nullptr, params, nullptr,
                   1);
  std::string log = takeLog();
  EXPECT_NE(log.find(", 0, 8)\n"), std::string::npos) << log;
  EXPECT_NE(log.find(", 1, 2048)\n"), std::string::npos) << log;
  mgpuModuleUnload(module);
}

TEST_F(LevelZero, MatrixProductsGetManyRegisters) {
  auto flagsOf = [](const Assembler &a) {
    const std::string image = a.bytes();
    void *module = load(image);
    mgpuModuleGetFunction(module, "fixed");
    mgpuModuleUnload(module);
    std::string log = takeLog();
    log.erase(0, log.find("zeModuleCreate"));
    return log.substr(0, log.find('\n'));
  };
  auto fixed = [](uint32_t lanes) {
    Assembler a;
    a.linkage(90, "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f",
              1);
    a.entryPoint(120, "fixed").op(16, {120, 17, lanes, 1, 1});
    a.op(19, {1}).op(21, {3, 8, 0}).op(32, {6, 5, 3}).op(33, {11, 1, 6});
    return a.function(120, 11, {6}, 220);
  };
  const char *const large = "-ze-opt-large-register-file";
  EXPECT_NE(flagsOf(fixed(512)).find(large), std::string::npos);
  EXPECT_EQ(flagsOf(fixed(513)).find(large), std::string::npos)
      << "as many threads do not fit";
  EXPECT_EQ(flagsOf(assemble()).find(large), std::string::npos);
  setenv("AIRCC_LEVEL_ZERO_BUILD_FLAGS", "-g", 1);
  EXPECT_NE(flagsOf(fixed(16)).find(", -g)"), std::string::npos);
  unsetenv("AIRCC_LEVEL_ZERO_BUILD_FLAGS");
}

TEST_F(LevelZero, OneOfManyThreadsLoads) {
  void *module = loadCode();
  std::vector<float> results(8);
  std::vector<std::thread> threads;
  for (float &result : results)
    threads.emplace_back([&] {
      void *stream = mgpuStreamCreate();
      auto *data = static_cast<float *>(mgpuMemAlloc(4, stream, true));
      *data = 1;
      for (int i = 0; i < 10; ++i)
        scale(module, data, 2, 1, i % 3 ? stream : nullptr);
      mgpuMemcpy(&result, data, 4, stream);
      mgpuStreamSynchronize(stream);
      mgpuMemFree(data, stream);
      mgpuStreamDestroy(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(results, std::vector<float>(8, 1024));
  EXPECT_EQ(count(takeLog(), "zeModuleCreate"), 1);
  mgpuModuleUnload(module);
}

TEST_F(LevelZero, SymmetricHeapOfOneRank) {
  mgpuSymmetricHeapInit(1000);
  auto *base = static_cast<char *>(mgpuGetHeapBase(0));
  EXPECT_EQ(mgpuGetHeapBases()[0], base);
  EXPECT_EQ(mgpuSymmetricAlloc(1, nullptr), base);
  EXPECT_EQ(base[0], 0);
  mgpuSymmetricHeapDestroy();
}

//===----------------------------------------------------------------------===//
// What fails ends the program
//===----------------------------------------------------------------------===//

TEST_F(LevelZeroDeath, LaunchesThatCannotBe) {
  EXPECT_EXIT(launch("other", 1, 1024, 2, 0), ExitedWithCode(1),
              "mgpuLaunchKernel\\(function=\"other\", .*\\): a block of 2048 "
              "lanes; the device takes at most 1024\n"
              "aircc runtime: note: the device is level-zero device 0 "
              "\\(Fake Arc, bmg\\)");
  EXPECT_EXIT(launch("other", 1, 1025, 1, 0), ExitedWithCode(1),
              "a block of 1025 lanes in x; the device takes at most 1024");
  EXPECT_EXIT(launch("other", 65536, 16, 1, 0), ExitedWithCode(1),
              "a grid of 65536 workgroups in y; the device takes at most "
              "65535");
  EXPECT_EXIT(launch("fixed", 1, 32, 1, 0), ExitedWithCode(1),
              "a block of 32 x 1 x 1 lanes; the kernel was compiled for 16 x 2 "
              "x 1");
  EXPECT_EXIT(
      launch("other", 1, 16, 1, 64), ExitedWithCode(1),
      "the launch specifies dynamic shared memory, but the kernel has no "
      "argument that points to it");
  EXPECT_EXIT(launch("shared", 1, 16, 1, 0), ExitedWithCode(1),
              "has an argument that points to shared memory, but the launch "
              "specifies no size");
  EXPECT_EXIT(launch("shared", 1, 16, 1, 65000), ExitedWithCode(1),
              "66000 bytes of shared memory \\(static and dynamic\\); the "
              "device has 65536 for a workgroup");
  EXPECT_EXIT(launch("other", 1, 16, 1, 0, 2), ExitedWithCode(1),
              "the kernel takes 1 arguments, but got 2");
  auto onOtherDevice = [] {
    setenv("FAKE_ZE_GPUS", "20.1.4,20.1.4", 1);
    void *stream = mgpuStreamCreate();
    mgpuSetDevice(1);
    float data = 0;
    scale(loadCode(), &data, 1, 1, stream);
  };
  EXPECT_EXIT(onOtherDevice(), ExitedWithCode(1),
              "the stream belongs to a device other than the current one");
}

TEST_F(LevelZeroDeath, ModulesThatDoNotLoad) {
  auto get = [](const std::string &image, const char *name = "other") {
    mgpuModuleGetFunction(load(image), name);
  };
  EXPECT_EXIT(get(spirv(), "absent"), ExitedWithCode(1),
              "name=\"absent\"\\): zeKernelCreate\\(0x[0-9a-f]+, "
              "0x[0-9a-f]+, 0x[0-9a-f]+\\) failed: "
              "ZE_RESULT_ERROR_INVALID_KERNEL_NAME \\(0x78000011\\): the "
              "module has no such kernel\n");
  EXPECT_EXIT(get(spirv().substr(0, spirv().size() - 4)), ExitedWithCode(1),
              "the SPIR-V module is damaged: it ends within a function");
  EXPECT_EXIT(get("\x7f"
                  "ELF of another kind"),
              ExitedWithCode(1),
              "the ELF file is not native code for an Intel GPU: it has no "
              "section .ze_info");
  EXPECT_EXIT(
      {
        setenv("FAKE_ZE_BUILD_LOG", "error: line 1\nerror: line 2\n\n", 1);
        get(spirv());
      },
      ExitedWithCode(1),
      "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE \\(0x70000004\\); the build log "
      "says:\nerror: line 1\nerror: line 2\n"
      "\\(build flags: -ze-opt-greater-than-4GB-buffer-required\\)\naircc");
  EXPECT_EXIT(get(assemble().linkage(90, "unknown", 1).bytes()),
              ExitedWithCode(1),
              "ZE_RESULT_ERROR_MODULE_LINK_FAILURE .*; the build log says:\n"
              "undefined symbol: unknown");
  EXPECT_EXIT(get(bundle({{"hipv4-spirv64-unknown-unknown--pvc", spirv()},
                          {"hipv4-amdgcn-amd-amdhsa--gfx942", spirv()}})),
              ExitedWithCode(1),
              "the program has no code for level-zero device 0 \\(Fake Arc, "
              "bmg\\); it has code for pvc, gfx942");
}

TEST_F(LevelZeroDeath, HandlesThatAreNone) {
  void *const bad = reinterpret_cast<void *>(0x1230);
  static float ms;
  struct Case {
    void (*run)(void *bad);
    const char *message;
  };
  const Case cases[] = {
      {[](void *bad) { mgpuStreamDestroy(bad); },
       "mgpuStreamDestroy\\(stream=0x1230\\): there is no such stream"},
      {[](void *) { mgpuStreamDestroy(nullptr); },
       "the default stream cannot be destroyed"},
      {[](void *bad) { mgpuStreamSynchronize(bad); },
       "there is no such stream"},
      {[](void *bad) { mgpuStreamWaitEvent(nullptr, bad); },
       "there is no such event"},
      {[](void *bad) { mgpuEventDestroy(bad); }, "there is no such event"},
      {[](void *bad) { mgpuEventSynchronize(bad); }, "there is no such event"},
      {[](void *bad) { mgpuEventRecord(bad, nullptr); },
       "there is no such event"},
      {[](void *bad) { mgpuMemFree(bad, nullptr); },
       "no memory was allocated at this address"},
      {[](void *) { mgpuMemcpy(nullptr, &ms, 4, nullptr); },
       "there is no memory at null"},
      {[](void *bad) { mgpuMemset32(bad, -1, 4, nullptr); },
       "mgpuMemset32\\(dst=0x1230, value=-1, count=4, stream=null\\): "
       "zeCommandListAppendMemoryFill\\(0x[0-9a-f]+, 0x1230, 0x[0-9a-f]+, 4, "
       "16, null, 0, null\\) failed: ZE_RESULT_ERROR_INVALID_ARGUMENT "
       "\\(0x78000004\\)\n"},
      {[](void *) { mgpuMemHostRegister(nullptr, 4); },
       "there is no memory to register"},
      {[](void *bad) { mgpuMemHostUnregister(bad); },
       "no memory is registered at this address"},
      {[](void *bad) {
         mgpuMemGetDeviceMemRef1dFloat(nullptr, static_cast<float *>(bad), 0, 1,
                                       1);
       },
       "the memory is not registered"},
      {[](void *) {
         mgpuMemHostRegister(&ms, 4);
         mgpuMemHostRegister(reinterpret_cast<char *>(&ms) + 1, 1);
       },
       "pages of this memory are already registered"},
      {[](void *) { mgpuSetDevice(1); },
       "there is no device 1: level-zero has 1 device"},
      {[](void *) {
         void *event = mgpuEventCreate();
         mgpuEventElapsedTime(&ms, event, event);
       },
       "start was not recorded"},
      {[](void *) {
         void *event = mgpuEventCreate(), *stop = mgpuEventCreate();
         mgpuEventRecord(event, nullptr);
         mgpuEventRecord(stop, nullptr);
         mgpuEventSynchronize(event);
         mgpuEventElapsedTime(&ms, event, stop);
       },
       "stop has not completed yet; synchronize with it first"},
      {[](void *) { mgpuMemAlloc(uint64_t(5) << 30, nullptr, false); },
       "zeMemAllocDevice\\(0x[0-9a-f]+, 0x[0-9a-f]+, 5368709120, 256, "
       "0x[0-9a-f]+, 0x[0-9a-f]+\\) failed: "
       "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY \\(0x70000003\\)"},
  };
  for (const Case &c : cases)
    EXPECT_EXIT(c.run(bad), ExitedWithCode(1),
                std::string("aircc runtime: error: .*") + c.message);
}

TEST_F(LevelZeroDeath, InjectedFailures) {
  // Each function fails once, where it is called.
  auto useAll = [] {
    void *module = loadCode();
    void *a = mgpuStreamCreate();
    auto *data = static_cast<float *>(mgpuMemAlloc(4, a, false));
    auto *shared = static_cast<float *>(mgpuMemAlloc(4, a, true));
    mgpuMemset32(data, 0, 1, a);
    scale(module, data, 2, 1, a);
    mgpuMemcpy(shared, data, 4, nullptr);
    void *start = mgpuEventCreate(), *stop = mgpuEventCreate();
    mgpuEventRecord(start, a);
    mgpuEventRecord(stop, a);
    mgpuStreamWaitEvent(nullptr, stop);
    mgpuEventSynchronize(stop);
    mgpuStreamSynchronize(a);
    float ms = 0;
    mgpuEventElapsedTime(&ms, start, stop);
    mgpuEventDestroy(start);
    mgpuEventDestroy(stop);
    start = mgpuEventCreate();
    mgpuEventRecord(start, a);
    mgpuMemFree(data, a);
    mgpuStreamDestroy(a);
    mgpuModuleUnload(module);
    std::exit(0); // Remaining objects are released at the end.
  };
  EXPECT_EXIT(useAll(), ExitedWithCode(0), "");
  for (const char *name : {"zeDriverGetApiVersion",
                           "zeDriverGetExtensionProperties",
                           "zeDeviceGet",
                           "zeDeviceGetProperties",
                           "zeDeviceGetComputeProperties",
                           "zeDeviceGetMemoryAccessProperties",
                           "zeDeviceGetCommandQueueGroupProperties",
                           "zeContextCreate",
                           "zeContextDestroy",
                           "zeCommandListCreateImmediate",
                           "zeCommandListDestroy",
                           "zeCommandListHostSynchronize",
                           "zeCommandListAppendMemoryCopy",
                           "zeCommandListAppendMemoryFill",
                           "zeCommandListAppendSignalEvent",
                           "zeCommandListAppendWaitOnEvents",
                           "zeCommandListAppendWriteGlobalTimestamp",
                           "zeCommandListAppendLaunchKernel",
                           "zeEventPoolCreate",
                           "zeEventPoolDestroy",
                           "zeEventCreate",
                           "zeEventHostSynchronize",
                           "zeEventHostReset",
                           "zeEventQueryStatus",
                           "zeMemAllocDevice",
                           "zeMemAllocHost",
                           "zeMemAllocShared",
                           "zeMemFree",
                           "zeModuleCreate",
                           "zeModuleDestroy",
                           "zeModuleGetProperties",
                           "zeModuleBuildLogDestroy",
                           "zeKernelCreate",
                           "zeKernelDestroy",
                           "zeKernelGetProperties",
                           "zeKernelSetIndirectAccess",
                           "zeKernelSetGroupSize",
                           "zeKernelSetArgumentValue"}) {
    auto failing = [&] {
      setenv("FAKE_ZE_FAIL", (std::string(name) + "=0x70000001").c_str(), 1);
      useAll();
    };
    EXPECT_EXIT(failing(), ExitedWithCode(1),
                std::string("aircc runtime: error: .*") + name +
                    "\\(.*\\) failed: ZE_RESULT_ERROR_DEVICE_LOST "
                    "\\(0x70000001\\): the device hung");
  }
}

TEST_F(LevelZeroDeath, DriversOfAllAges) {
  // The order in which drivers are listed does not matter.
  auto compute = [](const char *library, const char *version) {
    setenv("AIRCC_LEVEL_ZERO_LIBRARY", library, 1);
    setenv("FAKE_ZE_VERSION", version, 1);
    void *module = loadCode();
    void *a = mgpuStreamCreate(), *b = mgpuStreamCreate();
    auto *data = static_cast<float *>(mgpuMemAlloc(4, a, true));
    float host = 1;
    mgpuMemcpy(data, &host, 4, a);
    scale(module, data, 2, 1, a);
    void *event = mgpuEventCreate();
    mgpuEventRecord(event, a);
    mgpuStreamWaitEvent(b, event);
    scale(module, data, 3, 1, b);
    mgpuMemcpy(&host, data, 4, b);
    mgpuMemset32(data, 0, 1, b);
    mgpuMemcpy(data, &host, 4, nullptr);
    mgpuStreamSynchronize(nullptr);
    std::exit(host == 6 && *data == 6 ? 0 : 3);
  };
  const std::string old = AIRCC_FAKES_DIR "/libfakelevelzero_old.so";
  EXPECT_EXIT(compute(fake.c_str(), "1.13"), ExitedWithCode(0), "");
  EXPECT_EXIT(compute(fake.c_str(), "1.6"), ExitedWithCode(0), "");
  EXPECT_EXIT(compute(old.c_str(), "1.6"), ExitedWithCode(0), "");
  EXPECT_EXIT(compute(old.c_str(), "1.9"), ExitedWithCode(0), "");
  auto secondWay = [&] {
    setenv("FAKE_ZE_FAIL", "zeInitDrivers=0x78000003", 1);
    compute(fake.c_str(), "1.9");
  };
  EXPECT_EXIT(secondWay(), ExitedWithCode(0), "");
  EXPECT_EXIT(compute(fake.c_str(), "1.5"), ExitedWithCode(1),
              "the driver has version 1.5 of Level Zero, but 1.6 or later is "
              "required");
}

TEST_F(LevelZeroDeath, Devices) {
  auto open = [](const char *gpus) {
    setenv("FAKE_ZE_GPUS", gpus, 1);
    mgpuSetDevice(9);
  };
  EXPECT_EXIT(open("npu"), ExitedWithCode(1),
              "Level Zero sees no GPU "
              "\\(AIRCC_DEVICE=level-zero\\)");
  EXPECT_EXIT(open("12.60.7/npu/30.1.0,30.0.4"), ExitedWithCode(1),
              "level-zero has 3 devices\n.*\\(Fake Arc, pvc\\)");
  EXPECT_EXIT(open("30.1.0"), ExitedWithCode(1), "\\(Fake Arc, ptl\\)");
  EXPECT_EXIT(
      open("20.9.4"), ExitedWithCode(1),
      "\\(Fake Arc, device ID 0xe20b, IP version 20.9.4, of a chip "
      "unknown to this runtime; set AIRCC_LEVEL_ZERO_CHIP to name it\\)");
  auto named = [&] {
    setenv("AIRCC_LEVEL_ZERO_CHIP", "bmg", 1);
    setenv("FAKE_ZE_EXTENSIONS", "", 1);
    setenv("FAKE_ZE_GPUS", "20.9.4", 1);
    const char *names[] = {"lnl", "bmg"};
    std::exit(mgpuSelectTarget(names, 2) == 1 ? 0 : 3);
  };
  EXPECT_EXIT(named(), ExitedWithCode(0), "");
  auto otherDriver = [] {
    setenv("FAKE_ZE_GPUS", "20.1.4/20.1.4", 1);
    float host = 0;
    void *data = mgpuMemAlloc(4, nullptr, false);
    mgpuSetDevice(1);
    mgpuMemcpy(&host, data, 4, nullptr);
  };
  EXPECT_EXIT(otherDriver(), ExitedWithCode(1),
              "the memory and the stream belong to devices of different "
              "drivers");
}

TEST_F(LevelZeroDeath, MemoryOfTheProcess) {
  static float data[4];
  EXPECT_EXIT(
      {
        setenv("FAKE_ZE_EXTENSIONS", "ZE_extension_device_ip_version", 1);
        mgpuMemHostRegister(data, 16);
      },
      ExitedWithCode(1),
      "mgpuMemHostRegister\\(ptr=0x[0-9a-f]+, bytes=16\\): the device can "
      "only access memory that its driver allocated, and the driver cannot "
      "import "
      "other memory .*; allocate the memory with gpu.alloc host_shared, or "
      "copy it");
  auto system = [] {
    setenv("FAKE_ZE_SYSTEM", "1", 1);
    setenv("FAKE_ZE_EXTENSIONS", "", 1);
    data[0] = 2;
    mgpuMemHostRegister(data, 16);
    scale(loadCode(), data, 3, 1, nullptr);
    mgpuStreamSynchronize(nullptr);
    mgpuMemHostUnregister(data);
    std::exit(data[0] == 6 ? 0 : 3);
  };
  EXPECT_EXIT(system(), ExitedWithCode(0), "");
}

TEST_F(LevelZeroDeath, Libraries) {
  auto open = [](const char *library) {
    setenv("AIRCC_LEVEL_ZERO_LIBRARY", library, 1);
    mgpuStreamCreate();
  };
  EXPECT_EXIT(open("/nowhere/libze_loader.so"), ExitedWithCode(1),
              "mgpuStreamCreate\\(\\): cannot load the Level Zero loader that "
              "AIRCC_LEVEL_ZERO_LIBRARY names: /nowhere/libze_loader.so");
  EXPECT_EXIT(open(AIRCC_FAKES_DIR "/libfakelevelzero_incomplete.so"),
              ExitedWithCode(1),
              "the Level Zero loader .*libfakelevelzero_incomplete.so lacks "
              "zeCommandListHostSynchronize; a newer one");
}

// Kernels that fail after the last call of the program are reported.
TEST_F(LevelZeroDeath, FailuresAtTheEnd) {
  auto run = [] {
    setenv("FAKE_ZE_FAIL", "zeCommandListHostSynchronize=0x70000001", 1);
    launch("other", 1, 16, 1, 0);
    std::exit(0);
  };
  EXPECT_EXIT(run(), ExitedWithCode(1),
              "at the end of the program: zeCommandListHostSynchronize\\(.*\\) "
              "failed: ZE_RESULT_ERROR_DEVICE_LOST");
}

} // namespace
