//===- Counters.cpp - Counters of a launch --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/Counters.h"

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/matrix/Matrix.h"
#include "simulator/observe/AccessCost.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

using namespace aircc::sim;

const char *aircc::sim::opClassName(OpClass opClass) {
  switch (opClass) {
  case OpClass::Unknown:
    return "unknown";
  case OpClass::ScalarAlu:
    return "scalar_alu";
  case OpClass::ScalarMemory:
    return "scalar_memory";
  case OpClass::Branch:
    return "branch";
  case OpClass::Wait:
    return "wait";
  case OpClass::Barrier:
    return "barrier";
  case OpClass::Signal:
    return "barrier_signal";
  case OpClass::Cache:
    return "cache";
  case OpClass::End:
    return "end";
  case OpClass::Hint:
    return "hint";
  case OpClass::VectorAlu:
    return "vector_alu";
  case OpClass::Transcendental:
    return "transcendental";
  case OpClass::Dual:
    return "vector_dual";
  case OpClass::Matrix:
    return "matrix";
  case OpClass::Lds:
    return "lds";
  case OpClass::LdsPermute:
    return "lds_permute";
  case OpClass::Flat:
    return "flat";
  case OpClass::Global:
    return "global";
  case OpClass::Scratch:
    return "scratch";
  case OpClass::Buffer:
    return "buffer";
  }
  return "unknown";
}

bool aircc::sim::countsLanes(OpClass opClass) {
  return opClass >= OpClass::VectorAlu;
}

const char *aircc::sim::issueUnitName(IssueUnit unit) {
  switch (unit) {
  case IssueUnit::Scalar:
    return "scalar";
  case IssueUnit::Vector:
    return "vector";
  case IssueUnit::Matrix:
    return "matrix";
  case IssueUnit::Lds:
    return "lds";
  case IssueUnit::VectorMemory:
    return "vector_memory";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// KernelCounters
//===----------------------------------------------------------------------===//

uint64_t KernelCounters::instructions() const {
  uint64_t sum = 0;
  for (const Class &entry : classes)
    sum += entry.instructions;
  return sum;
}

double KernelCounters::laneUtilization() const {
  uint64_t active = 0, all = 0;
  for (unsigned i = 0; i < kOpClasses; ++i)
    if (countsLanes(static_cast<OpClass>(i))) {
      active += classes[i].lanes;
      all += classes[i].instructions * waveSize;
    }
  return all ? static_cast<double>(active) / static_cast<double>(all) : 0;
}

uint64_t KernelCounters::estimatedCycles(IssueUnit &bound) const {
  uint64_t most = 0;
  bound = IssueUnit::Scalar;
  for (unsigned i = 0; i < kIssueUnits; ++i) {
    uint64_t cycles = (issue[i] + units[i] - 1) / std::max(units[i], 1u);
    if (cycles > most) {
      most = cycles;
      bound = static_cast<IssueUnit>(i);
    }
  }
  return most;
}

KernelCounters::Access &
KernelCounters::Access::operator+=(const Access &other) {
  instructions += other.instructions;
  lanes += other.lanes;
  bytes += other.bytes;
  lines += other.lines;
  cycles += other.cycles;
  conflicts += other.conflicts;
  return *this;
}

void KernelCounters::add(const KernelCounters &other) {
  launches += other.launches;
  failed |= other.failed;
  workgroups += other.workgroups;
  waves += other.waves;
  for (unsigned i = 0; i < kOpClasses; ++i) {
    classes[i].instructions += other.classes[i].instructions;
    classes[i].lanes += other.classes[i].lanes;
  }
  for (auto [to, from] :
       {std::pair(&global, &other.global), std::pair(&lds, &other.lds),
        std::pair(&scratch, &other.scratch)})
    for (const auto &[key, access] : *from)
      (*to)[key] += access;
  dma += other.dma;
  scalar += other.scalar;
  distinctLines.read += other.distinctLines.read;
  distinctLines.written += other.distinctLines.written;
  distinctLines.all += other.distinctLines.all;
  for (const auto &[name, count] : other.matrix) {
    matrix[name].instructions += count.instructions;
    matrix[name].passes += count.passes;
    matrix[name].multiplyAdds += count.multiplyAdds;
  }
  barriers += other.barriers;
  sleeps += other.sleeps;
  spins += other.spins;
  for (unsigned i = 0; i < kIssueUnits; ++i)
    issue[i] += other.issue[i];
}

//===----------------------------------------------------------------------===//
// CounterObserver
//===----------------------------------------------------------------------===//

/// The current iteration of a wave's innermost loop.
struct CounterObserver::Loop {
  const Op *target = nullptr; ///< The first operation of the loop.
  uint64_t previousHash = 0;  ///< The hash of the previous iteration's reads.
  uint64_t hash = 0;          ///< The hash of this iteration's reads.
  bool polled = false, wrote = false;
  /// A location of the current atomic, if it returns the old value.
  struct Location {
    uint64_t address;
    unsigned lane, bytes;
    bool lds;
  };
  llvm::SmallVector<Location, 64> atomics;

  void mix(uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
};

CounterObserver::CounterObserver(Done done) : done(std::move(done)) {}
CounterObserver::~CounterObserver() = default;

void CounterObserver::launchBegin(const LaunchState &state, unsigned slot) {
  this->slot = slot;
  memory = state.chip->memoryFigures();
  figures = state.chip->issueFigures();
  counters.kernel = state.kernel->name;
  counters.processor = state.chip->name;
  counters.waveSize = state.kernel->waveSize();
  std::copy_n(state.request->grid, 3, counters.grid.begin());
  std::copy_n(state.request->block, 3, counters.block.begin());
  counters.lineBytes = memory.vectorLineBytes;
  counters.scalarLineBytes = memory.scalarLineBytes;
  lines.begin(memory.vectorLineBytes, state.kernarg,
              state.kernel->kernargBytes);
  counters.units = {figures.simds, figures.simds, figures.simds, 1, 1};
}

std::string CounterObserver::launchEnd(const LaunchState &,
                                       const std::string &error) {
  counters.failed = !error.empty();
  counters.distinctLines = {lines.countRead(), lines.countWritten(),
                            lines.countAll()};
  done(counters);
  return {};
}

void CounterObserver::groupBegin(Workgroup &) { ++counters.workgroups; }

void CounterObserver::groupEnd(Workgroup &group) {
  for (auto &wave : group.waves)
    if (auto *loop = static_cast<Loop *>(wave->observed[slot]))
      for (auto &owned : loops)
        if (owned.get() == loop) {
          std::swap(owned, loops.back());
          spareLoops.push_back(std::move(loops.back()));
          loops.pop_back();
          break;
        }
}

void CounterObserver::waveBegin(Wave &wave) {
  ++counters.waves;
  if (spareLoops.empty()) {
    loops.push_back(std::make_unique<Loop>());
  } else {
    loops.push_back(std::move(spareLoops.back()));
    spareLoops.pop_back();
    *loops.back() = Loop();
  }
  wave.observed[slot] = loops.back().get();
}

CounterObserver::Cost CounterObserver::costOf(const Op &op) const {
  Cost cost;
  cost.known = true;
  const unsigned wave = counters.waveSize;
  const unsigned plain = std::max(wave / figures.simdLanes, 1u);
  switch (op.record ? op.record->cost() : CostClass::Vector) {
  case CostClass::Vector: // Also VOPD.
    cost.unit = IssueUnit::Vector;
    cost.cycles = plain;
    break;
  case CostClass::Double:
    cost.unit = IssueUnit::Vector;
    cost.cycles = plain * figures.doubleFactor;
    break;
  case CostClass::Transcendental:
    cost.unit = IssueUnit::Vector;
    cost.cycles = plain * figures.transcendentalFactor;
    break;
  case CostClass::Matrix: {
    const auto &matrix = *static_cast<const MatrixOp *>(op.table);
    cost.unit = IssueUnit::Matrix;
    if (!figures.matrixMacsPerCycle) {
      cost.cycles = matrix.passes * 4;
      break;
    }
    // 8-bit and 4-bit elements have two and four times the rate. Only half of
    // the elements of a sparse matrix are multiplied.
    unsigned bits = std::max(matrixTypeBits(matrix.aType), 4u);
    uint64_t macs = uint64_t(matrix.m) * matrix.n * matrix.k * bits / 16;
    if (matrix.isSparse())
      macs /= 2;
    cost.cycles = static_cast<uint32_t>(macs / figures.matrixMacsPerCycle);
    break;
  }
  case CostClass::Permute:
    cost.unit = IssueUnit::Lds;
    cost.cycles = std::max(wave / memory.ldsPhaseLanes, 1u);
    break;
  case CostClass::Access: // access() adds their cost.
  case CostClass::Free:
    break;
  case CostClass::Scalar:
    cost.cycles = figures.scalarCycles;
    break;
  }
  return cost;
}

void CounterObserver::before(Wave &wave, const Op &op) {
  const OpInfo &info = *op.info;
  KernelCounters::Class &entry =
      counters.classes[static_cast<unsigned>(info.opClass)];
  ++entry.instructions;
  if (countsLanes(info.opClass))
    entry.lanes += info.ignoresExec ? wave.lanes : llvm::popcount(wave.exec());

  if (info.index >= costs.size())
    costs.resize(info.index + 1);
  Cost &cost = costs[info.index];
  if (!cost.known)
    cost = costOf(op);
  issued(cost.unit) += cost.cycles;

  switch (info.opClass) {
  case OpClass::Matrix: {
    const auto &matrix = *static_cast<const MatrixOp *>(op.table);
    KernelCounters::Matrix &count = counters.matrix[op.inst->mnemonic];
    ++count.instructions;
    count.passes += matrix.passes;
    count.multiplyAdds +=
        uint64_t(matrix.m) * matrix.n * matrix.k * matrix.blocks;
    break;
  }
  case OpClass::Barrier:
    ++counters.barriers;
    break;
  case OpClass::Hint:
    if (info.sleeps) {
      ++counters.sleeps;
      static_cast<Loop *>(wave.observed[slot])->polled = true;
    }
    break;
  default:
    break;
  }
}

void CounterObserver::access(Wave &wave, const Op &op,
                             const MemoryAccess &access) {
  const unsigned lanes = llvm::popcount(access.lanes);
  uint64_t buffer[kRowLanes];
  auto &loop = *static_cast<Loop *>(wave.observed[slot]);
  KernelCounters::Access *entry = nullptr;
  const std::pair<AccessKind, unsigned> key(access.kind, access.bytes);
  switch (access.space) {
  case MemorySpace::Global: {
    entry = &counters.global[key];
    const uint64_t *addresses = access.addresses.all(buffer);
    unsigned moved = cacheLines(memory.vectorLineBytes, access.bytes,
                                access.lanes, addresses);
    entry->lines += moved;
    lines.add(access.kind != AccessKind::Write, access.kind != AccessKind::Read,
              access.bytes, access.lanes, addresses);
    issued(IssueUnit::VectorMemory) +=
        (uint64_t(moved) * memory.vectorLineBytes + figures.cacheBytesPerCycle -
         1) /
        figures.cacheBytesPerCycle;
    break;
  }
  case MemorySpace::Lds: {
    entry = access.dma ? &counters.dma : &counters.lds[key];
    LdsCost cost = ldsCost(memory, access.kind, access.bytes, access.lanes,
                           access.addresses.all(buffer));
    entry->cycles += cost.cycles;
    entry->conflicts += cost.conflicts;
    issued(IssueUnit::Lds) += cost.cycles;
    break;
  }
  case MemorySpace::Scratch:
    // The dwords of all lanes are interleaved.
    entry = &counters.scratch[key];
    issued(IssueUnit::VectorMemory) +=
        (uint64_t(lanes) * std::max(access.bytes, 4u) +
         figures.cacheBytesPerCycle - 1) /
        figures.cacheBytesPerCycle;
    break;
  case MemorySpace::Scalar:
    entry = &counters.scalar;
    entry->lines += cacheLines(memory.scalarLineBytes, access.bytes, 1,
                               access.addresses.all(buffer));
    lines.add(/*reads=*/true, /*writes=*/false, access.bytes, 1,
              access.addresses.all(buffer));
    break;
  }
  ++entry->instructions;
  entry->lanes += lanes;
  entry->bytes += uint64_t(lanes) * access.bytes;

  if (access.space == MemorySpace::Scratch)
    return;
  if (access.kind == AccessKind::Write ||
      (access.kind == AccessKind::Atomic && !op.info->returns)) {
    loop.wrote = true;
    return;
  }
  loop.polled = true;
  loop.mix(op.info->index);
  loop.mix(access.lanes);
  uint64_t addresses = 0;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    addresses += access.addresses[lane] * (2 * lane + 1);
  }
  loop.mix(addresses);
  if (access.kind == AccessKind::Atomic)
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      loop.atomics.push_back({access.addresses[lane], lane, access.bytes,
                              access.space == MemorySpace::Lds});
    }
}

/// Returns whether memory has the value that the atomic returned, which means
/// that it changed nothing.
static bool isUnchanged(Wave &wave, const Op &op, uint64_t address,
                        unsigned lane, unsigned bytes, bool lds) {
  const uint8_t *at = lds ? wave.group->lds.data() + address
                          : reinterpret_cast<const uint8_t *>(address);
  for (const RegRange &range : op.info->writes)
    for (unsigned k = 0; range.vector && k < bytes; k += 4)
      if (k / 4 >= range.count ||
          std::memcmp(at + k, &wave.row(range.first + k / 4)[lane], 4) != 0)
        return false;
  return true;
}

void CounterObserver::after(Wave &wave, const Op &op) {
  if (op.info->access == AccessKind::Atomic) {
    auto &loop = *static_cast<Loop *>(wave.observed[slot]);
    for (const Loop::Location &at : loop.atomics)
      loop.wrote |=
          !isUnchanged(wave, op, at.address, at.lane, at.bytes, at.lds);
    loop.atomics.clear();
    return;
  }
  // Look for a backward branch in the same function.
  if (op.info->opClass != OpClass::Branch || !op.target || op.target > &op ||
      wave.pc != op.target)
    return;
  auto &loop = *static_cast<Loop *>(wave.observed[slot]);
  if (loop.target == op.target && loop.polled && !loop.wrote &&
      loop.hash == loop.previousHash)
    ++counters.spins;
  loop.target = op.target;
  loop.previousHash = loop.hash;
  loop.hash = 0;
  loop.polled = loop.wrote = false;
}
