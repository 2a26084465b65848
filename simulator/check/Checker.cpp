//===- Checker.cpp - Finds faults that hardware does not report -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Checker.h"
#include "simulator/isa/RegisterNames.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/RegisterIndexing.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <cstdlib>

using namespace aircc::sim;

namespace {
/// The number of instructions without progress after which the checker looks
/// for a deadlock. An instruction that sleeps counts as many, because its
/// thread may sleep too.
constexpr uint64_t kStallThreshold = uint64_t(1) << 19;
constexpr uint64_t kSleepWeight = uint64_t(1) << 12;
} // namespace

Checker::Checker(unsigned limit, CheckSelection selection)
    : reports(limit, selection), checksWaits(selection.has(CheckKind::Waits)),
      checksHazards(selection.has(CheckKind::Hazards)),
      // The race detector also finds reads of the data of an LDS DMA that
      // precede the wait for it.
      checksRaces(selection.has(CheckKind::Races) || checksWaits),
      checksDefinedness(selection.has(CheckKind::Undefined)),
      definedness(reports), hazards(reports), races(reports),
      rankRaces(reports) {}
Checker::~Checker() = default;

void Checker::launchBegin(const LaunchState &launch, unsigned place) {
  state = &launch;
  slot = place;
  reports.begin(launch);
  hazards.begin(launch);
  shapes.clear();
  // Another process may write the memory that a wave polls.
  const char *ranks = std::getenv("WORLD_SIZE");
  int numRanks = 1;
  hasOtherRanks = ranks && !llvm::StringRef(ranks).getAsInteger(10, numRanks) &&
                  numRanks > 1;
  races.begin(launch, hasOtherRanks);
  rankRaces.begin(launch);
}

std::string Checker::launchEnd(const LaunchState &, const std::string &) {
  rankRaces.end();
  warningText = reports.warnings();
  return reports.faults();
}

void Checker::groupBegin(Workgroup &group) {
  std::unique_ptr<Group> made;
  if (spare.empty()) {
    made = std::make_unique<Group>();
  } else {
    made = std::move(spare.back());
    spare.pop_back();
  }
  while (made->waves.size() < group.waves.size())
    made->waves.push_back(std::make_unique<WaveShadow>());
  made->barrierOps.assign(group.waves.size(), nullptr);
  races.beginGroup(group, made->clocks);
  made->lds.reset(group.lds.size());
  group.observed[slot] = made.release();
  alive.insert(&group);
  ++groupsBegun;
  progress();
}

void Checker::groupEnd(Workgroup &group) {
  spare.emplace_back(&of(group));
  group.observed[slot] = nullptr;
  alive.erase(&group);
  progress();
}

void Checker::waveBegin(Wave &wave) {
  WaveShadow &s = *of(*wave.group).waves[wave.index];
  wave.observed[slot] = &s;
  s.anyPending = false;
  s.pending.clear();
  s.undefined.clear();
  s.issued = s.done = Tickets{};
  s.firstExec = wave.exec();
  s.barriers = 0;
  s.ended = false;
  hazards.beginWave(s);
  if (checksDefinedness)
    definedness.beginWave(wave, s, *state->kernel);
}

void Checker::waveEnd(Wave &wave) {
  WaveShadow &s = of(wave);
  Group &group = of(*wave.group);
  s.done = s.issued;
  s.ended = true;
  races.waited(wave, s, group.clocks);
  races.endWave(wave, s, group.clocks);
  progress();
  // Other waves may have reached a barrier that this wave did not.
  const Op &op = *(wave.pc - 1);
  for (unsigned u = 0; u < wave.group->waves.size(); ++u) {
    if (group.waves[u]->barriers <= s.barriers || !group.barrierOps[u] ||
        !reports.isNew(FaultKind::Barrier, op))
      continue;
    reports.add(FaultKind::Barrier, wave, op, 0,
                "the wave ends after " + std::to_string(s.barriers) +
                    " barriers; wave " + std::to_string(u) +
                    " has reached one more",
                {"at " + reports.describe(*group.barrierOps[u])});
  }
}

/// A register with a load in flight must not be read, and only a later
/// operation in the same queue may write it.
void Checker::checkWaits(Wave &wave, WaveShadow &s, const Op &op,
                         const TouchedRegisters &touched) {
  const OpInfo &info = *op.info;
  // Clear the registers whose operations have completed since.
  bool any = false;
  touched.forEach(s.pending, [&](unsigned place) {
    const WaveShadow::Pending &pending =
        place < kVectorRows ? s.rowPending[place]
                            : s.scalarPending[place - kVectorRows];
    const bool isDone = s.done[pending.queue] >= pending.ticket;
    any |= !isDone;
    s.pending.set(place, !isDone);
  });
  if (!any)
    return;
  auto check = [&](WaveShadow::Pending &pending, unsigned place, bool isWrite,
                   bool isVector, unsigned reg) {
    if (isWrite && pending.queue != kScalarQueue &&
        ((pending.queue == kLdsQueue && info.increments(WaitCounter::Lds) &&
          info.opClass != OpClass::ScalarMemory) ||
         (pending.queue == kLoadQueue && info.increments(WaitCounter::Load))))
      return;
    s.pending.set(place, false);
    if (!reports.isNew(FaultKind::MissingWait, op, pending.op))
      return;
    std::string name = registerName(isVector, reg);
    reports.add(FaultKind::MissingWait, wave, op, 0,
                name + " is " + (isWrite ? "overwritten" : "used") +
                    " while the operation that loads it is still in flight",
                {"at " + reports.describe(*pending.op)}, pending.op);
  };
  auto look = [&](const RegRange &range, bool isWrite) {
    for (unsigned reg = range.first; reg < range.first + range.count; ++reg) {
      const unsigned place = RegisterSet::indexOf(range.vector, reg);
      if (s.pending.has(place))
        check(range.vector ? s.rowPending[reg] : s.scalarPending[reg], place,
              isWrite, range.vector, reg);
    }
  };
  for (const RegRange &range : info.reads)
    look(range, false);
  for (const RegRange &range : info.writes)
    look(range, true);
}

void Checker::issue(Wave &, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  MemoryQueue queue = kLoadQueue;
  if (info.increments(WaitCounter::Lds))
    ++s.issued[queue = info.opClass == OpClass::ScalarMemory ? kScalarQueue
                                                             : kLdsQueue];
  if (info.increments(WaitCounter::Scalar))
    ++s.issued[queue = kScalarQueue];
  if (info.increments(WaitCounter::Export))
    ++s.issued[queue = kExportQueue];
  if (info.increments(WaitCounter::Store))
    ++s.issued[queue = kStoreQueue];
  if (info.increments(WaitCounter::Load))
    s.issued[kDmaQueue] = ++s.issued[queue = kLoadQueue];
  for (const RegRange &range : info.writes)
    for (unsigned reg = range.first; reg < range.first + range.count; ++reg) {
      WaveShadow::Pending &pending =
          range.vector ? s.rowPending[reg] : s.scalarPending[reg];
      pending = {&op, s.issued[queue], queue};
      s.pending.set(RegisterSet::indexOf(range.vector, reg), true);
      s.anyPending = true;
    }
}

Checker::IndexedOp &Checker::indexedBy(const Wave &wave, const Op &op) {
  auto [it, isNew] =
      indexed.try_emplace({&op, wave.scalars[kM0] & 0xf0ff}, IndexedOp());
  IndexedOp &known = it->second;
  if (isNew) {
    known.op = indexedOp(wave, op);
    known.info = indexedInfo(op, known.op);
    known.op.info = &known.info;
    known.facts = {TouchedRegisters(known.info), &hazards.factsOf(known.op)};
  }
  return known;
}

void Checker::findFacts(const Op &op) {
  const uint32_t index = op.info->index;
  if (index >= facts.size())
    facts.resize(index + 256);
  factsEnd = static_cast<uint32_t>(facts.size());
  facts[index] = {TouchedRegisters(*op.info), &hazards.factsOf(op),
                  op.record && op.record->has(trait::Transposes)};
  races.addOp(op);
}

void Checker::before(Wave &wave, const Op &encoded) {
  WaveShadow &s = of(wave);
  const IndexedOp *indexed = wave.registerIndexing && isIndexable(encoded)
                                 ? &indexedBy(wave, encoded)
                                 : nullptr;
  const Op &op = indexed ? indexed->op : encoded;
  const OpFacts &known = indexed ? indexed->facts : factsOf(op);
  const OpInfo &info = *op.info;
  sinceProgress += info.sleeps ? kSleepWeight : 1;
  const auto [isPending, isUndefined] =
      known.touched.intersect(s.pending, s.undefined);
  if (isPending && checksWaits)
    checkWaits(wave, s, op, known.touched);
  // Defined sources give defined results.
  if ((isUndefined || info.relative) && checksDefinedness)
    definedness.before(wave, s, op, known.touched);
  if (checksHazards)
    hazards.before(wave, s, op, *known.hazards);
  if (info.counters)
    issue(wave, s, op);
  switch (info.opClass) {
  case OpClass::Cache:
    races.before(wave, s, of(*wave.group).clocks, op);
    break;
  case OpClass::Signal:
    races.arrive(wave, s, of(*wave.group).clocks);
    break;
  case OpClass::Barrier:
    reachBarrier(wave, s, op);
    break;
  default:
    break;
  }
}

void Checker::reachBarrier(Wave &wave, WaveShadow &s, const Op &op) {
  Group &group = of(*wave.group);
  ++s.barriers;
  group.barrierOps[wave.index] = &op;
  if (!group.clocks.arrivals[wave.index].arrived)
    races.arrive(wave, s, group.clocks);
  const uint64_t exec = wave.exec();
  if (exec != s.firstExec && reports.isNew(FaultKind::DivergentBarrier, op))
    reports.add(FaultKind::DivergentBarrier, wave, op, s.firstExec & ~exec,
                "lanes of the wave that reaches it are inactive: it is in "
                "divergent control flow");
  for (unsigned u = 0; u < wave.group->waves.size(); ++u) {
    const WaveShadow &other = *group.waves[u];
    if (!other.ended || other.barriers >= s.barriers ||
        !reports.isNew(FaultKind::Barrier, op))
      continue;
    reports.add(FaultKind::Barrier, wave, op, 0,
                "wave " + std::to_string(u) + " has ended after " +
                    std::to_string(other.barriers) +
                    " barriers and does not reach this one");
  }
  // A barrier has no effect if only one wave is running.
  if (wave.group->running == 1)
    races.release(*wave.group, group.clocks);
}

void Checker::barrierArrive(Wave &, const Op &) {}

void Checker::barrierRelease(Workgroup &group) {
  Group &known = of(group);
  races.release(group, known.clocks);
  progress();
}

void Checker::wait(Wave &wave, const Op &, const WaitCounts &counts) {
  WaveShadow &s = of(wave);
  auto upTo = [&](MemoryQueue queue, unsigned most) {
    if (most != WaitCounts::kNoWait && s.issued[queue] > most)
      s.done[queue] = std::max(s.done[queue], s.issued[queue] - most);
  };
  upTo(kLoadQueue, counts[WaitCounter::Load]);
  s.done[kDmaQueue] = s.done[kLoadQueue];
  upTo(kStoreQueue, counts[WaitCounter::Store]);
  upTo(kLdsQueue, counts[WaitCounter::Lds]);
  upTo(kExportQueue, counts[WaitCounter::Export]);
  // Scalar loads complete in any order, so only a wait for all of them
  // completes any of them.
  const bool ownCounter = state->chip->hasScalarCounter;
  if (counts[ownCounter ? WaitCounter::Scalar : WaitCounter::Lds] == 0)
    s.done[kScalarQueue] = s.issued[kScalarQueue];
  races.waited(wave, s, of(*wave.group).clocks);
  if (s.anyPending && s.done == s.issued) {
    s.anyPending = false;
    s.pending.clear();
  }
}

/// With the settings that the HSA ABI requires, LDS accesses may have any
/// alignment, except for atomics, transposing reads and DMA. Scalar loads
/// ignore the two low bits of an address.
void Checker::checkAlignment(Wave &wave, const Op &op,
                             const MemoryAccess &access,
                             const AccessFootprint &footprint) {
  unsigned wanted = 1;
  if (access.space == MemorySpace::Scalar)
    wanted = std::min(access.bytes, 4u);
  else if (access.dma)
    wanted = 4;
  else if (access.kind == AccessKind::Atomic)
    wanted = access.bytes;
  else if (access.space == MemorySpace::Lds && access.bytes >= 8 &&
           op.record->has(trait::Transposes))
    wanted = access.bytes == 12 ? 4 : 8;
  if (wanted == 1 || !(footprint.addressBits & (llvm::bit_ceil(wanted) - 1)))
    return;
  uint64_t bad = 0, address = 0;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (access.addresses[lane] % wanted == 0)
      continue;
    if (!bad)
      address = access.addresses[lane];
    bad |= uint64_t(1) << lane;
  }
  if (!bad || !reports.isNew(FaultKind::Misaligned, op))
    return;
  reports.add(FaultKind::Misaligned, wave, op,
              access.space == MemorySpace::Scalar ? 0 : bad,
              std::to_string(access.bytes) + " bytes at " +
                  (access.space == MemorySpace::Lds ? "LDS address " : "") +
                  "0x" + llvm::utohexstr(address, true) +
                  ", which is not a multiple of " + std::to_string(wanted));
}

/// Returns the shape of the addresses of a full wave in LDS, or null if there
/// is none or if addresses overflow.
const AddressShape *Checker::shapeOf(const Wave &wave, OpFacts &known,
                                     const MemoryAccess &access) {
  const LaneAddresses &addresses = access.addresses;
  if (!addresses.row() || access.lanes != wave.laneMask())
    return nullptr;
  const AddressShape *shape =
      shapes.find(addresses.row(), wave.lanes,
                  known.shapes[wave.index % OpFacts::kRecentShapes]);
  if (!shape)
    return nullptr;
  const auto first = static_cast<int64_t>(addresses[0]);
  return first + shape->low >= 0 && first + shape->high <= UINT32_MAX ? shape
                                                                      : nullptr;
}

/// Checks a plain access to defined LDS by a full wave. Returns false if the
/// general check is needed.
bool Checker::accessLds(const Wave &wave, WaveShadow &s, Group &group,
                        const Op &op, const OpFacts &known, AccessKind kind,
                        const ShapedAccess &access) {
  const bool writes = kind == AccessKind::Write;
  if (kind == AccessKind::Atomic || access.high > wave.group->lds.size() ||
      known.transposes ||
      (checksDefinedness &&
       (group.lds.undefinedBytes || known.touched.intersects(s.undefined))) ||
      (checksRaces &&
       (rankRaces.isNeeded() ||
        !races.recordLds(wave, s, group.clocks, op, writes, access))))
    return false;
  if (writes)
    progress();
  return true;
}

void Checker::access(Wave &wave, const Op &op, const MemoryAccess &access) {
  OpFacts &known = factsOf(op);
  const AddressShape *shape = shapeOf(wave, known, access);
  if (!shape)
    return checkAccess(
        wave, op, access,
        AccessFootprint(access.addresses, access.lanes, access.bytes));
  const ShapedAccess shaped(*shape, static_cast<uint32_t>(access.addresses[0]),
                            access.bytes);
  if (!accessLds(wave, of(wave), of(*wave.group), op, known, access.kind,
                 shaped))
    checkAccess(wave, op, access, AccessFootprint(access.addresses, shaped));
}

void Checker::checkAccess(Wave &wave, const Op &op, const MemoryAccess &access,
                          const AccessFootprint &footprint) {
  WaveShadow &s = of(wave);
  Group &group = of(*wave.group);
  // The largest required alignment is eight bytes.
  if (footprint.addressBits & 7 &&
      (access.kind == AccessKind::Atomic || access.dma ||
       access.space == MemorySpace::Scalar ||
       (access.space == MemorySpace::Lds && access.bytes >= 8)))
    checkAlignment(wave, op, access, footprint);
  if (checksDefinedness)
    definedness.access(wave, s, group.lds, op, access, footprint,
                       factsOf(op).touched);
  if (checksRaces)
    races.access(wave, s, group.clocks, op, access, footprint);
  if (checksRaces && rankRaces.isNeeded())
    rankRaces.access(wave, op, access,
                     access.kind == AccessKind::Atomic ||
                         (op.info->scope > 0 && !access.dma));
  if (access.kind == AccessKind::Write && access.space != MemorySpace::Scratch)
    progress();
  if (access.kind == AccessKind::Atomic && atomicChanges(wave, op, access))
    progress();
}

/// Returns whether an atomic changes memory. Atomics that poll do not.
bool Checker::atomicChanges(Wave &wave, const Op &op,
                            const MemoryAccess &access) {
  const auto &atomic = *static_cast<const AtomicOp *>(op.table);
  const unsigned dwords = access.bytes / 4;
  const bool lds = op.info->opClass == OpClass::Lds;
  auto valueAt = [&](const uint32_t *rows, unsigned lane) {
    uint64_t value = rows[lane];
    if (dwords == 2)
      value |= uint64_t(rows[kRowLanes + lane]) << 32;
    return value;
  };
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t address = access.addresses[lane];
    const void *from = reinterpret_cast<const void *>(address);
    if (access.space == MemorySpace::Scratch)
      return true;
    if (access.space == MemorySpace::Lds) {
      if (address + access.bytes > wave.group->lds.size())
        return true;
      from = wave.group->lds.data() + address;
    } else if (!isAccessible(wave, op, address, address + access.bytes)) {
      return true;
    }
    uint64_t old = 0, compare = 0, data = valueAt(access.data, lane);
    std::memcpy(&old, from, access.bytes);
    if (lds && op.srcCount > 2) {
      // The compare value (or a mask) is the first operand, except for
      // cmpstore.
      compare = data;
      data = valueAt(wave.row(op.src[2].reg), lane);
      if (op.record->has(trait::NewFirst))
        std::swap(data, compare);
    } else if (atomic.kind == AtomicKind::CmpSwap) {
      compare = valueAt(access.data + dwords * kRowLanes, lane);
    }
    if (applyAtomic(atomic, old, data, compare) != old)
      return true;
  }
  return false;
}

void Checker::after(Wave &wave, const Op &op) {
  if (sinceProgress < kStallThreshold || op.info->opClass != OpClass::Branch ||
      wave.pc > &op)
    return;
  checkDeadlock(wave, op);
}

/// Called at the end of a loop after many instructions without a write. If
/// every wave is in the same state as at the end of an earlier iteration, and
/// nothing was written in between, no wave can leave its loop.
void Checker::checkDeadlock(Wave &wave, const Op &op) {
  if (hasOtherRanks)
    return;
  const uint64_t number =
      wave.group->number * state->wavesPerGroup + wave.index;
  if (number >= loopStates.size())
    loopStates.resize(number + 1);
  LoopState &loop = loopStates[number];
  uint64_t hash = 0x9e3779b97f4a7c15;
  auto mix = [&](const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; ++i)
      hash = (hash ^ words[i]) * 0x100000001b3 + (hash >> 29);
  };
  mix(wave.scalars, kScalarRegs);
  mix(wave.rows, size_t(state->kernel->vgprCount) * kRowLanes);
  hash ^= wave.scc;
  loop.stuck = loop.stamp == stamp && loop.op == &op && loop.hash == hash;
  loop.op = &op;
  loop.hash = hash;
  loop.stamp = stamp;
  if (!loop.stuck)
    return;
  std::vector<std::string> notes;
  for (Workgroup *group : alive)
    for (auto &other : group->waves) {
      if (other->status == WaveStatus::Ended)
        continue;
      const uint64_t index =
          group->number * state->wavesPerGroup + other->index;
      const bool waits = other->status == WaveStatus::AtBarrier;
      if (!waits && (index >= loopStates.size() || !loopStates[index].stuck ||
                     loopStates[index].stamp != stamp))
        return;
      if (other.get() == &wave || notes.size() >= 8)
        continue;
      notes.push_back(
          "workgroup (" + std::to_string(group->id[0]) + "," +
          std::to_string(group->id[1]) + "," + std::to_string(group->id[2]) +
          "), wave " + std::to_string(other->index) +
          (waits ? " waits at the barrier " : " loops at ") +
          reports.describe(waits ? *(other->pc - 1) : *loopStates[index].op));
    }
  const uint32_t *grid = state->request->grid;
  if (groupsBegun < uint64_t(grid[0]) * grid[1] * grid[2])
    return;
  if (reports.isNew(FaultKind::Deadlock, op))
    reports.add(FaultKind::Deadlock, wave, op, 0,
                "every wave waits for an event that no wave causes", notes);
  throw Fault("the launch cannot continue: all its waves wait for each other");
}
