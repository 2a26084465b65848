//===- TimingModel.h - The time of a launch ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Estimates the time of a launch from the traces of some of its workgroups,
// namely those that one XCD executes first. The model assumes that the other
// XCDs behave like this one, and that later workgroups take as long as the
// timed ones.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_TIMINGMODEL_H
#define AIRCC_SIMULATOR_TIMING_TIMINGMODEL_H

#include "simulator/timing/ComputeUnits.h"
#include "simulator/timing/TraceRecorder.h"
#include "simulator/timing/WaveActivity.h"
#include "targets/TimingFigures.h"

#include <string>
#include <vector>

namespace aircc::sim {

/// An instruction of a timed kernel.
struct TimedInstruction {
  uint64_t offset = 0; ///< The offset in its function.
  std::string text;
  std::string source; ///< "file:line:column", or "".
  OpStatistics sums;
};

/// Where the time of a loop is spent.
struct TimedLoop {
  uint64_t begin = 0, end = 0; ///< The offsets of its first and last
                               ///< instruction.
  uint64_t iterations = 0;     ///< Of all timed waves.
  double matrixShare = 0;      ///< The share of the time in which the matrix
                               ///< pipe is busy.
  double cyclesPerIteration = 0;
};

/// An instruction of a wave, for a timeline.
struct TimelineEvent {
  uint32_t instruction = 0; ///< The index in KernelTiming::instructions.
  uint32_t unit = 0, simd = 0;
  uint64_t wave = 0;
  double begin = 0, cycles = 0;
};

struct KernelTiming {
  std::string kernel, processor;
  std::array<uint32_t, 3> grid{}, block{};
  uint64_t workgroups = 0, timedWorkgroups = 0;
  unsigned wavesPerGroup = 0, residentGroups = 0, units = 0;
  bool unitsAreWgps = false;   ///< Whether a unit is a WGP rather than a
                               ///< compute unit.
  bool hasXcds = false;        ///< Whether `units` are those of one of several
                               ///< XCDs.
  bool failed = false;         ///< Whether the kernel failed, in which case its
                               ///< time ends there.
  bool executedSample = false; ///< Whether only the timed workgroups were
                               ///< executed.

  double clock = 0;  ///< In MHz.
  double cycles = 0; ///< From the first to the last workgroup.
  double launchNanoseconds = 0;
  double nanoseconds() const {
    return launchNanoseconds + cycles * 1000 / clock;
  }

  // How much of the time units are busy, 0 to 1: for SIMDs and LDS ports, of
  // the time in which they have waves. The caches and memory are one XCD's.
  double matrix = 0, vector = 0, lds = 0, vectorCache = 0;
  double l2 = 0, lastLevel = 0, memory = 0;
  double l2HitRate = 0;
  /// What bounds the time: the busiest unit, or what waves wait for.
  std::string bound;
  std::array<double, kStallReasons> stalls{}; ///< Cycles of all timed waves.
  double waveCycles = 0;                      ///< Of all timed waves.

  std::vector<TimedInstruction> instructions; ///< In program order.
  std::vector<TimedLoop> loops; ///< Innermost loops, by decreasing time.
  std::vector<TimelineEvent> timeline;
  std::vector<WaveActivity::Row> activity; ///< For the waves of one unit.
  double cyclesPerColumn = 0;
};

struct TimingOptions {
  bool timesAll = false; ///< Whether all workgroups of the first XCD are timed.
  bool wantsTimeline = false;
  bool wantsActivity = false;
};

/// Returns the workgroups of a launch to record.
RecordedSet chooseWorkgroups(const LaunchState &state,
                             const TimingFigures &figures,
                             const TimingOptions &options);

/// Times the recorded workgroups. `ops` are the executed operations by index.
KernelTiming timeLaunch(const LaunchState &state, const TimingFigures &figures,
                        const TimingOptions &options,
                        const std::vector<WorkgroupTrace> &traces,
                        const std::vector<const Op *> &ops);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_TIMINGMODEL_H
