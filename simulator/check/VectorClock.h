//===- VectorClock.h - Happens-before order of waves ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A wave's clock contains, for each queue of another wave, the number up to
// which all operations have completed. An operation whose value was read has
// also completed, even if earlier ones are in flight. Therefore, clocks contain
// such operations as ranges of tickets.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_VECTORCLOCK_H
#define AIRCC_SIMULATOR_CHECK_VECTORCLOCK_H

#include "simulator/check/Shadow.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aircc::sim {

/// Operations `first` to `last` of a queue. Empty if `last` is 0.
struct TicketRange {
  MemoryQueue queue = kLdsQueue;
  uint32_t first = 0, last = 0;
};
/// The most recent ranges.
using TicketRanges = std::vector<TicketRange>;

/// By a wave's number in the launch, the clock of waves in other workgroups and
/// the additional completed operations of all waves.
using ForeignClock = std::unordered_map<uint32_t, Tickets>;
using ForeignRanges = std::unordered_map<uint32_t, TicketRanges>;
using SharedClock = std::shared_ptr<const ForeignClock>;
using SharedRanges = std::shared_ptr<const ForeignRanges>;

void joinTickets(Tickets &into, const Tickets &from);
void addRange(TicketRanges &ranges, const TicketRange &run);
bool hasTicket(const TicketRanges &ranges, MemoryQueue queue, uint32_t ticket);
SharedClock joinClocks(const SharedClock &a, const SharedClock &b);
SharedRanges joinRanges(const SharedRanges &a, const SharedRanges &b);

/// A wave's clock at one time.
struct WaveClock {
  uint32_t firstWave = 0;     ///< The first wave of its workgroup.
  std::vector<Tickets> known; ///< The clocks of the waves in its workgroup.
  SharedClock foreign;
  SharedRanges ranges;

  /// Returns whether an operation of another wave happens before this time.
  bool includes(uint32_t wave, MemoryQueue queue, uint32_t ticket) const;
};
using SharedWaveClock = std::shared_ptr<const WaveClock>;

/// Returns whether an operation of a wave is in a clock of waves in other
/// workgroups, or among the additional operations of a clock.
bool hasForeign(const SharedClock &clock, uint32_t wave, MemoryQueue queue,
                uint32_t ticket);
bool hasRange(const SharedRanges &ranges, uint32_t wave, MemoryQueue queue,
              uint32_t ticket);

/// The state that a wave publishes with a release.
struct Snapshot {
  Tickets device{};      ///< Completed for all waves of the device.
  Tickets group{};       ///< Completed for the waves of its workgroup.
  TicketRanges own;      ///< The releasing operations.
  SharedWaveClock clock; ///< The clock of the wave.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_VECTORCLOCK_H
