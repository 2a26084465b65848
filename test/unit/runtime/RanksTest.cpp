//===- RanksTest.cpp - Several ranks on the simulated device --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/ranks/Job.h"
#include "runtime-stubs/ranks/Message.h"
#include "test/unit/runtime/RanksTestSupport.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace aircc::rt::test;

namespace {

class Ranks : public testing::Test {
protected:
  void SetUp() override {
    setenv("AIRCC_DEVICE", "sim", 1);
    setenv("AIRCC_RUNTIME_PATH", AIRCC_RUNTIME_DIR, 1);
    setenv("AIRCC_SIM_THREADS", "1", 1);
    // No test here waits for long unless the runtime is broken.
    setenv("AIRCC_WAIT_LIMIT", "30", 1);
  }
};

/// Ends the calling rank with a message if a condition does not hold.
#define REQUIRE(CONDITION)                                                     \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #CONDITION);             \
      return 1;                                                                \
    }                                                                          \
  } while (false)

/// Returns rank `rank`'s copy of the memory at `ptr` on this rank.
template <typename T> T *peer(T *ptr, int rank) {
  char *base = static_cast<char *>(mgpuGetHeapBases()[mgpuGetRank()]);
  return reinterpret_cast<T *>(reinterpret_cast<char *>(ptr) - base +
                               static_cast<char *>(mgpuGetHeapBases()[rank]));
}

//===----------------------------------------------------------------------===//
// Barrier and heap
//===----------------------------------------------------------------------===//

TEST_F(Ranks, BarrierHoldsEveryoneBack) {
  for (int size : {1, 2, 5}) {
    expectSuccess(runRanks(size, [&](int rank) {
      mgpuSymmetricHeapInit(1 << 20);
      auto *count = static_cast<int *>(mgpuSymmetricAlloc(4, nullptr));
      int *shared = peer(count, 0);
      for (int round = 1; round <= 50; ++round) {
        if (rank == round % size)
          std::this_thread::sleep_for(std::chrono::microseconds(300));
        __atomic_fetch_add(shared, 1, __ATOMIC_SEQ_CST);
        mgpuBarrier();
        REQUIRE(__atomic_load_n(shared, __ATOMIC_SEQ_CST) == round * size);
        mgpuBarrier();
      }
      mgpuSymmetricHeapDestroy();
      return 0;
    }));
  }
}

TEST_F(Ranks, BarrierOfASpace) {
  // The first two of four ranks pass many barriers; the others are exiting, or
  // in a space with numbers of their own.
  expectSuccess(runRanks(4, [&](int rank) {
    mgpuSymmetricHeapInit(1 << 20);
    auto *count = static_cast<int *>(mgpuSymmetricAlloc(4, nullptr));
    int *shared = peer(count, 0);
    if (rank < 3)
      mgpuEnterRankSpace(3);
    if (rank < 2) {
      mgpuEnterRankSpace(2);
      for (int round = 1; round <= 20; ++round) {
        __atomic_fetch_add(shared, 1, __ATOMIC_SEQ_CST);
        mgpuBarrier();
        REQUIRE(__atomic_load_n(shared, __ATOMIC_SEQ_CST) == round * 2);
        mgpuBarrier();
      }
      mgpuLeaveRankSpace();
    }
    if (rank < 3) {
      mgpuBarrier();
      REQUIRE(__atomic_load_n(shared, __ATOMIC_SEQ_CST) == 40);
      mgpuLeaveRankSpace();
    }
    mgpuBarrier();
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(Ranks, SpacesOfOtherSizesAreRefused) {
  auto results = runRanks(3, [&](int rank) {
    mgpuSymmetricHeapInit(4096);
    mgpuEnterRankSpace(rank == 0 ? 2 : 3);
    mgpuBarrier();
    return 0;
  });
  std::string all;
  for (const RankResult &result : results) {
    EXPECT_EQ(result.status, 1);
    all += result.err;
  }
  EXPECT_NE(all.find("the ranks do not make the same calls: rank "),
            std::string::npos)
      << all;
  // The operation of the rank that arrived first is named first.
  EXPECT_TRUE(
      all.find("rank 0 is in mgpuBarrier with 2 ranks, rank ") !=
          std::string::npos ||
      all.find(" is in mgpuBarrier with 3 ranks, rank 0 with 2 ranks") !=
          std::string::npos)
      << all;

  auto alone = runRanks(1, [&](int) {
    mgpuLeaveRankSpace();
    return 0;
  });
  EXPECT_EQ(alone[0].status, 1);
  EXPECT_NE(alone[0].err.find("the program is not in a space of ranks"),
            std::string::npos)
      << alone[0].err;
}

TEST_F(Ranks, HeapIsSharedAndZero) {
  constexpr int size = 4;
  constexpr size_t count = 100000;
  expectSuccess(runRanks(size, [&](int rank) {
    REQUIRE(mgpuGetRank() == rank && mgpuGetWorldSize() == size);
    mgpuSymmetricHeapInit(16 << 20);
    mgpuSymmetricAlloc(300, nullptr);
    auto *data = static_cast<int *>(mgpuSymmetricAlloc(count * 4, nullptr));
    for (size_t i = 0; i < count; ++i)
      REQUIRE(data[i] == 0);
    mgpuBarrier();
    // Each rank writes a part of every rank's memory.
    std::vector<int> values(count / size);
    for (int to = 0; to < size; ++to) {
      std::iota(values.begin(), values.end(), rank * 1000003 + to);
      mgpuMemcpy(peer(data, to) + rank * values.size(), values.data(),
                 values.size() * 4, nullptr);
    }
    mgpuBarrier();
    for (int from = 0; from < size; ++from)
      for (size_t i = 0; i < values.size(); ++i)
        REQUIRE(data[from * values.size() + i] ==
                int(from * 1000003 + rank + i));
    for (int r = 0; r < size; ++r)
      REQUIRE(mgpuGetHeapBase(r) == mgpuGetHeapBases()[r]);
    mgpuSymmetricFree(data, nullptr);
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(Ranks, HeapCanBeMadeAgain) {
  expectSuccess(runRanks(3, [&](int rank) {
    for (int round = 1; round <= 5; ++round) {
      mgpuSymmetricHeapInit(round * 4096);
      auto *value = static_cast<int *>(mgpuSymmetricAlloc(4, nullptr));
      REQUIRE(*value == 0);
      *value = rank + round;
      mgpuBarrier();
      REQUIRE(*peer(value, (rank + 1) % 3) == (rank + 1) % 3 + round);
      mgpuSymmetricHeapDestroy();
    }
    return 0;
  }));
}

TEST_F(Ranks, AtomicsCrossProcesses) {
  constexpr int size = 4, rounds = 20000;
  expectSuccess(runRanks(size, [&](int rank) {
    mgpuSymmetricHeapInit(4096);
    auto *counters = static_cast<long *>(mgpuSymmetricAlloc(64, nullptr));
    mgpuBarrier();
    for (int i = 0; i < rounds; ++i)
      __atomic_fetch_add(peer(counters, i % size) + rank % 2, 1,
                         __ATOMIC_RELAXED);
    mgpuBarrier();
    REQUIRE(counters[0] == rounds / size * (size / 2));
    REQUIRE(counters[1] == rounds / size * (size / 2));
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(Ranks, DifferentHeapsAreRefused) {
  auto results = runRanks(2, [&](int rank) {
    mgpuSymmetricHeapInit(rank ? 8192 : 4096);
    return 0;
  });
  for (const RankResult &result : results) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("the ranks do not make the same calls: rank "),
              std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find("mgpuSymmetricHeapInit with"), std::string::npos)
        << result.err;
  }
}

TEST_F(Ranks, DifferentCallsAreRefused) {
  auto results = runRanks(3, [&](int rank) {
    if (rank == 1)
      mgpuBarrier();
    mgpuSymmetricHeapInit(4096);
    return 0;
  });
  for (const RankResult &result : results) {
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("the ranks do not make the same calls"),
              std::string::npos)
        << result.err;
  }
}

//===----------------------------------------------------------------------===//
// Death
//===----------------------------------------------------------------------===//

TEST_F(Ranks, DeathStopsTheOthers) {
  for (int victim = 0; victim < 3; ++victim) {
    TestJob job(3, [&](int rank) {
      mgpuSymmetricHeapInit(4096);
      mgpuBarrier();
      if (rank == victim)
        raise(SIGKILL);
      mgpuBarrier();
      return 0;
    });
    std::string name = "rank " + std::to_string(victim) + " (process " +
                       std::to_string(job.pid(victim)) + ") has died; rank ";
    auto results = job.wait(20);
    for (int rank = 0; rank < 3; ++rank) {
      if (rank == victim) {
        EXPECT_EQ(results[rank].status, 128 + SIGKILL);
        continue;
      }
      EXPECT_EQ(results[rank].status, 1);
      EXPECT_NE(results[rank].err.find(name + std::to_string(rank) + " stops"),
                std::string::npos)
          << results[rank].err;
    }
  }
}

TEST_F(Ranks, DeathWhileOthersCompute) {
  TestJob job(2, [&](int rank) {
    mgpuBarrier();
    if (rank == 1)
      raise(SIGKILL);
    for (;;)
      pause();
    return 0;
  });
  auto results = job.wait(20);
  EXPECT_EQ(results[0].status, 1);
  EXPECT_NE(results[0].err.find("has died; rank 0 stops"), std::string::npos)
      << results[0].err;
}

TEST_F(Ranks, FailureStopsTheOthersAndSaysWhy) {
  for (int victim : {0, 1}) {
    auto results = runRanks(3, [&](int rank) {
      mgpuSymmetricHeapInit(4096);
      if (rank == victim)
        mgpuSymmetricAlloc(5000, nullptr);
      mgpuBarrier();
      return 0;
    });
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(results[rank].status, 1);
      EXPECT_NE(results[rank].err.find(
                    "there is no room for 5000 bytes: the symmetric heap has "
                    "4096 bytes, of which 0 are in use"),
                std::string::npos)
          << results[rank].err;
      if (rank == victim)
        continue;
      EXPECT_NE(results[rank].err.find("rank " + std::to_string(victim) +
                                       " (process "),
                std::string::npos)
          << results[rank].err;
    }
  }
}

TEST_F(Ranks, StatusOfExitStopsTheOthers) {
  for (int victim : {0, 1}) {
    auto results = runRanks(2, [&](int rank) {
      mgpuBarrier();
      if (rank == victim)
        return 7;
      for (;;)
        pause();
      return 0;
    });
    EXPECT_EQ(results[victim].status, 7);
    EXPECT_EQ(results[victim].err, "");
    EXPECT_EQ(results[1 - victim].status, 1);
    EXPECT_NE(results[1 - victim].err.find("it has ended with status 7"),
              std::string::npos)
        << results[1 - victim].err;
  }
}

TEST_F(Ranks, EndInOrderIsNoFailure) {
  // It does not matter which rank exits first: the process with the hub remains
  // for the others.
  for (int first : {0, 1}) {
    expectSuccess(runRanks(3, [&](int rank) {
      mgpuSymmetricHeapInit(4096);
      if (rank == first)
        return 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      mgpuSymmetricHeapDestroy();
      return 0;
    }));
  }
}

// A rank that ends with unread messages resets its connection. The hub must
// receive the rank's leave message before it sees the reset, or it would take
// the rank for dead.
TEST(Message, LastWordsComeBeforeTheEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  aircc::rt::Fd hub(ends[0]);
  {
    aircc::rt::Fd rank(ends[1]);
    aircc::rt::Message unread(aircc::rt::MessageKind::Left);
    aircc::rt::sendMessage(hub.get(), unread, /*wait=*/true);
    aircc::rt::Message leave(aircc::rt::MessageKind::Leave);
    aircc::rt::sendMessage(rank.get(), leave, /*wait=*/true);
  }
  aircc::rt::Message got;
  ASSERT_EQ(aircc::rt::receiveMessage(hub.get(), got, /*wait=*/false),
            aircc::rt::Transfer::Done);
  EXPECT_EQ(got.kind, aircc::rt::MessageKind::Leave);
  EXPECT_EQ(aircc::rt::receiveMessage(hub.get(), got, /*wait=*/false),
            aircc::rt::Transfer::Closed);
}

// The other rank has either just announced that it leaves or left long ago.
class RanksThatEnd : public Ranks, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Delays, RanksThatEnd, testing::Values(0, 300));

TEST_P(RanksThatEnd, WaitForOneThatHasEndedFails) {
  auto results = runRanks(2, [&](int rank) {
    mgpuBarrier();
    if (rank == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(GetParam()));
      mgpuBarrier();
    }
    return 0;
  });
  EXPECT_EQ(results[0].status, 1);
  EXPECT_NE(results[0].err.find(
                "has ended, and another rank waits for it in mgpuBarrier"),
            std::string::npos)
      << results[0].err;
  EXPECT_EQ(results[1].status, 0);
}

TEST_F(Ranks, ForksAreNoRanks) {
  // Forked processes may exit with any status.
  expectSuccess(runRanks(2, [&](int rank) {
    mgpuBarrier();
    pid_t pid = fork();
    if (pid == 0)
      exit(rank ? 3 : 0);
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == (rank ? 3 : 0));
    mgpuBarrier();
    return 0;
  }));
}

TEST_F(Ranks, DeathIsSeenThoughAForkLives) {
  auto results = runRanks(2, [&](int rank) {
    mgpuBarrier();
    if (rank == 1) {
      // This keeps the connection open.
      pid_t parent = getpid();
      if (fork() == 0) {
        for (int i = 0; i < 300 && getppid() == parent; ++i)
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::seconds(3));
        _exit(0);
      }
      raise(SIGKILL);
    }
    for (;;)
      pause();
    return 0;
  });
  EXPECT_EQ(results[0].status, 1);
  EXPECT_NE(results[0].err.find("has died; rank 0 stops"), std::string::npos)
      << results[0].err;
}

//===----------------------------------------------------------------------===//
// Time limits
//===----------------------------------------------------------------------===//

TEST_F(Ranks, LimitOfABarrier) {
  setenv("AIRCC_WAIT_LIMIT", "1.5", 1);
  auto results = runRanks(3, [&](int rank) {
    mgpuBarrier();
    if (rank == 1)
      for (;;)
        pause();
    mgpuBarrier();
    return 0;
  });
  // The first rank whose time limit expires prints the reason, and the others
  // receive it.
  bool told = false;
  for (int rank : {0, 2})
    told |=
        results[rank].err.find("mgpuBarrier(): rank " + std::to_string(rank) +
                               " of 3 has waited 1.5 s for the other ranks "
                               "(AIRCC_WAIT_LIMIT); ") != std::string::npos &&
        results[rank].err.find("is not known to wait for another rank") !=
            std::string::npos;
  EXPECT_TRUE(told) << results[0].err << results[2].err;
  for (const RankResult &result : results)
    EXPECT_EQ(result.status, 1);
}

TEST_F(Ranks, LimitOfTheStart) {
  setenv("AIRCC_WAIT_LIMIT", "0.3", 1);
  for (int missing : {0, 1}) {
    auto results = runRanks(2, [&](int rank) {
      if (rank != missing)
        mgpuBarrier();
      return 0;
    });
    const RankResult &other = results[1 - missing];
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.err.find("has waited 0.3 s for " +
                             std::string(missing ? "all ranks" : "rank 0") +
                             " to start"),
              std::string::npos)
        << other.err;
    if (missing) {
      EXPECT_NE(other.err.find("rank 1 has not made its first call"),
                std::string::npos)
          << other.err;
    }
  }
}

TEST_F(Ranks, LimitIsChecked) {
  setenv("AIRCC_WAIT_LIMIT", "soon", 1);
  auto results = runRanks(2, [](int) {
    mgpuBarrier();
    return 0;
  });
  EXPECT_NE(
      results[0].err.find("AIRCC_WAIT_LIMIT=soon is not a number of seconds"),
      std::string::npos)
      << results[0].err;
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

TEST_F(Ranks, JobsSideBySideDoNotMeet) {
  auto body = [](int job) {
    return [job](int rank) {
      mgpuSymmetricHeapInit(4096);
      auto *value = static_cast<int *>(mgpuSymmetricAlloc(4, nullptr));
      for (int round = 0; round < 20; ++round) {
        *value = 100 * job + 10 * rank + round;
        mgpuBarrier();
        REQUIRE(*peer(value, 1 - rank) == 100 * job + 10 * (1 - rank) + round);
        mgpuBarrier();
      }
      mgpuSymmetricHeapDestroy();
      return 0;
    };
  };
  TestJob first(2, body(1)), second(2, body(2)), third(2, body(3));
  expectSuccess(first.wait());
  expectSuccess(second.wait());
  expectSuccess(third.wait());
}

TEST_F(Ranks, AJobAfterOneThatDied) {
  // A second job with the same name must not find anything of the first.
  std::string name = "again-" + std::to_string(getpid());
  for (int round = 0; round < 3; ++round) {
    TestJob dying(
        2,
        [](int) {
          mgpuSymmetricHeapInit(4096);
          raise(SIGKILL);
          return 0;
        },
        name);
    dying.wait(20);
    TestJob job(
        2,
        [](int) {
          mgpuSymmetricHeapInit(4096);
          mgpuBarrier();
          mgpuSymmetricHeapDestroy();
          return 0;
        },
        name);
    expectSuccess(job.wait());
  }
}

TEST_F(Ranks, TheSameRankTwiceIsRefused) {
  setenv("AIRCC_WAIT_LIMIT", "1", 1);
  std::string name = "twice-" + std::to_string(getpid());
  auto body = [](int rank) {
    // A rank 0, and two processes that are both rank 1 of three.
    if (rank == 2)
      setenv("RANK", "1", 1);
    mgpuBarrier();
    return 0;
  };
  TestJob job(3, body, name);
  auto results = job.wait();
  std::string both = results[1].err + results[2].err;
  EXPECT_NE(both.find("rank 1 has already joined this job"), std::string::npos)
      << both;
}

//===----------------------------------------------------------------------===//
// Channels at rank level
//===----------------------------------------------------------------------===//

MgpuTransfer row(void *base, const int64_t &count) {
  static const int64_t one = 1;
  return {base, 4, 1, &count, &one};
}

TEST_F(Ranks, MessagesComeInOrder) {
  for (int64_t depth : {1, 3}) {
    expectSuccess(runRanks(2, [&](int rank) {
      for (int round = 0; round < 60; ++round) {
        int64_t count = 1 + round * 37 % 1000;
        std::vector<int> data(count, rank ? -1 : round);
        MgpuTransfer side = row(data.data(), count);
        if (rank == 0)
          mgpuChannelPut("@C", 0, depth, &side, nullptr);
        else
          mgpuChannelGet("@C", 0, &side, nullptr);
        for (int value : data)
          REQUIRE(value == round);
      }
      return 0;
    }));
  }
}

TEST_F(Ranks, PutsWaitForRoom) {
  // With depth 2 the third put completes only after the first get.
  expectSuccess(runRanks(2, [&](int rank) {
    mgpuSymmetricHeapInit(4096);
    auto *puts = static_cast<int *>(mgpuSymmetricAlloc(4, nullptr));
    int64_t count = 1;
    mgpuBarrier();
    if (rank == 0) {
      for (int i = 0; i < 5; ++i) {
        MgpuTransfer side = row(&i, count);
        mgpuChannelPut("@C", 0, 2, &side, nullptr);
        __atomic_store_n(puts, i + 1, __ATOMIC_SEQ_CST);
      }
    } else {
      for (int i = 0; i < 5; ++i) {
        while (__atomic_load_n(peer(puts, 0), __ATOMIC_SEQ_CST) <
               std::min(5, i + 2))
          std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        REQUIRE(__atomic_load_n(peer(puts, 0), __ATOMIC_SEQ_CST) <= i + 2);
        int value = -1;
        MgpuTransfer side = row(&value, count);
        mgpuChannelGet("@C", 0, &side, nullptr);
        REQUIRE(value == i);
      }
    }
    mgpuSymmetricHeapDestroy();
    return 0;
  }));
}

TEST_F(Ranks, RingOfGetsStartedFirst) {
  constexpr int size = 4;
  expectSuccess(runRanks(size, [&](int rank) {
    int64_t count = 3000;
    for (int round = 0; round < 5; ++round) {
      std::vector<int> in(count, -1), out(count, 10 * round + rank);
      MgpuTransfer from = row(in.data(), count), to = row(out.data(), count);
      void *get = mgpuChannelGetStart("@Ring", rank, &from, nullptr);
      // Two messages with room for one: the second put needs the neighbor's
      // get, which follows the neighbor's own second put.
      mgpuChannelPut("@Ring", (rank + 1) % size, 1, &to, nullptr);
      mgpuChannelPut("@Ring", (rank + 1) % size, 1, &to, nullptr);
      mgpuChannelWait(get);
      for (int value : in)
        REQUIRE(value == 10 * round + (rank + size - 1) % size);
      mgpuChannelGet("@Ring", rank, &from, nullptr);
    }
    return 0;
  }));
}

TEST_F(Ranks, GatherAndBroadcast) {
  constexpr int size = 4;
  expectSuccess(runRanks(size, [&](int rank) {
    int64_t count = 17;
    // All ranks send to rank 0 and rank 0 sends to all, itself included.
    std::vector<int> mine(count, rank);
    MgpuTransfer side = row(mine.data(), count);
    mgpuChannelPut("@Gather", rank, 1, &side, nullptr);
    if (rank == 0) {
      std::vector<int> all(count * size);
      for (int from = size - 1; from >= 0; --from) {
        MgpuTransfer part = row(all.data() + from * count, count);
        mgpuChannelGet("@Gather", from, &part, nullptr);
      }
      for (int to = 0; to < size; ++to) {
        int64_t total = count * size;
        MgpuTransfer whole = row(all.data(), total);
        mgpuChannelPut("@Broadcast", to, 1, &whole, nullptr);
      }
    }
    std::vector<int> all(count * size, -1);
    int64_t total = count * size;
    MgpuTransfer whole = row(all.data(), total);
    mgpuChannelGet("@Broadcast", rank, &whole, nullptr);
    for (int i = 0; i < total; ++i)
      REQUIRE(all[i] == i / count);
    return 0;
  }));
}

TEST_F(Ranks, StridedMessages) {
  expectSuccess(runRanks(2, [&](int rank) {
    // The transpose of a 5x7 block of a 9x11 matrix.
    std::vector<int> matrix(99);
    std::iota(matrix.begin(), matrix.end(), 0);
    int64_t sizes[] = {7, 5}, strides[] = {1, 11};
    MgpuTransfer block = {matrix.data() + 2 * 11 + 3, 4, 2, sizes, strides};
    if (rank == 0) {
      mgpuChannelPut("@C", 5, 1, &block, nullptr);
      return 0;
    }
    std::vector<int> got(35, -1);
    int64_t rows[] = {35}, one[] = {1};
    MgpuTransfer flat = {got.data(), 4, 1, rows, one};
    mgpuChannelGet("@C", 5, &flat, nullptr);
    for (int i = 0; i < 35; ++i)
      REQUIRE(got[i] == (2 + i % 5) * 11 + 3 + i / 5);
    return 0;
  }));
}

TEST_F(Ranks, OneRankHasChannelsToo) {
  expectSuccess(runRanks(1, [&](int) {
    int value = 42, got = 0;
    int64_t count = 1;
    MgpuTransfer from = row(&value, count), to = row(&got, count);
    mgpuChannelPut("@C", 0, 1, &from, nullptr);
    mgpuChannelGet("@C", 0, &to, nullptr);
    REQUIRE(got == 42);
    return 0;
  }));
}

TEST_F(Ranks, MessagesOfOtherSizesAreRefused) {
  auto results = runRanks(2, [&](int rank) {
    int64_t count = rank ? 3 : 2;
    std::vector<int> data(4);
    MgpuTransfer side = row(data.data(), count);
    if (rank == 0)
      mgpuChannelPut("@C", 4, 1, &side, nullptr);
    else
      mgpuChannelGet("@C", 4, &side, nullptr);
    mgpuBarrier();
    return 0;
  });
  EXPECT_NE(
      results[1].err.find("channel @C[4]: rank 0 puts 8 bytes, rank 1 gets 12"),
      std::string::npos)
      << results[1].err;
}

TEST_F(Ranks, AGetThatNobodyCanAnswer) {
  auto results = runRanks(2, [&](int rank) {
    int value = 5;
    int64_t count = 1;
    MgpuTransfer side = row(&value, count);
    mgpuBarrier();
    if (rank == 0) {
      mgpuChannelPut("@C", 0, 1, &side, nullptr);
      return 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // The message of a rank that has ended can still be received; there is no
    // second message.
    mgpuChannelGet("@C", 0, &side, nullptr);
    mgpuChannelGet("@C", 0, &side, nullptr);
    return 0;
  });
  EXPECT_EQ(results[0].status, 0);
  EXPECT_NE(results[1].err.find("rank 1 waits to get from channel @C[0], and "
                                "all other ranks have ended"),
            std::string::npos)
      << results[1].err;
}

TEST_F(Ranks, LimitOfAGet) {
  setenv("AIRCC_WAIT_LIMIT", "1.5", 1);
  auto results = runRanks(2, [&](int rank) {
    int value;
    int64_t count = 1;
    MgpuTransfer side = row(&value, count);
    mgpuBarrier();
    if (rank == 1)
      mgpuChannelGet("@C", 3, &side, nullptr);
    for (;;)
      pause();
    return 0;
  });
  EXPECT_NE(results[1].err.find("rank 1 of 2 has waited 1.5 s to get from "
                                "channel @C[3] (AIRCC_WAIT_LIMIT); rank 0"),
            std::string::npos)
      << results[1].err;
  EXPECT_EQ(results[0].status, 1);
}

//===----------------------------------------------------------------------===//
// Nothing is left
//===----------------------------------------------------------------------===//

/// Lists the sockets of a job and of its processes that still exist.
std::string leftovers(const std::string &job, const std::vector<pid_t> &pids) {
  std::string left;
  std::ifstream sockets("/proc/net/unix");
  const std::string name = "@" + aircc::rt::hubName("AIRCC_JOB=" + job);
  for (std::string line; std::getline(sockets, line);)
    if (line.find(name) != std::string::npos)
      left += line + '\n';
  for (pid_t pid : pids)
    if (kill(pid, 0) == 0)
      left += "process " + std::to_string(pid) + '\n';
  return left;
}

TEST_F(Ranks, LeftoversAreFound) {
  // The next test relies on this.
  TestJob job(2, [](int) {
    mgpuBarrier();
    for (;;)
      pause();
    return 0;
  });
  std::string found;
  for (int i = 0; i < 1000 && found.find("@aircc-") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    found = leftovers(job.name(), {job.pid(0)});
  }
  EXPECT_NE(found.find("@aircc-"), std::string::npos);
  EXPECT_NE(found.find("process "), std::string::npos);
  EXPECT_EQ(leftovers("another", {}), "");
}

TEST_F(Ranks, KilledAtRandomMomentsNothingIsLeft) {
  unsigned seed = static_cast<unsigned>(
      std::chrono::steady_clock::now().time_since_epoch().count());
  if (const char *text = std::getenv("AIRCC_TEST_SEED"))
    seed = static_cast<unsigned>(std::strtoul(text, nullptr, 0));
  std::printf("AIRCC_TEST_SEED=%u\n", seed);
  std::srand(seed);
  for (int round = 0; round < 12; ++round) {
    int size = 2 + std::rand() % 4;
    // Ranks that have not connected cannot detect each other's absence; only
    // the launcher can.
    auto *met = static_cast<std::atomic<int> *>(
        mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    TestJob job(size, [&](int rank) {
      mgpuBarrier();
      ++*met;
      int64_t count = 5000;
      std::vector<int> data(count);
      MgpuTransfer side = row(data.data(), count);
      for (;;) {
        mgpuSymmetricHeapInit(1 << 20);
        void *ptr = mgpuSymmetricAlloc(4096, nullptr);
        mgpuBarrier();
        mgpuChannelPut("@C", (rank + 1) % size, 1, &side, nullptr);
        mgpuChannelGet("@C", rank, &side, nullptr);
        mgpuSymmetricFree(ptr, nullptr);
        mgpuSymmetricHeapDestroy();
      }
      return 0;
    });
    std::vector<pid_t> pids;
    for (int rank = 0; rank < size; ++rank)
      pids.push_back(job.pid(rank));
    while (*met < size)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    munmap(met, sizeof(*met));
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::rand() % 300000));
    int victim = std::rand() % size;
    kill(job.pid(victim), SIGKILL);
    auto results = job.wait(5);
    for (int rank = 0; rank < size; ++rank) {
      if (rank == victim)
        continue;
      EXPECT_EQ(results[rank].status, 1) << results[rank].err;
      // Before the handshake, the number of the failed rank is unknown.
      EXPECT_TRUE(results[rank].err.find("rank " + std::to_string(victim)) !=
                      std::string::npos ||
                  results[rank].err.find("rank 0 ") != std::string::npos)
          << results[rank].err;
    }
    EXPECT_EQ(leftovers(job.name(), pids), "");
  }
}

} // namespace
