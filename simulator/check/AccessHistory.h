//===- AccessHistory.h - Past accesses of memory ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The history of each memory cell: the last plain write, and the reads and
// atomics since then that no later, ordered access covers. FastTrack (Flanagan
// and Freund, PLDI 2009) keeps reads in this way; atomics are an addition.
//
// Cells that were accessed by the same instructions have the same history, and
// an instruction changes all of them to the same next history. Therefore, the
// shadow of a cell is the number of a history. Histories are shared and
// reference-counted, and an access is checked once for all cells that share a
// history.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H
#define AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H

#include "simulator/check/AccessFootprint.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace aircc::sim {

/// An access that was made before the current one.
struct PastAccess {
  uint32_t agent = 0;  ///< Number of the agent in the launch + 1; 0: no access.
  uint32_t ticket = 0; ///< The number of the agent in the launch plus 1, or 0
                       ///< for no access.
  uint32_t op : 20;    ///< The number of the operation in its queue.
  uint32_t lane : 6;   ///< Set only for reports.
  uint32_t queue : 3;
  uint32_t atomic : 1; ///< Whether it is an atomic, or a load or store with a
                       ///< scope.
  uint32_t writes : 1;
  PastAccess() : op(0), lane(0), queue(0), atomic(0), writes(0) {}

  bool isPlainRead() const { return !writes && !atomic; }
  bool isPlainWrite() const { return writes && !atomic; }
  /// Returns whether every access that conflicts with `other` also conflicts
  /// with this one. Accesses conflict if one of them writes and not both are
  /// atomic.
  bool covers(const PastAccess &other) const {
    return (writes || !other.writes) && (!atomic || other.atomic);
  }
  /// Returns whether this access, a read, repeats the latest access, whose
  /// conflicts have already been checked.
  bool repeats(const PastAccess &latest) const {
    return latest.agent == agent && latest.queue == queue &&
           latest.atomic == atomic && !latest.writes && !writes;
  }
};

/// Returns whether a past access is known to happen before the current one.
using IsBefore = llvm::function_ref<bool(const PastAccess &)>;

/// A list that grows without moving its elements.
template <class T> class ChunkedList {
public:
  T &operator[](uint32_t i) { return chunks[i / kChunk][i % kChunk]; }
  const T &operator[](uint32_t i) const {
    return chunks[i / kChunk][i % kChunk];
  }
  uint32_t add() {
    if (count == chunks.size() * kChunk)
      chunks.push_back(std::make_unique<T[]>(kChunk));
    return count++;
  }
  void clear() {
    chunks.clear();
    count = 0;
  }

private:
  static constexpr uint32_t kChunk = 256;
  std::vector<std::unique_ptr<T[]>> chunks;
  uint32_t count = 0;
};

/// The histories of a memory. Number 0 is the history of memory that was never
/// accessed.
class AccessHistories {
public:
  using Id = uint32_t;

  AccessHistories() { reset(); }
  /// Forgets all accesses.
  void reset();

  /// Begin and end the access that next() and advance() add to histories.
  void begin(const PastAccess &access, const AccessFootprint &footprint);
  void end();

  /// Returns the history that consists of `from` and the access.
  /// `agentsPerGroup` is 0 if all agents are in one workgroup; otherwise, the
  /// history keeps at most eight accesses by other workgroups. If `dropsReads`
  /// is set, drops the plain reads by the same agent.
  Id next(Id from, uint32_t agentsPerGroup, bool dropsReads, IsBefore isBefore);
  /// Does the same in place, which changes `from` for all cells that have it.
  void advance(Id from, uint32_t agentsPerGroup, bool dropsReads,
               IsBefore isBefore);
  /// Returns whether exactly this number of cells has the history.
  bool hasCellCount(Id id, size_t cellCount) const {
    return id && histories[id].cellCount == cellCount;
  }
  /// Records that this number of cells changes from one history to another.
  void move(Id from, Id to, uint32_t cellCount) {
    if (from == to)
      return;
    histories[to].cellCount += cellCount;
    drop(from, cellCount);
  }

  /// Returns the last plain write of the cell at `address`. Its agent is 0 if
  /// there is none.
  PastAccess write(Id id, uint64_t address) const {
    return pastOf(histories[id].write, address);
  }
  /// Calls `look` with each read and atomic since the last plain write, latest
  /// first, until `look` returns true.
  template <class Look>
  void forEachOther(Id id, uint64_t address, const Look &look) const {
    const History &history = histories[id];
    if (!history.latest || look(pastOf(history.latest, address)))
      return;
    for (uint32_t event : history.others)
      if (look(pastOf(event, address)))
        return;
  }
  /// Returns whether `test` is true for any of the past accesses, which it gets
  /// without their lanes.
  template <class Test> bool any(Id id, const Test &test) const {
    const History &history = histories[id];
    if (test(events[history.write].access) ||
        test(events[history.latest].access))
      return true;
    for (uint32_t event : history.others)
      if (test(events[event].access))
        return true;
    return false;
  }
  const PastAccess &latest(Id id) const {
    return events[histories[id].latest].access;
  }
  /// Returns the plain write that wrote the current value at `address`. Its
  /// agent is 0 if an atomic wrote the value, or if nothing did.
  PastAccess lastStore(Id id, uint64_t address) const;

private:
  /// The access of one instruction. Lane L accessed addresses[L], or base +
  /// L * stride if `addresses` is empty.
  struct Event {
    PastAccess access;
    uint32_t uses = 0; ///< The number of histories that contain it.
    uint32_t bytes = 0;
    uint64_t lanes = 0, base = 0, stride = 0;
    std::vector<uint64_t> addresses;
  };
  struct History {
    uint32_t write = 0, latest = 0; ///< The numbers of events, or 0 for none.
    uint32_t cellCount = 0;         ///< The number of cells with this history.
    /// The reads and atomics except for the latest one.
    llvm::SmallVector<uint32_t, 8> others;
  };
  PastAccess pastOf(uint32_t event, uint64_t address) const;
  void use(uint32_t event) { ++events[event].uses; }
  void release(uint32_t event) {
    if (event && !--events[event].uses)
      spareEvents.push_back(event);
  }
  void drop(Id id, uint32_t cellCount);
  void clear(History &history);
  void append(History &history, uint32_t agentsPerGroup, bool dropsReads,
              IsBefore isBefore);
  void push(History &history, uint32_t agentsPerGroup, IsBefore isBefore);

  ChunkedList<Event> events;
  ChunkedList<History> histories;
  std::vector<uint32_t> spareEvents, spareHistories;
  uint32_t current = 0; ///< The event of the current access.
  Id written = 0;       ///< The history of the cells that it wrote.
};

/// The histories of a range of memory. Cells have four bytes until a smaller
/// or less aligned access splits them.
class CellTable {
public:
  explicit CellTable(uint64_t bytes = 0) { reset(bytes); }
  void reset(uint64_t bytes);
  /// Splits cells until an access of `bytes` at `address` covers whole cells.
  void refine(AccessHistories &histories, uint64_t address, unsigned bytes) {
    const uint64_t mask = (uint64_t(1) << shift) - 1;
    if ((address | bytes) & mask)
      split(histories, address, bytes);
  }
  AccessHistories::Id &at(uint64_t address) { return cells[address >> shift]; }
  unsigned granule() const { return 1u << shift; }
  size_t cellCount(uint64_t bytes) const { return bytes >> shift; }

private:
  void split(AccessHistories &histories, uint64_t address, unsigned bytes);

  unsigned shift = 2;
  std::vector<AccessHistories::Id> cells;
};

/// Applies one access to cells. Caches the next history of each history.
class AccessWalk {
public:
  /// The transition of the cells with history `from` to history `to`.
  struct Step {
    AccessHistories::Id from = 0, to = 0;
    uint32_t cellCount = 0;
    bool conflicts = false; ///< Whether the access conflicts with `from`.
    bool coversAll = false; ///< Whether no other cells have `from`.
  };
  explicit AccessWalk(AccessHistories &histories) : histories(histories) {
    steps.push_back(Step());
  }
  ~AccessWalk() {
    for (const Step &step : steps) {
      histories.move(step.from, step.to, step.cellCount);
      histories.move(step.to, 0, 1); // This reference is from findStep().
    }
  }
  AccessWalk(const AccessWalk &) = delete;
  AccessWalk &operator=(const AccessWalk &) = delete;

  /// Changes `count` cells to their next histories. `find` sets `to` and
  /// `conflicts` of a new step. `report` is called with the old history and the
  /// index of each cell whose history conflicts with the access.
  template <class Find, class Report>
  void apply(AccessHistories::Id *cells, size_t count, const Find &find,
             const Report &report) {
    for (size_t begin = 0; begin < count;) {
      const AccessHistories::Id from = cells[begin];
      const size_t end = begin + countEqual(from, cells + begin, count - begin);
      if (last >= steps.size() || steps[last].from != from)
        findStep(from, end - begin, find);
      Step &step = steps[last];
      std::fill(cells + begin, cells + end, step.to);
      step.cellCount += end - begin;
      if (__builtin_expect(step.conflicts, 0))
        for (size_t at = begin; at < end; ++at)
          report(from, at);
      begin = end;
    }
  }

private:
  /// Returns the number of leading cells that have the history `from`.
  static size_t countEqual(AccessHistories::Id from,
                           const AccessHistories::Id *cells, size_t count) {
    constexpr size_t kStep = 8;
    size_t same = 1;
    for (; same + kStep <= count; same += kStep) {
      AccessHistories::Id differs = 0;
      for (size_t k = 0; k < kStep; ++k)
        differs |= cells[same + k] ^ from;
      if (differs)
        break;
    }
    while (same < count && cells[same] == from)
      ++same;
    return same;
  }

  template <class Find>
  void findStep(AccessHistories::Id from, size_t cellCount, const Find &find) {
    for (last = 1; last < steps.size(); ++last)
      if (steps[last].from == from)
        return;
    Step step;
    step.from = from;
    step.coversAll = histories.hasCellCount(from, cellCount);
    find(step);
    histories.move(0, step.to, 1);
    steps.push_back(step);
  }

  AccessHistories &histories;
  llvm::SmallVector<Step, 16> steps; ///< The first one is unused.
  size_t last = SIZE_MAX;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H
