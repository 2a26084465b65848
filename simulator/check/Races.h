//===- Races.h - Who may access memory when ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses of which nothing says which comes first. Every wave numbers
// its memory operations by queue (Shadow.h): these numbers are its clock. An
// access must come after those of the same piece of memory (AccessHistory.h)
// that it conflicts with.
//
// What orders accesses of different waves:
//
//  - A barrier of their workgroup, for what was complete before it: LDS
//    operations by a wait, and so global ones where the waves of a workgroup
//    may run on different compute units (WGP mode, threadgroup split); where
//    they share one, its cache keeps the order.
//  - Global memory: a release (a wait; on gfx940 a write-back of the L2 cache
//    before it; then an atomic, or a store whose scope reaches the other wave)
//    that an acquire reads from (an atomic or a load of such a scope, a wait,
//    then an invalidation of the caches). gfx90a and gfx11 have no scopes on
//    stores: any store may be the release there.
//  - Memory that other ranks share: they are not seen, and may hand on what one
//    wave has released there to any other that acquires from there.
//  - An atomic on LDS, for what was complete before it.
//
// Compilers begin a loop around a compare-and-swap with a plain load of what it
// will compare: such a load is left alone when the wave goes on to a
// compare-and-swap at the same address.
//
// Two accesses that are both atomic, or load and store with a scope, do not
// race. Two writes of the same value are left alone.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_RACES_H
#define AIRCC_SIMULATOR_CHECK_RACES_H

#include "simulator/check/AccessHistory.h"
#include "simulator/check/LdsAccesses.h"
#include "simulator/check/RaceDetector.h"
#include "simulator/check/Reports.h"
#include "simulator/check/Shadow.h"
#include "simulator/check/VectorClock.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/memory/GlobalMemory.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace aircc::sim {

/// Who has released at an address, by wave number.
using Releases =
    std::unordered_map<uint64_t, std::unordered_map<uint32_t, Snapshot>>;

/// What a workgroup's waves know of each other.
struct GroupClocks {
  uint32_t firstWave = 0; ///< Number in the launch.
  unsigned waves = 0;
  LdsAccesses lds;
  /// known[w * waves + u]: what wave w knows of wave u.
  std::vector<Tickets> known;
  /// By wave, its part of `known` as snapshots have it; null: to be copied.
  std::vector<std::shared_ptr<const std::vector<Tickets>>> knownCopies;
  /// What each wave has brought to the barrier.
  struct Arrival {
    bool arrived = false;
    std::vector<Tickets> known;
    SharedClock foreign;
    SharedRanges ranges;
  };
  std::vector<Arrival> arrivals;
  std::vector<SharedClock> foreign;
  std::vector<SharedRanges> ranges;
  /// Locations that a wave has read with an atomic or a scope, and not yet
  /// acquired: address, queue and ticket of the read.
  struct Acquire {
    uint64_t address;
    MemoryQueue queue;
    uint32_t ticket;
  };
  std::vector<std::vector<Acquire>> acquires;
  std::vector<Tickets> writtenBack; ///< gfx940: issued before the write-back.
  std::vector<uint8_t> invalidated; ///< gfx11: bit 0 L0, bit 1 L1.
  /// LDS DMA in flight: where, by whom.
  struct Dma {
    unsigned wave;
    uint32_t ticket, begin, end;
    const Op *op;
  };
  std::vector<Dma> dma;
  Releases releasedLds;
};

class Races {
public:
  explicit Races(Reports &reports) : reports(reports) {}
  /// `hasOtherRanks`: other processes have a part of the memory as well.
  void begin(const LaunchState &state, bool hasOtherRanks);
  void beginGroup(const Workgroup &group, GroupClocks &clocks);

  /// Of the operation's own number in its queue.
  void before(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
              const Op &op);
  void access(Wave &wave, WaveShadow &shadow, GroupClocks &clocks, const Op &op,
              const MemoryAccess &access, const AccessFootprint &footprint);
  void waited(Wave &wave, WaveShadow &shadow, GroupClocks &clocks);
  /// The wave publishes what it has done to those that it meets at the barrier.
  void arrive(const Wave &wave, const WaveShadow &shadow, GroupClocks &clocks);
  void release(Workgroup &group, GroupClocks &clocks);
  void endWave(const Wave &wave, const WaveShadow &shadow, GroupClocks &clocks);

private:
  Tickets publishedToGroup(const WaveShadow &shadow) const;
  Tickets publishedToDevice(const Wave &wave, const WaveShadow &shadow,
                            const GroupClocks &clocks) const;
  Snapshot snapshot(const Wave &wave, const WaveShadow &shadow,
                    GroupClocks &clocks) const;
  bool isAfter(const GroupClocks &clocks, unsigned me,
               const PastAccess &past) const;
  void acquireFrom(GroupClocks &clocks, unsigned me, uint32_t from,
                   const Snapshot &what);
  void synchronize(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                   const MemoryAccess &access, const PastAccess &now,
                   bool releases, bool acquires);
  /// A release in memory that other ranks share.
  void releaseToRanks(const Wave &wave, const WaveShadow &shadow,
                      GroupClocks &clocks, const PastAccess &now);
  bool isShared(uint64_t address) const;
  void acquire(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
               unsigned scope);
  struct CurrentAccess;
  bool isBefore(const CurrentAccess &now, const PastAccess &past) const;
  void recordOrder(const CurrentAccess &now);
  void detect(const CurrentAccess &now);
  void checkDma(const CurrentAccess &now);
  void addDma(const CurrentAccess &now);
  void checkSameInstruction(Wave &wave, const Op &op,
                            const MemoryAccess &access,
                            const AccessFootprint &footprint);
  /// Two accesses that nothing orders.
  struct Conflict {
    FaultKind kind;
    AccessKind access;
    unsigned bytes, lane;
    WaveId wave;
    uint32_t number; ///< Of `wave` in the launch.
    const Op *op;
    uint64_t address;
    PastAccess past;
  };
  void reportOrDefer(Conflict conflict);
  void report(const Conflict &conflict);
  void suppressCasLoads(uint32_t wave, const MemoryAccess &access);
  bool changes(Wave &wave, const Op &op, const MemoryAccess &access,
               unsigned lane, uint64_t at, unsigned bytes) const;

  Reports &reports;
  const LaunchState *state = nullptr;
  bool storesHaveScope = false, needsWriteBack = false, sharedCache = true;
  AccessHistories histories; ///< Of global memory.
  PagedCells pages;
  Releases released;
  /// Without scopes on stores: what a wave had to publish when it stored, by
  /// the store's ticket.
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, Snapshot>>>
      stores;
  /// Memory that other ranks share, and what waves have released there last.
  std::vector<MemoryRange> shared;
  std::unordered_map<uint32_t, Snapshot> releasedToRanks;
  std::vector<const Op *> ops; ///< By OpInfo::index.
  /// Conflicts of a plain load and an atomic, by the number of the wave that
  /// loads, until that wave has ended.
  std::unordered_map<uint32_t, std::vector<Conflict>> deferredLoads;
  std::vector<bool> ended; ///< Waves, by number.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RACES_H
