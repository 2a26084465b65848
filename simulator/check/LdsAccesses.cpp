//===- LdsAccesses.cpp - Past accesses of a workgroup's LDS ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/LdsAccesses.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace aircc::sim;

void LdsAccesses::reset(uint64_t bytes, unsigned waveCount) {
  size = bytes;
  waves = waveCount;
  for (blockShift = 0; size > uint64_t(64) << blockShift;)
    ++blockShift;
  last.assign(waves, Tickets{});
  // The next workgroup needs cells of the same size.
  const uint64_t cells = ((size + 3) & ~uint64_t(3)) >> shift;
  if (marks.size() != cells) {
    marks.assign(cells, Mark());
    touchedBegin = touchedEnd = 0;
  }
  clear();
}

void LdsAccesses::clearMarks() {
  if (touchedBegin < touchedEnd)
    std::fill(marks.begin() + touchedBegin, marks.begin() + touchedEnd, Mark());
  touchedBegin = marks.size();
  touchedEnd = 0;
  markedEntries = 0;
}

void LdsAccesses::clear() {
  clearMarks();
  entries.clear();
  loggedAddresses.clear();
  blocks.assign(waves, Blocks());
  whole = Blocks();
  if (hasHistories)
    pastHistories.reset();
  usesHistories = hasHistories = false;
}

bool LdsAccesses::conflictsWithOther(unsigned wave, const PastAccess &access,
                                     uint64_t now) const {
  for (unsigned other = 0; other < waves; ++other)
    if (other != wave && conflicts(blocks[other], access, now))
      return true;
  return false;
}

void LdsAccesses::refine(const AccessFootprint &footprint) {
  const uint64_t parts = footprint.addressBits | footprint.bytes;
  unsigned wanted = shift;
  while (wanted && parts & ((1u << wanted) - 1))
    --wanted;
  if (wanted == shift)
    return;
  const uint64_t finer = uint64_t(1) << (shift - wanted);
  std::vector<Mark> split(marks.size() * finer);
  for (size_t i = 0; i < split.size(); ++i)
    split[i] = marks[i / finer];
  marks = std::move(split);
  if (touchedBegin < touchedEnd) {
    touchedBegin *= finer;
    touchedEnd *= finer;
  } else {
    touchedBegin = marks.size();
  }
  shift = wanted;
}

bool LdsAccesses::markCell(Mark &mark, uint8_t me, const PastAccess &access) {
  const bool isMine = !mark.writer || (mark.writer & ~kAtomic) == me;
  if (access.isPlainRead()) {
    mark.reader = !mark.reader || mark.reader == me ? me : kSeveral;
    return isMine;
  }
  if (mark.reader && mark.reader != me)
    return false;
  if (!access.atomic) {
    mark.writer = me;
    return isMine;
  }
  if (!mark.writer)
    mark.writer = me | kAtomic;
  else if (!isMine && mark.writer & kAtomic)
    mark.writer = kSeveral;
  else
    return isMine;
  return true;
}

/// `Marks` is an integer with the marks of several cells.
template <class Marks>
bool LdsAccesses::markLanes(uint8_t me, const PastAccess &access,
                            const AccessFootprint &footprint) {
  constexpr unsigned kPerStep = sizeof(Marks) / sizeof(Mark);
  auto all = [](uint8_t writer, uint8_t reader) {
    Mark same[kPerStep];
    std::fill_n(same, kPerStep, Mark{writer, reader});
    Marks cells;
    std::memcpy(&cells, same, sizeof(cells));
    return cells;
  };
  const bool reads = access.isPlainRead();
  const Marks own = reads            ? all(0, me)
                    : !access.atomic ? all(me, 0)
                                     : all(me | kAtomic, 0);
  const Marks common = reads            ? all(0, kSeveral)
                       : !access.atomic ? all(me, me)
                                        : all(kSeveral, 0);
  bool alone = true;
  footprint.forEach([&](unsigned, uint64_t address, unsigned bytes) {
    Mark *at = &marks[address >> shift], *end = at + (bytes >> shift);
    for (; at < end; at += kPerStep) {
      Marks found;
      std::memcpy(&found, at, sizeof(found));
      if (found == own || found == common)
        continue;
      if (!found) {
        std::memcpy(at, &own, sizeof(own));
        continue;
      }
      for (unsigned k = 0; k < kPerStep; ++k)
        alone &= markCell(at[k], me, access);
    }
    return true;
  });
  return alone;
}

bool LdsAccesses::mark(unsigned wave, const PastAccess &access,
                       const AccessFootprint &footprint) {
  refine(footprint);
  touchedBegin = std::min(touchedBegin, footprint.low >> shift);
  touchedEnd = std::max(touchedEnd, footprint.high >> shift);
  const auto me = static_cast<uint8_t>(wave + 1);
  const unsigned cells = footprint.bytes >> shift;
  if (cells % 4 == 0)
    return markLanes<uint64_t>(me, access, footprint);
  if (cells % 2 == 0)
    return markLanes<uint32_t>(me, access, footprint);
  return markLanes<uint16_t>(me, access, footprint);
}

/// Adds the new entries of the log to `marks`.
void LdsAccesses::markLog() {
  uint64_t addresses[64];
  for (; markedEntries < entries.size(); ++markedEntries) {
    const Entry &entry = entries[markedEntries];
    [[maybe_unused]] const bool alone = mark(
        waveOf(entry), entry.access, unpack(entry, loggedAddresses, addresses));
    assert(alone && "waves accessed different blocks");
  }
}

void LdsAccesses::log(unsigned wave, const PastAccess &access,
                      const AccessFootprint &footprint, uint64_t now,
                      bool dropsReads) {
  addBlocks(wave, access, now);
  entries.emplace_back(access, footprint);
  entries.back().dropsReads = dropsReads;
  if (footprint.isStrided || footprint.shape)
    return;
  const unsigned first = footprint.firstLane(),
                 count = llvm::bit_width(footprint.lanes);
  entries.back().addresses = loggedAddresses.size();
  loggedAddresses.resize(loggedAddresses.size() + count);
  uint32_t *to = loggedAddresses.data() + loggedAddresses.size() - count;
  if (llvm::popcount(footprint.lanes) == int(count - first)) {
    for (unsigned lane = first; lane < count; ++lane)
      to[lane] = static_cast<uint32_t>(footprint.addresses[lane]);
    return;
  }
  for (uint64_t rest = footprint.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    to[lane] = static_cast<uint32_t>(footprint.addresses[lane]);
  }
}

AccessFootprint LdsAccesses::unpack(const Entry &entry,
                                    const std::vector<uint32_t> &from,
                                    uint64_t (&addresses)[64]) {
  if (entry.shape) {
    for (unsigned lane = 0; lane < entry.shape->lanes; ++lane)
      addresses[lane] =
          entry.first + static_cast<int32_t>(entry.shape->distances[lane]);
    return AccessFootprint(addresses,
                           ShapedAccess(*entry.shape,
                                        static_cast<uint32_t>(entry.first),
                                        entry.bytes));
  }
  const unsigned first = llvm::countr_zero(entry.lanes),
                 end = llvm::bit_width(entry.lanes);
  for (unsigned lane = first; lane < end; ++lane)
    addresses[lane] = entry.addresses == SIZE_MAX
                          ? entry.first + (lane - first) * entry.stride
                          : from[entry.addresses + lane];
  return AccessFootprint(addresses, entry.lanes, entry.bytes);
}

/// Converts the log, whose accesses do not conflict, to histories. The clocks
/// at the time of the accesses are no longer available, so the histories keep
/// the reads of all waves.
void LdsAccesses::replay() {
  if (!hasHistories)
    cells.reset(size);
  hasHistories = true;
  uint64_t addresses[64];
  for (const Entry &entry : entries) {
    const AccessFootprint footprint = unpack(entry, loggedAddresses, addresses);
    auto isBefore = [&](const PastAccess &past) {
      return past.agent == entry.access.agent &&
             past.queue == entry.access.queue;
    };
    auto find = [&](AccessWalk::Step &step) {
      step.to = pastHistories.next(step.from, 0, entry.dropsReads, isBefore);
    };
    pastHistories.begin(entry.access, footprint);
    {
      AccessWalk walk(pastHistories);
      footprint.forEach([&](unsigned, uint64_t address, unsigned bytes) {
        cells.refine(pastHistories, address, bytes);
        walk.apply(&cells.at(address), cells.cellCount(bytes), find,
                   [](AccessHistories::Id, size_t) {});
        return true;
      });
    }
    pastHistories.end();
  }
  entries.clear();
  loggedAddresses.clear();
  markedEntries = 0;
}

bool LdsAccesses::record(unsigned wave, const PastAccess &access,
                         const AccessFootprint &footprint, bool dropsReads) {
  // A single wave has no races, and the executor faults if the access is out of
  // bounds.
  if (waves == 1 || footprint.high > size)
    return true;
  last[wave][access.queue] = access.ticket;
  if (usesHistories)
    return false;
  firstAgent = access.agent - wave;
  const uint64_t now = blocksOf(footprint.low, footprint.high);
  if (mayConflict(wave, access, now)) {
    markLog();
    if (!mark(wave, access, footprint)) {
      replay();
      usesHistories = true;
      return false;
    }
    log(wave, access, footprint, now, dropsReads);
    ++markedEntries;
  } else {
    log(wave, access, footprint, now, dropsReads);
  }
  if (entries.size() >= kLogged) {
    markLog();
    replay();
  }
  return true;
}

void LdsAccesses::dropOrdered(llvm::ArrayRef<Tickets> known) {
  auto isKnown = [&](unsigned wave, unsigned queue, uint32_t ticket) {
    return known[wave][queue] >= ticket;
  };
  bool all = true;
  for (unsigned wave = 0; wave < waves && all; ++wave)
    for (unsigned queue : {kLdsQueue, kDmaQueue})
      all &= isKnown(wave, queue, last[wave][queue]);
  if (all)
    return clear();
  if (hasHistories)
    return;
  // Log the remaining accesses again.
  std::vector<Entry> before;
  std::vector<uint32_t> addressesBefore;
  before.swap(entries);
  addressesBefore.swap(loggedAddresses);
  blocks.assign(waves, Blocks());
  whole = Blocks();
  clearMarks();
  uint64_t addresses[64];
  for (const Entry &entry : before)
    if (!isKnown(waveOf(entry), entry.access.queue, entry.access.ticket)) {
      const AccessFootprint footprint =
          unpack(entry, addressesBefore, addresses);
      log(waveOf(entry), entry.access, footprint,
          blocksOf(footprint.low, footprint.high), entry.dropsReads);
    }
}
