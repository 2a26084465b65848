//===- TimedWave.h - A wave in the timing model -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_TIMEDWAVE_H
#define AIRCC_SIMULATOR_TIMING_TIMEDWAVE_H

#include "simulator/timing/OpTiming.h"
#include "simulator/timing/WorkgroupTrace.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace aircc::sim {

struct TimedGroup;

/// Why an instruction was not issued earlier.
enum class StallReason : uint8_t {
  None,
  Operand,    ///< The result of an earlier instruction.
  Load,       ///< s_waitcnt for vector memory instructions
  Store,      ///< s_waitcnt for stores, on chips that count them apart
  Lds,        ///< s_waitcnt for LDS (up to gfx11 for scalar loads too)
  Scalar,     ///< s_waitcnt for scalar loads
  Barrier,    ///< Other waves of the workgroup
  Issue,      ///< Another wave had the issue slot.
  VectorUnit, ///< The SIMD executes another vector instruction.
  MatrixPipe, ///< The SIMD executes another matrix instruction.
  LdsPort,    ///< The queue of LDS is full.
  Branch,     ///< Instructions at a branch target are fetched.
  Sleep,      ///< s_nop, s_sleep
};
constexpr unsigned kStallReasons = 13;
const char *stallReasonName(StallReason reason);

/// A wave that replays its trace in the timing model.
struct TimedWave {
  const WaveTrace *trace = nullptr;
  TimedGroup *group = nullptr;
  unsigned unit = 0, simd = 0; ///< The SIMD's number in its unit.
  uint64_t age = 0;            ///< Older waves have a lower number.

  size_t nextOp = 0, nextAccess = 0;
  double ready = 0; ///< The next instruction is not issued before this.
  StallReason readyReason = StallReason::None;
  /// The time at which the wait for the next instruction started, and the last
  /// reason for it.
  double available = 0;
  StallReason lastReason = StallReason::None;
  unsigned priority = 0; ///< s_setprio

  /// The times at which registers become readable: by any instruction, and as
  /// accumulators.
  std::vector<double> vectorReady, accumulatorReady;
  std::vector<double> scalarReady;
  double sccReady = 0;
  /// The completion times of outstanding memory instructions, by WaitCounter.
  std::array<std::deque<double>, kWaitCounters> outstanding;

  unsigned barrierPhase = 0; ///< The phase of the workgroup's barrier in which
                             ///< it last arrived.
  bool waitsAtBarrier = false;

  bool atEnd() const { return nextOp == trace->ops.size(); }
};

/// A workgroup in the timing model.
struct TimedGroup {
  const WorkgroupTrace *trace = nullptr;
  unsigned unit = 0;
  double begin = 0, end = 0;
  unsigned running = 0; ///< Waves that have not ended.
  // The current phase of the barrier.
  unsigned barrierPhase = 0, arrived = 0;
  double lastArrival = 0;
  double released = 0; ///< When the previous phase was complete.
  std::vector<TimedWave *> waves;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_TIMEDWAVE_H
