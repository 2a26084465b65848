//===- AccessHistory.cpp - Who accessed memory before ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/AccessHistory.h"

using namespace aircc::sim;

namespace {
/// How many accesses by other workgroups a list keeps: of those that nothing
/// orders any one does, and a launch may have a million.
constexpr unsigned kForeignKept = 8;
} // namespace

void CellTable::reset(uint64_t bytes) {
  shift = 2;
  size = (bytes + 3) & ~uint64_t(3);
  cells.assign(size >> shift, MemoryCell());
  lists.clear();
  spareParts.clear();
}

/// The place, counted from 1, of a part that is empty.
uint32_t CellTable::newPart() {
  if (spareParts.empty()) {
    lists.emplace_back();
    return static_cast<uint32_t>(lists.size());
  }
  const uint32_t place = spareParts.back() + 1;
  spareParts.pop_back();
  return place;
}

void CellTable::split(uint64_t address, unsigned bytes) {
  unsigned wanted = shift;
  while (wanted && (address | bytes) & ((1u << wanted) - 1))
    --wanted;
  const unsigned parts = 1u << (shift - wanted);
  std::vector<MemoryCell> finer(size >> wanted);
  for (uint64_t i = 0; i < finer.size(); ++i) {
    finer[i] = cells[i / parts];
    if (i % parts == 0)
      continue;
    finer[i].more = 0;
    for (uint32_t from = cells[i / parts].more; from;
         from = lists[from - 1].next) {
      const uint32_t made = newPart();
      lists[made - 1] = lists[from - 1];
      lists[made - 1].next = finer[i].more;
      finer[i].more = made;
    }
  }
  cells = std::move(finer);
  shift = wanted;
}

PastAccess CellTable::lastStore(uint64_t address) {
  const MemoryCell &cell = at(address);
  auto writes = [](const PastAccess &past) { return past.writes != 0; };
  return writes(cell.latest) || anyOther(cell, writes) ? PastAccess()
                                                       : cell.write;
}

void CellTable::dropReads(MemoryCell &cell, uint32_t wave) {
  auto drop = [&](PastAccess &past) {
    if (past.wave == wave && !past.writes && !past.atomic)
      past = PastAccess();
  };
  drop(cell.latest);
  for (uint32_t i = cell.more; i; i = lists[i - 1].next)
    for (PastAccess &past : lists[i - 1].kept)
      drop(past);
}

void CellTable::dropList(MemoryCell &cell) {
  while (cell.more) {
    Part &part = lists[cell.more - 1];
    spareParts.push_back(cell.more - 1);
    cell.more = part.next;
    part = Part();
  }
}

/// The latest access goes to the list, since `now` does not stand for it.
void CellTable::pushToList(MemoryCell &cell, const PastAccess &now,
                           uint32_t wavesPerGroup, IsBefore isBefore) {
  const PastAccess &latest = cell.latest;
  PastAccess *empty = nullptr, *foreign = nullptr;
  unsigned foreigns = 0;
  for (uint32_t i = cell.more; i; i = lists[i - 1].next)
    for (PastAccess &past : lists[i - 1].kept) {
      if (!past.wave) {
        empty = &past;
        continue;
      }
      if (past.wave == latest.wave && past.queue == latest.queue &&
          latest.covers(past)) {
        past = latest;
        return;
      }
      if (!wavesPerGroup ||
          (past.wave - 1) / wavesPerGroup == (now.wave - 1) / wavesPerGroup)
        continue;
      // What is known to come before helps nobody.
      if (now.covers(past) && isBefore(past)) {
        past = PastAccess();
        empty = &past;
        continue;
      }
      ++foreigns;
      foreign = &past;
    }
  if (foreigns >= kForeignKept) {
    *foreign = latest;
    return;
  }
  if (!empty) {
    const uint32_t made = newPart();
    lists[made - 1].next = cell.more;
    cell.more = made;
    empty = &lists[made - 1].kept[0];
  }
  *empty = latest;
}
