//===- IssueHistory.h - What a wave has just issued -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last instructions of a wave, for those that must not come too soon behind
// them (Hazards.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ISSUEHISTORY_H
#define AIRCC_SIMULATOR_CHECK_ISSUEHISTORY_H

#include "simulator/isa/Modifiers.h"

#include <bitset>
#include <cstdint>

namespace aircc::sim {

struct Op;
struct HazardFacts;

struct IssueHistory {
  struct Entry {
    const Op *op = nullptr;
    const HazardFacts *facts = nullptr;
    uint32_t state = 0; ///< Wait states issued before it.
  };
  /// gfx9: all instructions. gfx11: vector instructions, and scalar ones that
  /// write EXEC, since the last that waits for the vector ALU.
  static constexpr unsigned kKept = 32;
  Entry entries[kKept];
  uint32_t end = 0, begin = 0; ///< Entries ever made; the first that counts.

  uint32_t states = 0; ///< Wait states issued.
  /// By role (HazardRole's bits): `states` after the last one that has it.
  static constexpr unsigned kRoles = 32;
  uint32_t lastOfRole[kRoles] = {};
  /// From here on only those that read what a vector instruction has just
  /// written have to look back; from the second on no matrix instruction is
  /// near.
  uint32_t quietFrom = 0, matrixFrom = 0;

  // gfx11 and gfx12.
  Entry lastVector, lastNonNopVector; ///< With and without v_nop.
  unsigned vectorsSinceTrans = kKept;
  unsigned dsNops = 0; ///< In a row.
  /// Memory instructions that may not have read their registers yet.
  static constexpr unsigned kKeptMemory = 8;
  const Op *memory[kKeptMemory] = {};
  unsigned memoryEnd = 0;
  /// Scalars that vector instructions have read (gfx11: as a mask), then those
  /// that were written since by whom, and not waited for.
  std::bitset<kScalarRegs> readByVector, writtenByScalar, writtenByVector;
  const Op *scalarWriter[kScalarRegs] = {};

  void add(const Op &op, const HazardFacts &facts) {
    entries[end++ % kKept] = {&op, &facts, states};
  }
  /// The entry `back` before the next one (1: the latest), or null.
  const Entry *last(unsigned back) const {
    return back > kKept || back > end - begin ? nullptr
                                              : &entries[(end - back) % kKept];
  }
  void clear() { begin = end; }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ISSUEHISTORY_H
