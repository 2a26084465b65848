//===- SimSharedHeapTest.cpp - What ranks know of each other's heaps ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/SharedHeap.h"

#include <gtest/gtest.h>

#include <memory>
#include <sys/mman.h>

using namespace aircc::sim;

namespace {

/// Heaps of some ranks in one process: all map the same memory.
struct Ranks {
  static constexpr uint64_t addresses = 1 << 20;

  explicit Ranks(int32_t count, bool checked = true) {
    bytes = SharedHeap::totalBytes(addresses, count, checked);
    for (int32_t rank = 0; rank < count; ++rank)
      bases.push_back(static_cast<char *>(
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)));
    std::vector<SharedHeap::HeapOfRank> mapped;
    for (char *base : bases)
      mapped.push_back({base, /*isMapped=*/true});
    for (int32_t rank = 0; rank < count; ++rank)
      heaps.push_back(
          std::make_unique<SharedHeap>(rank, mapped, addresses, checked));
  }
  ~Ranks() {
    for (char *base : bases)
      munmap(base, bytes);
  }
  SharedHeap &operator[](int32_t rank) { return *heaps[rank]; }
  /// All ranks arrive at a barrier before any rank leaves it.
  void meet(int32_t count) {
    for (int32_t rank = 0; rank < count; ++rank)
      heaps[rank]->arrive(count);
    for (int32_t rank = 0; rank < count; ++rank)
      heaps[rank]->leave(count);
  }

  uint64_t bytes;
  std::vector<char *> bases;
  std::vector<std::unique_ptr<SharedHeap>> heaps;
};

TEST(SimSharedHeapTest, AccessesEndWithTheAllocation) {
  Ranks ranks(2);
  for (int32_t rank : {0, 1})
    ranks[rank].allocate(4096, 300);
  for (int32_t rank : {0, 1}) {
    const uint64_t at = ranks[0].base(rank) + 4096;
    EXPECT_TRUE(ranks[0].isAllocated(at, at + 300));
    EXPECT_TRUE(ranks[0].isAllocated(at + 296, at + 300));
    EXPECT_FALSE(ranks[0].isAllocated(at + 296, at + 301));
    EXPECT_FALSE(ranks[0].isAllocated(at + 300, at + 301));
    EXPECT_FALSE(ranks[0].isAllocated(at - 1, at + 1));
    EXPECT_FALSE(ranks[0].isAllocated(at + 512, at + 516));
  }
  EXPECT_FALSE(ranks[0].isAllocated(ranks[0].base(1) + Ranks::addresses - 4,
                                    ranks[0].base(1) + Ranks::addresses + 4));
  EXPECT_EQ(ranks[0].findUnallocated(), "");
}

TEST(SimSharedHeapTest, Freed) {
  Ranks ranks(2);
  for (int32_t rank : {0, 1})
    ranks[rank].allocate(0, 256);
  const uint64_t at = ranks[0].base(1);
  // A rank may free while others, which free later, still access.
  ranks[1].free(0);
  EXPECT_TRUE(ranks[0].isAllocated(at, at + 4));
  EXPECT_FALSE(ranks[1].isAllocated(at, at + 4));
  ranks[0].free(0);
  EXPECT_FALSE(ranks[0].isAllocated(at, at + 4));
  ranks[1].allocate(0, 256);
  EXPECT_TRUE(ranks[0].isAllocated(at, at + 4));
  EXPECT_EQ(ranks[0].describe(at), "rank 1's symmetric heap");
}

TEST(SimSharedHeapTest, PeerAllocatesLater) {
  Ranks ranks(2);
  ranks[0].allocate(0, 256);
  const uint64_t at = ranks[0].base(1);
  // Rank 0 does not know yet whether rank 1 has made the same allocation.
  EXPECT_TRUE(ranks[0].isAllocated(at, at + 4));
  EXPECT_FALSE(ranks[0].isAllocated(at, at + 260));
  EXPECT_NE(ranks[0].findUnallocated().find("rank 1"), std::string::npos);
  ranks[1].allocate(0, 256);
  EXPECT_EQ(ranks[0].findUnallocated(), "");
}

TEST(SimSharedHeapTest, OtherNode) {
  // Ranks 0 and 1 are on one node. Any access to the memory of rank 2 would end
  // this process.
  Ranks ranks(3);
  ASSERT_EQ(mprotect(ranks.bases[2], ranks.bytes, PROT_NONE), 0);
  for (int32_t rank : {0, 1})
    ranks.heaps[rank] = std::make_unique<SharedHeap>(
        rank,
        std::vector<SharedHeap::HeapOfRank>{{ranks.bases[0], true},
                                            {ranks.bases[1], true},
                                            {ranks.bases[2], false}},
        Ranks::addresses, /*checked=*/true);
  ranks[0].allocate(0, 256);
  const uint64_t far = ranks[0].base(2), near = ranks[0].base(1);
  EXPECT_FALSE(ranks[0].isAllocated(far, far + 4));
  EXPECT_EQ(ranks[0].cell(far), nullptr);
  EXPECT_NE(ranks[0].cell(near), nullptr);
  EXPECT_EQ(ranks[0].findUnallocated(), "");
  EXPECT_EQ(ranks[0].describeUnmapped(near), "");
  EXPECT_EQ(ranks[0].describeUnmapped(far + Ranks::addresses - 1),
            "in the symmetric heap of rank 2, which is on another node; "
            "kernels reach the ranks of their own node, and others through "
            "channels");

  // A barrier of all ranks orders those of this node. Rank 2 may have heard
  // from rank 0 before it sent its message.
  const uint32_t first = ranks[0].now();
  ranks.heaps[2].reset();
  for (int32_t rank : {0, 1})
    ranks[rank].arrive(3);
  for (int32_t rank : {0, 1})
    ranks[rank].leave(3);
  EXPECT_TRUE(ranks[1].isBefore(0, first));
  const uint32_t second = ranks[0].now();
  ranks[0].publish();
  EXPECT_FALSE(ranks[1].isBefore(0, second));
  ranks[1].hear(2);
  EXPECT_TRUE(ranks[1].isBefore(0, second));
}

TEST(SimSharedHeapTest, BarriersOrder) {
  Ranks ranks(3);
  const uint32_t before = ranks[0].now();
  EXPECT_FALSE(ranks[1].isBefore(0, before));
  ranks.meet(2);
  EXPECT_TRUE(ranks[1].isBefore(0, before));
  EXPECT_FALSE(ranks[2].isBefore(0, before));
  EXPECT_FALSE(ranks[1].isBefore(0, ranks[0].now()));
  // Rank 1 publishes at a later barrier what it has acquired.
  ranks.meet(3);
  EXPECT_TRUE(ranks[2].isBefore(0, before));
}

TEST(SimSharedHeapTest, BarrierOfWhoIsAhead) {
  Ranks ranks(2);
  ranks[0].arrive(2);
  ranks[1].arrive(2);
  ranks[0].leave(2);
  // Rank 0 continues, and publishes more, before rank 1 has left the barrier.
  const uint32_t after = ranks[0].now();
  ranks[0].publish();
  ranks[0].arrive(2);
  ranks[1].leave(2);
  EXPECT_FALSE(ranks[1].isBefore(0, after));
  ranks[1].arrive(2);
  ranks[1].leave(2);
  EXPECT_TRUE(ranks[1].isBefore(0, after));
}

TEST(SimSharedHeapTest, LearnsFromWhatItReads) {
  Ranks ranks(3);
  const uint32_t first = ranks[0].now();
  ranks[0].publish();
  ranks[1].acquireFrom(0, first);
  EXPECT_TRUE(ranks[1].isBefore(0, first));
  EXPECT_FALSE(ranks[1].isBefore(0, ranks[0].now()));
  // Rank 2 acquires the accesses of rank 0 through rank 1.
  const uint32_t second = ranks[1].now();
  ranks[1].publish();
  ranks[2].acquireFrom(1, second);
  EXPECT_TRUE(ranks[2].isBefore(0, first));
}

TEST(SimSharedHeapTest, FreeForgetsAccesses) {
  Ranks ranks(2);
  ranks[0].allocate(0, 4096);
  const uint64_t at = ranks[0].base(0) + 100;
  RankAccess access{7, 1, 0xf, false, true};
  ranks[1].cell(at)->write = access.pack();
  RankAccess seen = RankAccess::unpack(ranks[0].cell(at)->write);
  EXPECT_EQ(seen.clock, 7u);
  EXPECT_EQ(seen.rank, 1);
  EXPECT_EQ(seen.bytes, 0xf);
  EXPECT_TRUE(seen.line);
  EXPECT_FALSE(seen.atomic);
  ranks[0].free(0);
  EXPECT_EQ(ranks[1].cell(at)->write, 0u);
  EXPECT_EQ(Ranks(2, /*checked=*/false)[0].cell(at), nullptr);
}

} // namespace
