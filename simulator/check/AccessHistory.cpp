//===- AccessHistory.cpp - Past accesses of memory ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/AccessHistory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <utility>

using namespace aircc::sim;

namespace {
/// The maximum number of accesses by other workgroups that a history keeps.
constexpr unsigned kForeignKept = 8;
} // namespace

void AccessHistories::reset() {
  events.clear();
  histories.clear();
  spareEvents.clear();
  spareHistories.clear();
  events.add();
  histories.add();
  current = written = 0;
}

void AccessHistories::begin(const PastAccess &access,
                            const AccessFootprint &footprint) {
  if (spareEvents.empty()) {
    current = events.add();
  } else {
    current = spareEvents.back();
    spareEvents.pop_back();
  }
  Event &event = events[current];
  event.access = access;
  event.uses = 1;
  event.bytes = footprint.bytes;
  event.lanes = footprint.lanes;
  event.addresses.clear();
  event.stride = footprint.stride;
  event.base = footprint.low - footprint.firstLane() * footprint.stride;
  if (footprint.isStrided)
    return;
  uint64_t buffer[64];
  const uint64_t *addresses = footprint.addresses.all(buffer);
  event.addresses.assign(addresses,
                         addresses + llvm::bit_width(footprint.lanes));
}

void AccessHistories::end() {
  release(current);
  current = written = 0;
}

PastAccess AccessHistories::pastOf(uint32_t id, uint64_t address) const {
  const Event &event = events[id];
  PastAccess past = event.access;
  // The last lane that writes an address determines its value. For reads,
  // report the first lane.
  for (uint64_t rest = event.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t begin = event.addresses.empty()
                               ? event.base + lane * event.stride
                               : event.addresses[lane];
    if (address - begin >= event.bytes)
      continue;
    past.lane = lane;
    if (!past.writes)
      break;
  }
  return past;
}

void AccessHistories::drop(Id id, uint32_t cellCount) {
  if (!id)
    return;
  History &history = histories[id];
  history.cellCount -= cellCount;
  if (history.cellCount)
    return;
  clear(history);
  spareHistories.push_back(id);
}

void AccessHistories::clear(History &history) {
  release(history.write);
  release(history.latest);
  for (uint32_t event : history.others)
    release(event);
  history.write = history.latest = 0;
  history.others.clear();
}

/// Moves the latest access to `others`, because the current access replaces it.
void AccessHistories::push(History &history, uint32_t agentsPerGroup,
                           IsBefore isBefore) {
  const PastAccess &now = events[current].access,
                   &latest = events[history.latest].access;
  uint32_t *foreign = nullptr;
  unsigned foreigns = 0;
  bool anyBefore = false;
  for (uint32_t &event : history.others) {
    const PastAccess &past = events[event].access;
    if (past.agent == latest.agent && past.queue == latest.queue &&
        latest.covers(past)) {
      release(std::exchange(event, history.latest));
      foreigns = 0;
      foreign = &event;
      break;
    }
    if (!agentsPerGroup ||
        (past.agent - 1) / agentsPerGroup == (now.agent - 1) / agentsPerGroup)
      continue;
    // Drop past accesses that happen before the current one, which covers them.
    if (now.covers(past) && isBefore(past)) {
      release(std::exchange(event, 0));
      anyBefore = true;
      continue;
    }
    ++foreigns;
    foreign = &event;
  }
  if (foreigns >= kForeignKept)
    release(std::exchange(*foreign, history.latest));
  else if (!foreign || *foreign != history.latest)
    history.others.push_back(history.latest);
  if (anyBefore)
    llvm::erase(history.others, 0u);
}

/// Adds the current access to a history that holds references to its events.
void AccessHistories::append(History &history, uint32_t agentsPerGroup,
                             bool dropsReads, IsBefore isBefore) {
  const PastAccess &now = events[current].access;
  auto isDropped = [&](uint32_t event) {
    const PastAccess &past = events[event].access;
    const bool drops = past.agent == now.agent && past.isPlainRead();
    if (drops)
      release(event);
    return drops;
  };
  if (dropsReads) {
    if (history.latest && isDropped(history.latest))
      history.latest = 0;
    llvm::erase_if(history.others, isDropped);
  }
  if (history.latest) {
    const PastAccess &latest = events[history.latest].access;
    if (!now.repeats(latest) && !(now.covers(latest) && isBefore(latest)))
      push(history, agentsPerGroup, isBefore);
    else
      release(history.latest);
  }
  history.latest = current;
  use(current);
}

void AccessHistories::advance(Id from, uint32_t agentsPerGroup, bool dropsReads,
                              IsBefore isBefore) {
  History &history = histories[from];
  if (history.latest == current || history.write == current)
    return;
  if (!events[current].access.isPlainWrite())
    return append(history, agentsPerGroup, dropsReads, isBefore);
  clear(history);
  history.write = current;
  use(current);
}

AccessHistories::Id AccessHistories::next(Id from, uint32_t agentsPerGroup,
                                          bool dropsReads, IsBefore isBefore) {
  const bool isWrite = events[current].access.isPlainWrite();
  const History &old = histories[from];
  if (isWrite ? from && from == written : old.latest == current)
    return from;
  if (isWrite && written)
    return written;
  Id to;
  if (spareHistories.empty()) {
    to = histories.add();
  } else {
    to = spareHistories.back();
    spareHistories.pop_back();
  }
  History &history = histories[to];
  if (isWrite) {
    history.write = current;
    use(current);
    return written = to;
  }
  history.write = old.write;
  history.latest = old.latest;
  history.others = old.others;
  use(history.write);
  use(history.latest);
  for (uint32_t event : history.others)
    use(event);
  append(history, agentsPerGroup, dropsReads, isBefore);
  return to;
}

PastAccess AccessHistories::lastStore(Id id, uint64_t address) const {
  const History &history = histories[id];
  bool anyWrites = events[history.latest].access.writes;
  for (uint32_t event : history.others)
    anyWrites |= events[event].access.writes;
  return anyWrites ? PastAccess() : write(id, address);
}

void CellTable::reset(uint64_t bytes) {
  shift = 2;
  cells.assign((bytes + 3) >> 2, 0);
}

void CellTable::split(AccessHistories &histories, uint64_t address,
                      unsigned bytes) {
  unsigned wanted = shift;
  while (wanted && (address | bytes) & ((1u << wanted) - 1))
    --wanted;
  const unsigned parts = 1u << (shift - wanted);
  std::vector<AccessHistories::Id> finer(cells.size() * parts);
  for (size_t i = 0; i < finer.size(); ++i)
    finer[i] = cells[i / parts];
  for (AccessHistories::Id id : cells)
    histories.move(0, id, parts - 1);
  cells = std::move(finer);
  shift = wanted;
}
