//===- AccessHistory.h - Who accessed memory before -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each piece of memory: the last plain write, and every read and atomic
// since that nothing known to come after it makes superfluous. Most pieces have
// one such access at a time, which stands in the cell itself; only those that
// several waves read (or do atomics on) have a list. This is how FastTrack
// (Flanagan and Freund, PLDI 2009) keeps reads, with atomics added.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H
#define AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace aircc::sim {

/// One access in the memory of the past.
struct PastAccess {
  uint32_t wave = 0;   ///< Number in the launch + 1, 0: none.
  uint32_t ticket = 0; ///< In its queue.
  uint32_t op : 20;    ///< OpInfo::index
  uint32_t lane : 6;
  uint32_t queue : 3;
  uint32_t atomic : 1; ///< Or with a scope.
  uint32_t writes : 1;
  PastAccess() : op(0), lane(0), queue(0), atomic(0), writes(0) {}

  /// Whether whatever conflicts with `other` conflicts with this as well:
  /// accesses conflict when one of them writes and not both are atomic.
  bool covers(const PastAccess &other) const {
    return (writes || !other.writes) && (!atomic || other.atomic);
  }
};

struct alignas(32) MemoryCell {
  PastAccess write;  ///< The last plain write.
  PastAccess latest; ///< The last read or atomic since.
  uint32_t more = 0; ///< Others since: place in CellTable's lists, 0: none.

  /// Whether `now`, a read, is like the latest: then whatever it may conflict
  /// with has been looked at.
  bool repeats(const PastAccess &now) const {
    return latest.wave == now.wave && latest.queue == now.queue &&
           latest.atomic == now.atomic && !latest.writes && !now.writes;
  }
};

/// Whether an access is known to come before the one that is made now.
using IsBefore = llvm::function_ref<bool(const PastAccess &)>;

/// Cells for a stretch of memory. They stand for four bytes each until a
/// smaller or less aligned access comes.
class CellTable {
public:
  explicit CellTable(uint64_t bytes = 0) { reset(bytes); }
  void reset(uint64_t bytes);
  /// Splits cells until one access of `bytes` at `address` covers whole ones.
  void refine(uint64_t address, unsigned bytes) {
    const uint64_t mask = (uint64_t(1) << shift) - 1;
    if ((address | bytes) & mask)
      split(address, bytes);
  }
  MemoryCell &at(uint64_t address) { return cells[address >> shift]; }
  unsigned granule() const { return 1u << shift; }

  /// A plain write: what came before it matters no more.
  void setWrite(MemoryCell &cell, const PastAccess &now) {
    cell.write = now;
    cell.latest = PastAccess();
    if (cell.more)
      dropList(cell);
  }
  /// A read or an atomic. `wavesPerGroup` is not 0 where waves of several
  /// workgroups come: of those of other workgroups than that of `now` eight are
  /// kept.
  template <class Before>
  void add(MemoryCell &cell, const PastAccess &now, uint32_t wavesPerGroup,
           const Before &isBefore) {
    if (cell.latest.wave && !(now.covers(cell.latest) && isBefore(cell.latest)))
      pushToList(cell, now, wavesPerGroup, isBefore);
    cell.latest = now;
  }
  /// Drops the plain reads of one wave.
  void dropReads(MemoryCell &cell, uint32_t wave);
  /// Whether `test` is true of one of the reads and atomics since the last
  /// plain write, but for the latest; asks until one is found.
  template <class Test> bool anyOther(const MemoryCell &cell, Test test) const {
    for (uint32_t i = cell.more; i; i = lists[i - 1].next)
      for (const PastAccess &past : lists[i - 1].kept)
        if (past.wave && test(past))
          return true;
    return false;
  }
  /// The plain write whose value an access at `address` finds, if it is one.
  PastAccess lastStore(uint64_t address);

private:
  /// Places without a wave are empty.
  struct Part {
    PastAccess kept[4];
    uint32_t next = 0; ///< As MemoryCell::more.
  };
  void split(uint64_t address, unsigned bytes);
  void dropList(MemoryCell &cell);
  void pushToList(MemoryCell &cell, const PastAccess &now,
                  uint32_t wavesPerGroup, IsBefore isBefore);
  uint32_t newPart();

  unsigned shift = 2;
  uint64_t size = 0;
  std::vector<MemoryCell> cells;
  std::vector<Part> lists;
  std::vector<uint32_t> spareParts; ///< Places in `lists` that are empty.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H
