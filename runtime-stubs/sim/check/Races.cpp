//===- Races.cpp - Who may access memory when -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/check/Races.h"

#include "runtime-stubs/sim/Atomics.h"
#include "runtime-stubs/sim/Hostcall.h"
#include "runtime-stubs/sim/MemoryAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace aircc::sim;

namespace {
constexpr uint64_t kPageBytes = 4096;
/// Stores of a wave whose state of knowledge is kept.
constexpr size_t kStoresKept = 64;
} // namespace

void Races::begin(const LaunchState &state, bool otherRanks) {
  this->state = &state;
  shared =
      otherRanks ? state.memory->sharedMemory() : std::vector<MemoryRange>();
  const Chip &chip = *state.chip;
  const auto &descriptor = state.kernel->descriptor;
  namespace hsa = llvm::amdhsa;
  storesHaveScope = chip.isGfx940Plus() || chip.isGfx12Plus();
  needsWriteBack = chip.isGfx940Plus();
  if (chip.isGfx10Plus())
    sharedCache = !AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc1,
                                   hsa::COMPUTE_PGM_RSRC1_GFX10_PLUS_WGP_MODE);
  else if (chip.isGfx90aPlus())
    sharedCache = !AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc3,
                                   hsa::COMPUTE_PGM_RSRC3_GFX90A_TG_SPLIT);
}

void Races::beginGroup(const Workgroup &group, GroupClocks &clocks) {
  const unsigned waves = group.waves.size();
  clocks.firstWave = static_cast<uint32_t>(group.number * waves);
  clocks.waves = waves;
  clocks.lds.reset(group.lds.size());
  clocks.known.assign(size_t(waves) * waves, Tickets{});
  clocks.arrivals.assign(waves, GroupClocks::Arrival());
  clocks.foreign.assign(waves, nullptr);
  clocks.runs.assign(waves, nullptr);
  clocks.acquires.assign(waves, {});
  clocks.writtenBack.assign(waves, Tickets{});
  clocks.invalidated.assign(waves, 0);
  clocks.dma.clear();
  clocks.releasedLds.clear();
}

/// What another wave of the workgroup may rely on.
Tickets Races::publishedToGroup(const WaveShadow &shadow) const {
  Tickets published = shadow.done;
  published[kScalarQueue] = shadow.issued[kScalarQueue];
  if (sharedCache)
    for (MemoryQueue q : {kLoadQueue, kStoreQueue})
      published[q] = shadow.issued[q];
  return published;
}

/// What any wave of the device may rely on.
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
                         const GroupClocks &clocks) const {
  Snapshot result;
  result.device = publishedToDevice(wave, shadow, clocks);
  result.group = publishedToGroup(shadow);
  auto first = clocks.known.begin() + size_t(wave.index) * clocks.waves;
  result.known =
      std::make_shared<std::vector<Tickets>>(first, first + clocks.waves);
  result.foreign = clocks.foreign[wave.index];
  result.runs = clocks.runs[wave.index];
  return result;
}

bool Races::isAfter(const GroupClocks &clocks, unsigned me,
                    const PastAccess &past) const {
  const uint32_t other = past.wave - 1;
  const uint32_t local = other - clocks.firstWave;
  if (const SharedRuns &runs = clocks.runs[me]) {
    auto it = runs->find(other);
    if (it != runs->end() &&
        hasTicket(it->second, static_cast<MemoryQueue>(past.queue),
                  past.ticket))
      return true;
  }
  if (local < clocks.waves)
    return local == me ||
           clocks.known[size_t(me) * clocks.waves + local][past.queue] >=
               past.ticket;
  const auto &foreign = clocks.foreign[me];
  if (!foreign)
    return false;
  auto it = foreign->find(other);
  return it != foreign->end() && it->second[past.queue] >= past.ticket;
}

/// Takes over what wave number `from` has published.
void Races::learn(GroupClocks &clocks, unsigned me, uint32_t from,
                  const Snapshot &what) {
  const uint32_t local = from - clocks.firstWave;
  if (local == me)
    return;
  clocks.runs[me] = joinRuns(clocks.runs[me], what.runs);
  if (!what.own.empty())
    clocks.runs[me] =
        joinRuns(clocks.runs[me],
                 std::make_shared<ForeignRuns>(ForeignRuns{{from, what.own}}));
  if (local < clocks.waves) {
    clocks.foreign[me] = joinClocks(clocks.foreign[me], what.foreign);
    Tickets *known = &clocks.known[size_t(me) * clocks.waves];
    joinTickets(known[local], what.group);
    for (unsigned u = 0; u < clocks.waves; ++u)
      joinTickets(known[u], (*what.known)[u]);
    return;
  }
  // Those that poll learn the same again and again.
  if (clocks.foreign[me]) {
    auto it = clocks.foreign[me]->find(from);
    if (it != clocks.foreign[me]->end()) {
      Tickets both = it->second;
      joinTickets(both, what.device);
      if (both == it->second)
        return;
    }
  }
  clocks.foreign[me] = joinClocks(clocks.foreign[me], what.foreign);
  auto joined = clocks.foreign[me]
                    ? std::make_shared<ForeignClock>(*clocks.foreign[me])
                    : std::make_shared<ForeignClock>();
  const uint32_t waves = state->wavesPerGroup;
  const uint32_t first = from / waves * waves;
  joinTickets((*joined)[from], what.device);
  for (uint32_t u = 0; u < what.known->size(); ++u)
    if ((*what.known)[u] != Tickets{})
      joinTickets((*joined)[first + u], (*what.known)[u]);
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
  if (state->chip->isGfx11Plus() && !state->chip->isGfx12Plus()) {
    // Both levels, in either order.
    uint8_t &levels = clocks.invalidated[wave.index];
    levels |= scope == 1 ? 1 : 2;
    if (levels != 3)
      return acquire(wave, shadow, clocks, 1);
    levels = 0;
    scope = 2;
  }
  acquire(wave, shadow, clocks, scope);
}

/// What was read from releases becomes known.
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
    auto learnAll = [&](const std::unordered_map<uint32_t, Snapshot> &from) {
      for (const auto &entry : from) {
        if (scope < 2 && entry.first - clocks.firstWave >= clocks.waves) {
          all = false;
          continue;
        }
        learn(clocks, me, entry.first, entry.second);
      }
    };
    auto it = released.find(read.address);
    if (it != released.end())
      learnAll(it->second);
    if (isShared(read.address))
      learnAll(releasedToRanks);
    if (!all)
      acquires[kept++] = read;
  }
  acquires.resize(kept);
}

void Races::waited(Wave &wave, WaveShadow &shadow, GroupClocks &clocks) {
  // Where waves of a workgroup share the caches, an acquire among them needs no
  // invalidation.
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
  arrival.runs = clocks.runs[wave.index];
}

void Races::release(Workgroup &group, GroupClocks &clocks) {
  std::vector<Tickets> joined(clocks.waves);
  SharedClock foreign;
  SharedRuns runs;
  for (GroupClocks::Arrival &arrival : clocks.arrivals) {
    if (!arrival.arrived)
      continue;
    for (unsigned u = 0; u < clocks.waves; ++u)
      joinTickets(joined[u], arrival.known[u]);
    foreign = joinClocks(foreign, arrival.foreign);
    runs = joinRuns(runs, arrival.runs);
  }
  for (unsigned w = 0; w < clocks.waves; ++w) {
    if (group.waves[w]->status == WaveStatus::Ended)
      continue;
    clocks.arrivals[w].arrived = false;
    std::copy(joined.begin(), joined.end(),
              clocks.known.begin() + size_t(w) * clocks.waves);
    clocks.foreign[w] = foreign;
    clocks.runs[w] = runs;
  }
}

/// A wave that has ended has arrived at all barriers to come.
void Races::endWave(const Wave &wave, const WaveShadow &shadow,
                    GroupClocks &clocks) {
  arrive(wave, shadow, clocks);
  clocks.arrivals[wave.index].known[wave.index] = shadow.issued;
  const uint32_t number = clocks.firstWave + wave.index;
  if (number >= ended.size())
    ended.resize(number + 1);
  ended[number] = true;
  auto it = loads.find(number);
  if (it == loads.end())
    return;
  for (const Conflict &conflict : it->second)
    report(conflict);
  loads.erase(it);
}

CellTable *Races::page(uint64_t address) {
  const uint64_t number = address / kPageBytes;
  if (number != lastPage) {
    std::unique_ptr<CellTable> &entry = pages[number];
    if (!entry)
      entry = std::make_unique<CellTable>(kPageBytes);
    lastPage = number;
    lastTable = entry.get();
  }
  return lastTable;
}

void Races::sameInstruction(Wave &wave, const Op &op,
                            const MemoryAccess &access) {
  // Rising addresses, which most stores have, cannot meet.
  uint64_t previous = 0;
  bool rising = true, first = true;
  for (uint64_t rest = access.lanes; rest && rising; rest &= rest - 1) {
    uint64_t at = access.addresses[llvm::countr_zero(rest)];
    rising = first || at >= previous + access.bytes;
    previous = at;
    first = false;
  }
  if (rising)
    return;
  const unsigned step = std::min(access.bytes, 4u);
  struct Piece {
    uint64_t address;
    uint32_t value;
    uint8_t lane;
  };
  std::vector<Piece> pieces;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    for (unsigned k = 0; k < access.bytes; k += step) {
      uint32_t value = access.data[k / 4 * kRowLanes + lane];
      if (access.dataHigh)
        value >>= 16;
      if (step < 4)
        value &= (1u << 8 * step) - 1;
      pieces.push_back(
          {access.addresses[lane] + k, value, static_cast<uint8_t>(lane)});
    }
  }
  llvm::sort(pieces, [](const Piece &a, const Piece &b) {
    return std::tie(a.address, a.lane) < std::tie(b.address, b.lane);
  });
  for (size_t i = 1; i < pieces.size(); ++i) {
    const Piece &a = pieces[i - 1], &b = pieces[i];
    if (a.address != b.address || a.value == b.value)
      continue;
    if (reports.isNew(FaultKind::SameInstruction, op))
      reports.add(
          FaultKind::SameInstruction, wave, op,
          uint64_t(1) << a.lane | uint64_t(1) << b.lane,
          "0x" + llvm::utohexstr(a.value, true) + " and 0x" +
              llvm::utohexstr(b.value, true) + " to " +
              (access.space == MemorySpace::Lds ? "LDS address 0x" : "0x") +
              llvm::utohexstr(a.address, true));
    return;
  }
}

static std::string accessText(AccessKind kind) {
  return kind == AccessKind::Read    ? "read"
         : kind == AccessKind::Write ? "write"
                                     : "atomic";
}

void Races::report(const Conflict &c) {
  const Op *other = c.past.op < ops.size() ? ops[c.past.op] : nullptr;
  if (!other || !reports.isNew(c.kind, *c.op, other))
    return;
  const uint32_t waves = state->wavesPerGroup;
  const uint32_t number = c.past.wave - 1;
  const uint64_t group = number / waves;
  const uint32_t *grid = state->request->grid;
  std::string who = "workgroup (" + std::to_string(group % grid[0]) + "," +
                    std::to_string(group / grid[0] % grid[1]) + "," +
                    std::to_string(group / (uint64_t(grid[0]) * grid[1])) +
                    "), wave " + std::to_string(number % waves) + ", lane " +
                    std::to_string(c.past.lane);
  std::vector<std::string> notes = {
      "after the " +
          std::string(!c.past.writes  ? "read "
                      : c.past.atomic ? "atomic "
                                      : "write ") +
          "by " + who,
      "at " + reports.describe(*other),
      number / waves == c.number / waves
          ? "no barrier that both waves pass, with the first access complete, "
            "orders them"
          : "no release by the one and acquire by the other orders them"};
  const bool isLds = c.kind == FaultKind::LdsRace;
  std::string what = accessText(c.access) + " of " + std::to_string(c.bytes) +
                     " bytes at " + (isLds ? "LDS address 0x" : "0x") +
                     llvm::utohexstr(c.address, true);
  if (!isLds)
    what += " (" + state->memory->describe(c.address) + ")";
  reports.add(c.kind, c.wave, *c.op, uint64_t(1) << c.lane, what, notes, other);
}

/// Reports a conflict, unless it is one that a compare-and-swap to come will
/// explain.
void Races::meet(Conflict c) {
  const bool loadsNow = c.access == AccessKind::Read && c.past.atomic;
  const bool hasLoaded =
      c.access == AccessKind::Atomic && !c.past.writes && !c.past.atomic;
  const uint32_t wave = loadsNow ? c.number : c.past.wave - 1;
  if ((!loadsNow && !hasLoaded) || (wave < ended.size() && ended[wave]))
    return report(c);
  std::vector<Conflict> &list = loads[wave];
  // What comes in numbers is no compare-and-swap.
  if (list.size() >= 4 * kRowLanes)
    return;
  list.push_back(std::move(c));
}

/// A compare-and-swap explains the plain loads of its addresses before it.
void Races::forgive(uint32_t wave, const MemoryAccess &access) {
  auto it = loads.find(wave);
  if (it == loads.end())
    return;
  const bool isLds = access.space == MemorySpace::Lds;
  llvm::erase_if(it->second, [&](const Conflict &c) {
    if ((c.kind == FaultKind::LdsRace) != isLds)
      return false;
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
      uint64_t begin = access.addresses[llvm::countr_zero(rest)];
      if (c.address >= begin && c.address < begin + access.bytes)
        return true;
    }
    return false;
  });
}

/// An atomic, or a load or store with a scope, at the addresses of its lanes.
void Races::synchronise(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
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
          learn(clocks, me, entry.first, entry.second);
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
      // A store without a scope may be what is read from.
      if (!storesHaveScope) {
        const PastAccess write = page(address)->lastStore(address % kPageBytes);
        auto it = stores.find(write.wave - 1);
        if (write.wave && write.wave != now.wave && it != stores.end())
          for (auto store = it->second.rbegin(); store != it->second.rend();
               ++store)
            if (store->first <= write.ticket) {
              Snapshot &read = released[address][write.wave - 1];
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
                           const GroupClocks &clocks, const PastAccess &now) {
  Snapshot &last = releasedToRanks[now.wave - 1];
  TicketRuns own = std::move(last.own);
  addRun(own, {static_cast<MemoryQueue>(now.queue), now.ticket, now.ticket});
  last = snapshot(wave, shadow, clocks);
  last.own = std::move(own);
}

/// Whether a write of `bytes` at `at`, a part of a lane's access, puts there
/// something else than is there.
bool Races::changes(Wave &wave, const Op &op, const MemoryAccess &access,
                    unsigned lane, uint64_t at, unsigned bytes) const {
  if (access.kind != AccessKind::Write || !access.data)
    return true;
  const uint64_t k = at - access.addresses[lane];
  const uint32_t value = access.data[k / 4 * kRowLanes + lane] >>
                         (8 * (k % 4) + (access.dataHigh ? 16 : 0));
  if (access.space == MemorySpace::Lds)
    return std::memcmp(&value, wave.group->lds.data() + at, bytes) != 0;
  return !isAccessible(wave, op, at, at + bytes) ||
         std::memcmp(&value, reinterpret_cast<const void *>(at), bytes) != 0;
}

void Races::access(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                   const Op &op, const MemoryAccess &access) {
  if (access.space == MemorySpace::Scratch)
    return;
  // The host takes part in what orders accesses to the buffer of calls to it,
  // and is not seen here.
  if (const HostcallBuffer *calls = wave.group->hostcalls;
      calls && access.space != MemorySpace::Lds) {
    const uint64_t address = access.addresses[llvm::countr_zero(access.lanes)];
    if (address >= calls->begin() && address < calls->end())
      return;
  }
  const OpInfo &info = *op.info;
  if (info.index >= (1u << 20))
    return;
  if (info.index >= ops.size())
    ops.resize(info.index + 256, nullptr);
  ops[info.index] = &op;

  const unsigned me = wave.index;
  const bool isLds = access.space == MemorySpace::Lds;
  const bool isRead = access.kind == AccessKind::Read;
  const bool isAtomic = access.kind == AccessKind::Atomic ||
                        (!isLds && info.scope > 0 && !access.dma);
  if (access.kind == AccessKind::Write && access.data)
    sameInstruction(wave, op, access);

  PastAccess now;
  now.wave = clocks.firstWave + me + 1;
  now.op = info.index;
  now.atomic = isAtomic;
  now.writes = !isRead;
  const MemoryQueue queue = isLds && !access.dma                  ? kLdsQueue
                            : access.space == MemorySpace::Scalar ? kScalarQueue
                            : info.increments(WaitCounter::Store) ? kStoreQueue
                                                                  : kLoadQueue;
  now.queue = queue;
  now.ticket = shadow.issued[queue];

  const bool releases =
      isAtomic && access.kind != AccessKind::Read && !access.dma;
  const bool acquires =
      isAtomic && access.kind != AccessKind::Write && (isRead || info.returns);
  const bool isCompareAndSwap =
      access.kind == AccessKind::Atomic &&
      static_cast<const AtomicOp *>(op.table)->kind == AtomicKind::CmpSwap;
  if (isCompareAndSwap && !loads.empty())
    forgive(now.wave - 1, access);
  if (releases || acquires)
    synchronise(wave, shadow, clocks, access, now, releases, acquires);
  if (!storesHaveScope && !isLds && access.kind == AccessKind::Write) {
    auto &list = stores[clocks.firstWave + me];
    if (list.empty() ||
        list.back().second.device != publishedToDevice(wave, shadow, clocks)) {
      if (list.size() >= kStoresKept)
        list.erase(list.begin());
      list.push_back({now.ticket, snapshot(wave, shadow, clocks)});
    }
  }

  if (!shared.empty() && !isLds && !access.dma &&
      (releases || (!storesHaveScope && !isRead)) &&
      isShared(access.addresses[llvm::countr_zero(access.lanes)]))
    releaseToRanks(wave, shadow, clocks, now);

  // The accesses themselves.
  const bool plainStoresMayBeAtomic = !storesHaveScope && !isLds;
  auto isBefore = [&](const PastAccess &past) {
    if (past.wave == now.wave)
      return past.queue == now.queue || shadow.done[past.queue] >= past.ticket;
    return isAfter(clocks, me, past);
  };
  auto conflicts = [&](const PastAccess &past) {
    if (!past.wave || past.wave == now.wave || (isRead && !past.writes) ||
        (isAtomic && past.atomic) || isAfter(clocks, me, past))
      return false;
    // What an atomic load reads may be a store.
    return !plainStoresMayBeAtomic ||
           !(past.writes ? isRead && isAtomic : past.atomic);
  };
  auto meetAt = [&](uint64_t at, unsigned bytes, const PastAccess &past) {
    if (past.writes && !changes(wave, op, access, now.lane, at, bytes))
      return false;
    meet({isLds ? FaultKind::LdsRace : FaultKind::GlobalRace, access.kind,
          access.bytes, now.lane, wave, now.wave - 1, &op, at, past});
    return true;
  };
  uint64_t previous = UINT64_MAX;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t address = access.addresses[lane];
    if (address == previous)
      continue; // All lanes read one place.
    previous = address;
    now.lane = lane;
    uint64_t at = address;
    const uint64_t end = address + access.bytes;
    if (isLds && end > wave.group->lds.size())
      return; // The executor faults.
    if (isLds && !clocks.dma.empty() && !access.dma)
      for (const GroupClocks::Dma &dma : clocks.dma) {
        if (address >= dma.end || end <= dma.begin)
          continue;
        if (reports.isNew(FaultKind::MissingWait, op, dma.op))
          reports.add(FaultKind::MissingWait, wave, op, uint64_t(1) << lane,
                      accessText(access.kind) + " of LDS address 0x" +
                          llvm::utohexstr(address, true) +
                          ", to which LDS DMA is still in flight",
                      {"issued by wave " + std::to_string(dma.wave) +
                           ", which has not waited for it, at",
                       reports.describe(*dma.op)},
                      dma.op);
        break;
      }
    while (at < end) {
      CellTable *table;
      uint64_t within, stop;
      if (isLds) {
        table = &clocks.lds;
        within = at;
        stop = end;
      } else {
        table = page(at);
        within = at % kPageBytes;
        stop = std::min(end, at - within + kPageBytes);
      }
      table->refine(within, static_cast<unsigned>(stop - at));
      for (; at < stop; at += table->granule(), within += table->granule()) {
        MemoryCell &cell = table->at(within);
        if (cell.repeats(now)) {
          if (cell.latest.ticket != now.ticket)
            cell.latest = now;
          continue;
        }
        if (conflicts(cell.write))
          meetAt(at, table->granule(), cell.write);
        if (isCompareAndSwap)
          table->dropReads(cell, now.wave);
        // Two accesses that only read never conflict, nor do two atomics.
        if (!isRead || !isAtomic) {
          auto look = [&](const PastAccess &past) {
            return conflicts(past) && meetAt(at, table->granule(), past) &&
                   isRead;
          };
          if (!look(cell.latest))
            table->anyOther(cell, look);
        }
        if (!isRead && !isAtomic)
          table->setWrite(cell, now);
        else
          table->add(cell, now, isLds ? 0 : clocks.waves, isBefore);
      }
    }
    if (!access.dma)
      continue;
    // Lanes are one behind the other.
    if (!clocks.dma.empty() && clocks.dma.back().wave == me &&
        clocks.dma.back().ticket == now.ticket &&
        clocks.dma.back().end == address)
      clocks.dma.back().end = static_cast<uint32_t>(end);
    else
      clocks.dma.push_back({me, now.ticket, static_cast<uint32_t>(address),
                            static_cast<uint32_t>(end), &op});
  }
}
