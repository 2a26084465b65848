//===- VectorClock.cpp - Happens-before order of waves --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/VectorClock.h"

#include <algorithm>

using namespace aircc::sim;

/// The maximum number of ranges per wave. A message with many lines is one
/// range.
static constexpr size_t kMaxRanges = 8;

void aircc::sim::joinTickets(Tickets &into, const Tickets &from) {
  for (unsigned q = 0; q < kQueues; ++q)
    into[q] = std::max(into[q], from[q]);
}

void aircc::sim::addRange(TicketRanges &ranges, const TicketRange &range) {
  TicketRange whole = range;
  std::erase_if(ranges, [&](const TicketRange &other) {
    if (other.queue != range.queue || other.last + 1 < whole.first ||
        whole.last + 1 < other.first)
      return false;
    whole.first = std::min(whole.first, other.first);
    whole.last = std::max(whole.last, other.last);
    return true;
  });
  if (ranges.size() >= kMaxRanges)
    ranges.erase(ranges.begin());
  ranges.push_back(whole);
}

bool aircc::sim::hasTicket(const TicketRanges &ranges, MemoryQueue queue,
                           uint32_t ticket) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const TicketRange &range) {
                       return range.queue == queue && range.first <= ticket &&
                              ticket <= range.last;
                     });
}

SharedClock aircc::sim::joinClocks(const SharedClock &a, const SharedClock &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  auto joined = std::make_shared<ForeignClock>(*a);
  for (const auto &entry : *b)
    joinTickets((*joined)[entry.first], entry.second);
  return joined;
}

bool aircc::sim::hasForeign(const SharedClock &clock, uint32_t wave,
                            MemoryQueue queue, uint32_t ticket) {
  if (!clock)
    return false;
  auto it = clock->find(wave);
  return it != clock->end() && it->second[queue] >= ticket;
}

bool aircc::sim::hasRange(const SharedRanges &ranges, uint32_t wave,
                          MemoryQueue queue, uint32_t ticket) {
  if (!ranges)
    return false;
  auto it = ranges->find(wave);
  return it != ranges->end() && hasTicket(it->second, queue, ticket);
}

bool WaveClock::includes(uint32_t wave, MemoryQueue queue,
                         uint32_t ticket) const {
  const uint32_t local = wave - firstWave;
  return hasRange(ranges, wave, queue, ticket) ||
         (local < known.size() ? known[local][queue] >= ticket
                               : hasForeign(foreign, wave, queue, ticket));
}

static bool containsRanges(const ForeignRanges &known, uint32_t wave,
                           const TicketRanges &ranges) {
  auto it = known.find(wave);
  return std::all_of(ranges.begin(), ranges.end(),
                     [&](const TicketRange &range) {
                       return it != known.end() &&
                              std::any_of(it->second.begin(), it->second.end(),
                                          [&](const TicketRange &other) {
                                            return other.queue == range.queue &&
                                                   other.first <= range.first &&
                                                   range.last <= other.last;
                                          });
                     });
}

SharedRanges aircc::sim::joinRanges(const SharedRanges &a,
                                    const SharedRanges &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  // Polling acquires the same state repeatedly.
  if (std::all_of(b->begin(), b->end(), [&](const auto &entry) {
        return containsRanges(*a, entry.first, entry.second);
      }))
    return a;
  auto joined = std::make_shared<ForeignRanges>(*a);
  for (const auto &entry : *b)
    for (const TicketRange &range : entry.second)
      addRange((*joined)[entry.first], range);
  return joined;
}
