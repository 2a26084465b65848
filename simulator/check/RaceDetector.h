//===- RaceDetector.h - Detection of unordered accesses ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The race detection that waves of AMD kernels (Races.h), lanes of SPIR-V
// kernels (LaneChecker.h) and ranks (RankRaces.h) share. All are agents that
// number their accesses. The caller knows the synchronization of agents
// (barriers, releases and acquires), and provides a predicate that says whether
// a past access happens before the current one.
//
// Waves and lanes keep the past accesses of memory in histories. Ranks are
// processes and keep them in shared memory (SharedHeap.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_RACEDETECTOR_H
#define AIRCC_SIMULATOR_CHECK_RACEDETECTOR_H

#include "simulator/check/AccessHistory.h"

#include <iterator>
#include <memory>
#include <string>
#include <unordered_map>

namespace aircc::sim {

struct MemoryAccess;

/// Returns "read", "write" or "atomic".
std::string accessText(bool writes, bool isAtomic);

/// Returns whether two accesses to the same memory race if they are not
/// ordered.
inline bool mayRace(const PastAccess &now, const PastAccess &past) {
  return past.agent && past.agent != now.agent && (now.writes || past.writes) &&
         !(now.atomic && past.atomic);
}

/// Returns whether a lane's write of `bytes` bytes at `address`, at most a
/// dword, changes the values in `memory`. Two writes of the same value are not
/// reported.
bool changesMemory(const MemoryAccess &access, unsigned lane, uint64_t address,
                   unsigned bytes, const void *memory);

/// The cells of the memory that begins at an address.
struct CellRange {
  CellTable *table;
  uint64_t within; ///< The offset of the address in the table.
  uint64_t bytes;  ///< The number of bytes from the address to the end of the
                   ///< table.
};

/// The cells of a small memory that begins at address 0.
struct FlatCells {
  explicit FlatCells(CellTable &table) : table(table) {}
  CellRange find(uint64_t address) {
    return {&table, address, UINT64_MAX - address};
  }
  CellTable &table;
};

/// The cells of any memory of the host.
class PagedCells {
public:
  struct Page {
    std::unique_ptr<CellTable> table; ///< Created by the first find().
    /// For GlobalReads: whether the launch has written to the page, and whether
    /// the log has reads of it.
    bool isWritten = false, isLogged = false;
  };
  static uint64_t pageNumber(uint64_t address) { return address / kPageBytes; }
  Page &page(uint64_t number) {
    Recent &recent = recents[number % std::size(recents)];
    if (__builtin_expect(recent.number != number || !recent.page, 0))
      recent = {number, &pages[number]};
    return *recent.page;
  }
  CellRange find(uint64_t address) {
    Page &found = page(pageNumber(address));
    if (__builtin_expect(!found.table, 0))
      found.table = std::make_unique<CellTable>(kPageBytes);
    const uint64_t within = address % kPageBytes;
    return {found.table.get(), within, kPageBytes - within};
  }

private:
  static constexpr uint64_t kPageBytes = 16384;
  std::unordered_map<uint64_t, Page> pages;
  struct Recent {
    uint64_t number = 0;
    Page *page = nullptr;
  };
  Recent recents[256]; ///< A cache, indexed by the low bits of the number.
};

/// The current access.
struct RaceQuery {
  PastAccess now; ///< As seen by later accesses.
  const AccessFootprint &footprint;
  IsBefore isBefore;
  /// As in AccessHistories::next.
  uint32_t agentsPerGroup = 0;
  bool dropsReads = false;
  /// Whether atomic loads may read plain stores.
  bool storesMayBeAtomic = false;

  bool conflicts(const PastAccess &past) const {
    if (!mayRace(now, past) || isBefore(past))
      return false;
    return !storesMayBeAtomic ||
           !(past.writes ? !now.writes && now.atomic : past.atomic);
  }
};

/// Adds the access to the histories. Calls report(lane, address, bytes, past)
/// for the past accesses of each cell that it conflicts with, but for a read
/// only until `report` returns true.
template <class Cells, class Report>
void detectRaces(AccessHistories &histories, Cells &&cells,
                 const RaceQuery &query, const Report &report) {
  using Id = AccessHistories::Id;
  const PastAccess &now = query.now;
  const AccessFootprint &footprint = query.footprint;
  auto conflicts = [&](const PastAccess &past) {
    return query.conflicts(past);
  };
  auto find = [&](AccessWalk::Step &step) {
    step.conflicts = !now.repeats(histories.latest(step.from)) &&
                     histories.any(step.from, conflicts);
    step.to = step.from;
    if (step.coversAll && !step.conflicts)
      histories.advance(step.from, query.agentsPerGroup, query.dropsReads,
                        query.isBefore);
    else
      step.to = histories.next(step.from, query.agentsPerGroup,
                               query.dropsReads, query.isBefore);
  };
  histories.begin(now, footprint);
  {
    AccessWalk walk(histories);
    footprint.forEach([&](unsigned firstLane, uint64_t begin, unsigned bytes) {
      const uint64_t end = begin + bytes;
      for (uint64_t at = begin; at < end;) {
        const CellRange range = cells.find(at);
        const uint64_t part = std::min(end - at, range.bytes);
        CellTable &table = *range.table;
        table.refine(histories, range.within, static_cast<unsigned>(part));
        const unsigned granule = table.granule();
        auto reportCell = [&](Id from, size_t cell) {
          const uint64_t address = at + cell * granule;
          const auto lane = static_cast<unsigned>(
              firstLane + (address - begin) / footprint.bytes);
          auto check = [&](const PastAccess &past) {
            return conflicts(past) && report(lane, address, granule, past) &&
                   !now.writes;
          };
          check(histories.write(from, address));
          if (now.writes || !now.atomic)
            histories.forEachOther(from, address, check);
        };
        walk.apply(&table.at(range.within), table.cellCount(part), find,
                   reportCell);
        at += part;
      }
      return true;
    });
  }
  histories.end();
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RACEDETECTOR_H
