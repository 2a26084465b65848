//===- WaveActivity.h - What waves do over time -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A timeline of limited size for a launch of any length. Time is divided into
// equal columns, and each shows the activity that took most of it. When a
// launch outgrows the columns, pairs of adjacent columns are merged.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_WAVEACTIVITY_H
#define AIRCC_SIMULATOR_TIMING_WAVEACTIVITY_H

#include "simulator/timing/OpTiming.h"
#include "simulator/timing/TimedWave.h"

#include <map>
#include <string>
#include <vector>

namespace aircc::sim {

/// Activities, each with a letter for reports.
enum class Activity : uint8_t {
  Matrix,        ///< M
  Vector,        ///< V
  Scalar,        ///< S: scalar instructions, branches, s_nop
  Lds,           ///< L
  Memory,        ///< G
  WaitsMemory,   ///< g
  WaitsLds,      ///< l
  WaitsBarrier,  ///< b
  WaitsOtherwise ///< w: for operands, units and issue slots
};
constexpr unsigned kActivities = 9;
char activityLetter(Activity activity);
/// Returns a name such as "matrix" or "waits for memory".
const char *activityName(Activity activity);

class WaveActivity {
public:
  static constexpr size_t maxColumns = 512, maxWaves = 32;

  /// Adds an instruction that was issued after it had waited for `reason`. The
  /// instructions of a wave must be added in order. Those of waves after the
  /// first `maxWaves` are ignored.
  void add(const TimedWave &wave, const OpTiming &op, double issued,
           double busy, StallReason reason);

  struct Row {
    uint64_t wave = 0;
    unsigned simd = 0;
    std::string columns; ///< A letter for each, or '.' if the wave does not
                         ///< execute.
  };
  std::vector<Row> rows();
  double cyclesPerColumn() const { return width; }

private:
  using Column = std::array<float, kActivities>;
  struct Wave {
    unsigned simd = 0;
    bool isRunning = false;
    Activity last = Activity::Scalar;
    double issued = 0, end = 0; ///< For the last instruction.
    std::vector<Column> columns;
  };

  void fill(Wave &wave, Activity activity, double begin, double end);
  void makeRoom(double end);

  double width = 8;
  std::map<uint64_t, Wave> waves; ///< By age.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_WAVEACTIVITY_H
