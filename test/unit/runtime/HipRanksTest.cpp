//===- HipRanksTest.cpp - Several ranks on HIP, with one that checks ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "test/unit/runtime/RanksTestSupport.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

using namespace aircc::rt::test;

namespace {

class HipRanks : public testing::Test {
protected:
  void SetUp() override {
    setenv("AIRCC_DEVICE", "hip", 1);
    useLibrary("libfakehip.so");
    setenv("FAKE_HIP_ARCH", "gfx942,gfx942,gfx942,gfx942", 1);
    setenv("AIRCC_WAIT_LIMIT", "30", 1);
    unsetenv("FAKE_HIP_LOG");
    unsetenv("FAKE_HIP_FAIL");
  }
  void useLibrary(const std::string &name) {
    setenv("AIRCC_HIP_LIBRARY", (AIRCC_FAKES_DIR "/" + name).c_str(), 1);
  }
};

void expectFailure(const std::vector<RankResult> &results,
                   const std::string &message) {
  for (const RankResult &result : results) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
}

#define REQUIRE(CONDITION)                                                     \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #CONDITION);             \
      return 1;                                                                \
    }                                                                          \
  } while (false)

/// The file in which the fake logs the calls of rank `rank`.
std::string logOf(int rank) {
  return testing::TempDir() + "hip-ranks-" + std::to_string(getppid()) + "-" +
         std::to_string(rank);
}

/// Allocates a heap that every rank fills on its own device and reads on the
/// devices of the others.
int exchange(int rank, int size) {
  mgpuSymmetricHeapInit(100000);
  REQUIRE(mgpuGetDevice() == rank);
  std::vector<int> data(5000, rank + 1), got(5000);
  const size_t bytes = data.size() * sizeof(int);
  mgpuSymmetricAlloc(1000, nullptr);
  auto *mine = static_cast<char *>(mgpuSymmetricAlloc(bytes, nullptr));
  mgpuMemcpy(mine, data.data(), bytes, nullptr);
  mgpuBarrier();
  void **bases = mgpuGetHeapBases();
  const ptrdiff_t offset = mine - static_cast<char *>(bases[rank]);
  for (int from = 0; from < size; ++from) {
    mgpuMemcpy(got.data(), static_cast<char *>(bases[from]) + offset, bytes,
               nullptr);
    for (int value : got)
      REQUIRE(value == from + 1);
  }
  mgpuSymmetricHeapDestroy();
  return 0;
}

TEST_F(HipRanks, HeapsAreMappedEverywhere) {
  constexpr int size = 3;
  std::vector<std::string> logs;
  expectSuccess(runRanks(size, [&](int rank) {
    setenv("FAKE_HIP_LOG", logOf(rank).c_str(), 1);
    return exchange(rank, size);
  }));
  for (int rank = 0; rank < size; ++rank) {
    std::string path = testing::TempDir() + "hip-ranks-" +
                       std::to_string(getpid()) + "-" + std::to_string(rank);
    std::ifstream file(path);
    std::string log(std::istreambuf_iterator<char>(file), {});
    std::remove(path.c_str());
    std::string device = std::to_string(rank);
    // Rank memory is on its own device and accessible to all devices.
    EXPECT_NE(log.find("hipSetDevice(" + device + ")\n"), std::string::npos)
        << log;
    EXPECT_NE(log.find("hipMemAddressReserve(131072, 0, null, 0)\n"
                       "hipMemCreate(131072, " +
                       device +
                       ", 0)\n"
                       "hipMemExportToShareableHandle(ptr, 1, 0)\n"
                       "hipMemMap(ptr, 131072, 0, ptr, 0)\n"
                       "hipMemSetAccess(ptr, 131072, 0, 1, 2, 3)\n"),
              std::string::npos)
        << log;
    // All peers are mapped in one range.
    std::string peer = "hipMemImportFromShareableHandle(1)\n"
                       "hipMemMap(ptr, 131072, 0, ptr, 0)\n"
                       "hipMemSetAccess(ptr, 131072, 0, 1, 2, 3)\n";
    EXPECT_NE(
        log.find("hipMemAddressReserve(262144, 0, null, 0)\n" + peer + peer),
        std::string::npos)
        << log;
    // Everything is unmapped and freed.
    std::string unmap = "hipMemUnmap(ptr, 131072)\nhipMemRelease(ptr)\n";
    EXPECT_NE(log.find(unmap + unmap + "hipMemAddressFree(ptr, 262144)\n" +
                       unmap + "hipMemAddressFree(ptr, 131072)\n"),
              std::string::npos)
        << log;
  }
}

TEST_F(HipRanks, ALauncherThatShowsOneDevice) {
  // Each rank sees only the device that it is assigned.
  setenv("FAKE_HIP_ARCH", "gfx942", 1);
  expectSuccess(runRanks(2, [](int rank) {
    mgpuSymmetricHeapInit(4096);
    REQUIRE(mgpuGetDevice() == 0);
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(HipRanks, ALauncherWithoutLocalRanks) {
  expectSuccess(runRanks(2, [](int rank) {
    unsetenv("LOCAL_RANK");
    return exchange(rank, 2);
  }));
}

TEST_F(HipRanks, MoreRanksThanDevices) {
  setenv("FAKE_HIP_ARCH", "gfx942,gfx942", 1);
  auto results = runRanks(3, [](int) {
    mgpuSymmetricHeapInit(4096);
    return 0;
  });
  EXPECT_NE(results[2].err.find("rank 2 is number 2 on this node, which has 2 "
                                "devices; start fewer ranks"),
            std::string::npos)
      << results[2].err;
}

TEST_F(HipRanks, Channels) {
  expectSuccess(runRanks(2, [](int rank) {
    int64_t count = 3, one = 1;
    void *device = mgpuMemAlloc(12, nullptr, false);
    MgpuTransfer side = {device, 4, 1, &count, &one};
    for (int round = 0; round < 10; ++round) {
      int values[3] = {round, round + 1, round + 2}, got[3] = {};
      if (rank == 0) {
        mgpuMemcpy(device, values, 12, nullptr);
        mgpuChannelPut("@C", 0, 2, &side, nullptr);
        continue;
      }
      mgpuChannelGet("@C", 0, &side, nullptr);
      mgpuMemcpy(got, device, 12, nullptr);
      for (int i = 0; i < 3; ++i)
        REQUIRE(got[i] == values[i]);
    }
    return 0;
  }));
}

TEST_F(HipRanks, ALibraryThatCannotShare) {
  useLibrary("libfakehip_rocm5.so");
  expectFailure(runRanks(2,
                         [](int) {
                           mgpuSymmetricHeapInit(4096);
                           return 0;
                         }),
                "the HIP library cannot share memory between processes: it "
                "lacks hipMemGetAllocationGranularity, hipMemCreate");
  // A single rank has no other rank to share memory with.
  expectSuccess(runRanks(1, [](int) {
    mgpuSymmetricHeapInit(4096);
    mgpuSymmetricAlloc(16, nullptr);
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(HipRanks, CallsThatFail) {
  for (const char *function :
       {"hipMemCreate", "hipMemExportToShareableHandle", "hipMemMap",
        "hipMemSetAccess", "hipMemImportFromShareableHandle",
        "hipMemAddressReserve"}) {
    setenv("FAKE_HIP_FAIL", (std::string(function) + "=1").c_str(), 1);
    expectFailure(runRanks(2,
                           [](int) {
                             mgpuSymmetricHeapInit(4096);
                             return 0;
                           }),
                  std::string(function) + " failed: hipErrorInvalidValue (1)");
  }
}

TEST_F(HipRanks, AKernelThatWaitsForEver) {
  setenv("AIRCC_WAIT_LIMIT", "1.5", 1);
  auto results = runRanks(2, [](int rank) {
    static char code[] = "\x7f"
                         "ELFgfx942\nspin 8\n";
    mgpuSymmetricHeapInit(4096);
    void *flags = mgpuChannelAlloc("@Flags", 256, nullptr);
    if (rank == 1) {
      void *module = mgpuModuleLoad(code, sizeof(code));
      void *function = mgpuModuleGetFunction(module, "spin");
      void *params[] = {&flags};
      mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr,
                       1);
      mgpuStreamSynchronize(nullptr);
    }
    for (;;)
      pause();
    return 0;
  });
  EXPECT_EQ(results[1].status, 1);
  EXPECT_NE(results[1].err.find(
                "mgpuStreamSynchronize: rank 1 of 2 has waited 1.5 s "
                "(AIRCC_WAIT_LIMIT) for the device; the last kernels launched "
                "are 'spin'; they may wait for one of the channels @Flags"),
            std::string::npos)
      << results[1].err;
  EXPECT_EQ(results[0].status, 1);
}

} // namespace
