//===- GlobalMemory.h - The memory that kernels may touch -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Device memory is host memory at the same address. The map contains every
// range that a kernel may access: device allocations, loaded code objects, and
// host memory that was registered. Nothing else is accessible.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_MEMORY_GLOBALMEMORY_H
#define AIRCC_SIMULATOR_EXEC_MEMORY_GLOBALMEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace aircc::sim {

class SharedHeap;

/// A range [begin, end) of accessible addresses.
struct MemoryRange {
  uint64_t begin = 0, end = 0;
  /// The number of bytes after the end that may be read, with a warning.
  uint64_t slack = 0;
  /// Not null if this is a peer's symmetric heap, whose allocations change
  /// while kernels run.
  SharedHeap *peer = nullptr;
};

/// All ranges at one time, sorted and disjoint. Immutable, because waves read
/// it without a lock.
using MemorySnapshot = std::vector<MemoryRange>;

/// If a read ends in the slack after a buffer, returns the number of its bytes
/// that are past the buffer's end, otherwise 0.
uint64_t bytesInSlack(const MemorySnapshot &ranges, uint64_t address,
                      uint64_t bytes);

class GlobalMemory {
public:
  /// The contents of new memory: NaNs, or zeros as on most devices.
  enum class Fill : unsigned char { Zero = 0, NaN = 0xff };

  explicit GlobalMemory(Fill fill = Fill::NaN);
  ~GlobalMemory();

  /// Allocates memory aligned to 256 bytes, with gaps on both sides that
  /// kernels may not access. Small allocations are filled. Returns null if the
  /// host is out of memory.
  void *allocate(size_t bytes);

  /// Sets how many bytes past the end of later allocations kernels may read
  /// with a warning, because some production code reads slightly too far and
  /// ignores the values.
  void setSlack(size_t bytes) { slack = bytes; }

  /// Frees memory returned by `allocate`. Returns false for other pointers.
  bool release(void *ptr);

  /// Open and close host memory to kernels. The same range may be registered
  /// several times and is closed by the last `unregisterHost`.
  void registerHost(void *ptr, size_t bytes);
  bool unregisterHost(void *ptr);

  /// Creates `bytes` zeros that other processes may map. The memory has a
  /// descriptor but no name, and is freed with the last process that uses it.
  /// Returns an error message, or "".
  std::string createShared(size_t &bytes, void *&ptr, int &descriptor);
  /// Reserves or releases a range of addresses for shared memory of other
  /// processes.
  std::string reserveShared(size_t bytes, void *&range);
  std::string releaseShared(void *range);
  std::string mapShared(int descriptor, size_t bytes, void *at);
  /// Unmaps memory from createShared or mapShared. Returns false for other
  /// pointers.
  bool unmapShared(void *ptr);

  /// Starts to restrict accesses to the allocations of the heap, which is in
  /// shared memory of this rank and, mapped, of the others.
  void beginHeap(std::unique_ptr<SharedHeap> made);
  void endHeap();
  void allocateInHeap(uint64_t offset, size_t bytes);
  void freeInHeap(uint64_t offset);
  /// Returns the heap, or null if there is none.
  SharedHeap *sharedHeap() const { return heap.get(); }

  /// Returns the smallest range that contains all shared memory. It may contain
  /// other memory too.
  MemoryRange sharedSpan() const;
  /// Returns the ranges of shared memory.
  std::vector<MemoryRange> sharedMemory() const;

  std::shared_ptr<const MemorySnapshot> snapshot() const;

  /// Returns whether the host may access [ptr, ptr + bytes), as an error
  /// message or "". A range that begins in an allocation must end in it and
  /// must not have been freed. Other host memory is not checked.
  std::string checkHostAccess(const void *ptr, size_t bytes) const;

  /// Returns whether an allocation, shared memory or the symmetric heap
  /// contains `ptr`.
  bool isDeviceMemory(const void *ptr) const;

  /// Describes, for a message, the buffer that contains an address or is next
  /// to it, and the offset in it or the distance from it.
  std::string describe(uint64_t address) const;
  /// Calls SharedHeap::describeUnmapped.
  std::string describeUnmapped(uint64_t address) const;
  /// Returns advice on an access to host memory that is not registered, or ""
  /// for other bad accesses. `words` are the kernel's arguments, including
  /// pointers.
  std::string adviseOnHostMemory(uint64_t address,
                                 const std::vector<uint64_t> &words) const;

private:
  /// Returns whether a device allocation contains an address or is next to it.
  bool isNearDeviceMemory(uint64_t address) const;
  void rebuild();
  /// The implementation of describe(). The caller must hold the mutex.
  std::string describeHeld(uint64_t address) const;

  const Fill fill;
  size_t slack = 0;

  struct HostRange {
    size_t bytes;
    unsigned count;
  };
  struct Allocation {
    size_t bytes;
    void *raw;
    uint64_t number; ///< The number of the device's allocation, from 1.
    size_t slack = 0;
  };
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  std::map<uint64_t, HostRange> hostRanges;
  struct SharedRange {
    size_t bytes;
    bool reserved; ///< Whether it is in a reserved range, which outlives it.
  };
  std::map<uint64_t, SharedRange> sharedRanges;
  std::map<uint64_t, size_t> reservations;
  /// Freed blocks, which are not reused for a while, so that an access to freed
  /// memory does not hit another allocation.
  std::deque<Allocation> quarantine;
  size_t quarantineBytes = 0;
  uint64_t allocated = 0;
  std::unique_ptr<SharedHeap> heap;
  std::atomic<std::shared_ptr<const MemorySnapshot>> current{
      std::make_shared<MemorySnapshot>()};
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_GLOBALMEMORY_H
