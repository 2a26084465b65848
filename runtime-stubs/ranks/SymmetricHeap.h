//===- SymmetricHeap.h - Memory that all ranks can access -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H
#define AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H

#include "runtime-stubs/ranks/Job.h"
#include "runtime-stubs/ranks/PeerMemory.h"
#include "runtime-stubs/ranks/RangeAllocator.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aircc::rt {

/// Memory of this process that other ranks may map. With one rank and a device
/// that cannot share memory, it is ordinary device memory.
struct SharedMemory {
  char *ptr = nullptr;
  size_t bytes = 0;
  bool plain = false;

  /// Allocates at least `bytes` of zeros. The descriptor is for the other ranks
  /// and is unset if there are none.
  static Status create(Device &device, const World &world, size_t bytes,
                       SharedMemory &memory, Fd &descriptor);
  Status destroy(Device &device);
};

class SymmetricHeap {
public:
  /// Creates the heap of this rank and maps those of the others. Collective.
  static Status create(const Call &call, Device &device, const World &world,
                       uint64_t bytes, std::unique_ptr<SymmetricHeap> &heap);
  Status destroy(Device &device);

  const World &world() const { return place; }
  char *base() const { return own.ptr; }
  char *base(int32_t rank) const { return peers[rank]; }
  /// Returns whether kernels of this rank can access the heap of `rank`.
  bool isMapped(int32_t rank) const {
    return !memories[rank] || memories[rank]->isMapped();
  }
  /// Returns the table of all bases in memory accessible to host and device.
  void **bases() const { return table; }

  /// Allocates a part of this rank's heap for the ranks of a space. Ranks with
  /// the same allocations get the same offset. Returns false if there is no
  /// room.
  bool allocate(Device &device, uint64_t size, int32_t ranks, uint64_t &offset);
  /// Frees a part. Returns false if no part begins at `offset`.
  bool free(Device &device, uint64_t offset);
  /// Describes sizes and usage for an out-of-memory message.
  std::string describeUse() const;
  /// Returns a hash of the allocations that the first `ranks` ranks must share,
  /// and describes them.
  uint64_t fingerprint(int32_t ranks) const;
  std::string listAllocations(int32_t ranks) const;

  /// Names the part at `offset` for messages.
  void setName(uint64_t offset, uint64_t bytes, std::string name);
  /// Lists all names, for messages that cannot identify one.
  std::string listNames() const;
  /// Returns a description such as "channel @C (rank 1's buffer, byte 124 of
  /// 256)", or "" for an address outside all heaps.
  std::string describe(uint64_t address) const;

private:
  SymmetricHeap(const World &world, uint64_t bytes, uint64_t spread)
      : place(world), bytes(bytes), spread(spread), ranges(bytes) {}

  Status mapPeers(const Call &call, Device &device, Fd descriptor);
  bool isAllocated(uint64_t offset, uint64_t size) const;

  struct Name {
    uint64_t bytes;
    std::string text;
  };

  struct Allocation {
    uint64_t bytes;
    int32_t ranks; ///< The number of ranks that allocate together.
  };

  const World place;
  const uint64_t bytes;  ///< Usable bytes per rank.
  const uint64_t spread; ///< Addresses per usable byte.
  RangeAllocator ranges; ///< In usable bytes.
  /// Guards `allocations`, which copies to other nodes read without the heap's
  /// lock.
  mutable std::mutex allocationsMutex;
  std::map<uint64_t, Allocation> allocations; ///< Allocations, by usable
                                              ///< offset.
  SharedMemory own;
  void *peerRange = nullptr;
  std::vector<char *> peers;                         ///< The bases, by rank.
  std::vector<std::unique_ptr<PeerMemory>> memories; ///< The memory of the
                                                     ///< other ranks.
  void **table = nullptr;
  std::map<uint64_t, Name> names; ///< The names, by offset.
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H
