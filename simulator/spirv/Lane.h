//===- Lane.h - What compiled kernels know of their lane --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LaneState is read by compiled code at fixed places: variables
// that SPIR-V decorates BuiltIn lie there as the module declares them (vectors
// of three as those of four).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_LANE_H
#define AIRCC_SIMULATOR_SPIRV_LANE_H

#include "simulator/spirv/Fiber.h"
#include "simulator/spirv/Site.h"

#include <cstdint>
#include <vector>

namespace aircc::sim::spirv {

class Workgroup;

/// Where the variables of a function lie that have addresses which the compiler
/// cannot follow: bytes from the start of its frame.
struct FrameLayout {
  struct Variable {
    uint32_t offset, bytes;
    std::string name;
  };
  std::vector<Variable> variables;
  uint32_t bytes = 0;
  uint32_t alignment = 1; ///< The largest that a variable declares.
  std::string function;
};

enum class LaneStatus { Running, Convergence, Ended };

/// Builtin variables of vectors.
struct LaneIds {
  uint64_t localId[4], globalId[4], groupId[4];
  uint64_t groupSize[4], globalSize[4], groups[4], globalOffset[4];
  uint64_t localIndex, globalIndex;
  uint32_t subgroupSize, subgroupMaxSize, subgroups, subgroupId, subgroupLane,
      dimensions;
  /// Masks of the lanes equal, at or above, above, at or below, below.
  uint32_t maskEq[4], maskGe[4], maskGt[4], maskLe[4], maskLt[4];
};

/// Where the accesses of one place of the code may go without asking: the
/// memory that the last one was found to be in. Of a workgroup.
struct AccessWindow {
  uint64_t begin = 0; ///< Of private memory: from its start on.
  uint64_t count = 0; ///< How many addresses, from there on.
  uint64_t hits = 0;  ///< Accesses that are still to be counted,
  uint32_t row = 0;   ///< as what (LaneCounts::Row).
};

/// What compiled code reads and writes.
struct LaneState {
  LaneIds ids;
  uint8_t *slm = nullptr;           ///< Of the workgroup.
  uint8_t *dynamicSlm = nullptr;    ///< The part whose size the launch says.
  uint8_t *privateMemory = nullptr; ///< Of all frames.
  AccessWindow *windows = nullptr;  ///< By the number of the AccessSite.
  int64_t budget = 0;    ///< Backward jumps until the lane's turn ends.
  uint64_t executed = 0; ///< Instructions of loops, for limits.
  /// Whether it works or only waits for others: how often in this turn it did
  /// else than find what it had found there before (Lane::polls).
  uint64_t work = 0;
};

/// Begins with its LaneState: compiled code has the address of either.
struct Lane : LaneState {
  // What every convergence reads and writes, in one line of the cache.
  alignas(64) LaneStatus status = LaneStatus::Ended;
  uint32_t subgroup = 0, index = 0;     ///< Which, and which lane of it.
  const CollectiveSite *site = nullptr; ///< Where it waits,
  uint8_t *record = nullptr;            ///< with the values it brings.
  Lane *next = nullptr; ///< Who has its turn after this one, or null.
  Workgroup *group = nullptr;
  Fiber fiber;
  uint64_t polls = 0;

  uint32_t number = 0; ///< In the workgroup.

  struct Frame {
    const FrameLayout *layout;
    uint8_t *base;
  };
  std::vector<Frame> frames;
  uint32_t privateUsed = 0;

  uint64_t polled = 0, polledValue = 0; ///< Where, and what.
  const AccessSite *pollSite = nullptr;
  const LoopSite *stopSite = nullptr; ///< Where its last turn was over.
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_LANE_H
