//===- RaceOrder.cpp - Happens-before order of accesses -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Updates the clocks of waves at waits, barriers, releases and acquires.
// Races.cpp checks accesses for conflicts.
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Races.h"

#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace aircc::sim;

void Races::begin(const LaunchState &state, bool hasOtherRanks) {
  this->state = &state;
  shared =
      hasOtherRanks ? state.memory->sharedMemory() : std::vector<MemoryRange>();
  reads.begin(state.wavesPerGroup);
  const Chip &chip = *state.chip;
  const auto &descriptor = state.kernel->descriptor;
  namespace hsa = llvm::amdhsa;
  storesHaveScope = chip.storesHaveScope;
  needsWriteBack = chip.needsWriteBack;
  if (chip.hasWgpMode)
    sharedCache = !AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc1,
                                   hsa::COMPUTE_PGM_RSRC1_GFX10_PLUS_WGP_MODE);
  else
    sharedCache = !AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc3,
                                   hsa::COMPUTE_PGM_RSRC3_GFX90A_TG_SPLIT);
}

void Races::beginGroup(const Workgroup &group, GroupClocks &clocks) {
  const unsigned waves = group.waves.size();
  clocks.firstWave = static_cast<uint32_t>(group.number * waves);
  clocks.waves = waves;
  clocks.lds.reset(group.lds.size(), waves);
  clocks.known.assign(size_t(waves) * waves, Tickets{});
  clocks.clockCopies.assign(waves, nullptr);
  clocks.arrivals.assign(waves, GroupClocks::Arrival());
  clocks.foreign.assign(waves, nullptr);
  clocks.ranges.assign(waves, nullptr);
  clocks.acquires.assign(waves, {});
  clocks.writtenBack.assign(waves, Tickets{});
  clocks.invalidated.assign(waves, 0);
  clocks.dma.clear();
  clocks.releasedLds.clear();
}

/// Returns the operations that have completed for other waves of the workgroup.
Tickets Races::publishedToGroup(const WaveShadow &shadow) const {
  Tickets published = shadow.done;
  published[kScalarQueue] = shadow.issued[kScalarQueue];
  if (sharedCache)
    for (MemoryQueue q : {kLoadQueue, kStoreQueue})
      published[q] = shadow.issued[q];
  return published;
}

/// Returns the operations that have completed for all waves of the device.
Tickets Races::publishedToDevice(const Wave &wave, const WaveShadow &shadow,
                                 const GroupClocks &clocks) const {
  Tickets published = shadow.done;
  published[kScalarQueue] = shadow.issued[kScalarQueue];
  if (needsWriteBack)
    for (MemoryQueue q : {kLoadQueue, kStoreQueue})
      published[q] = std::min(published[q], clocks.writtenBack[wave.index][q]);
  return published;
}

Snapshot Races::snapshot(const Wave &wave, const WaveShadow &shadow,
                         GroupClocks &clocks) const {
  Snapshot result;
  result.device = publishedToDevice(wave, shadow, clocks);
  result.group = publishedToGroup(shadow);
  result.clock = clockOf(clocks, wave.index);
  return result;
}

const SharedWaveClock &Races::clockOf(GroupClocks &clocks, unsigned wave) {
  SharedWaveClock &copy = clocks.clockCopies[wave];
  if (!copy) {
    auto first = clocks.known.begin() + size_t(wave) * clocks.waves;
    copy = std::make_shared<WaveClock>(WaveClock{clocks.firstWave,
                                                 {first, first + clocks.waves},
                                                 clocks.foreign[wave],
                                                 clocks.ranges[wave]});
  }
  return copy;
}

bool Races::isAfter(const GroupClocks &clocks, unsigned me,
                    const PastAccess &past) const {
  const uint32_t other = past.agent - 1;
  const uint32_t local = other - clocks.firstWave;
  const auto queue = static_cast<MemoryQueue>(past.queue);
  if (hasRange(clocks.ranges[me], other, queue, past.ticket))
    return true;
  if (local < clocks.waves)
    return local == me ||
           clocks.known[size_t(me) * clocks.waves + local][queue] >=
               past.ticket;
  return hasForeign(clocks.foreign[me], other, queue, past.ticket);
}

/// Acquires the snapshot of wave number `from`.
void Races::acquireFrom(GroupClocks &clocks, unsigned me, uint32_t from,
                        const Snapshot &what) {
  const uint32_t local = from - clocks.firstWave;
  if (local == me)
    return;
  clocks.clockCopies[me] = nullptr;
  clocks.ranges[me] = joinRanges(clocks.ranges[me], what.clock->ranges);
  if (!what.own.empty())
    clocks.ranges[me] = joinRanges(
        clocks.ranges[me],
        std::make_shared<ForeignRanges>(ForeignRanges{{from, what.own}}));
  if (local < clocks.waves) {
    clocks.foreign[me] = joinClocks(clocks.foreign[me], what.clock->foreign);
    Tickets *known = &clocks.known[size_t(me) * clocks.waves];
    joinTickets(known[local], what.group);
    for (unsigned u = 0; u < clocks.waves; ++u)
      joinTickets(known[u], what.clock->known[u]);
    return;
  }
  // Polling acquires the same state repeatedly.
  if (clocks.foreign[me]) {
    auto it = clocks.foreign[me]->find(from);
    if (it != clocks.foreign[me]->end()) {
      Tickets both = it->second;
      joinTickets(both, what.device);
      if (both == it->second)
        return;
    }
  }
  const std::vector<Tickets> &others = what.clock->known;
  clocks.foreign[me] = joinClocks(clocks.foreign[me], what.clock->foreign);
  auto joined = clocks.foreign[me]
                    ? std::make_shared<ForeignClock>(*clocks.foreign[me])
                    : std::make_shared<ForeignClock>();
  const uint32_t waves = state->wavesPerGroup;
  const uint32_t first = from / waves * waves;
  joinTickets((*joined)[from], what.device);
  for (uint32_t u = 0; u < others.size(); ++u)
    if (others[u] != Tickets{})
      joinTickets((*joined)[first + u], others[u]);
  clocks.foreign[me] = std::move(joined);
}

void Races::before(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                   const Op &op) {
  const OpInfo &info = *op.info;
  if (info.opClass != OpClass::Cache)
    return;
  if (info.writesBack && info.scope >= 2)
    clocks.writtenBack[wave.index] = shadow.issued;
  if (!info.invalidates)
    return;
  unsigned scope = info.scope;
  if (state->chip->hasTwoInvalidations) {
    // Both cache levels must be invalidated, in either order.
    uint8_t &levels = clocks.invalidated[wave.index];
    levels |= scope == 1 ? 1 : 2;
    if (levels != 3)
      return acquire(wave, shadow, clocks, 1);
    levels = 0;
    scope = 2;
  }
  acquire(wave, shadow, clocks, scope);
}

/// Acquires from the releases that the wave has read.
void Races::acquire(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                    unsigned scope) {
  const unsigned me = wave.index;
  auto &acquires = clocks.acquires[me];
  size_t kept = 0;
  for (const GroupClocks::Acquire &read : acquires) {
    if (shadow.done[read.queue] < read.ticket) {
      acquires[kept++] = read;
      continue;
    }
    bool all = true;
    auto acquireAll = [&](const std::unordered_map<uint32_t, Snapshot> &from) {
      for (const auto &entry : from) {
        if (scope < 2 && entry.first - clocks.firstWave >= clocks.waves) {
          all = false;
          continue;
        }
        acquireFrom(clocks, me, entry.first, entry.second);
      }
    };
    auto it = released.find(read.address);
    if (it != released.end())
      acquireAll(it->second);
    if (isShared(read.address))
      acquireAll(releasedToRanks);
    if (!all)
      acquires[kept++] = read;
  }
  acquires.resize(kept);
}

void Races::waited(Wave &wave, WaveShadow &shadow, GroupClocks &clocks) {
  // If the waves of a workgroup share the caches, an acquire among them needs
  // no invalidation.
  if (sharedCache && !clocks.acquires[wave.index].empty())
    acquire(wave, shadow, clocks, 1);
  if (clocks.dma.empty())
    return;
  llvm::erase_if(clocks.dma, [&](const GroupClocks::Dma &dma) {
    return dma.wave == wave.index && dma.ticket <= shadow.done[kLoadQueue];
  });
}

void Races::arrive(const Wave &wave, const WaveShadow &shadow,
                   GroupClocks &clocks) {
  GroupClocks::Arrival &arrival = clocks.arrivals[wave.index];
  arrival.arrived = true;
  auto first = clocks.known.begin() + size_t(wave.index) * clocks.waves;
  arrival.known.assign(first, first + clocks.waves);
  arrival.known[wave.index] = publishedToGroup(shadow);
  arrival.foreign = clocks.foreign[wave.index];
  arrival.ranges = clocks.ranges[wave.index];
}

void Races::release(Workgroup &group, GroupClocks &clocks) {
  std::vector<Tickets> joined(clocks.waves);
  SharedClock foreign;
  SharedRanges ranges;
  for (GroupClocks::Arrival &arrival : clocks.arrivals) {
    if (!arrival.arrived)
      continue;
    for (unsigned u = 0; u < clocks.waves; ++u)
      joinTickets(joined[u], arrival.known[u]);
    foreign = joinClocks(foreign, arrival.foreign);
    ranges = joinRanges(ranges, arrival.ranges);
  }
  clocks.lds.dropOrdered(joined);
  for (unsigned w = 0; w < clocks.waves; ++w) {
    if (group.waves[w]->status == WaveStatus::Ended)
      continue;
    clocks.arrivals[w].arrived = false;
    std::copy(joined.begin(), joined.end(),
              clocks.known.begin() + size_t(w) * clocks.waves);
    clocks.clockCopies[w] = nullptr;
    clocks.foreign[w] = foreign;
    clocks.ranges[w] = ranges;
  }
}

/// A wave that has ended counts as having arrived at all later barriers.
void Races::endWave(const Wave &wave, const WaveShadow &shadow,
                    GroupClocks &clocks) {
  arrive(wave, shadow, clocks);
  clocks.arrivals[wave.index].known[wave.index] = shadow.issued;
  const uint32_t number = clocks.firstWave + wave.index;
  if (number >= ended.size())
    ended.resize(number + 1);
  ended[number] = true;
  auto it = deferredLoads.find(number);
  if (it == deferredLoads.end())
    return;
  for (const Conflict &conflict : it->second)
    report(conflict);
  deferredLoads.erase(it);
}

/// Handles an atomic, or a load or store with a scope, at the addresses of its
/// lanes.
void Races::synchronize(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                        const MemoryAccess &access, const PastAccess &now,
                        bool releases, bool acquires) {
  const unsigned me = wave.index;
  const bool isLds = access.space == MemorySpace::Lds;
  Releases &table = isLds ? clocks.releasedLds : released;
  Snapshot published;
  if (releases) {
    published = snapshot(wave, shadow, clocks);
    published.own = {
        {static_cast<MemoryQueue>(now.queue), now.ticket, now.ticket}};
  }
  uint64_t previous = UINT64_MAX;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const uint64_t address =
        access.addresses[llvm::countr_zero(rest)] & ~uint64_t(3);
    if (address == previous)
      continue;
    previous = address;
    if (acquires && isLds) {
      auto it = table.find(address);
      if (it != table.end())
        for (const auto &entry : it->second)
          acquireFrom(clocks, me, entry.first, entry.second);
    } else if (acquires) {
      auto &list = clocks.acquires[me];
      auto known = llvm::find_if(
          list, [&](const auto &entry) { return entry.address == address; });
      const GroupClocks::Acquire entry{
          address, static_cast<MemoryQueue>(now.queue), now.ticket};
      if (known == list.end())
        list.push_back(entry);
      else
        *known = entry;
      // The release may be a store without a scope.
      if (!storesHaveScope) {
        const CellRange cell = pages.find(address);
        const PastAccess write =
            histories.lastStore(cell.table->at(cell.within), address);
        auto it = stores.find(write.agent - 1);
        if (write.agent && write.agent != now.agent && it != stores.end())
          for (auto store = it->second.rbegin(); store != it->second.rend();
               ++store)
            if (store->first <= write.ticket) {
              Snapshot &read = released[address][write.agent - 1];
              read = store->second;
              read.own = {{static_cast<MemoryQueue>(write.queue), write.ticket,
                           write.ticket}};
              break;
            }
      }
    }
    if (releases)
      table[address][clocks.firstWave + me] = published;
  }
}

bool Races::isShared(uint64_t address) const {
  return llvm::any_of(shared, [&](const MemoryRange &range) {
    return address >= range.begin && address < range.end;
  });
}

void Races::releaseToRanks(const Wave &wave, const WaveShadow &shadow,
                           GroupClocks &clocks, const PastAccess &now) {
  Snapshot &last = releasedToRanks[now.agent - 1];
  TicketRanges own = std::move(last.own);
  addRange(own, {static_cast<MemoryQueue>(now.queue), now.ticket, now.ticket});
  last = snapshot(wave, shadow, clocks);
  last.own = std::move(own);
}
