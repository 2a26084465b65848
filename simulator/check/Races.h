//===- Races.h - Data races between waves -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Reports unordered conflicting accesses. Every wave numbers its memory
// operations by queue (Shadow.h), and these numbers are its clock. An access
// must happen after those accesses in the history of its memory
// (AccessHistory.h) with which it conflicts.
//
// Accesses of different waves are ordered by:
//
//  - A barrier of their workgroup, for operations that have completed before
//    it. LDS operations complete at a wait. So do global ones if the waves of a
//    workgroup may run on different compute units (WGP mode, threadgroup
//    split); otherwise, the shared cache orders them.
//  - In global memory, a release from which an acquire reads. A release is a
//    wait (on gfx940, after a write-back of the L2 cache), followed by an
//    atomic or by a store whose scope includes the other wave. An acquire is an
//    atomic or a load with this scope, followed by a wait and an invalidation
//    of the caches. On gfx90a and gfx11, stores have no scopes, so any store
//    may be a release.
//  - In memory that other ranks share, a release there by one wave and a later
//    acquire from there by another. The other ranks, whose accesses are not
//    observed, may order the two.
//  - An atomic on LDS, for operations that have completed before it.
//
// Compilers begin a compare-and-swap loop with a plain load of the compare
// value. Conflicts of this load are not reported if the wave later executes a
// compare-and-swap at the same address.
//
// Two accesses that are both atomic, or loads and stores with a scope, do not
// race. Two writes of the same value are not reported.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_RACES_H
#define AIRCC_SIMULATOR_CHECK_RACES_H

#include "simulator/check/AccessHistory.h"
#include "simulator/check/GlobalReads.h"
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

/// The releases at each address, by wave number.
using Releases =
    std::unordered_map<uint64_t, std::unordered_map<uint32_t, Snapshot>>;

/// The clocks of the waves of a workgroup.
struct GroupClocks {
  uint32_t firstWave = 0; ///< The number in the launch.
  unsigned waves = 0;
  LdsAccesses lds;
  /// known[w * waves + u] is the clock of wave u that wave w has acquired.
  std::vector<Tickets> known;
  /// A copy of each wave's clock for snapshots, or null if outdated.
  std::vector<SharedWaveClock> clockCopies;
  /// The clocks that each wave has published at the barrier.
  struct Arrival {
    bool arrived = false;
    std::vector<Tickets> known;
    SharedClock foreign;
    SharedRanges ranges;
  };
  std::vector<Arrival> arrivals;
  std::vector<SharedClock> foreign;
  std::vector<SharedRanges> ranges;
  /// Reads with an atomic or a scope from which a wave has not acquired yet.
  struct Acquire {
    uint64_t address;
    MemoryQueue queue;
    uint32_t ticket;
  };
  std::vector<std::vector<Acquire>> acquires;
  /// On gfx940, operations that were issued before the last write-back.
  std::vector<Tickets> writtenBack;
  std::vector<uint8_t> invalidated; ///< On gfx11, L0 (bit 0) and L1 (bit 1).
  /// LDS DMA in flight.
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
  /// Begins a launch. `hasOtherRanks` says whether other processes share a part
  /// of the memory.
  void begin(const LaunchState &state, bool hasOtherRanks);
  void beginGroup(const Workgroup &group, GroupClocks &clocks);

  /// Must be called before accesses of the operation.
  void addOp(const Op &op) {
    const uint32_t index = op.info->index;
    if (index >= ops.size())
      ops.resize(index + 256, nullptr);
    ops[index] = &op;
  }
  /// Records a plain read or write of LDS by a full wave that cannot conflict
  /// with any other wave. Returns false if access() must be called.
  bool recordLds(const Wave &wave, const WaveShadow &shadow,
                 GroupClocks &clocks, const Op &op, bool writes,
                 const ShapedAccess &addresses) {
    // Lanes may write the same address.
    if (op.info->index >= kMostOps ||
        (writes && addresses.shape.gap < addresses.bytes))
      return false;
    for (const GroupClocks::Dma &dma : clocks.dma)
      if (addresses.low < dma.end && dma.begin < addresses.high)
        return false;
    PastAccess now;
    now.agent = clocks.firstWave + wave.index + 1;
    now.op = op.info->index;
    now.writes = writes;
    now.queue = kLdsQueue;
    now.ticket = shadow.issued[kLdsQueue];
    return clocks.lds.recordQuickly(wave.index, now, addresses);
  }

  /// Handles a cache operation.
  void before(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
              const Op &op);
  void access(Wave &wave, WaveShadow &shadow, GroupClocks &clocks, const Op &op,
              const MemoryAccess &access, const AccessFootprint &footprint);
  void waited(Wave &wave, WaveShadow &shadow, GroupClocks &clocks);
  /// Publishes the wave's clock to the other waves at the barrier.
  void arrive(const Wave &wave, const WaveShadow &shadow, GroupClocks &clocks);
  void release(Workgroup &group, GroupClocks &clocks);
  void endWave(const Wave &wave, const WaveShadow &shadow, GroupClocks &clocks);

private:
  /// The number of operations that PastAccess::op can represent.
  static constexpr uint32_t kMostOps = 1u << 20;

  Tickets publishedToGroup(const WaveShadow &shadow) const;
  Tickets publishedToDevice(const Wave &wave, const WaveShadow &shadow,
                            const GroupClocks &clocks) const;
  Snapshot snapshot(const Wave &wave, const WaveShadow &shadow,
                    GroupClocks &clocks) const;
  /// Returns the current clock of a wave.
  static const SharedWaveClock &clockOf(GroupClocks &clocks, unsigned wave);
  bool isAfter(const GroupClocks &clocks, unsigned me,
               const PastAccess &past) const;
  void acquireFrom(GroupClocks &clocks, unsigned me, uint32_t from,
                   const Snapshot &what);
  void synchronize(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                   const MemoryAccess &access, const PastAccess &now,
                   bool releases, bool acquires);
  /// Handles a release in memory that other ranks share.
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
  /// Two unordered accesses.
  struct Conflict {
    FaultKind kind;
    AccessKind access;
    unsigned bytes, lane;
    WaveId wave;
    uint32_t number; ///< The number of `wave` in the launch.
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
  AccessHistories histories; ///< The histories of global memory.
  PagedCells pages;
  GlobalReads reads{histories, pages};
  Releases released;
  /// On chips without scopes on stores, the snapshot of a wave at its last
  /// stores, by the store's ticket.
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, Snapshot>>>
      stores;
  /// Memory that other ranks share, and the last releases of waves there.
  std::vector<MemoryRange> shared;
  std::unordered_map<uint32_t, Snapshot> releasedToRanks;
  std::vector<const Op *> ops; ///< By OpInfo::index.
  /// Conflicts of a plain load and an atomic until the loading wave has ended,
  /// by the number of that wave.
  std::unordered_map<uint32_t, std::vector<Conflict>> deferredLoads;
  std::vector<bool> ended; ///< Waves, by number.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RACES_H
