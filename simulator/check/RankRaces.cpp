//===- RankRaces.cpp - Races between kernels of several ranks -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/RankRaces.h"

#include "simulator/check/RaceDetector.h"

#include "simulator/exec/memory/MemoryAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;

void RankRaces::begin(const LaunchState &launch) {
  state = &launch;
  heap = launch.memory->sharedHeap();
  if (heap && heap->ranks() < 2)
    heap = nullptr;
}

void RankRaces::acquirePolled() {
  for (uint64_t word : polled)
    if (RankCell *cell = heap->cell(word)) {
      RankAccess write = RankAccess::unpack(cell->write.load());
      if (write.clock)
        heap->acquireFrom(write.rank, write.clock);
    }
  polled.clear();
}

/// Returns whether a store of the bytes `mask` of the word at `word` changes
/// the value in memory.
static bool changes(const MemoryAccess &access, unsigned lane, uint64_t word,
                    uint8_t mask) {
  for (unsigned i = 0; i < 4; ++i)
    if (mask >> i & 1 &&
        changesMemory(access, lane, word + i, /*bytes=*/1,
                      reinterpret_cast<const void *>(word + i)))
      return true;
  return false;
}

/// Returns an access for the race detector, whose agents are ranks.
static PastAccess pastOf(const RankAccess &access, bool writes) {
  PastAccess past;
  past.agent = access.rank + 1u;
  past.ticket = access.clock;
  past.atomic = access.atomic;
  past.writes = writes;
  return past;
}

bool RankRaces::isNewRace(const Op &op, const MemoryAccess &access,
                          unsigned lane, const RankAccess &now,
                          const PastRankAccess &past) {
  const bool writes = access.kind != AccessKind::Read;
  const RankAccess &old = past.access;
  // Accesses with a scope synchronize and do not race.
  if (!old.clock || old.atomic || !(old.bytes & now.bytes) ||
      !mayRace(pastOf(now, writes), pastOf(old, past.writes)) ||
      heap->isBefore(old.rank, old.clock))
    return false;
  if (writes && past.writes && !changes(access, lane, past.word, now.bytes))
    return false;
  return reports.isNew(FaultKind::RankRace, op);
}

void RankRaces::report(Wave &wave, const Op &op, const MemoryAccess &access,
                       unsigned lane, const PastRankAccess &past) {
  const uint64_t address = access.addresses[lane];
  const bool writes = access.kind != AccessKind::Read;
  reports.add(FaultKind::RankRace, wave, op, uint64_t(1) << lane,
              accessText(writes, /*isAtomic=*/false) + " of " +
                  std::to_string(access.bytes) + " bytes at 0x" +
                  llvm::utohexstr(address, true) + " (" +
                  state->memory->describe(address) + ") by rank " +
                  std::to_string(heap->rank()),
              {"after the " + accessText(past.writes, past.access.atomic) +
                   " by a kernel of rank " + std::to_string(past.access.rank),
               "no barrier, no message, and no value that the one rank writes "
               "and the other reads atomically orders them"});
}

/// Returns whether a later branch jumps to the operation or to one before it.
bool RankRaces::isInLoop(const Op &op) {
  auto [it, isNew] = inLoop.try_emplace(&op, false);
  if (isNew)
    // The operation after the last one of a function has no encoding.
    for (const Op *at = &op; at->inst->bytes; ++at)
      it->second |= at->target && at->target <= &op;
  return it->second;
}

void RankRaces::accessWord(Wave &wave, const Op &op, const MemoryAccess &access,
                           RankAccess now, unsigned lane, uint64_t word) {
  RankCell *cell = heap->cell(word);
  // The executor faults outside allocations.
  if (!cell || !isAccessible(wave, op, word, word + 1))
    return;
  const bool writes = access.kind != AccessKind::Read;
  const RankAccess last = RankAccess::unpack(cell->write.load());
  const bool polls = !writes && now.line && (!last.clock || last.line);
  if (polls || (now.atomic && access.kind != AccessKind::Write))
    polled.insert(word);
  if (polls || (!writes && now.atomic))
    return;
  // Several lanes of an instruction may access parts of the word.
  auto exchange = [&](std::atomic<uint64_t> &access) {
    RankAccess old = RankAccess::unpack(access.load());
    if (old.clock == now.clock && old.rank == now.rank &&
        old.atomic == now.atomic)
      now.bytes |= old.bytes;
    return RankAccess::unpack(access.exchange(now.pack()));
  };
  auto check = [&, own = now](const RankAccess &past, bool pastWrites) {
    const PastRankAccess earlier{past, pastWrites, word};
    if (isNewRace(op, access, lane, own, earlier))
      report(wave, op, access, lane, earlier);
  };
  if (!writes) {
    exchange(cell->reads[heap->rank() % 3]);
    return check(RankAccess::unpack(cell->write.load()), /*pastWrites=*/true);
  }
  const RankAccess past = exchange(cell->write);
  if (now.atomic) {
    // Later accesses do not see the overwritten access, so acquire from it now.
    if (past.clock && access.kind == AccessKind::Atomic)
      heap->acquireFrom(past.rank, past.clock);
    return;
  }
  check(past, /*pastWrites=*/true);
  for (std::atomic<uint64_t> &read : cell->reads)
    check(RankAccess::unpack(read.load()), /*pastWrites=*/false);
}

/// Returns the lines that are accessed entirely.
static std::set<uint64_t> findWholeLines(const MemoryAccess &access) {
  constexpr uint64_t kLineBytes = 128;
  std::map<uint64_t, uint32_t> words;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const uint64_t begin = access.addresses[llvm::countr_zero(rest)];
    if (begin % 4 == 0 && access.bytes % 4 == 0)
      for (uint64_t at = begin; at < begin + access.bytes; at += 4)
        words[at / kLineBytes] |= 1u << at % kLineBytes / 4;
  }
  std::set<uint64_t> lines;
  for (auto [line, mask] : words)
    if (mask == UINT32_MAX)
      lines.insert(line * kLineBytes);
  return lines;
}

void RankRaces::access(Wave &wave, const Op &op, const MemoryAccess &access,
                       bool isAtomic) {
  if (!heap || access.space == MemorySpace::Lds ||
      access.space == MemorySpace::Scratch)
    return;
  auto isInHeap = [&](unsigned lane) {
    return heap->findRank(access.addresses[lane]).has_value();
  };
  if (!isInHeap(llvm::countr_zero(access.lanes)))
    return;
  acquirePolled();
  std::set<uint64_t> lines;
  if (access.space == MemorySpace::Global &&
      (access.kind == AccessKind::Write ||
       (access.kind == AccessKind::Read && isInLoop(op))))
    lines = findWholeLines(access);
  RankAccess now{heap->now(), static_cast<uint16_t>(heap->rank()), 0, isAtomic};
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t begin = access.addresses[lane], end = begin + access.bytes;
    if (!isInHeap(lane))
      continue;
    for (uint64_t word = begin & ~uint64_t(3); word < end; word += 4) {
      now.bytes = 0;
      for (unsigned i = 0; i < 4; ++i)
        if (word + i >= begin && word + i < end)
          now.bytes |= 1u << i;
      now.line = lines.count(word & ~uint64_t(127)) != 0;
      accessWord(wave, op, access, now, lane, word);
    }
  }
  // An atomic read of this write acquires all accesses before it.
  if (access.kind != AccessKind::Read)
    heap->publish();
}
