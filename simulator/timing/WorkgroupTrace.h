//===- WorkgroupTrace.h - What a workgroup executed -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The timing model is driven by traces: the executor executes a workgroup, and
// the model then computes when each of its instructions would have been issued.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_WORKGROUPTRACE_H
#define AIRCC_SIMULATOR_TIMING_WORKGROUPTRACE_H

#include "simulator/exec/Observe.h"

#include <cstdint>
#include <vector>

namespace aircc::sim {

/// A memory access of an instruction.
struct TracedAccess {
  MemorySpace space = MemorySpace::Global;
  AccessKind kind = AccessKind::None;
  bool dma = false;
  /// For LDS, the cycles that the access takes if one port has the full width
  /// of LDS.
  uint16_t ldsCycles = 0;
  /// For memory, the number of 64-byte segments that are accessed.
  uint16_t segments = 0;
  /// For memory, the range of WaveTrace::lines with the lines of the L2 cache.
  uint16_t lineCount = 0;
  uint32_t firstLine = 0;
};

/// An instruction that a wave executed.
struct TracedOp {
  uint32_t index = 0; ///< OpInfo::index
  uint16_t accessCount = 0;
  bool branched = false; ///< Whether execution did not continue with the
                         ///< following instruction.
};

struct WaveTrace {
  std::vector<TracedOp> ops;
  std::vector<TracedAccess> accesses; ///< For all instructions, in order.
  std::vector<uint32_t> lines;        ///< Line numbers relative to a base.
};

struct WorkgroupTrace {
  uint64_t number = 0; ///< The number in the grid, x first.
  std::vector<WaveTrace> waves;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_WORKGROUPTRACE_H
