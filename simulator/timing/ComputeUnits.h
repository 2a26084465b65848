//===- ComputeUnits.h - Timing of the compute units of an XCD ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes when each instruction of the traced workgroups is issued on one XCD.
// This is a discrete-event simulation: the wave with the earliest event tries
// to issue its next instruction. If a resource is not available, the wave tries
// again when it is.
//
// The model includes the issue slots of each SIMD (one instruction of each
// class in a slot, one of each wave), the vector unit and the matrix pipe of
// each SIMD, dependences through registers, the ports of LDS with bank
// conflicts, the memory system (MemoryModel.h), wait counters, barriers,
// priorities, taken branches, and how many workgroups fit. It does not include
// instruction fetch beyond a constant for taken branches, or the translation of
// addresses.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_COMPUTEUNITS_H
#define AIRCC_SIMULATOR_TIMING_COMPUTEUNITS_H

#include "simulator/timing/MemoryModel.h"
#include "simulator/timing/OpTiming.h"
#include "simulator/timing/TimedWave.h"

#include <functional>
#include <memory>
#include <queue>

namespace aircc::sim {

/// The sums for one instruction of the program.
struct OpStatistics {
  uint64_t issued = 0;
  double busyCycles = 0;   ///< For the unit that executes it.
  double matrixCycles = 0; ///< For the matrix pipe.
  std::array<double, kStallReasons> stalls{};
};

/// The resources of a workgroup.
struct GroupResources {
  unsigned waves = 1;
  unsigned waveSize = 64;
  unsigned vgprs = 0; ///< Of a lane, including accumulation registers.
  unsigned ldsBytes = 0;
};

/// Returns how many workgroups a unit holds at the same time.
unsigned countResidentGroups(const TimingFigures &figures, const Chip &chip,
                             const GroupResources &resources);

/// Called for each instruction that is issued.
using IssueListener =
    std::function<void(const TimedWave &, const OpTiming &, double issued,
                       double busy, StallReason)>;

class ComputeUnits {
public:
  ComputeUnits(const TimingFigures &figures, const Chip &chip,
               const GroupResources &resources, unsigned units, double clock,
               unsigned xcds, std::vector<OpTiming> ops);
  ~ComputeUnits();

  unsigned residentGroups() const { return mostResident; }
  /// Runs the workgroups in this order and returns the cycle in which the last
  /// one ends.
  double run(const std::vector<WorkgroupTrace> &groups);

  const std::vector<OpStatistics> &statistics() const { return sums; }
  const std::vector<std::unique_ptr<TimedGroup>> &groups() const {
    return done;
  }
  const MemoryModel &memory() const { return memoryModel; }
  /// Return the busy cycles of all SIMDs of all units, and of all LDS ports.
  double matrixBusy() const { return matrixCycles; }
  double vectorBusy() const { return vectorCycles; }
  double ldsBusy() const { return ldsCycles; }
  /// Return the cycles in which a SIMD has waves, summed over all SIMDs, and
  /// the average number of its waves in these cycles.
  double simdActive() const { return activeCycles; }
  double wavesPerSimd() const {
    return activeCycles > 0 ? waveCycles / activeCycles : 0;
  }
  void setListener(IssueListener newListener) {
    listener = std::move(newListener);
  }

private:
  struct Simd;
  struct Unit;
  struct Event {
    double time;
    unsigned priority;
    uint64_t age;
    TimedWave *wave;
  };
  struct Later {
    bool operator()(const Event &a, const Event &b) const;
  };
  /// The earliest time at which an instruction can be issued, and what it waits
  /// for.
  struct Earliest {
    double time;
    StallReason reason;
    void atLeast(double other, StallReason why) {
      if (other > time) {
        time = other;
        reason = why;
      }
    }
  };

  void startGroups(double now);
  void startGroup(Unit &unit, unsigned unitIndex, double now);
  void push(TimedWave &wave, double time);
  void step(TimedWave &wave, double now);
  Earliest earliest(const TimedWave &wave, const OpTiming &timing,
                    const TracedOp &traced) const;
  void addOperands(const TimedWave &wave, const OpTiming &timing,
                   Earliest &at) const;
  static void addWaits(const TimedWave &wave, const OpTiming &timing,
                       Earliest &at);
  void addUnits(const TimedWave &wave, const OpTiming &timing,
                const TracedOp &traced, Earliest &at) const;
  double issue(TimedWave &wave, const OpTiming &timing, const TracedOp &traced,
               double now);
  double access(TimedWave &wave, const OpTiming &timing, const TracedOp &traced,
                double now);
  double accessLds(TimedWave &wave, const TracedAccess &access, double now,
                   double &busy);
  void arrive(TimedWave &wave, double now, bool waits);
  void endWave(TimedWave &wave, double now);

  const TimingFigures &figures;
  const Chip &chip;
  GroupResources resources;
  unsigned mostResident = 1;
  std::vector<OpTiming> ops;
  std::vector<OpStatistics> sums;
  MemoryModel memoryModel;
  std::vector<std::unique_ptr<Unit>> units;
  std::vector<std::unique_ptr<TimedGroup>> done;
  std::vector<std::unique_ptr<TimedWave>> waves;
  std::priority_queue<Event, std::vector<Event>, Later> events;
  const std::vector<WorkgroupTrace> *pending = nullptr;
  size_t nextGroup = 0;
  double nextStart = 0; ///< When the dispatcher is free again.
  uint64_t nextAge = 0;
  double matrixCycles = 0, vectorCycles = 0, ldsCycles = 0;
  double activeCycles = 0, waveCycles = 0;
  IssueListener listener;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_COMPUTEUNITS_H
