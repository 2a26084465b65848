//===- OpTiming.h - Timing of one instruction -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_OPTIMING_H
#define AIRCC_SIMULATOR_TIMING_OPTIMING_H

#include "simulator/exec/OpInfo.h"
#include "targets/TimingFigures.h"

#include <cstdint>

namespace aircc::sim {

/// The part of a compute unit to which an instruction is issued. In each issue
/// slot, a SIMD issues at most one instruction of each class.
enum class IssueClass : uint8_t {
  Vector, ///< Includes matrix instructions.
  Scalar, ///< Includes scalar loads.
  VectorMemory,
  Lds,
  Branch,
  Internal, ///< Needs no unit: s_nop, s_waitcnt, s_barrier, …
};
constexpr unsigned kIssueClasses = 6;

/// Facts about an instruction that are known before it is executed. All times
/// are in cycles.
struct OpTiming {
  const Op *op = nullptr;
  IssueClass issueClass = IssueClass::Internal;
  bool isMatrix = false;
  /// Whether it is a matrix instruction that occupies the vector unit as long
  /// as the matrix pipe, or a vector instruction that needs the matrix pipe to
  /// be idle.
  bool excludesOther = false;
  uint32_t vectorCycles = 0; ///< How long the vector unit is occupied.
  uint32_t matrixCycles = 0; ///< How long the matrix pipe is occupied.
  uint32_t latency = 0;      ///< The time until others can use the result.
  uint32_t idleSlots = 0;    ///< More issue slots that an s_nop takes.
  int32_t priority = -1;     ///< The new priority for s_setprio, or -1 for
                             ///< another instruction.
  /// The accumulator of a matrix instruction (its first vector register), which
  /// may be forwarded from the previous matrix instruction, or -1 for none.
  int32_t accumulator = -1;
};

/// Returns the timing of an operation. `wave` is the number of lanes.
OpTiming describeTiming(const Op &op, const TimingFigures &figures,
                        const Chip &chip, unsigned wave);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_OPTIMING_H
