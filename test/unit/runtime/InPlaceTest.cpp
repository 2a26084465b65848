//===- InPlaceTest.cpp - Calls with memory of the device ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fake HIP library checks the calls and logs them, so that the log shows
// which copies a call makes.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "test/unit/runtime/ScalingEntry.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace aircc::test;

const std::string fakeHip = AIRCC_FAKES_DIR "/" AIRCC_FAKE_HIP;
constexpr int64_t uses = AIRCC_ENTRY_USED;
constexpr int64_t usesByHost = AIRCC_ENTRY_USED | AIRCC_ENTRY_USED_BY_HOST;
const std::string locates = "hipPointerGetAttributes(ptr)\n";
// ROCm 5 returns an error for memory that it does not know.
const std::string locatesHost = fakeHip.find("rocm5") == std::string::npos
                                    ? locates
                                    : "hipPointerGetAttributes(ptr) = 1\n";

class InPlace : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("AIRCC_DEVICE", "hip", 1);
    setenv("AIRCC_HIP_LIBRARY", fakeHip.c_str(), 1);
    setenv("FAKE_HIP_ARCH", "gfx942,gfx942", 1);
  }
  void SetUp() override {
    mgpuSetDevice(0);
    copied = airccGetCopiedBytes();
    takeLog();
  }
  static std::string takeLog() { return takeLogOf(fakeHip, "fakeHipTakeLog"); }
  /// The bytes that were copied since the last call.
  int64_t takeCopied() {
    return airccGetCopiedBytes() - std::exchange(copied, airccGetCopiedBytes());
  }
  static float *allocate(bool shared) {
    auto *memory = static_cast<float *>(mgpuMemAlloc(16, nullptr, shared));
    for (int i = 0; i < 4; ++i)
      memory[i] = static_cast<float>(i);
    takeLog();
    return memory;
  }

  int64_t copied = 0;
};

void expectTwice(const float *y) {
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(y[i], 2 * i);
}

TEST_F(InPlace, MemoryOfTheHostIsCopied) {
  float x[4] = {0, 1, 2, 3}, y[4];
  ASSERT_EQ(ScalingEntry(uses)(x, y, 4), AIRCC_SUCCESS);
  expectTwice(y);
  EXPECT_NE(ScalingEntry::argument, x);
  EXPECT_NE(ScalingEntry::result, y);
  EXPECT_EQ(takeCopied(), 32);
  EXPECT_EQ(takeLog(), locatesHost +
                           "hipMalloc(16)\n"
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n" +
                           locatesHost +
                           "hipMalloc(16)\n"
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n"
                           "hipStreamSynchronize(null)\n"
                           "hipFree(ptr)\n"
                           "hipFree(ptr)\n");
}

TEST_F(InPlace, MemoryOfTheDeviceIsNot) {
  for (bool shared : {false, true}) {
    float *x = allocate(shared), *y = allocate(shared);
    ASSERT_EQ(ScalingEntry(uses)(x, y, 4), AIRCC_SUCCESS);
    expectTwice(y);
    EXPECT_EQ(ScalingEntry::argument, x);
    EXPECT_EQ(ScalingEntry::result, y);
    EXPECT_EQ(takeCopied(), 0);
    EXPECT_EQ(takeLog(), locates + locates);
    // Part of an allocation.
    ASSERT_EQ(ScalingEntry(uses)(x + 1, y + 1, 3), AIRCC_SUCCESS);
    EXPECT_EQ(ScalingEntry::argument, x + 1);
    mgpuMemFree(x, nullptr);
    mgpuMemFree(y, nullptr);
  }
}

TEST_F(InPlace, EachArgumentIsOnItsOwn) {
  float x[4] = {0, 1, 2, 3}, *y = allocate(false);
  ASSERT_EQ(ScalingEntry(uses)(x, y, 4), AIRCC_SUCCESS);
  expectTwice(y);
  EXPECT_EQ(ScalingEntry::result, y);
  EXPECT_EQ(takeCopied(), 16);
  float z[4];
  ASSERT_EQ(ScalingEntry(uses)(y, z, 4), AIRCC_SUCCESS);
  EXPECT_EQ(ScalingEntry::argument, y);
  EXPECT_EQ(z[3], 12);
  EXPECT_EQ(takeCopied(), 16);
  mgpuMemFree(y, nullptr);
}

TEST_F(InPlace, TheHostNeedsSharedMemory) {
  float *x = allocate(false), *y = allocate(true);
  ASSERT_EQ(ScalingEntry(usesByHost)(x, y, 4), AIRCC_SUCCESS);
  expectTwice(y);
  EXPECT_NE(ScalingEntry::argument, x);
  EXPECT_EQ(ScalingEntry::result, y);
  EXPECT_EQ(takeCopied(), 16);
  // The copy is complete before the host reads it.
  EXPECT_EQ(takeLog(), locates +
                           "hipMallocManaged(16, 1)\n"
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n" +
                           locates +
                           "hipStreamSynchronize(null)\n"
                           "hipFree(ptr)\n");
  mgpuMemFree(x, nullptr);
  mgpuMemFree(y, nullptr);
}

TEST_F(InPlace, UnusedAndEmptyArgumentsAreNotCopied) {
  float x[4], y[4];
  ASSERT_EQ(ScalingEntry(0)(x, y, 4), AIRCC_SUCCESS);
  EXPECT_EQ(ScalingEntry::argument, x);
  ASSERT_EQ(ScalingEntry(uses)(x, y, 0), AIRCC_SUCCESS);
  EXPECT_EQ(takeLog(), "");
  EXPECT_EQ(takeCopied(), 0);
}

TEST_F(InPlace, RegisteredMemoryIsMemoryOfTheHost) {
  float x[4] = {0, 1, 2, 3}, y[4];
  mgpuMemHostRegister(x, sizeof(x));
  ASSERT_EQ(ScalingEntry(uses)(x, y, 4), AIRCC_SUCCESS);
  expectTwice(y);
  EXPECT_EQ(takeCopied(), 32);
  mgpuMemHostUnregister(x);
}

TEST_F(InPlace, MemoryOfAnotherDeviceIsAnError) {
  float x[4] = {0, 1, 2, 3}, *y = allocate(false);
  mgpuSetDevice(1);
  EXPECT_EQ(ScalingEntry(uses)(x, y, 4), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "twice: result 0 is in memory of device 0, but the device of "
               "this thread is 1; select that one with airccSetDevice, or copy "
               "the memory");
  // The copy of the argument is free again.
  std::string log = takeLog();
  EXPECT_NE(log.find("hipFree(ptr)\n"), std::string::npos) << log;
  mgpuSetDevice(0);
  mgpuMemFree(y, nullptr);
}

// The first element of the argument is the number of elements of the result.
void computeSizes(void *const *arguments) {
  auto *in = static_cast<MemRef<1> *>(arguments[0]);
  auto *sizes = static_cast<MemRef<1> *>(arguments[1]);
  *static_cast<int64_t *>(sizes->aligned) =
      static_cast<int64_t>(*static_cast<float *>(in->aligned));
  ScalingEntry::argument = static_cast<float *>(in->aligned);
}

TEST_F(InPlace, SizesOfResultsAreComputedByTheHost) {
  const int64_t words[] = {AIRCC_ENTRY_CHECKED |
                               AIRCC_ENTRY_SIZES_NEED_ELEMENTS,
                           1,
                           1,
                           0,
                           4,
                           1,
                           1,
                           -1,
                           0,
                           4,
                           1,
                           1,
                           -1,
                           0,
                           0};
  AirccEntry entry = {AIRCC_ENTRY_VERSION, "sizes", words, "f32", nullptr,
                      computeSizes,        nullptr};
  for (bool shared : {false, true}) {
    float *x = allocate(shared);
    x[0] = 7;
    MemRef<1> in = {x, x, 0, {4}, {1}};
    void *arguments[] = {&in};
    int64_t size = 0;
    ASSERT_EQ(airccGetResultSizes(&entry, arguments, &size), AIRCC_SUCCESS);
    EXPECT_EQ(size, 7);
    // The host cannot reach memory of the device.
    EXPECT_EQ(ScalingEntry::argument == x, shared);
    EXPECT_EQ(takeCopied(), shared ? 0 : 16);
    mgpuMemFree(x, nullptr);
  }
}

// Doubles the numbers in the memory of the argument, which is donated.
void doubleArgument(void *const *arguments) {
  auto *in = static_cast<MemRef<1> *>(arguments[0]);
  for (int64_t i = 0; i < in->sizes[0]; ++i)
    static_cast<float *>(in->aligned)[i] *= 2;
}

int32_t callDoubling(float *x, float *y, int64_t count) {
  // The result stays in the memory of the argument.
  static const int64_t words[] = {AIRCC_ENTRY_CHECKED,
                                  1,
                                  1,
                                  0,
                                  4,
                                  1,
                                  uses | AIRCC_ENTRY_DONATED,
                                  -1,
                                  0,
                                  4,
                                  1,
                                  uses,
                                  -1,
                                  0,
                                  1,
                                  0,
                                  0};
  static const AirccEntry entry = {AIRCC_ENTRY_VERSION, "double", words,  "f32",
                                   doubleArgument,      nullptr,  nullptr};
  MemRef<1> in = {x, x, 0, {count}, {1}}, out = {y, y, 0, {count}, {1}};
  void *arguments[] = {&in, &out};
  return airccCall(&entry, arguments);
}

TEST_F(InPlace, ResultsStayInDonatedMemory) {
  float *x = allocate(false), *y = allocate(false);
  ASSERT_EQ(callDoubling(x, x, 4), AIRCC_SUCCESS) << airccLastError();
  expectTwice(x);
  EXPECT_EQ(takeCopied(), 0);
  EXPECT_EQ(takeLog(), locates + locates);
  // Other memory gets a copy.
  ASSERT_EQ(callDoubling(x, y, 4), AIRCC_SUCCESS);
  EXPECT_EQ(y[3], 12);
  EXPECT_EQ(takeCopied(), 16);
  EXPECT_EQ(takeLog(), locates + locates +
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n"
                           "hipStreamSynchronize(null)\n");
  mgpuMemFree(x, nullptr);
  mgpuMemFree(y, nullptr);
}

TEST_F(InPlace, DonatedMemoryOfTheHostIsCopiedOnce) {
  float x[4] = {0, 1, 2, 3}, y[4];
  ASSERT_EQ(callDoubling(x, y, 4), AIRCC_SUCCESS) << airccLastError();
  expectTwice(y);
  EXPECT_EQ(x[3], 3);
  EXPECT_EQ(takeCopied(), 32);
  // The argument and the result share the memory of the device.
  EXPECT_EQ(takeLog(), locatesHost +
                           "hipMalloc(16)\n"
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n" +
                           locatesHost +
                           "hipMemcpyAsync(ptr, ptr, 16, 4, null)\n"
                           "hipStreamSynchronize(null)\n"
                           "hipFree(ptr)\n");
  ASSERT_EQ(callDoubling(x, x, 4), AIRCC_SUCCESS);
  expectTwice(x);
  EXPECT_EQ(callDoubling(x, x + 1, 3), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "double: result 0 overlaps argument 0 in memory");
}

TEST_F(InPlace, OtherVersionsOfTheInterfaceAreErrors) {
  AirccEntry entry = {AIRCC_ENTRY_VERSION - 1,
                      "old",
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};
  EXPECT_EQ(airccCall(&entry, nullptr), AIRCC_INVALID_ARGUMENT);
  EXPECT_STREQ(airccLastError(),
               "the function was compiled by another version of aircc: its "
               "interface has version 2, the runtime's is 3");
}

} // namespace
