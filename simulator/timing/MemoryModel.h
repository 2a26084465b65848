//===- MemoryModel.h - Timing of caches and memory --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The memory system as the units of one XCD see it: the vector and the scalar
// cache of each unit, the L2 cache of the XCD, and its share of the last-level
// cache and of memory. Each level is a latency, a queue with a bandwidth, and
// the set of lines that it holds. Times are in cycles of the shader clock.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_MEMORYMODEL_H
#define AIRCC_SIMULATOR_TIMING_MEMORYMODEL_H

#include "simulator/timing/WorkgroupTrace.h"
#include "targets/TimingFigures.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aircc::sim {

/// A set-associative cache that replaces the least recently used line.
class CacheModel {
public:
  CacheModel() = default;
  CacheModel(uint64_t bytes, uint64_t lineBytes, unsigned ways);
  /// Returns whether the line is in the cache, and inserts it.
  bool access(uint32_t line);

private:
  unsigned ways = 1;
  uint64_t sets = 0;
  uint64_t clock = 0;
  struct Way {
    uint32_t line = UINT32_MAX;
    uint64_t used = 0;
  };
  std::vector<Way> entries;
};

/// A resource that transfers a number of bytes per cycle.
class Channel {
public:
  explicit Channel(double bytesPerCycle = 1) : bytesPerCycle(bytesPerCycle) {}
  /// Returns when a transfer that is ready at `now` starts, and occupies the
  /// resource from then on.
  double start(double now, double bytes) {
    double begin = std::max(now, free);
    free = begin + bytes / bytesPerCycle;
    total += bytes;
    return begin;
  }
  double freeAt() const { return free; }
  double busyCycles() const { return total / bytesPerCycle; }
  double bytes() const { return total; }

private:
  double bytesPerCycle;
  double free = 0, total = 0;
};

class MemoryModel {
public:
  /// `clock` is in MHz. `xcds` share the last-level cache and memory.
  MemoryModel(const TimingFigures &figures, unsigned units, double clock,
              unsigned xcds);

  /// Returns when the access, issued at `now` by a unit, is complete: loads
  /// have returned their data, and stores have reached the L2 cache.
  double vectorAccess(unsigned unit, double now, const TracedAccess &access,
                      llvm::ArrayRef<uint32_t> lines);
  double scalarAccess(unsigned unit, double now,
                      llvm::ArrayRef<uint32_t> lines);

  /// Returns when the vector cache of a unit has accepted all requests.
  double vectorPortFree(unsigned unit) const {
    return units[unit].vectorPort.freeAt();
  }
  /// Return the busy cycles of the busiest vector cache, and of the shared
  /// levels.
  double vectorCacheBusy() const;
  const Channel &l2() const { return l2Reads; }
  const Channel &lastLevelChannel() const { return lastLevel; }
  const Channel &memoryChannel() const { return memory; }
  double l2HitRate() const;

private:
  double l2Access(double now, uint32_t line);

  const TimingFigures &figures;
  double scale; ///< Converts cycles of the figures' clock to cycles.
  struct Unit {
    CacheModel vectorCache, scalarCache;
    Channel vectorPort;
  };
  std::vector<Unit> units;
  CacheModel l2Cache;
  Channel l2Reads, l2Writes, lastLevel, memory;
  llvm::DenseSet<uint32_t> touched; ///< Lines in the last-level cache.
  llvm::DenseSet<uint32_t> dirty;   ///< Lines written at least once.
  uint64_t l2Accesses = 0, l2Hits = 0;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_MEMORYMODEL_H
