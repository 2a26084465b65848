//===- RaceDetector.h - Accesses that nothing orders ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of race detection that does not depend on who races: waves of AMD
// kernels (Races.h) and lanes of SPIR-V kernels (LaneChecker.h) alike are
// agents that number their accesses. What orders agents (barriers, releases and
// acquires) is theirs to know; they answer whether an access of the past is
// known to come before the present one.
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

/// "read", "write", "atomic"
std::string accessText(bool writes, bool isAtomic);

/// Cells for a part of memory, from an address on.
struct CellRange {
  CellTable *table;
  uint64_t within; ///< Of the address, in the table.
  uint64_t bytes;  ///< From the address to the end of the table.
};

/// All of a small memory, from address 0.
struct FlatCells {
  explicit FlatCells(CellTable &table) : table(table) {}
  CellRange find(uint64_t address) {
    return {&table, address, UINT64_MAX - address};
  }
  CellTable &table;
};

/// Any memory of the host.
class PagedCells {
public:
  CellRange find(uint64_t address) {
    const uint64_t number = address / kPageBytes;
    Recent &recent = recents[number % std::size(recents)];
    if (__builtin_expect(recent.number != number || !recent.table, 0)) {
      std::unique_ptr<CellTable> &entry = pages[number];
      if (!entry)
        entry = std::make_unique<CellTable>(kPageBytes);
      recent = {number, entry.get()};
    }
    const uint64_t within = address % kPageBytes;
    return {recent.table, within, kPageBytes - within};
  }

private:
  static constexpr uint64_t kPageBytes = 16384;
  std::unordered_map<uint64_t, std::unique_ptr<CellTable>> pages;
  struct Recent {
    uint64_t number = 0;
    CellTable *table = nullptr;
  };
  Recent recents[256]; ///< By the low bits of the number.
};

/// An access that is made now.
struct RaceQuery {
  PastAccess now; ///< As it will be known.
  const AccessFootprint &footprint;
  IsBefore isBefore;
  /// As in AccessHistories::next.
  uint32_t agentsPerGroup = 0;
  bool dropsReads = false;
  /// What an atomic load reads may be a plain store.
  bool storesMayBeAtomic = false;

  bool conflicts(const PastAccess &past) const {
    if (!past.agent || past.agent == now.agent ||
        !(now.writes || past.writes) || (now.atomic && past.atomic) ||
        isBefore(past))
      return false;
    return !storesMayBeAtomic ||
           !(past.writes ? !now.writes && now.atomic : past.atomic);
  }
};

/// Makes the access. Calls report(lane, address, bytes, past) with what it
/// conflicts with, piece by piece; of what a read meets the first for which
/// `report` is true is enough.
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
        const CellRange stretch = cells.find(at);
        const uint64_t part = std::min(end - at, stretch.bytes);
        CellTable &table = *stretch.table;
        table.refine(histories, stretch.within, static_cast<unsigned>(part));
        const unsigned granule = table.granule();
        auto tell = [&](Id from, size_t piece) {
          const uint64_t address = at + piece * granule;
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
        walk.take(&table.at(stretch.within), table.pieces(part), find, tell);
        at += part;
      }
      return true;
    });
  }
  histories.end();
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_RACEDETECTOR_H
