//===- AccessHistory.h - Who accessed memory before -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each piece of memory: the last plain write, and every read and atomic
// since that nothing known to come after it makes superfluous. This is how
// FastTrack (Flanagan and Freund, PLDI 2009) keeps reads, with atomics added.
//
// Pieces that the same instructions accessed have the same history, and one
// instruction takes all of them to the same next one. So the shadow of a piece
// is the number of a history, histories are shared and counted, and what an
// access means for a history is worked out once for all pieces that have it.
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

/// One access in the memory of the past.
struct PastAccess {
  uint32_t agent = 0;  ///< Who: number in the launch + 1, 0: nobody.
  uint32_t ticket = 0; ///< In its queue.
  uint32_t op : 20;    ///< OpInfo::index
  uint32_t lane : 6;   ///< Set for reports only.
  uint32_t queue : 3;
  uint32_t atomic : 1; ///< Or with a scope.
  uint32_t writes : 1;
  PastAccess() : op(0), lane(0), queue(0), atomic(0), writes(0) {}

  bool isPlainRead() const { return !writes && !atomic; }
  bool isPlainWrite() const { return writes && !atomic; }
  /// Whether whatever conflicts with `other` conflicts with this as well:
  /// accesses conflict when one of them writes and not both are atomic.
  bool covers(const PastAccess &other) const {
    return (writes || !other.writes) && (!atomic || other.atomic);
  }
  /// Whether `this`, a read, is like the latest one: then whatever it may
  /// conflict with has been looked at.
  bool repeats(const PastAccess &latest) const {
    return latest.agent == agent && latest.queue == queue &&
           latest.atomic == atomic && !latest.writes && !writes;
  }
};

/// Whether an access is known to come before the one that is made now.
using IsBefore = llvm::function_ref<bool(const PastAccess &)>;

/// A list that is long, and whose elements stay where they are.
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

/// All histories of some memory. Number 0 is that of memory that nobody has
/// accessed.
class AccessHistories {
public:
  using Id = uint32_t;

  AccessHistories() { reset(); }
  /// All memory is as if nobody had accessed it.
  void reset();

  /// An access is made of all pieces between these two calls.
  void begin(const PastAccess &access, const AccessFootprint &footprint);
  void end();

  /// What follows on `from` by the access. `agentsPerGroup` is not 0 where
  /// agents of several workgroups come: of those of other workgroups eight are
  /// kept. `dropsReads`: plain reads by the same agent are forgotten.
  Id next(Id from, uint32_t agentsPerGroup, bool dropsReads, IsBefore isBefore);
  /// Makes `from` what follows on it, for all pieces that have it.
  void advance(Id from, uint32_t agentsPerGroup, bool dropsReads,
               IsBefore isBefore);
  /// Whether so many pieces, and no others, have it.
  bool isOf(Id id, size_t pieces) const {
    return id && histories[id].pieces == pieces;
  }
  /// So many pieces go from one history to another.
  void move(Id from, Id to, uint32_t pieces) {
    if (from == to)
      return;
    histories[to].pieces += pieces;
    drop(from, pieces);
  }

  /// The last plain write, for the piece at `address`; agent 0: none.
  PastAccess write(Id id, uint64_t address) const {
    return pastOf(histories[id].write, address);
  }
  /// Calls `look` with the reads and atomics since, the latest first, until it
  /// is true.
  template <class Look>
  void forEachOther(Id id, uint64_t address, const Look &look) const {
    const History &history = histories[id];
    if (!history.latest || look(pastOf(history.latest, address)))
      return;
    for (uint32_t event : history.others)
      if (look(pastOf(event, address)))
        return;
  }
  /// Whether `test` is true of one of the past accesses, which have no lane.
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
  /// The plain write whose value an access at `address` finds, if it is one.
  PastAccess lastStore(Id id, uint64_t address) const;

private:
  /// What one instruction did. Lane L accessed addresses[L], or, where there
  /// are none, base + L * stride.
  struct Event {
    PastAccess access;
    uint32_t uses = 0; ///< By histories.
    uint32_t bytes = 0;
    uint64_t lanes = 0, base = 0, stride = 0;
    std::vector<uint64_t> addresses;
  };
  struct History {
    uint32_t write = 0, latest = 0; ///< Events; 0: none.
    uint32_t pieces = 0;            ///< That have this history.
    /// Reads and atomics but for the latest.
    llvm::SmallVector<uint32_t, 8> others;
  };
  PastAccess pastOf(uint32_t event, uint64_t address) const;
  void use(uint32_t event) { ++events[event].uses; }
  void release(uint32_t event) {
    if (event && !--events[event].uses)
      spareEvents.push_back(event);
  }
  void drop(Id id, uint32_t pieces);
  void clear(History &history);
  void append(History &history, uint32_t agentsPerGroup, bool dropsReads,
              IsBefore isBefore);
  void push(History &history, uint32_t agentsPerGroup, IsBefore isBefore);

  ChunkedList<Event> events;
  ChunkedList<History> histories;
  std::vector<uint32_t> spareEvents, spareHistories;
  uint32_t current = 0; ///< The access being made.
  Id written = 0;       ///< The history of memory that it wrote.
};

/// The histories of a stretch of memory. Pieces are four bytes each until a
/// smaller or less aligned access comes.
class CellTable {
public:
  explicit CellTable(uint64_t bytes = 0) { reset(bytes); }
  void reset(uint64_t bytes);
  /// Splits pieces until one access of `bytes` at `address` covers whole ones.
  void refine(AccessHistories &histories, uint64_t address, unsigned bytes) {
    const uint64_t mask = (uint64_t(1) << shift) - 1;
    if ((address | bytes) & mask)
      split(histories, address, bytes);
  }
  AccessHistories::Id &at(uint64_t address) { return cells[address >> shift]; }
  unsigned granule() const { return 1u << shift; }
  size_t pieces(uint64_t bytes) const { return bytes >> shift; }

private:
  void split(AccessHistories &histories, uint64_t address, unsigned bytes);

  unsigned shift = 2;
  std::vector<AccessHistories::Id> cells;
};

/// One access on its way over pieces: remembers what it makes of each history.
class AccessWalk {
public:
  /// `next` gives the history after one, and whether something must be told of
  /// pieces that have it.
  struct Step {
    AccessHistories::Id from = 0, to = 0;
    uint32_t pieces = 0;
    bool conflicts = false;
    bool coversAll = false; ///< No other pieces have `from`.
  };
  explicit AccessWalk(AccessHistories &histories) : histories(histories) {
    steps.push_back(Step());
  }
  ~AccessWalk() {
    for (const Step &step : steps) {
      histories.move(step.from, step.to, step.pieces);
      histories.move(step.to, 0, 1); // Held while the walk lasts.
    }
  }
  AccessWalk(const AccessWalk &) = delete;
  AccessWalk &operator=(const AccessWalk &) = delete;

  /// Takes `count` pieces to their next histories. `find` fills in `to` and
  /// `tells` of a new step, `tell` is called with the first history and the
  /// place of each piece that something must be told of.
  template <class Find, class Tell>
  void take(AccessHistories::Id *pieces, size_t count, const Find &find,
            const Tell &tell) {
    for (size_t begin = 0; begin < count;) {
      const AccessHistories::Id from = pieces[begin];
      const size_t end =
          begin + countEqual(from, pieces + begin, count - begin);
      if (last >= steps.size() || steps[last].from != from)
        findStep(from, end - begin, find);
      Step &step = steps[last];
      std::fill(pieces + begin, pieces + end, step.to);
      step.pieces += end - begin;
      if (__builtin_expect(step.conflicts, 0))
        for (size_t at = begin; at < end; ++at)
          tell(from, at);
      begin = end;
    }
  }

private:
  /// How many pieces at the start have the history `from`.
  static size_t countEqual(AccessHistories::Id from,
                           const AccessHistories::Id *pieces, size_t count) {
    constexpr size_t kAtOnce = 8;
    size_t same = 1;
    for (; same + kAtOnce <= count; same += kAtOnce) {
      AccessHistories::Id differs = 0;
      for (size_t k = 0; k < kAtOnce; ++k)
        differs |= pieces[same + k] ^ from;
      if (differs)
        break;
    }
    while (same < count && pieces[same] == from)
      ++same;
    return same;
  }

  template <class Find>
  void findStep(AccessHistories::Id from, size_t pieces, const Find &find) {
    for (last = 1; last < steps.size(); ++last)
      if (steps[last].from == from)
        return;
    Step step;
    step.from = from;
    step.coversAll = histories.isOf(from, pieces);
    find(step);
    histories.move(0, step.to, 1);
    steps.push_back(step);
  }

  AccessHistories &histories;
  llvm::SmallVector<Step, 16> steps; ///< The first stands for none.
  size_t last = SIZE_MAX;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_ACCESSHISTORY_H
