//===- Races.cpp - Detects unordered accesses -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Races.h"

#include "simulator/exec/Hostcall.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace aircc::sim;

/// The maximum number of stores of a wave whose snapshots are kept.
static constexpr size_t kStoresKept = 64;

void Races::checkSameInstruction(Wave &wave, const Op &op,
                                 const MemoryAccess &access,
                                 const AccessFootprint &footprint) {
  // Ascending addresses, which most stores have, do not overlap.
  if (footprint.shape
          ? footprint.shape->gap >= footprint.bytes
          : footprint.isStrided && footprint.stride >= footprint.bytes)
    return;
  uint64_t previous = 0;
  bool ascending = true, first = true;
  for (uint64_t rest = access.lanes; rest && ascending; rest &= rest - 1) {
    uint64_t at = access.addresses[llvm::countr_zero(rest)];
    ascending = first || at >= previous + access.bytes;
    previous = at;
    first = false;
  }
  if (ascending)
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

static std::string kindText(AccessKind kind) {
  return accessText(kind != AccessKind::Read, kind == AccessKind::Atomic);
}

void Races::report(const Conflict &c) {
  const Op *other = c.past.op < ops.size() ? ops[c.past.op] : nullptr;
  if (!other || !reports.isNew(c.kind, *c.op, other))
    return;
  const uint32_t waves = state->wavesPerGroup;
  const uint32_t number = c.past.agent - 1;
  const uint64_t group = number / waves;
  const uint32_t *grid = state->request->grid;
  std::string otherWave =
      "workgroup (" + std::to_string(group % grid[0]) + "," +
      std::to_string(group / grid[0] % grid[1]) + "," +
      std::to_string(group / (uint64_t(grid[0]) * grid[1])) + "), wave " +
      std::to_string(number % waves) + ", lane " + std::to_string(c.past.lane);
  std::vector<std::string> notes = {
      "after the " + accessText(c.past.writes, c.past.writes && c.past.atomic) +
          " by " + otherWave,
      "at " + reports.describe(*other),
      number / waves == c.number / waves
          ? "no barrier that both waves pass, with the first access complete, "
            "orders them"
          : "no release by the one and acquire by the other orders them"};
  const bool isLds = c.kind == FaultKind::LdsRace;
  std::string what = kindText(c.access) + " of " + std::to_string(c.bytes) +
                     " bytes at " + (isLds ? "LDS address 0x" : "0x") +
                     llvm::utohexstr(c.address, true);
  if (!isLds)
    what += " (" + state->memory->describe(c.address) + ")";
  reports.add(c.kind, c.wave, *c.op, uint64_t(1) << c.lane, what, notes, other);
}

/// Reports a conflict. Defers it if a later compare-and-swap may show that it
/// is not a race.
void Races::reportOrDefer(Conflict c) {
  const bool loadsNow = c.access == AccessKind::Read && c.past.atomic;
  const bool hasLoaded =
      c.access == AccessKind::Atomic && !c.past.writes && !c.past.atomic;
  const uint32_t wave = loadsNow ? c.number : c.past.agent - 1;
  if ((!loadsNow && !hasLoaded) || (wave < ended.size() && ended[wave]))
    return report(c);
  std::vector<Conflict> &list = deferredLoads[wave];
  // The number of deferred conflicts is limited, because a load before a
  // compare-and-swap has few.
  if (list.size() >= 4 * kRowLanes)
    return;
  list.push_back(c);
}

/// Drops the deferred conflicts of plain loads at the addresses of a
/// compare-and-swap.
void Races::suppressCasLoads(uint32_t wave, const MemoryAccess &access) {
  auto it = deferredLoads.find(wave);
  if (it == deferredLoads.end())
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

/// Returns whether a write of `bytes` at `at`, a part of a lane's access,
/// changes the value in memory.
bool Races::changes(Wave &wave, const Op &op, const MemoryAccess &access,
                    unsigned lane, uint64_t at, unsigned bytes) const {
  if (access.space == MemorySpace::Lds)
    return changesMemory(access, lane, at, bytes, wave.group->lds.data() + at);
  return !isAccessible(wave, op, at, at + bytes) ||
         changesMemory(access, lane, at, bytes,
                       reinterpret_cast<const void *>(at));
}

/// The current access.
struct Races::CurrentAccess {
  Wave &wave;
  WaveShadow &shadow;
  GroupClocks &clocks;
  const Op &op;
  const MemoryAccess &access;
  const AccessFootprint &footprint;
  PastAccess past; ///< As seen by later accesses.
  bool isLds, isRead, isAtomic, isCompareAndSwap;
};

bool Races::isBefore(const CurrentAccess &now, const PastAccess &past) const {
  if (past.agent == now.past.agent)
    return past.queue == now.past.queue ||
           now.shadow.done[past.queue] >= past.ticket;
  return isAfter(now.clocks, now.wave.index, past);
}

/// Checks the histories of the accessed memory and adds the access to them.
void Races::detect(const CurrentAccess &now) {
  auto isPast = [&](const PastAccess &past) { return isBefore(now, past); };
  RaceQuery query{now.past, now.footprint, isPast};
  query.dropsReads = now.isCompareAndSwap;
  auto onConflict = [&](unsigned lane, uint64_t at, unsigned bytes,
                        const PastAccess &past) {
    if (past.writes && !changes(now.wave, now.op, now.access, lane, at, bytes))
      return false;
    reportOrDefer({now.isLds ? FaultKind::LdsRace : FaultKind::GlobalRace,
                   now.access.kind, now.access.bytes, lane, now.wave,
                   now.past.agent - 1, &now.op, at, past});
    return true;
  };
  if (now.isLds) {
    LdsAccesses &lds = now.clocks.lds;
    return detectRaces(lds.histories(), FlatCells(lds.table()), query,
                       onConflict);
  }
  query.agentsPerGroup = now.clocks.waves;
  query.storesMayBeAtomic = !storesHaveScope;
  detectRaces(histories, pages, query, onConflict);
}

/// Reports an access to LDS that LDS DMA in flight will write.
void Races::checkDma(const CurrentAccess &now) {
  if (llvm::none_of(now.clocks.dma, [&](const GroupClocks::Dma &dma) {
        return now.footprint.overlaps(dma.begin, dma.end);
      }))
    return;
  for (uint64_t rest = now.footprint.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t address = now.footprint.addresses[lane];
    for (const GroupClocks::Dma &dma : now.clocks.dma) {
      if (address >= dma.end || address + now.footprint.bytes <= dma.begin)
        continue;
      if (reports.isNew(FaultKind::MissingWait, now.op, dma.op))
        reports.add(FaultKind::MissingWait, now.wave, now.op,
                    uint64_t(1) << lane,
                    kindText(now.access.kind) + " of LDS address 0x" +
                        llvm::utohexstr(address, true) +
                        ", to which LDS DMA is still in flight",
                    {"issued by wave " + std::to_string(dma.wave) +
                         ", which has not waited for it, at",
                     reports.describe(*dma.op)},
                    dma.op);
      break;
    }
  }
}

void Races::addDma(const CurrentAccess &now) {
  auto &list = now.clocks.dma;
  if (now.footprint.isContiguous()) {
    list.push_back({now.wave.index, now.past.ticket,
                    static_cast<uint32_t>(now.footprint.low),
                    static_cast<uint32_t>(now.footprint.high), &now.op});
    return;
  }
  for (uint64_t rest = now.footprint.lanes; rest; rest &= rest - 1) {
    const auto begin =
        static_cast<uint32_t>(now.footprint.addresses[llvm::countr_zero(rest)]);
    const uint32_t end = begin + now.footprint.bytes;
    // Merge consecutive lanes.
    if (!list.empty() && list.back().wave == now.wave.index &&
        list.back().ticket == now.past.ticket && list.back().end == begin)
      list.back().end = end;
    else
      list.push_back({now.wave.index, now.past.ticket, begin, end, &now.op});
  }
}

/// Records releases and acquires of the access.
void Races::recordOrder(const CurrentAccess &now) {
  const MemoryAccess &access = now.access;
  const bool releases = now.isAtomic && !now.isRead && !access.dma;
  const bool acquires = now.isAtomic && access.kind != AccessKind::Write &&
                        (now.isRead || now.op.info->returns);
  if (now.isCompareAndSwap && !deferredLoads.empty())
    suppressCasLoads(now.past.agent - 1, access);
  if (releases || acquires)
    synchronize(now.wave, now.shadow, now.clocks, access, now.past, releases,
                acquires);
  if (now.isLds)
    return;
  if (!storesHaveScope && access.kind == AccessKind::Write) {
    auto &list = stores[now.past.agent - 1];
    if (list.empty() ||
        list.back().second.device !=
            publishedToDevice(now.wave, now.shadow, now.clocks)) {
      if (list.size() >= kStoresKept)
        list.erase(list.begin());
      list.push_back(
          {now.past.ticket, snapshot(now.wave, now.shadow, now.clocks)});
    }
  }
  if (!shared.empty() && !access.dma &&
      (releases || (!storesHaveScope && !now.isRead)) &&
      isShared(access.addresses[llvm::countr_zero(access.lanes)]))
    releaseToRanks(now.wave, now.shadow, now.clocks, now.past);
}

static MemoryQueue queueOf(const OpInfo &info, const MemoryAccess &access) {
  if (access.dma)
    return kDmaQueue;
  if (access.space == MemorySpace::Lds)
    return kLdsQueue;
  if (access.space == MemorySpace::Scalar)
    return kScalarQueue;
  return info.increments(WaitCounter::Store) ? kStoreQueue : kLoadQueue;
}

/// Returns whether the access is to the buffer of host calls. The host
/// synchronizes these accesses, but its part is not observed.
static bool isHostcall(const Wave &wave, const MemoryAccess &access) {
  const HostcallBuffer *calls = wave.group->hostcalls;
  if (!calls || access.space == MemorySpace::Lds)
    return false;
  const uint64_t address = access.addresses[llvm::countr_zero(access.lanes)];
  return address >= calls->begin() && address < calls->end();
}

void Races::access(Wave &wave, WaveShadow &shadow, GroupClocks &clocks,
                   const Op &op, const MemoryAccess &access,
                   const AccessFootprint &footprint) {
  if (access.space == MemorySpace::Scratch || isHostcall(wave, access))
    return;
  const OpInfo &info = *op.info;
  if (info.index >= kMostOps)
    return;
  if (access.kind == AccessKind::Write && access.data)
    checkSameInstruction(wave, op, access, footprint);

  const bool isLds = access.space == MemorySpace::Lds;
  const bool isAtomic = access.kind == AccessKind::Atomic ||
                        (!isLds && info.scope > 0 && !access.dma);
  PastAccess past;
  past.agent = clocks.firstWave + wave.index + 1;
  past.op = info.index;
  past.atomic = isAtomic;
  past.writes = access.kind != AccessKind::Read;
  past.queue = queueOf(info, access);
  past.ticket = shadow.issued[past.queue];
  CurrentAccess now{wave,
                    shadow,
                    clocks,
                    op,
                    access,
                    footprint,
                    past,
                    isLds,
                    access.kind == AccessKind::Read,
                    isAtomic,
                    access.kind == AccessKind::Atomic &&
                        static_cast<const AtomicOp *>(op.table)->kind ==
                            AtomicKind::CmpSwap};
  if (isAtomic || (!isLds && !now.isRead))
    recordOrder(now);
  if (isLds && !access.dma && !clocks.dma.empty())
    checkDma(now);
  const bool isRecorded =
      isLds ? clocks.lds.record(wave.index, now.past, footprint,
                                now.isCompareAndSwap)
            : reads.record(now.past, footprint, clockOf(clocks, wave.index));
  if (!isRecorded)
    detect(now);
  if (access.dma)
    addDma(now);
}
