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
  Vector, ///< Matrix instructions too.
  Scalar, ///< Scalar loads too.
  VectorMemory,
  Lds,
  Branch,
  Internal, ///< Needs no unit: s_nop, s_waitcnt, s_barrier, …
};
constexpr unsigned kIssueClasses = 6;

/// Facts about an instruction that are known before it is executed. All
/// times are in cycles.
struct OpTiming {
  const Op *op = nullptr;
  IssueClass issueClass = IssueClass::Internal;
  bool isMatrix = false;
  /// A matrix instruction that occupies the vector unit as long as the matrix
  /// pipe, or a vector instruction that needs the matrix pipe to be idle.
  bool excludesOther = false;
  uint32_t vectorCycles = 0; ///< The vector unit is occupied.
  uint32_t matrixCycles = 0; ///< The matrix pipe is occupied.
  uint32_t latency = 0;      ///< Until others can use the result.
  uint32_t idleSlots = 0;    ///< s_nop: further slots of the wave.
  int32_t priority = -1;     ///< s_setprio: the new priority; -1: another one.
  /// The accumulator of a matrix instruction (the first vector register), which
  /// may be forwarded from the previous matrix instruction; -1: none.
  int32_t accumulator = -1;
};

/// Returns the timing of an operation. `wave` is the number of lanes.
OpTiming describeTiming(const Op &op, const TimingFigures &figures,
                        const Chip &chip, unsigned wave);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_OPTIMING_H
