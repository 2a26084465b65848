//===- SymmetricHeap.h - Memory that all ranks can reach --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H
#define AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H

#include "runtime-stubs/ranks/Job.h"
#include "runtime-stubs/ranks/RangeAllocator.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aircc::rt {

/// Memory of this process that other ranks may map. In a world of one rank that
/// is any memory of the device, where the device cannot share.
struct SharedMemory {
  char *ptr = nullptr;
  size_t bytes = 0;
  bool plain = false;

  /// At least `bytes`, and zero. The descriptor is for the other ranks; none
  /// where there are no others.
  static Status create(Device &device, const World &world, size_t bytes,
                       SharedMemory &memory, Fd &descriptor);
  Status destroy(Device &device);
};

class SymmetricHeap {
public:
  /// Makes this rank's heap and maps those of the others; all ranks come here
  /// together.
  static Status create(const Call &call, Device &device, const World &world,
                       uint64_t bytes, std::unique_ptr<SymmetricHeap> &heap);
  Status destroy(Device &device);

  const World &world() const { return place; }
  char *base() const { return own.ptr; }
  char *base(int32_t rank) const { return peers[rank]; }
  /// In memory that host and device reach.
  void **bases() const { return table; }

  /// A part of this rank's heap for the ranks of a space, at the same offset on
  /// those that have the same allocations; false where there is no room.
  bool allocate(Device &device, uint64_t size, int32_t ranks, uint64_t &offset);
  /// False when no part begins at `offset`.
  bool free(Device &device, uint64_t offset);
  /// Sizes, and what is in use, for when there is no room.
  std::string describeUse() const;
  /// A number for the allocations that all of the first `ranks` ranks must
  /// have, and what they are.
  uint64_t fingerprint(int32_t ranks) const;
  std::string listAllocations(int32_t ranks) const;

  /// Gives the part at `offset` a name for messages.
  void setName(uint64_t offset, uint64_t bytes, std::string name);
  /// All names, for messages that cannot tell which is meant.
  std::string listNames() const;
  /// "channel @C (rank 1's buffer, byte 124 of 256)", empty for an address that
  /// is in no rank's heap.
  std::string describe(uint64_t address) const;

private:
  SymmetricHeap(const World &world, uint64_t bytes, uint64_t spread)
      : place(world), bytes(bytes), spread(spread), ranges(bytes) {}

  struct Name {
    uint64_t bytes;
    std::string text;
  };

  struct Allocation {
    uint64_t bytes;
    int32_t ranks; ///< That allocate together.
  };

  const World place;
  const uint64_t bytes;  ///< Usable, of each rank.
  const uint64_t spread; ///< Addresses for each usable byte.
  RangeAllocator ranges; ///< In usable bytes.
  std::map<uint64_t, Allocation> allocations; ///< By usable offset.
  SharedMemory own;
  void *peerRange = nullptr;
  std::vector<char *> peers; ///< Bases, by rank.
  void **table = nullptr;
  std::map<uint64_t, Name> names; ///< By offset.
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_SYMMETRICHEAP_H
