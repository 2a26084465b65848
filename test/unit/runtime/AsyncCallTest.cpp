//===- AsyncCallTest.cpp - Calls on the stream of a caller ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fake HIP library checks the calls and logs them, so that the log shows the
// effects of a call on the device.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/include/aircc/runtime.h"
#include "test/unit/runtime/DeviceTestSupport.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace aircc::test;

const std::string fakeHip = AIRCC_FAKES_DIR "/libfakehip.so";

void *getKernel() {
  static const std::string image = "\x7f"
                                   "ELFgfx942\nscale 8 4 8\n";
  static void *const module = load(image);
  return mgpuModuleGetFunction(module, "scale");
}

/// Code like the compiler's for a function of tensor<?xf32>: it copies the
/// argument to an intermediate value, that to the result, and scales it by 3.
void callTriple(void *const *arguments) {
  auto *in = static_cast<MemRef<1> *>(arguments[0]);
  auto *out = static_cast<MemRef<1> *>(arguments[1]);
  const size_t bytes = 4 * static_cast<size_t>(in->sizes[0]);
  void *first = mgpuStreamCreate(), *second = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  void *between = mgpuMemAlloc(bytes, first, true);
  mgpuMemcpy(between, in->aligned, bytes, first);
  mgpuEventRecord(event, first);
  mgpuStreamWaitEvent(second, event);
  mgpuMemcpy(out->aligned, between, bytes, second);
  mgpuMemFree(between, second);
  void *other = mgpuMemAlloc(4, second, true);
  mgpuMemset32(other, 0, 1, nullptr);
  float factor = 3;
  int64_t count = in->sizes[0];
  void *params[] = {&out->aligned, &factor, &count};
  mgpuLaunchKernel(getKernel(), 1, 1, 1, 64, 1, 1, 0, second, params, nullptr,
                   3);
  mgpuEventSynchronize(event);
  mgpuEventDestroy(event);
  mgpuStreamSynchronize(second);
  mgpuStreamDestroy(first);
  mgpuStreamDestroy(second);
  mgpuMemFree(other, nullptr);
}

class AsyncCall : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("AIRCC_DEVICE", "hip", 1);
    setenv("AIRCC_HIP_LIBRARY", fakeHip.c_str(), 1);
    setenv("FAKE_HIP_ARCH", "gfx942", 1);
  }
  void SetUp() override {
    ASSERT_EQ(airccCreateStream(&stream), AIRCC_SUCCESS);
    getKernel();
    for (float *&memory : {std::ref(x), std::ref(y)}) {
      void *made = nullptr;
      ASSERT_EQ(airccAllocate(64, &made), AIRCC_SUCCESS);
      memory = static_cast<float *>(made);
    }
    std::fill_n(x, 16, 2.0f);
    // The kernel is loaded in the first launch.
    run(x, y, 1);
    EXPECT_EQ(airccReleaseStream(stream), AIRCC_SUCCESS);
    takeLog();
  }
  void TearDown() override {
    EXPECT_EQ(airccDestroyStream(stream), AIRCC_SUCCESS);
    EXPECT_EQ(airccFree(x), AIRCC_SUCCESS);
    EXPECT_EQ(airccFree(y), AIRCC_SUCCESS);
  }

  int32_t run(float *in, float *out, int64_t count,
              bool computesOnHost = false) {
    // f32, 4 bytes, rank 1, used, dynamic size; of both.
    static const int64_t words[][15] = {
        {AIRCC_ENTRY_CHECKED, 1, 1, 0, 4, 1, 1, -1, 0, 4, 1, 1, -1, 0, 0},
        {AIRCC_ENTRY_CHECKED | AIRCC_ENTRY_COMPUTES_ON_HOST, 1, 1, 0, 4, 1, 1,
         -1, 0, 4, 1, 1, -1, 0, 0}};
    static const AirccEntry entries[] = {
        {AIRCC_ENTRY_VERSION, "triple", words[0], "f32", callTriple, nullptr,
         nullptr},
        {AIRCC_ENTRY_VERSION, "triple", words[1], "f32", callTriple, nullptr,
         nullptr}};
    MemRef<1> dx = {in, in, 0, {count}, {1}}, dy = {out, out, 0, {count}, {1}};
    void *arguments[] = {&dx, &dy};
    return airccCallAsync(&entries[computesOnHost], arguments, stream);
  }
  static std::string takeLog() { return takeLogOf(fakeHip, "fakeHipTakeLog"); }

  void *stream = nullptr;
  float *x = nullptr, *y = nullptr;
};

/// What follows the allocations of a call with 16 numbers.
const std::string work =
    "hipMemcpyAsync(ptr, ptr, 64, 4, ptr)\n"
    "hipMemcpyAsync(ptr, ptr, 64, 4, ptr)\n"
    "hipMemsetD32Async(ptr, 0, 1, ptr)\n"
    "hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, ptr, null, ptr, "
    "00004040, 1000000000000000)\n";
const std::string locates = "hipPointerGetAttributes(ptr)\n"
                            "hipPointerGetAttributes(ptr)\n";

TEST_F(AsyncCall, UsesTheStreamAndKeepsMemory) {
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS) << airccLastError();
  EXPECT_EQ(y[15], 6);
  // The second value uses the memory that the first one does not need any more.
  EXPECT_EQ(takeLog(), locates + "hipMalloc(64)\n" + work);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
    EXPECT_EQ(takeLog(), locates + work);
  }
  // Smaller sizes fit as well, larger ones do not.
  ASSERT_EQ(run(x, y, 4), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog().find("hipMalloc"), std::string::npos);
  EXPECT_EQ(airccReleaseStream(stream), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog(), "hipStreamSynchronize(ptr)\n"
                       "hipFree(ptr)\n");
  ASSERT_EQ(run(x, y, 4), AIRCC_SUCCESS);
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
  std::string log = takeLog();
  EXPECT_NE(log.find("hipMalloc(16)\n"), std::string::npos) << log;
  EXPECT_NE(log.find("hipMalloc(64)\n"), std::string::npos) << log;
}

TEST_F(AsyncCall, OtherStreamsHaveTheirOwnMemory) {
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
  void *first = stream;
  ASSERT_EQ(airccCreateStream(&stream), AIRCC_SUCCESS);
  takeLog();
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog(), locates + "hipMalloc(64)\n" + work);
  EXPECT_EQ(airccDestroyStream(stream), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog(), "hipStreamSynchronize(ptr)\n"
                       "hipFree(ptr)\n"
                       "hipStreamDestroy(ptr)\n");
  stream = first;
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog(), locates + work);
  // The default stream is one as well.
  stream = nullptr;
  ASSERT_EQ(run(x, y, 16), AIRCC_SUCCESS);
  EXPECT_EQ(airccSynchronize(nullptr), AIRCC_SUCCESS);
  EXPECT_EQ(airccReleaseStream(nullptr), AIRCC_SUCCESS);
  stream = first;
}

TEST_F(AsyncCall, SeveralThreadsUseOneStream) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        EXPECT_EQ(run(x, y, 16), AIRCC_SUCCESS);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(AsyncCall, ErrorsAreFoundBeforeAnythingIsLaunched) {
  float host[16];
  EXPECT_EQ(run(host, y, 16), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "triple: argument 0 is in memory of the host; an asynchronous "
               "call requires memory of the device");
  EXPECT_EQ(run(x, host, 16), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "triple: result 0 is in memory of the host; an asynchronous "
               "call requires memory of the device");
  EXPECT_EQ(run(x, y, 16, /*computesOnHost=*/true), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "triple: code of the host computes with elements, so it has to "
               "wait for kernels; call the function without '_async'");
  EXPECT_EQ(run(x, x, 16), AIRCC_INVALID_ARGUMENT);
  std::string log = takeLog();
  EXPECT_EQ(log.find("hipM"), std::string::npos) << log;
}

} // namespace
