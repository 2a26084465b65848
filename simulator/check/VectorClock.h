//===- VectorClock.h - What waves know of each other ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave knows of another one that all operations of a queue up to some number
// are complete. Of what it has read (or has learnt from one who had) it knows
// as well that the very operation that wrote it is complete, whatever else is
// in flight: these are kept as runs of numbers.
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

/// Operations `first` to `last` of a queue; none where `last` is 0.
struct TicketRange {
  MemoryQueue queue = kLdsQueue;
  uint32_t first = 0, last = 0;
};
/// The latest few.
using TicketRanges = std::vector<TicketRange>;

/// By a wave's number in the launch: of waves of other workgroups, up to where
/// all is complete; of all waves, what is besides.
using ForeignClock = std::unordered_map<uint32_t, Tickets>;
using ForeignRanges = std::unordered_map<uint32_t, TicketRanges>;
using SharedClock = std::shared_ptr<const ForeignClock>;
using SharedRanges = std::shared_ptr<const ForeignRanges>;

void joinTickets(Tickets &into, const Tickets &from);
void addRange(TicketRanges &ranges, const TicketRange &run);
bool hasTicket(const TicketRanges &ranges, MemoryQueue queue, uint32_t ticket);
SharedClock joinClocks(const SharedClock &a, const SharedClock &b);
SharedRanges joinRanges(const SharedRanges &a, const SharedRanges &b);

/// What a wave lets others know when it releases.
struct Snapshot {
  Tickets device{}; ///< Complete for any wave of the device.
  Tickets group{};  ///< For those of its workgroup.
  TicketRanges own; ///< The operations that release, by which it is read.
  /// What the wave itself knew, of its workgroup and of others.
  std::shared_ptr<const std::vector<Tickets>> known;
  SharedClock foreign;
  SharedRanges ranges;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_VECTORCLOCK_H
