//===- SharedHeap.h - What ranks know of each other's heaps -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// After its symmetric heap, each rank has a table in the same shared memory,
// which other ranks read:
//
//  - for every 256 bytes of the heap, the number of allocated bytes;
//  - its vector clock, now and when it last arrived at a barrier;
//  - with the checker, the last accesses to every word by kernels.
//
// There are gaps between allocations, so that an access past the end of one
// does not hit the next.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_SHAREDHEAP_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_SHAREDHEAP_H

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aircc::sim {

/// An access by a kernel to a word of a heap, in 64 bits that ranks exchange
/// atomically. Clocks are never 0.
struct RankAccess {
  uint32_t clock = 0; ///< The rank's clock when it made the access, or 0 for
                      ///< none.
  uint16_t rank = 0;
  uint8_t bytes = 0; ///< A mask of the word's four bytes.
  bool atomic = false;
  bool line = false; ///< Whether one instruction accessed the whole line of 128
                     ///< bytes.

  uint64_t pack() const {
    return uint64_t(clock) << 32 | uint64_t(rank) << 16 | uint64_t(bytes) << 8 |
           uint64_t(line) << 1 | uint64_t(atomic);
  }
  static RankAccess unpack(uint64_t bits) {
    return {static_cast<uint32_t>(bits >> 32),
            static_cast<uint16_t>(bits >> 16), static_cast<uint8_t>(bits >> 8),
            (bits & 1) != 0, (bits & 2) != 0};
  }
};

/// The accesses to a word. Reads are kept for ranks with different remainders.
struct RankCell {
  std::atomic<uint64_t> write{0};
  std::atomic<uint64_t> reads[3] = {};
};
static_assert(sizeof(RankCell) == 32 &&
              std::atomic<uint64_t>::is_always_lock_free);

class SharedHeap {
public:
  /// The spacing of allocations: N bytes are followed by at least (spread - 1)
  /// * N bytes that belong to no allocation.
  static constexpr uint64_t spread = 8;
  /// Returns the number of bytes of shared memory for a heap with `addresses`
  /// bytes of addresses, and for its board.
  static uint64_t totalBytes(uint64_t addresses, int32_t ranks, bool checked);

  /// The heap of a rank in this process. If the rank is on another node, the
  /// heap is not mapped, and its addresses are only reserved.
  struct HeapOfRank {
    char *base;
    bool isMapped;
  };

  SharedHeap(int32_t rank, std::vector<HeapOfRank> heaps, uint64_t addresses,
             bool checked);

  int32_t rank() const { return own; }
  int32_t ranks() const { return static_cast<int32_t>(heaps.size()); }
  uint64_t base(int32_t rank) const {
    return reinterpret_cast<uint64_t>(heaps[rank].base);
  }
  bool isMapped(int32_t rank) const { return heaps[rank].isMapped; }
  uint64_t addresses() const { return bytes; }
  /// Returns the rank whose heap contains this address.
  std::optional<int32_t> findRank(uint64_t address) const;

  void allocate(uint64_t offset, uint64_t size);
  void free(uint64_t offset);

  /// Returns whether [begin, end) is allocated by the rank that owns the heap,
  /// or by this rank at the same offset, because a peer may allocate later or
  /// free earlier. See findUnallocated.
  bool isAllocated(uint64_t begin, uint64_t end);
  /// Describes an access by this rank to a part of a peer's heap that the peer
  /// has never allocated. Returns "" if there is none.
  std::string findUnallocated();

  /// An allocation, for messages.
  struct Block {
    uint64_t offset, bytes;
    uint64_t number; ///< The number of the heap's allocation, from 1.
    bool freed;
  };
  /// Returns this rank's allocations and the last ones that it has freed.
  std::vector<Block> blocks() const;
  /// Returns a description such as "rank 1's symmetric heap", or "" for an
  /// address outside all heaps.
  std::string describe(uint64_t address) const;
  /// For an address in a heap that is not mapped, returns where it is and how a
  /// program can transfer data there. Otherwise, returns "".
  std::string describeUnmapped(uint64_t address) const;

  // The order between ranks, for the checker. A rank is one thread here.

  /// Returns null if accesses are not recorded.
  RankCell *cell(uint64_t address) const;
  /// Returns this rank's clock.
  uint32_t now() const { return known[own].load(std::memory_order_relaxed); }
  /// Returns whether the actions of `rank` at its time `clock` happen before
  /// this rank's next actions.
  bool isBefore(int32_t rank, uint32_t clock) const {
    return known[rank].load(std::memory_order_relaxed) >= clock;
  }
  /// Releases this rank's actions so far to other ranks.
  void publish();
  /// Acquires the actions of `rank` up to its time `clock`.
  void acquireFrom(int32_t rank, uint32_t clock);
  /// Acquires the actions of `rank` before its message. The clocks of a rank on
  /// another node are unknown, and it may have heard from all ranks on this
  /// node.
  void hear(int32_t rank);
  /// Must be called before and after a barrier of the first `count` ranks.
  void arrive(int32_t count);
  void leave(int32_t count);

private:
  struct Granule {
    std::atomic<uint16_t> valid;     ///< The number of bytes that are
                                     ///< allocated.
    std::atomic<uint16_t> allocated; ///< Whether any byte was ever allocated.
  };
  static constexpr uint64_t granuleBytes = 256;

  Granule *granules(int32_t rank) const;
  std::atomic<uint32_t> *clocks(int32_t rank) const;
  /// Returns the clocks of `rank` at its last or second-to-last barrier of
  /// `count` ranks.
  std::atomic<uint32_t> *meeting(int32_t rank, int32_t count,
                                 unsigned parity) const;
  bool isValid(int32_t rank, uint64_t offset, uint64_t size) const;
  void join(const std::atomic<uint32_t> *row);

  const int32_t own;
  const std::vector<HeapOfRank> heaps;
  const uint64_t bytes;
  const bool checked;

  mutable std::mutex mutex;
  std::map<uint64_t, Block> live; ///< Allocations, by offset.
  std::vector<Block> freed;
  uint64_t allocations = 0;
  /// Accesses by this rank to a peer's heap before the peer had allocated that
  /// part: rank and offset.
  std::set<std::pair<int32_t, uint64_t>> expected;

  std::vector<std::atomic<uint32_t>> known; ///< Clocks, by rank.
  std::map<int32_t, unsigned> parities;     ///< The parity of the next barrier,
                                            ///< by size.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_SHAREDHEAP_H
