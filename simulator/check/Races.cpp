//===- Races.cpp - Who may access memory when -----------------------------===//
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

/// Stores of a wave whose state of knowledge is kept.
static constexpr size_t kStoresKept = 64;

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
  const MemoryQueue queue = access.dma                            ? kDmaQueue
                            : isLds                               ? kLdsQueue
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
