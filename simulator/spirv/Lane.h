//===- Lane.h - State of a lane ---------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compiled code accesses LaneState at fixed offsets. Variables that SPIR-V
// decorates with BuiltIn have the layout that the module declares (vectors of
// three occupy the memory of four).
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

/// The frame of a function in private memory. It contains the variables whose
/// addresses cannot be tracked at compile time.
struct FrameLayout {
  struct Variable {
    uint32_t offset, bytes; ///< The offset is relative to the start of the
                            ///< frame.
    std::string name;
  };
  std::vector<Variable> variables;
  uint32_t bytes = 0;
  uint32_t alignment = 1; ///< The largest alignment of a variable.
  std::string function;
};

enum class LaneStatus { Running, Convergence, Ended };

/// The builtin variables
struct LaneIds {
  uint64_t localId[4], globalId[4], groupId[4];
  uint64_t groupSize[4], globalSize[4], groups[4], globalOffset[4];
  uint64_t localIndex, globalIndex;
  uint32_t subgroupSize, subgroupMaxSize, subgroups, subgroupId, subgroupLane,
      dimensions;
  /// Masks of the lanes equal, at or above, above, at or below, and below.
  uint32_t maskEq[4], maskGe[4], maskGt[4], maskLe[4], maskLt[4];
};

/// The addresses that an access site in a workgroup may access without a call
/// to the host, which are the variable or buffer of its last access.
struct AccessWindow {
  uint64_t begin = 0; ///< For private memory, relative to the lane's start.
  uint64_t count = 0; ///< The number of valid addresses.
  uint64_t hits = 0;  ///< The number of accesses not added to the counts yet.
  uint32_t row = 0;   ///< The LaneCounts::Row to which they belong.
};

/// The state that compiled code reads and writes.
struct LaneState {
  LaneIds ids;
  uint8_t *slm = nullptr;           ///< Shared local memory.
  uint8_t *dynamicSlm = nullptr;    ///< The part whose size the launch
                                    ///< specifies.
  uint8_t *privateMemory = nullptr; ///< For all frames of the lane.
  AccessWindow *windows = nullptr;  ///< Indexed by AccessSite::number.
  int64_t budget = 0;    ///< Backward jumps until the time slice ends.
  uint64_t executed = 0; ///< Instructions in loops, for limits.
  /// The number of events in this time slice other than polls (Lane::polls). A
  /// lane without them only waits.
  uint64_t work = 0;
};

/// A lane. Its LaneState is first, so that compiled code can use one address
/// for both.
struct Lane : LaneState {
  // The members that every convergence accesses share a cache line.
  alignas(64) LaneStatus status = LaneStatus::Ended;
  uint32_t subgroup = 0, index = 0;     ///< The subgroup, and the lane within
                                        ///< it.
  const CollectiveSite *site = nullptr; ///< The operation at which it waits.
  uint8_t *record = nullptr;            ///< The operands of that operation.
  Lane *next = nullptr; ///< The lane that executes after this one, or null.
  Workgroup *group = nullptr;
  Fiber fiber;
  uint64_t polls = 0; ///< The number of reads of shared memory that returned
                      ///< the old value.

  uint32_t number = 0; ///< The index in the workgroup.

  struct Frame {
    const FrameLayout *layout;
    uint8_t *base;
  };
  std::vector<Frame> frames;
  uint32_t privateUsed = 0;

  uint64_t polled = 0, polledValue = 0; ///< The address and the value of the
                                        ///< last poll.
  const AccessSite *pollSite = nullptr;
  const LoopSite *stopSite = nullptr; ///< The loop in which it last yielded.
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_LANE_H
