//===- RelativeRegisters.h - Register numbers that M0 moves -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This header is for V_MOVREL*, V_SWAPREL and S_MOVREL*.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_RELATIVEREGISTERS_H
#define AIRCC_SIMULATOR_EXEC_RELATIVEREGISTERS_H

#include "simulator/exec/Wave.h"
#include "simulator/isa/InstructionRecord.h"

namespace aircc::sim {

/// The register numbers to which M0 is added, as Op::flags.
enum RelativeFlags : uint32_t {
  kRelativeSource = 1,
  kRelativeDest = 2,
  kRelativeTwo = 4, ///< M0[9:0] for the source, M0[25:16] for the destination.
};

/// Returns the number of the register that the operation accesses as `reg`,
/// which may be out of range.
inline uint32_t relativeRegister(const Wave &wave, const Op &op, uint32_t reg,
                                 bool isSource) {
  const uint32_t m0 = wave.scalars[kM0];
  if (!(op.flags & (isSource ? kRelativeSource : kRelativeDest)))
    return reg;
  if (op.flags & kRelativeTwo)
    return reg + (isSource ? m0 & 0x3ff : m0 >> 16 & 0x3ff);
  return reg + m0;
}

/// Returns the Op::flags of an instruction.
inline uint32_t relativeFlags(const InstructionRecord &record) {
  return (record.has(trait::RelativeSource) ? kRelativeSource : 0) |
         (record.has(trait::RelativeDest) ? kRelativeDest : 0) |
         (record.has(trait::RelativeTwo) ? kRelativeTwo : 0);
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_RELATIVEREGISTERS_H
