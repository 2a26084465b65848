//===- LdsAccesses.cpp - Who accessed a workgroup's LDS -------------------===//
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

/// Entries of the log before it is turned into histories.
static constexpr size_t kLogged = 4096;

void LdsAccesses::reset(uint64_t bytes, unsigned waveCount) {
  size = bytes;
  waves = waveCount;
  last.assign(waves, Tickets{});
  const uint64_t pieces = ((size + 3) & ~uint64_t(3)) >> shift;
  if (marks.size() == pieces) {
    forget();
    return;
  }
  marks.assign(pieces, Mark());
  touchedBegin = touchedEnd = 0;
  forget();
}

void LdsAccesses::clearMarks() {
  if (touchedBegin < touchedEnd)
    std::fill(marks.begin() + touchedBegin, marks.begin() + touchedEnd, Mark());
  touchedBegin = marks.size();
  touchedEnd = 0;
}

void LdsAccesses::forget() {
  clearMarks();
  entries.clear();
  loggedAddresses.clear();
  if (hasHistories)
    pastHistories.reset();
  usesHistories = hasHistories = false;
}

void LdsAccesses::refine(const LanePlaces &places) {
  uint64_t parts = places.bytes;
  for (uint64_t rest = places.lanes; rest; rest &= rest - 1)
    parts |= places.addresses[llvm::countr_zero(rest)];
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

bool LdsAccesses::markPiece(Mark &mark, uint8_t me, const PastAccess &access) {
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

/// `Pieces` has the marks of all pieces of a lane, or one of them.
template <class Pieces>
bool LdsAccesses::markLanes(uint8_t me, const PastAccess &access,
                            const LanePlaces &places) {
  constexpr unsigned kPerStep = sizeof(Pieces) / sizeof(Mark);
  const unsigned steps = (places.bytes >> shift) / kPerStep;
  auto all = [](uint8_t writer, uint8_t reader) {
    Mark same[kPerStep];
    std::fill_n(same, kPerStep, Mark{writer, reader});
    Pieces pieces;
    std::memcpy(&pieces, same, sizeof(pieces));
    return pieces;
  };
  const bool reads = access.isPlainRead();
  const Pieces own = reads            ? all(0, me)
                     : !access.atomic ? all(me, 0)
                                      : all(me | kAtomic, 0);
  const Pieces common = reads            ? all(0, kSeveral)
                        : !access.atomic ? all(me, me)
                                         : all(kSeveral, 0);
  uint64_t begin = touchedBegin, end = touchedEnd;
  bool alone = true;
  for (uint64_t rest = places.lanes; rest; rest &= rest - 1) {
    const uint64_t place = places.addresses[llvm::countr_zero(rest)] >> shift;
    Mark *at = &marks[place];
    begin = std::min(begin, place);
    end = std::max(end, place + steps * kPerStep);
    for (unsigned step = 0; step < steps; ++step, at += kPerStep) {
      Pieces found;
      std::memcpy(&found, at, sizeof(found));
      if (found == own || found == common)
        continue;
      if (!found) {
        std::memcpy(at, &own, sizeof(own));
        continue;
      }
      for (unsigned k = 0; k < kPerStep; ++k)
        alone &= markPiece(at[k], me, access);
    }
  }
  touchedBegin = begin;
  touchedEnd = end;
  return alone;
}

bool LdsAccesses::mark(uint8_t me, const PastAccess &access,
                       const LanePlaces &places) {
  const unsigned pieces = places.bytes >> shift;
  if (pieces % 4 == 0)
    return markLanes<uint64_t>(me, access, places);
  if (pieces % 2 == 0)
    return markLanes<uint32_t>(me, access, places);
  return markLanes<uint16_t>(me, access, places);
}

void LdsAccesses::log(const PastAccess &access, const LanePlaces &places,
                      bool dropsReads) {
  const size_t first = loggedAddresses.size();
  entries.push_back({access, places.bytes, places.lanes, first, dropsReads});
  const unsigned count = llvm::bit_width(places.lanes);
  loggedAddresses.resize(first + count);
  uint32_t *to = &loggedAddresses[first];
  if (llvm::popcount(places.lanes) == int(count)) {
    for (unsigned lane = 0; lane < count; ++lane)
      to[lane] = static_cast<uint32_t>(places.addresses[lane]);
    return;
  }
  for (uint64_t rest = places.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    to[lane] = static_cast<uint32_t>(places.addresses[lane]);
  }
}

LanePlaces LdsAccesses::unpack(const Entry &entry, const uint32_t *from,
                               uint64_t (&addresses)[64]) {
  std::copy_n(from, llvm::bit_width(entry.lanes), addresses);
  return {addresses, entry.lanes, entry.bytes};
}

/// Turns the log into histories. No two of its accesses conflict. What a wave
/// knew of others then is not known any more: of their reads all are kept.
void LdsAccesses::replay() {
  if (!hasHistories)
    cells.reset(size);
  hasHistories = true;
  uint64_t addresses[64];
  for (const Entry &entry : entries) {
    const LanePlaces places =
        unpack(entry, &loggedAddresses[entry.addresses], addresses);
    auto isBefore = [&](const PastAccess &past) {
      return past.agent == entry.access.agent &&
             past.queue == entry.access.queue;
    };
    for (uint64_t rest = places.lanes; rest; rest &= rest - 1)
      cells.refine(pastHistories, addresses[llvm::countr_zero(rest)],
                   places.bytes);
    pastHistories.begin(entry.access, places);
    {
      AccessWalk walk(pastHistories);
      for (uint64_t rest = places.lanes; rest; rest &= rest - 1) {
        const uint64_t address = addresses[llvm::countr_zero(rest)];
        for (unsigned k = 0; k < places.bytes; k += cells.granule())
          walk.take(cells.at(address + k), [&](AccessWalk::Step &step) {
            step.to =
                pastHistories.next(step.from, 0, entry.dropsReads, isBefore);
          });
      }
    }
    pastHistories.end();
  }
  entries.clear();
  loggedAddresses.clear();
}

bool LdsAccesses::note(unsigned wave, const PastAccess &access,
                       const LanePlaces &places, bool dropsReads) {
  if (waves == 1)
    return true;
  for (uint64_t rest = places.lanes; rest; rest &= rest - 1)
    if (places.addresses[llvm::countr_zero(rest)] + places.bytes > size)
      return true; // The executor faults.
  last[wave][access.queue] = access.ticket;
  if (usesHistories)
    return false;
  firstAgent = access.agent - wave;
  refine(places);
  if (!mark(static_cast<uint8_t>(wave + 1), access, places)) {
    replay();
    usesHistories = true;
    return false;
  }
  log(access, places, dropsReads);
  if (entries.size() >= kLogged)
    replay();
  return true;
}

void LdsAccesses::order(llvm::ArrayRef<Tickets> known) {
  auto isKnown = [&](unsigned wave, unsigned queue, uint32_t ticket) {
    return known[wave][queue] >= ticket;
  };
  bool all = true;
  for (unsigned wave = 0; wave < waves && all; ++wave)
    for (unsigned queue : {kLdsQueue, kDmaQueue})
      all &= isKnown(wave, queue, last[wave][queue]);
  if (all)
    return forget();
  if (hasHistories)
    return;
  // What is left is logged and marked anew.
  std::vector<Entry> before;
  std::vector<uint32_t> addressesBefore;
  before.swap(entries);
  addressesBefore.swap(loggedAddresses);
  clearMarks();
  for (const Entry &entry : before) {
    const unsigned wave = entry.access.agent - firstAgent;
    if (isKnown(wave, entry.access.queue, entry.access.ticket))
      continue;
    uint64_t addresses[64];
    const LanePlaces places =
        unpack(entry, addressesBefore.data() + entry.addresses, addresses);
    [[maybe_unused]] const bool alone =
        mark(static_cast<uint8_t>(wave + 1), entry.access, places);
    assert(alone && "a part of what did not meet does not meet");
    log(entry.access, places, entry.dropsReads);
  }
}
