//===- GlobalReads.cpp - A log of reads of global memory ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/GlobalReads.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// The maximum size of the log in bytes. When it is reached, the reads in the
/// log are added to the histories.
static constexpr size_t kMaxBytes = size_t(64) << 20;

/// The maximum number of pages between the first and the last one of an access
/// that are visited without looking at its lanes.
static constexpr uint64_t kMostPagesBetween = 16;

/// Calls visit(page) for the pages of an access, possibly repeatedly, and also
/// for pages between them if they are few.
template <class Visit>
static void forEachPage(PagedCells &pages, const AccessFootprint &footprint,
                        const Visit &visit) {
  const uint64_t low = PagedCells::pageNumber(footprint.low),
                 high = PagedCells::pageNumber(footprint.high - 1);
  if (high - low < kMostPagesBetween) {
    for (uint64_t number = low; number <= high; ++number)
      visit(pages.page(number));
    return;
  }
  uint64_t previous = UINT64_MAX;
  footprint.forEach([&](unsigned, uint64_t begin, unsigned bytes) {
    const uint64_t last = PagedCells::pageNumber(begin + bytes - 1);
    for (uint64_t number = PagedCells::pageNumber(begin); number <= last;
         ++number) {
      if (number == previous)
        continue;
      previous = number;
      visit(pages.page(number));
    }
    return true;
  });
}

bool GlobalReads::record(const PastAccess &access,
                         const AccessFootprint &footprint,
                         const SharedWaveClock &clock) {
  bool isWritten =
      !access.isPlainRead() || footprint.high - footprint.low > UINT32_MAX;
  if (!isWritten)
    forEachPage(pages, footprint,
                [&](PagedCells::Page &page) { isWritten |= page.isWritten; });
  if (isWritten) {
    bool isLogged = false;
    forEachPage(pages, footprint, [&](PagedCells::Page &page) {
      isLogged |= page.isLogged;
      page.isWritten = true;
    });
    if (isLogged)
      addToHistories();
    return false;
  }
  forEachPage(pages, footprint, [&](PagedCells::Page &page) {
    if (page.isLogged)
      return;
    page.isLogged = true;
    loggedPages.push_back(&page);
  });
  log(access, footprint, clock);
  if (entries.size() * sizeof(Entry) + offsets.size() * sizeof(uint32_t) >=
      kMaxBytes)
    addToHistories();
  return true;
}

void GlobalReads::log(const PastAccess &access,
                      const AccessFootprint &footprint,
                      const SharedWaveClock &clock) {
  // Successive reads are mostly by one wave.
  if (clocks.empty() || clocks.back() != clock)
    clocks.push_back(clock);
  entries.push_back({access, footprint.bytes, footprint.lanes, footprint.low,
                     footprint.stride, SIZE_MAX, clocks.size() - 1});
  if (footprint.isStrided)
    return;
  const unsigned first = footprint.firstLane(),
                 count = llvm::bit_width(footprint.lanes) - first;
  entries.back().offsets = offsets.size();
  offsets.resize(offsets.size() + count);
  uint32_t *to = offsets.data() + offsets.size() - count;
  if (llvm::popcount(footprint.lanes) == int(count)) {
    for (unsigned k = 0; k < count; ++k)
      to[k] =
          static_cast<uint32_t>(footprint.addresses[first + k] - footprint.low);
    return;
  }
  for (uint64_t rest = footprint.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    to[lane - first] =
        static_cast<uint32_t>(footprint.addresses[lane] - footprint.low);
  }
}

/// The clocks at the time of the read are no longer available, so a history
/// keeps the reads of all agents.
void GlobalReads::addToHistories(const Entry &entry) {
  uint64_t addresses[64] = {};
  const unsigned first = llvm::countr_zero(entry.lanes);
  for (uint64_t rest = entry.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    addresses[lane] = entry.low + (entry.offsets == SIZE_MAX
                                       ? (lane - first) * entry.stride
                                       : offsets[entry.offsets + lane - first]);
  }
  const AccessFootprint footprint(addresses, entry.lanes, entry.bytes);
  auto isBefore = [&](const PastAccess &past) {
    if (past.agent == entry.access.agent)
      return past.queue == entry.access.queue;
    return clocks[entry.clock]->includes(
        past.agent - 1, static_cast<MemoryQueue>(past.queue), past.ticket);
  };
  RaceQuery query{entry.access, footprint, isBefore};
  query.agentsPerGroup = agentsPerGroup;
  detectRaces(
      histories, pages, query,
      [](unsigned, uint64_t, unsigned, const PastAccess &) { return true; });
}

void GlobalReads::addToHistories() {
  for (PagedCells::Page *page : loggedPages)
    page->isLogged = false;
  loggedPages.clear();
  for (const Entry &entry : entries)
    addToHistories(entry);
  entries.clear();
  offsets.clear();
  clocks.clear();
}
