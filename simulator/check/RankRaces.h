//===- RankRaces.h - Races between kernels of several ranks -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of different ranks race when two plain accesses of a word of a
// symmetric heap, one of them a write, are not ordered. A rank counts as one
// thread; Races.h looks inside of it. Vector clocks in shared memory
// (SharedHeap.h) say what a rank knows of the others. It learns
//
//  - at a barrier, what all who came to it had done before;
//  - from a message of a rank-level channel, what its sender had done;
//  - by an atomic, or a load with a scope, what the rank had done that wrote
//  the
//    value last. The write may be a plain store;
//  - by a load in a loop that polls a whole line of 128 bytes, what the rank
//  had
//    done that wrote the line with one instruction: a line carries a flag
//    beside its payload, and is written and read as one.
//
// The last write and the last reads of every word are exchanged atomically
// before the access takes place, so that of two accesses that race one sees the
// other, however they interleave.
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

class RankRaces {
public:
  explicit RankRaces(Reports &reports) : reports(reports) {}
  void begin(const LaunchState &state);
  void end() { acquirePolled(); }
  /// Whether other ranks share memory.
  bool isNeeded() const { return heap; }
  /// `isAtomic`: an atomic, or a load or store with a scope.
  void access(Wave &wave, const Op &op, const MemoryAccess &access,
              bool isAtomic);

private:
  void acquirePolled();
  /// The bytes of `now` of the word at `word`, a part of the access of `lane`.
  void accessWord(Wave &wave, const Op &op, const MemoryAccess &access,
                  RankAccess now, unsigned lane, uint64_t word);
  void checkPair(Wave &wave, const Op &op, const MemoryAccess &access,
                 unsigned lane, const RankAccess &now, const RankAccess &past,
                 bool pastWrites, uint64_t word);
  bool isInLoop(const Op &op);

  Reports &reports;
  const LaunchState *state = nullptr;
  SharedHeap *heap = nullptr; ///< Null where no other rank takes part.
  /// Words that were read atomically. Who wrote them is looked up at the next
  /// access, when the read has taken place for sure.
  std::set<uint64_t> polled;
  std::map<const Op *, bool> inLoop; ///< What isInLoop has found.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RANKRACES_H
