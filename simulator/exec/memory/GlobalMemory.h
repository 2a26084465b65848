//===- GlobalMemory.h - The memory that kernels may touch -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is host memory under its host address. The map knows every
// range a kernel may touch: device allocations, loaded code objects, and host
// memory that was registered. Nothing else is accessible.
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

/// [begin, end) of accessible addresses.
struct MemoryRange {
  uint64_t begin = 0, end = 0;
  /// Bytes from the end on that may be read, with a warning.
  uint64_t slack = 0;
  /// Where not null, this is a peer's symmetric heap: what is allocated there
  /// changes while kernels run, and has to be asked for.
  SharedHeap *peer = nullptr;
};

/// All ranges at one moment, sorted, disjoint. Immutable, so that waves read it
/// without a lock.
using MemorySnapshot = std::vector<MemoryRange>;

/// How far a read reaches behind the end of a buffer, where all of it lies in
/// the buffer and its slack; else 0.
uint64_t bytesInSlack(const MemorySnapshot &ranges, uint64_t address,
                      uint64_t bytes);

class GlobalMemory {
public:
  /// What fresh memory is filled with: numbers that are none, or zeros, as
  /// devices give it out.
  enum class Fill : unsigned char { Zero = 0, NaN = 0xff };

  explicit GlobalMemory(Fill fill = Fill::NaN);
  ~GlobalMemory();

  /// Fresh memory, aligned to 256 bytes, with unmapped-to-kernels gaps at both
  /// sides. Small allocations start filled. Null when the host has no memory
  /// left.
  void *allocate(size_t bytes);

  /// Gives what is allocated from now on so many bytes behind its end that
  /// kernels may read, with a warning: production code reads a little too far
  /// and does not use what it reads.
  void setSlack(size_t bytes) { slack = bytes; }

  /// Frees what `allocate` returned; false when `ptr` is no such address.
  bool release(void *ptr);

  /// Opens and closes host memory to kernels. The same range may be registered
  /// several times and is closed by the last `unregisterHost`.
  void registerHost(void *ptr, size_t bytes);
  bool unregisterHost(void *ptr);

  /// Memory that other processes may map: of `bytes` zeros, known by a
  /// descriptor alone, so that nothing is left of it when nobody has it any
  /// more. Empty, or what went wrong.
  std::string createShared(size_t &bytes, void *&ptr, int &descriptor);
  /// A range of addresses for shared memory of other processes, and its end.
  std::string reserveShared(size_t bytes, void *&range);
  std::string releaseShared(void *range);
  std::string mapShared(int descriptor, size_t bytes, void *at);
  /// Ends what createShared or mapShared began; false where there is none.
  bool unmapShared(void *ptr);

  /// From here on only what is allocated of the heap is accessible, which lies
  /// in shared memory of this rank and, mapped, of the others.
  void beginHeap(std::unique_ptr<SharedHeap> made);
  void endHeap();
  void allocateInHeap(uint64_t offset, size_t bytes);
  void freeInHeap(uint64_t offset);
  /// Null where there is none.
  SharedHeap *sharedHeap() const { return heap.get(); }

  /// The addresses that shared memory lies between, other memory perhaps too.
  MemoryRange sharedSpan() const;
  /// The pieces of it.
  std::vector<MemoryRange> sharedMemory() const;

  std::shared_ptr<const MemorySnapshot> snapshot() const;

  /// Whether the host may access [ptr, ptr + bytes): what begins in an
  /// allocation must end in it, and must not have been freed. Memory that is
  /// the host's own is its own affair. Empty, or what is wrong.
  std::string checkHostAccess(const void *ptr, size_t bytes) const;

  /// For a message: which buffer holds an address, or lies next to it, and
  /// where in it, or how far from it, the address is.
  std::string describe(uint64_t address) const;
  /// What to do about an access to memory of the host that the device does not
  /// know, or "" where the access goes astray otherwise: `words` are the
  /// kernel's arguments, pointers among them.
  std::string adviseOnHostMemory(uint64_t address,
                                 const std::vector<uint64_t> &words) const;

private:
  /// Whether a block of the device holds an address, or is next to it.
  bool isNearDeviceMemory(uint64_t address) const;
  void rebuild();
  /// describe(), with the mutex held.
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
    uint64_t number; ///< Which allocation of the device, from 1.
    size_t slack = 0;
  };
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  std::map<uint64_t, HostRange> hostRanges;
  struct SharedRange {
    size_t bytes;
    bool reserved; ///< Lies in a reserved range, which outlives it.
  };
  std::map<uint64_t, SharedRange> sharedRanges;
  std::map<uint64_t, size_t> reservations;
  /// Freed blocks, kept from reuse for a while so that an access to freed
  /// memory finds no other allocation in its place.
  std::deque<Allocation> quarantine;
  size_t quarantineBytes = 0;
  uint64_t allocated = 0;
  std::unique_ptr<SharedHeap> heap;
  std::atomic<std::shared_ptr<const MemorySnapshot>> current{
      std::make_shared<MemorySnapshot>()};
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_MEMORY_GLOBALMEMORY_H
