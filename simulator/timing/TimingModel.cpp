//===- TimingModel.cpp - The time of a launch -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/TimingModel.h"

#include "simulator/exec/LaunchState.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace aircc;
using namespace aircc::sim;

/// Enough workgroups are recorded to fill an XCD kRecordedRounds times, but no
/// more than kRecordedGroups if these fill it once, because traces take up to a
/// megabyte for each wave.
constexpr uint64_t kRecordedRounds = 2;
constexpr uint64_t kRecordedGroups = 256;
/// If matrix instructions take this share of the issued cycles, the chip lowers
/// its clock to limit its power.
constexpr double kMatrixLoad = 0.25;
/// A unit that is busy for this share of the time bounds the kernel.
constexpr double kBusy = 0.6;
/// The maximum number of instructions in a timeline.
constexpr size_t kTimelineEvents = 200000;

static unsigned unitsOfXcd(const TimingFigures &figures) {
  return static_cast<unsigned>(
      std::max<int64_t>(figures.cus / figures.cusPerUnit / figures.xcds, 1));
}

static GroupResources resourcesOf(const LaunchState &state) {
  GroupResources resources;
  resources.waves = state.wavesPerGroup;
  resources.waveSize = state.kernel->waveSize();
  resources.vgprs = state.kernel->vgprCount + state.kernel->agprCount;
  resources.ldsBytes = state.ldsBytes;
  return resources;
}

static uint64_t countGroups(const LaunchState &state) {
  const uint32_t *grid = state.request->grid;
  return uint64_t(grid[0]) * grid[1] * grid[2];
}

RecordedSet aircc::sim::chooseWorkgroups(const LaunchState &state,
                                         const TimingFigures &figures,
                                         const TimingOptions &options) {
  RecordedSet set;
  set.xcds = static_cast<uint64_t>(figures.xcds);
  const uint64_t resident =
      countResidentGroups(figures, *state.chip, resourcesOf(state));
  set.most =
      options.timesAll
          ? UINT64_MAX
          : std::min(unitsOfXcd(figures) * resident * kRecordedRounds,
                     std::max(kRecordedGroups, unitsOfXcd(figures) * resident));
  return set;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Returns the clock while the kernel executes, which is lower if matrix
/// instructions take a large part of the issued cycles.
static double clockOf(const TimingFigures &figures,
                      const std::vector<WorkgroupTrace> &traces,
                      const std::vector<OpTiming> &ops) {
  double matrix = 0, all = 0;
  for (const WorkgroupTrace &trace : traces)
    for (const WaveTrace &wave : trace.waves)
      for (const TracedOp &op : wave.ops) {
        matrix += ops[op.index].matrixCycles;
        all += std::max<double>(ops[op.index].matrixCycles,
                                double(figures.issueCycles));
      }
  return double(matrix >= kMatrixLoad * all ? figures.matrixClock
                                            : figures.clock);
}

/// Extrapolates from the cycles of the timed workgroups to those of all
/// workgroups of the first XCD.
static double extrapolate(const ComputeUnits &xcd, const TimingFigures &figures,
                          double cycles, uint64_t timed, uint64_t all,
                          unsigned units) {
  if (timed >= all || !timed)
    return cycles;
  // The second half is closer to the steady state, because caches are filled.
  double sum = 0;
  uint64_t count = 0;
  for (size_t i = xcd.groups().size() / 2; i < xcd.groups().size(); ++i) {
    sum += xcd.groups()[i]->end - xcd.groups()[i]->begin;
    ++count;
  }
  const double duration = sum / double(count);
  const uint64_t places = uint64_t(units) * xcd.residentGroups();
  const uint64_t rounds = (all + places - 1) / places;
  const uint64_t timedRounds = (timed + places - 1) / places;
  // The dispatcher may be slower than the workgroups.
  const double dispatch = double(all - timed) * double(figures.workgroupCycles);
  double total =
      cycles + std::max(duration * double(rounds - timedRounds), dispatch);
  // At first, queues are still filling and slow nothing down. The entire
  // execution, however, takes at least the busy time of each channel.
  const MemoryModel &memory = xcd.memory();
  for (const Channel *channel :
       {&memory.l2(), &memory.lastLevelChannel(), &memory.memoryChannel()})
    total =
        std::max(total, channel->busyCycles() * double(all) / double(timed));
  return total;
}

//===----------------------------------------------------------------------===//
// Instructions and loops
//===----------------------------------------------------------------------===//

static double waveCyclesOf(const OpStatistics &sums, double slot) {
  double cycles = double(sums.issued) * slot;
  for (double stall : sums.stalls)
    cycles += stall;
  return cycles;
}

/// Lists the executed instructions in the order of the program. Returns the
/// position of each operation.
static std::vector<uint32_t>
listInstructions(const LaunchState &state, const ComputeUnits &xcd,
                 const std::vector<const Op *> &ops, KernelTiming &timing) {
  std::vector<uint32_t> positions(ops.size(), UINT32_MAX);
  std::vector<uint32_t> order;
  for (auto [index, op] : llvm::enumerate(ops))
    if (op)
      order.push_back(static_cast<uint32_t>(index));
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return ops[a]->inst->address < ops[b]->inst->address;
  });
  const CodeObject &object = *state.request->object;
  for (uint32_t index : order) {
    const DecodedInstruction &inst = *ops[index]->inst;
    TimedInstruction line;
    const CodeSymbol *function = object.findFunction(inst.address);
    line.offset = inst.address - (function ? function->address : 0);
    line.text = inst.text();
    line.source = object.sourceLine(inst.address);
    line.sums = xcd.statistics()[index];
    positions[index] = static_cast<uint32_t>(timing.instructions.size());
    timing.instructions.push_back(std::move(line));
  }
  return positions;
}

/// Finds the innermost loops: backward branches that were taken and whose range
/// contains no other loop.
static void findLoops(const ComputeUnits &xcd, double slot,
                      const std::vector<WorkgroupTrace> &traces,
                      const std::vector<const Op *> &ops,
                      const std::vector<uint32_t> &positions,
                      KernelTiming &timing) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> branches;
  for (const WorkgroupTrace &trace : traces)
    for (const WaveTrace &wave : trace.waves)
      for (const TracedOp &traced : wave.ops) {
        if (!traced.branched)
          continue;
        const Op *op = ops[traced.index];
        if (!op->target || op->target > op || !op->target->info)
          continue;
        uint32_t target = op->target->info->index;
        if (target < positions.size() && positions[target] != UINT32_MAX)
          ++branches[{positions[target], positions[traced.index]}];
      }
  for (auto &[range, count] : branches) {
    auto [begin, end] = range;
    bool isInnermost = llvm::none_of(branches, [&](auto &other) {
      auto [otherBegin, otherEnd] = other.first;
      return other.first != range && otherBegin >= begin && otherEnd <= end;
    });
    if (!isInnermost)
      continue;
    TimedLoop loop;
    loop.begin = timing.instructions[begin].offset;
    loop.end = timing.instructions[end].offset;
    loop.iterations = count;
    double matrix = 0, waves = 0;
    for (uint32_t i = begin; i <= end; ++i) {
      const OpStatistics &sums = timing.instructions[i].sums;
      waves += waveCyclesOf(sums, slot);
      matrix += sums.matrixCycles;
    }
    loop.cyclesPerIteration = waves / double(count);
    loop.matrixShare = matrix / waves * xcd.wavesPerSimd();
    timing.loops.push_back(loop);
  }
  llvm::sort(timing.loops, [](const TimedLoop &a, const TimedLoop &b) {
    return a.cyclesPerIteration * double(a.iterations) >
           b.cyclesPerIteration * double(b.iterations);
  });
}

//===----------------------------------------------------------------------===//
// What bounds the time
//===----------------------------------------------------------------------===//

static void findBound(KernelTiming &timing) {
  const std::pair<const char *, double> shares[] = {
      {"the matrix pipe", timing.matrix},
      {"the vector unit", timing.vector},
      {"LDS", timing.lds},
      {"the vector cache", timing.vectorCache},
      {"the L2 cache", timing.l2},
      {"the last-level cache", timing.lastLevel},
      {"memory bandwidth", timing.memory}};
  auto most =
      std::max_element(std::begin(shares), std::end(shares),
                       [](auto &a, auto &b) { return a.second < b.second; });
  if (most->second >= kBusy) {
    timing.bound = most->first;
    return;
  }
  auto stall = std::max_element(timing.stalls.begin(), timing.stalls.end());
  timing.bound =
      std::string("latency (") +
      stallReasonName(static_cast<StallReason>(stall - timing.stalls.begin())) +
      ")";
}

static void addShares(const ComputeUnits &xcd, const TimingFigures &figures,
                      double cycles, KernelTiming &timing) {
  const double active = std::max(xcd.simdActive(), 1.0);
  timing.matrix = xcd.matrixBusy() / active;
  timing.vector = xcd.vectorBusy() / active;
  timing.lds =
      xcd.ldsBusy() / active * double(figures.simds) / double(figures.ldsPorts);
  const MemoryModel &memory = xcd.memory();
  cycles = std::max(cycles, 1.0);
  timing.vectorCache = memory.vectorCacheBusy() / cycles;
  timing.l2 = memory.l2().busyCycles() / cycles;
  timing.lastLevel = memory.lastLevelChannel().busyCycles() / cycles;
  timing.memory = memory.memoryChannel().busyCycles() / cycles;
  timing.l2HitRate = memory.l2HitRate();
}

KernelTiming aircc::sim::timeLaunch(const LaunchState &state,
                                    const TimingFigures &figures,
                                    const TimingOptions &options,
                                    const std::vector<WorkgroupTrace> &traces,
                                    const std::vector<const Op *> &ops) {
  KernelTiming timing;
  timing.kernel = state.kernel->name;
  timing.processor = state.chip->name;
  std::copy_n(state.request->grid, 3, timing.grid.begin());
  std::copy_n(state.request->block, 3, timing.block.begin());
  timing.workgroups = countGroups(state);
  timing.timedWorkgroups = traces.size();
  timing.wavesPerGroup = state.wavesPerGroup;
  timing.launchNanoseconds = double(figures.launchNanoseconds);

  std::vector<OpTiming> timings(ops.size());
  for (auto [index, op] : llvm::enumerate(ops))
    if (op)
      timings[index] =
          describeTiming(*op, figures, *state.chip, state.kernel->waveSize());
  timing.clock = clockOf(figures, traces, timings);
  const auto xcds = static_cast<unsigned>(
      std::min<uint64_t>(uint64_t(figures.xcds), timing.workgroups));
  timing.units = unitsOfXcd(figures);
  timing.unitsAreWgps = figures.cusPerUnit > 1;
  timing.hasXcds = figures.xcds > 1;
  ComputeUnits xcd(figures, *state.chip, resourcesOf(state), timing.units,
                   timing.clock, std::max(xcds, 1u), timings);
  timing.residentGroups = xcd.residentGroups();
  WaveActivity activity;
  if (options.wantsTimeline || options.wantsActivity)
    xcd.setListener([&](const TimedWave &wave, const OpTiming &op,
                        double issued, double busy, StallReason reason) {
      if (wave.unit != 0)
        return;
      if (options.wantsActivity)
        activity.add(wave, op, issued, busy, reason);
      if (options.wantsTimeline && timing.timeline.size() < kTimelineEvents)
        timing.timeline.push_back(
            {op.op->info->index, wave.unit, wave.simd, wave.age, issued, busy});
    });
  const double cycles = xcd.run(traces);
  timing.activity = activity.rows();
  timing.cyclesPerColumn = activity.cyclesPerColumn();
  const auto ofXcd = (timing.workgroups + figures.xcds - 1) / figures.xcds;
  timing.cycles =
      extrapolate(xcd, figures, cycles, traces.size(), ofXcd, timing.units);

  const auto slot = double(figures.issueCycles);
  std::vector<uint32_t> positions = listInstructions(state, xcd, ops, timing);
  findLoops(xcd, slot, traces, ops, positions, timing);
  for (TimelineEvent &event : timing.timeline)
    event.instruction = positions[event.instruction];
  for (const TimedInstruction &line : timing.instructions) {
    timing.waveCycles += waveCyclesOf(line.sums, slot);
    for (unsigned i = 0; i < kStallReasons; ++i)
      timing.stalls[i] += line.sums.stalls[i];
  }
  addShares(xcd, figures, cycles, timing);
  findBound(timing);
  return timing;
}
