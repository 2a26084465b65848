//===- ComputeUnits.cpp - Timing of the compute units of an XCD -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/ComputeUnits.h"

#include <algorithm>
#include <cassert>

using namespace aircc;
using namespace aircc::sim;

/// The backlogs of an LDS port and of the vector cache, in cycles, that keep
/// further instructions from being issued. These estimates correspond to 8 and
/// 16 queued instructions.
constexpr double kLdsQueueCycles = 64;
constexpr double kVectorQueueCycles = 256;

const char *aircc::sim::stallReasonName(StallReason reason) {
  switch (reason) {
  case StallReason::None:
    return "none";
  case StallReason::Operand:
    return "operand";
  case StallReason::Load:
    return "load";
  case StallReason::Store:
    return "store";
  case StallReason::Lds:
    return "lds";
  case StallReason::Scalar:
    return "scalar_load";
  case StallReason::Barrier:
    return "barrier";
  case StallReason::Issue:
    return "issue_slot";
  case StallReason::VectorUnit:
    return "vector_unit";
  case StallReason::MatrixPipe:
    return "matrix_pipe";
  case StallReason::LdsPort:
    return "lds_port";
  case StallReason::Branch:
    return "branch";
  case StallReason::Sleep:
    return "sleep";
  }
  return "";
}

struct ComputeUnits::Simd {
  std::array<double, kIssueClasses> slotFree{};
  double vectorFree = 0, matrixFree = 0;
  unsigned waves = 0;
  double activeSince = 0; ///< Valid while it has waves.
};

struct ComputeUnits::Unit {
  std::vector<Simd> simds;
  std::vector<double> portFree; ///< For the ports of LDS.
  unsigned groups = 0;
};

bool ComputeUnits::Later::operator()(const Event &a, const Event &b) const {
  if (a.time != b.time)
    return a.time > b.time;
  if (a.priority != b.priority)
    return a.priority < b.priority;
  return a.age > b.age;
}

unsigned aircc::sim::countResidentGroups(const TimingFigures &figures,
                                         const Chip &chip,
                                         const GroupResources &resources) {
  const bool wave32 = resources.waveSize == 32;
  // On RDNA, each register of a wave64 occupies two registers of 32 lanes.
  const unsigned factor = chip.hasWave32 && !wave32 ? 2 : 1;
  const unsigned granule = chip.hasUnifiedRegisterFile ? 8 : 24;
  const uint64_t vgprs = (std::max(resources.vgprs, 1u) + granule - 1) /
                         granule * granule * factor;
  const uint64_t slots =
      std::min<uint64_t>(figures.wavesPerSimd,
                         std::max<uint64_t>(figures.vgprsPerSimd / vgprs, 1));
  uint64_t groups = slots * figures.simds / resources.waves;
  if (resources.ldsBytes)
    groups = std::min<uint64_t>(groups, figures.ldsBytes * figures.cusPerUnit /
                                            resources.ldsBytes);
  return static_cast<unsigned>(std::max<uint64_t>(groups, 1));
}

ComputeUnits::ComputeUnits(const TimingFigures &figures, const Chip &chip,
                           const GroupResources &resources, unsigned unitCount,
                           double clock, unsigned xcds,
                           std::vector<OpTiming> timings)
    : figures(figures), chip(chip), resources(resources),
      mostResident(countResidentGroups(figures, chip, resources)),
      ops(std::move(timings)), sums(ops.size()),
      memoryModel(figures, unitCount, clock, xcds) {
  for (unsigned i = 0; i < unitCount; ++i) {
    auto unit = std::make_unique<Unit>();
    unit->simds.resize(figures.simds);
    unit->portFree.resize(figures.ldsPorts);
    units.push_back(std::move(unit));
  }
}

ComputeUnits::~ComputeUnits() = default;

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

double ComputeUnits::run(const std::vector<WorkgroupTrace> &traces) {
  pending = &traces;
  nextGroup = 0;
  startGroups(0);
  while (!events.empty()) {
    Event event = events.top();
    events.pop();
    step(*event.wave, event.time);
  }
  double last = 0;
  for (auto &group : done)
    last = std::max(last, group->end);
  return last;
}

void ComputeUnits::startGroups(double now) {
  while (nextGroup < pending->size()) {
    // Take the unit with the fewest workgroups, or the first one of several.
    auto least =
        std::min_element(units.begin(), units.end(), [](auto &a, auto &b) {
          return a->groups < b->groups;
        });
    if ((*least)->groups >= mostResident)
      return;
    const double time = std::max(now, nextStart);
    nextStart = time + double(figures.workgroupCycles);
    startGroup(**least, static_cast<unsigned>(least - units.begin()), time);
  }
}

void ComputeUnits::startGroup(Unit &unit, unsigned unitIndex, double now) {
  auto group = std::make_unique<TimedGroup>();
  group->trace = &(*pending)[nextGroup++];
  group->unit = unitIndex;
  group->begin = now;
  ++unit.groups;
  for (const WaveTrace &trace : group->trace->waves) {
    auto wave = std::make_unique<TimedWave>();
    auto simd = std::min_element(
        unit.simds.begin(), unit.simds.end(),
        [](const Simd &a, const Simd &b) { return a.waves < b.waves; });
    if (!simd->waves++)
      simd->activeSince = now;
    wave->trace = &trace;
    wave->group = group.get();
    wave->unit = unitIndex;
    wave->simd = static_cast<unsigned>(simd - unit.simds.begin());
    wave->age = nextAge++;
    wave->ready = wave->available = now;
    wave->vectorReady.resize(kVectorRows);
    wave->accumulatorReady.resize(kVectorRows);
    wave->scalarReady.resize(kScalarRegs + 16);
    ++group->running;
    group->waves.push_back(wave.get());
    waves.push_back(std::move(wave));
  }
  for (TimedWave *wave : group->waves)
    push(*wave, now);
  done.push_back(std::move(group));
}

void ComputeUnits::push(TimedWave &wave, double time) {
  events.push({time, wave.priority, wave.age, &wave});
}

void ComputeUnits::endWave(TimedWave &wave, double now) {
  TimedGroup &group = *wave.group;
  Unit &unit = *units[wave.unit];
  Simd &simd = unit.simds[wave.simd];
  if (!--simd.waves)
    activeCycles += now - simd.activeSince;
  waveCycles += now - group.begin;
  wave.vectorReady = {};
  wave.accumulatorReady = {};
  wave.scalarReady = {};
  if (--group.running == 0) {
    group.end = now;
    --unit.groups;
    startGroups(now);
    return;
  }
  // The other waves may all be waiting at a barrier for this one.
  if (group.arrived && group.arrived == group.running) {
    --group.arrived;
    arrive(wave, now, /*waits=*/false);
  }
}

void ComputeUnits::arrive(TimedWave &wave, double now, bool waits) {
  TimedGroup &group = *wave.group;
  wave.barrierPhase = group.barrierPhase;
  wave.waitsAtBarrier = waits;
  if (++group.arrived < group.running)
    return;
  group.arrived = 0;
  ++group.barrierPhase;
  group.released = now + double(figures.barrierCycles);
  for (TimedWave *other : group.waves) {
    if (!other->waitsAtBarrier)
      continue;
    other->waitsAtBarrier = false;
    other->ready = group.released;
    other->readyReason = StallReason::Barrier;
    // step() is executing the last wave to arrive, and will queue it.
    if (other != &wave)
      push(*other, other->ready);
  }
}

//===----------------------------------------------------------------------===//
// When an instruction can be issued
//===----------------------------------------------------------------------===//

void ComputeUnits::addOperands(const TimedWave &wave, const OpTiming &timing,
                               Earliest &at) const {
  const OpInfo &info = *timing.op->info;
  if (info.readsScc)
    at.atLeast(wave.sccReady, StallReason::Operand);
  for (const RegRange &range : info.reads) {
    if (!range.vector) {
      for (unsigned i = range.first; i < range.first + range.count; ++i)
        if (i < wave.scalarReady.size())
          at.atLeast(wave.scalarReady[i], StallReason::Operand);
      continue;
    }
    const auto &ready = int32_t(range.first) == timing.accumulator
                            ? wave.accumulatorReady
                            : wave.vectorReady;
    for (unsigned i = range.first; i < range.first + range.count; ++i)
      if (i < ready.size())
        at.atLeast(ready[i], StallReason::Operand);
  }
}

/// Returns the kind of stall if a wave waits for a counter.
static StallReason reasonOf(unsigned counter) {
  switch (static_cast<WaitCounter>(counter)) {
  case WaitCounter::Load:
    return StallReason::Load;
  case WaitCounter::Store:
  case WaitCounter::Export:
    return StallReason::Store;
  case WaitCounter::Lds:
    return StallReason::Lds;
  case WaitCounter::Scalar:
    return StallReason::Scalar;
  }
  return StallReason::None;
}

void ComputeUnits::addWaits(const TimedWave &wave, const OpTiming &timing,
                            Earliest &at) {
  const WaitCounts &waits = timing.op->info->waits;
  for (unsigned counter = 0; counter < kWaitCounters; ++counter) {
    const auto &outstanding = wave.outstanding[counter];
    const unsigned most = waits.most[counter];
    if (most != WaitCounts::kNoWait && outstanding.size() > most)
      at.atLeast(outstanding[outstanding.size() - 1 - most], reasonOf(counter));
  }
}

void ComputeUnits::addUnits(const TimedWave &wave, const OpTiming &timing,
                            const TracedOp &traced, Earliest &at) const {
  const Unit &unit = *units[wave.unit];
  const Simd &simd = unit.simds[wave.simd];
  if (timing.issueClass == IssueClass::Internal)
    return;
  at.atLeast(simd.slotFree[static_cast<unsigned>(timing.issueClass)],
             StallReason::Issue);
  switch (timing.issueClass) {
  case IssueClass::Vector:
    at.atLeast(simd.vectorFree, StallReason::VectorUnit);
    if (timing.isMatrix || timing.excludesOther)
      at.atLeast(simd.matrixFree, StallReason::MatrixPipe);
    break;
  case IssueClass::Lds:
    at.atLeast(unit.portFree[wave.simd * figures.ldsPorts / figures.simds] -
                   kLdsQueueCycles,
               StallReason::LdsPort);
    break;
  case IssueClass::VectorMemory:
    if (traced.accessCount)
      at.atLeast(memoryModel.vectorPortFree(wave.unit) - kVectorQueueCycles,
                 StallReason::Issue);
    break;
  case IssueClass::Scalar:
  case IssueClass::Branch:
  case IssueClass::Internal:
    break;
  }
}

ComputeUnits::Earliest ComputeUnits::earliest(const TimedWave &wave,
                                              const OpTiming &timing,
                                              const TracedOp &traced) const {
  Earliest at{wave.ready, wave.readyReason};
  addOperands(wave, timing, at);
  if (timing.op->info->opClass == OpClass::Wait)
    addWaits(wave, timing, at);
  addUnits(wave, timing, traced, at);
  return at;
}

//===----------------------------------------------------------------------===//
// Issuing
//===----------------------------------------------------------------------===//

void ComputeUnits::step(TimedWave &wave, double now) {
  if (wave.atEnd())
    return endWave(wave, now);
  const TracedOp &traced = wave.trace->ops[wave.nextOp];
  const OpTiming &timing = ops[traced.index];
  const Earliest at = earliest(wave, timing, traced);
  if (at.time > now) {
    wave.lastReason = at.reason;
    return push(wave, at.time);
  }
  // Attribute the time since the previous instruction.
  OpStatistics &sum = sums[traced.index];
  ++sum.issued;
  const double early = std::min(std::max(wave.ready, wave.available), now);
  sum.stalls[static_cast<unsigned>(wave.readyReason)] += early - wave.available;
  sum.stalls[static_cast<unsigned>(wave.lastReason)] += now - early;
  const StallReason reason =
      now - early > early - wave.available ? wave.lastReason : wave.readyReason;

  // A wait takes its issue slot at the start; it ends as soon as its counters
  // have reached their values.
  const double slot = double(figures.issueCycles);
  const bool isWait = timing.op->info->opClass == OpClass::Wait;
  wave.available = isWait ? std::max(wave.available + slot, now) : now + slot;
  wave.ready = wave.available;
  wave.readyReason = wave.lastReason = StallReason::None;
  ++wave.nextOp;
  const double busy = issue(wave, timing, traced, now);
  sum.busyCycles += busy;
  sum.matrixCycles += timing.matrixCycles;
  if (listener)
    listener(wave, timing, now, busy, reason);
  if (!wave.waitsAtBarrier)
    push(wave, wave.ready);
}

/// Sets when the results of an arithmetic instruction can be used.
static void writeResults(TimedWave &wave, const OpTiming &timing, double now) {
  const OpInfo &info = *timing.op->info;
  const double ready = now + timing.latency;
  const double accumulator =
      timing.isMatrix ? now + timing.matrixCycles : ready;
  if (info.writesScc)
    wave.sccReady = ready;
  for (const RegRange &range : info.writes)
    for (unsigned i = range.first; i < range.first + range.count; ++i) {
      if (!range.vector) {
        if (i < wave.scalarReady.size())
          wave.scalarReady[i] = ready;
      } else if (i < wave.vectorReady.size()) {
        wave.vectorReady[i] = ready;
        wave.accumulatorReady[i] = accumulator;
      }
    }
}

double ComputeUnits::issue(TimedWave &wave, const OpTiming &timing,
                           const TracedOp &traced, double now) {
  Simd &simd = units[wave.unit]->simds[wave.simd];
  const auto slot = double(figures.issueCycles);
  if (timing.issueClass != IssueClass::Internal)
    simd.slotFree[static_cast<unsigned>(timing.issueClass)] = now + slot;
  const OpInfo &info = *timing.op->info;
  switch (info.opClass) {
  case OpClass::Branch:
    if (traced.branched) {
      wave.ready = now + double(figures.branchCycles);
      wave.readyReason = StallReason::Branch;
    }
    break;
  case OpClass::Barrier: {
    // With split barriers, this instruction only waits.
    const bool isSplit = chip.waits == WaitEncoding::None;
    if (!isSplit)
      arrive(wave, now, /*waits=*/true);
    else if (wave.barrierPhase == wave.group->barrierPhase)
      wave.waitsAtBarrier = true;
    else
      wave.ready = std::max(wave.ready, wave.group->released);
    wave.readyReason = StallReason::Barrier;
    return 0;
  }
  case OpClass::Signal:
    arrive(wave, now, /*waits=*/false);
    return 0;
  case OpClass::Hint:
    wave.ready += timing.idleSlots * slot;
    wave.readyReason = StallReason::Sleep;
    if (timing.priority >= 0)
      wave.priority = static_cast<unsigned>(timing.priority);
    return 0;
  default:
    break;
  }
  if (traced.accessCount || info.counters)
    return access(wave, timing, traced, now);
  writeResults(wave, timing, now);
  if (timing.issueClass != IssueClass::Vector)
    return slot;
  simd.vectorFree = now + timing.vectorCycles;
  vectorCycles += timing.vectorCycles;
  if (!timing.isMatrix)
    return timing.vectorCycles;
  simd.matrixFree = now + timing.matrixCycles;
  matrixCycles += timing.matrixCycles;
  return timing.matrixCycles;
}

double ComputeUnits::accessLds(TimedWave &wave, const TracedAccess &access,
                               double now, double &busy) {
  Unit &unit = *units[wave.unit];
  double &free = unit.portFree[wave.simd * figures.ldsPorts / figures.simds];
  double service = double(access.ldsCycles) * double(figures.ldsPorts);
  if (access.kind != AccessKind::Read)
    service += double(figures.ldsWriteCycles);
  ldsCycles += service;
  // The data of LDS DMA arrive later; until then, the port serves other
  // accesses.
  if (access.dma)
    return now + service;
  const double begin = std::max(now, free);
  free = begin + service;
  busy += service;
  // The latency is that of a 32-bit access without conflicts.
  const double shortest = 2.0 * double(figures.ldsPorts);
  return begin + std::max(service - shortest, 0.0) + double(figures.ldsLatency);
}

double ComputeUnits::access(TimedWave &wave, const OpTiming &timing,
                            const TracedOp &traced, double now) {
  double done = now, busy = 0;
  for (unsigned i = 0; i < traced.accessCount; ++i) {
    const TracedAccess &access = wave.trace->accesses[wave.nextAccess++];
    llvm::ArrayRef<uint32_t> lines(wave.trace->lines);
    lines = lines.slice(access.firstLine, access.lineCount);
    switch (access.space) {
    case MemorySpace::Lds:
      // LDS DMA writes LDS when the data have arrived from memory.
      done = std::max(done,
                      accessLds(wave, access, access.dma ? done : now, busy));
      break;
    case MemorySpace::Scalar:
      done = std::max(done, memoryModel.scalarAccess(wave.unit, now, lines));
      busy += double(figures.issueCycles);
      break;
    case MemorySpace::Global:
    case MemorySpace::Scratch:
      done = std::max(done,
                      memoryModel.vectorAccess(wave.unit, now, access, lines));
      busy += 64.0 * access.segments / double(figures.vectorCacheBytesPerCycle);
      break;
    }
  }
  // The LDS unit moves the data between lanes, without accessing memory.
  if (timing.op->info->opClass == OpClass::LdsPermute) {
    TracedAccess exchange;
    exchange.kind = AccessKind::Read;
    exchange.ldsCycles = 2;
    done = std::max(done, accessLds(wave, exchange, now, busy));
  }
  for (unsigned counter = 0; counter < kWaitCounters; ++counter) {
    if (!timing.op->info->increments(static_cast<WaitCounter>(counter)))
      continue;
    auto &outstanding = wave.outstanding[counter];
    while (!outstanding.empty() && outstanding.front() <= now)
      outstanding.pop_front();
    outstanding.push_back(
        std::max(done, outstanding.empty() ? 0.0 : outstanding.back()));
  }
  return busy;
}
