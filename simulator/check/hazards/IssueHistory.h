//===- IssueHistory.h - The last issued instructions ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The most recent instructions of a wave, on which the rules for later
// instructions depend (Hazards.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_HAZARDS_ISSUEHISTORY_H
#define AIRCC_SIMULATOR_CHECK_HAZARDS_ISSUEHISTORY_H

#include "simulator/isa/Modifiers.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <iterator>

namespace aircc::sim {

struct Op;
struct HazardFacts;

struct IssueHistory {
  struct Entry {
    const Op *op = nullptr;
    const HazardFacts *facts = nullptr;
    uint32_t state = 0; ///< The wait states issued before it.
  };
  /// On gfx9, all instructions. On gfx11 and gfx12, vector instructions, and
  /// scalar ones that write EXEC, since the last wait for the vector ALU.
  static constexpr unsigned kKept = 32;
  Entry entries[kKept];
  /// On gfx9, the last matrix instructions, and a bit mask of the registers of
  /// C and D of those to which rules may still apply.
  Entry matrixEntries[kKept];
  uint32_t matrixEnd = 0;
  std::bitset<kVectorRows> matrixRegisters;
  uint32_t end = 0, begin = 0; ///< The numbers of the valid entries.

  uint32_t states = 0; ///< The wait states issued.
  /// `states` after the last such instruction, by bit of HazardFacts::firstOf.
  static constexpr unsigned kRuleBits = 32;
  uint32_t lastFirst[kRuleBits] = {};
  /// From quietFrom on, only rules for plain writes of VGPRs can apply; from
  /// matrixFrom on, no rules of matrix instructions.
  uint32_t quietFrom = 0, matrixFrom = 0;

  // For gfx11 and gfx12
  Entry lastVector, lastNonNopVector; ///< With and without v_nop.
  unsigned vectorsSinceTrans = kKept;
  unsigned dsNops = 0; ///< Consecutive ones.
  /// Memory instructions that may not have read their registers yet.
  static constexpr unsigned kKeptMemory = 8;
  const Op *memory[kKeptMemory] = {};
  unsigned memoryEnd = 0;
  /// Scalars that vector instructions have read (on gfx11, as a mask), and
  /// those that each unit has written since then without a wait.
  std::bitset<kScalarRegs> readByVector, writtenByScalar, writtenByVector;
  const Op *scalarWriter[kScalarRegs] = {};

  void addMatrix(const Op &op, const HazardFacts &facts) {
    matrixEntries[matrixEnd++ % kKept] = {&op, &facts, states};
  }
  const Entry *lastMatrix(unsigned back) const {
    return back > kKept || back > matrixEnd
               ? nullptr
               : &matrixEntries[(matrixEnd - back) % kKept];
  }
  void add(const Op &op, const HazardFacts &facts) {
    entries[end++ % kKept] = {&op, &facts, states};
  }
  /// For gfx11 and gfx12.
  void addVector(const Op &op, const HazardFacts &facts) {
    lastVector.op = lastNonNopVector.op = &op;
    lastVector.facts = lastNonNopVector.facts = &facts;
    add(op, facts);
    ++vectorsSinceTrans;
    memoryEnd = 0;
  }
  /// For gfx11 and gfx12, where memory instructions wait for the vector ALU.
  void addMemory(const Op &op) {
    clear();
    if (memoryEnd < kKeptMemory)
      memory[memoryEnd++] = &op;
  }
  /// Returns the entry `back` before the next one (1 is the latest), or null.
  const Entry *last(unsigned back) const {
    return back > kKept || back > end - begin ? nullptr
                                              : &entries[(end - back) % kKept];
  }
  void clear() { begin = end; }
  /// Prepares the history for a new wave. Invalid entries keep their old
  /// values.
  void reset() {
    end = begin = matrixEnd = states = quietFrom = matrixFrom = 0;
    std::fill(std::begin(lastFirst), std::end(lastFirst), 0);
    matrixRegisters.reset();
    lastVector = lastNonNopVector = Entry();
    vectorsSinceTrans = kKept;
    dsNops = memoryEnd = 0;
    readByVector.reset();
    writtenByScalar.reset();
    writtenByVector.reset();
  }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_HAZARDS_ISSUEHISTORY_H
