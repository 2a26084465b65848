//===- MemoryModel.cpp - Timing of caches and memory ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/MemoryModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace aircc;
using namespace aircc::sim;

CacheModel::CacheModel(uint64_t bytes, uint64_t lineBytes, unsigned ways)
    : ways(ways), sets(std::max<uint64_t>(bytes / lineBytes / ways, 1)),
      entries(sets * ways) {}

bool CacheModel::access(uint32_t line) {
  // Hash the line, so that lines at a power-of-two stride do not share one set.
  const uint64_t set = (line ^ (line >> 9) ^ (line >> 17)) % sets;
  Way *first = &entries[set * ways], *oldest = first;
  ++clock;
  for (Way *way = first; way != first + ways; ++way) {
    if (way->line == line) {
      way->used = clock;
      return true;
    }
    if (way->used < oldest->used)
      oldest = way;
  }
  oldest->line = line;
  oldest->used = clock;
  return false;
}

/// Returns the bytes per cycle for a bandwidth in GB/s and a clock in MHz.
static double perCycle(int64_t gigabytes, double clock, unsigned sharers) {
  return std::max(double(gigabytes), 1.0) * 1000 / clock / sharers;
}

MemoryModel::MemoryModel(const TimingFigures &figures, unsigned unitCount,
                         double clock, unsigned xcds)
    : figures(figures), scale(clock / double(figures.clock)), units(unitCount),
      l2Cache(uint64_t(figures.l2KiB) << 10, figures.l2Line, 16),
      l2Reads(double(figures.l2BytesPerCycle)),
      l2Writes(double(figures.l2WriteBytesPerCycle)),
      lastLevel(perCycle(figures.lastLevelGBps, clock, xcds)),
      memory(perCycle(figures.memoryGBps, clock, xcds)) {
  for (Unit &unit : units) {
    unit.vectorCache =
        CacheModel(uint64_t(figures.vectorCacheKiB) << 10, figures.l2Line, 4);
    unit.scalarCache =
        CacheModel(uint64_t(figures.scalarCacheKiB) << 10, figures.l2Line, 4);
    unit.vectorPort = Channel(double(figures.vectorCacheBytesPerCycle));
  }
}

/// Returns the time at which a line that is read through the L2 cache reaches
/// the compute unit.
double MemoryModel::l2Access(double now, uint32_t line) {
  const auto bytes = double(figures.l2Line);
  double begin = l2Reads.start(now, bytes);
  ++l2Accesses;
  if (l2Cache.access(line)) {
    ++l2Hits;
    return begin + double(figures.l2Latency);
  }
  // The latencies beyond the L2 cache do not scale with the shader clock.
  const bool hasLastLevel = figures.lastLevelMiB > 0;
  if (hasLastLevel)
    begin = lastLevel.start(begin, bytes);
  if (!touched.insert(line).second && hasLastLevel)
    return begin + double(figures.l2Latency) +
           double(figures.lastLevelLatency - figures.l2Latency) * scale;
  begin = memory.start(begin, bytes);
  return begin + double(figures.l2Latency) +
         double(figures.memoryLatency - figures.l2Latency) * scale;
}

double MemoryModel::vectorAccess(unsigned unitIndex, double now,
                                 const TracedAccess &access,
                                 llvm::ArrayRef<uint32_t> lines) {
  Unit &unit = units[unitIndex];
  constexpr double kSegment = 64;
  const double bytes = kSegment * std::max<unsigned>(access.segments, 1);
  const double begin = unit.vectorPort.start(now, bytes);
  const double moved = bytes / double(figures.vectorCacheBytesPerCycle);
  if (access.kind == AccessKind::Write) {
    const double written = l2Writes.start(begin, bytes);
    for (uint32_t line : lines) {
      l2Cache.access(line);
      touched.insert(line);
      // Each dirty line is written back to memory once.
      if (dirty.insert(line).second)
        memory.start(written, double(figures.l2Line));
    }
    return written + double(figures.l2Latency);
  }
  double done = begin + moved + double(figures.vectorCacheLatency);
  for (auto [i, line] : llvm::enumerate(lines)) {
    // Atomics are executed in the L2 cache.
    if (access.kind != AccessKind::Atomic && unit.vectorCache.access(line))
      continue;
    const double request = begin + moved * double(i) / double(lines.size());
    done = std::max(done, l2Access(request, line));
  }
  return done;
}

double MemoryModel::scalarAccess(unsigned unitIndex, double now,
                                 llvm::ArrayRef<uint32_t> lines) {
  Unit &unit = units[unitIndex];
  double done = now + double(figures.scalarCacheLatency);
  // The scalar path to the L2 cache is shorter than the vector path.
  const auto shorter = double(figures.l2Latency - figures.scalarMissLatency);
  for (uint32_t line : lines)
    if (!unit.scalarCache.access(line))
      done = std::max(done, l2Access(now, line) - shorter);
  return done;
}

double MemoryModel::vectorCacheBusy() const {
  double most = 0;
  for (const Unit &unit : units)
    most = std::max(most, unit.vectorPort.busyCycles());
  return most;
}

double MemoryModel::l2HitRate() const {
  return l2Accesses ? double(l2Hits) / double(l2Accesses) : 0;
}
