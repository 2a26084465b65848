//===- RankRaces.h - Races between kernels of several ranks -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels of different ranks race if two plain accesses to a word of a
// symmetric heap, at least one of them a write, are unordered. A rank counts as
// one thread here; Races.h finds the races within a rank. The vector clocks of
// the ranks are in shared memory (SharedHeap.h). A rank acquires the clock of
// another rank:
//
//  - At a barrier, from all ranks that take part.
//  - With a message on a rank-level channel, from its sender.
//  - With an atomic or a load with a scope, from the rank that wrote the value,
//    which may be a plain store.
//  - With a load in a loop that polls a whole line of 128 bytes, from the rank
//    that wrote the line with one instruction. A line contains a flag and its
//    payload, and is written and read as a unit.
//
// The last write and the last reads of a word are exchanged atomically before
// the access. Therefore, at least one of two racing accesses sees the other.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_RANKRACES_H
#define AIRCC_SIMULATOR_CHECK_RANKRACES_H

#include "simulator/check/Reports.h"
#include "simulator/exec/Observe.h"
#include "simulator/exec/memory/SharedHeap.h"

#include <cstdint>
#include <map>
#include <set>

namespace aircc::sim {

/// A past access of the word at `word`.
struct PastRankAccess {
  RankAccess access;
  bool writes;
  uint64_t word;
};

class RankRaces {
public:
  explicit RankRaces(Reports &reports) : reports(reports) {}
  void begin(const LaunchState &state);
  void end() { acquirePolled(); }
  /// Returns whether there are other ranks that share memory with this one.
  bool isNeeded() const { return heap; }
  /// `isAtomic` is true for an atomic, or a load or store with a scope.
  void access(Wave &wave, const Op &op, const MemoryAccess &access,
              bool isAtomic);

private:
  void acquirePolled();
  /// Checks the access of `lane` to the bytes `now.bytes` of the word at
  /// `word`.
  void accessWord(Wave &wave, const Op &op, const MemoryAccess &access,
                  RankAccess now, unsigned lane, uint64_t word);
  /// Returns whether the access of `lane` races with `past`, and does so for
  /// the first time at this operation.
  bool isNewRace(const Op &op, const MemoryAccess &access, unsigned lane,
                 const RankAccess &now, const PastRankAccess &past);
  void report(Wave &wave, const Op &op, const MemoryAccess &access,
              unsigned lane, const PastRankAccess &past);
  bool isInLoop(const Op &op);

  Reports &reports;
  const LaunchState *state = nullptr;
  SharedHeap *heap = nullptr; ///< Null if there are no other ranks.
  /// Words that were read atomically. Their writers are looked up at the next
  /// access, after the read has been executed.
  std::set<uint64_t> polled;
  std::map<const Op *, bool> inLoop; ///< Cached results of isInLoop.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RANKRACES_H
