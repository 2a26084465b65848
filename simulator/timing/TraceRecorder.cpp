//===- TraceRecorder.cpp - Records traces of workgroups -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/TraceRecorder.h"

#include "simulator/exec/LaunchState.h"
#include "simulator/observe/AccessCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace aircc::sim;

/// The sizes of L2 cache lines, and of the segments into which accesses to
/// global memory are split, as numbers of address bits.
constexpr unsigned kLineShift = 7;
constexpr unsigned kSegmentShift = 6;

struct TraceRecorder::Recording {
  WorkgroupTrace trace;
  std::vector<const Op *> ops; ///< By OpInfo::index.
};

TraceRecorder::TraceRecorder(Client &client) : client(client) {}
TraceRecorder::~TraceRecorder() = default;

void TraceRecorder::launchBegin(const LaunchState &state, unsigned slot) {
  this->slot = slot;
  figures = state.chip->memoryFigures();
  set = client.begin(state);
}

std::string TraceRecorder::launchEnd(const LaunchState &state,
                                     const std::string &error) {
  std::vector<WorkgroupTrace> traces;
  std::vector<const Op *> ops;
  for (auto &[number, recording] : recordings) {
    ops.resize(std::max(ops.size(), recording->ops.size()));
    for (auto [index, op] : llvm::enumerate(recording->ops))
      if (op)
        ops[index] = op;
    traces.push_back(std::move(recording->trace));
  }
  client.end(state, std::move(traces), std::move(ops), !error.empty());
  return {};
}

void TraceRecorder::groupBegin(Workgroup &group) {
  if (!set.contains(group.number))
    return;
  auto recording = std::make_unique<Recording>();
  recording->trace.number = group.number;
  recording->trace.waves.resize(group.waves.size());
  group.observed[slot] = recording.get();
  std::lock_guard<std::mutex> lock(mutex);
  recordings[group.number] = std::move(recording);
}

void TraceRecorder::waveBegin(Wave &wave) {
  if (auto *recording = static_cast<Recording *>(wave.group->observed[slot]))
    wave.observed[slot] = &recording->trace.waves[wave.index];
}

WaveTrace *TraceRecorder::traceOf(Wave &wave) const {
  return static_cast<WaveTrace *>(wave.observed[slot]);
}

void TraceRecorder::before(Wave &wave, const Op &op) {
  WaveTrace *trace = traceOf(wave);
  if (!trace)
    return;
  auto *recording = static_cast<Recording *>(wave.group->observed[slot]);
  if (op.info->index >= recording->ops.size())
    recording->ops.resize(op.info->index + 1);
  recording->ops[op.info->index] = &op;
  trace->ops.push_back({op.info->index, 0, false});
}

void TraceRecorder::after(Wave &wave, const Op &op) {
  WaveTrace *trace = traceOf(wave);
  if (trace && op.info->opClass == OpClass::Branch)
    trace->ops.back().branched = wave.pc != &op + 1;
}

void TraceRecorder::addLines(WaveTrace &trace, TracedAccess &traced,
                             const MemoryAccess &access) const {
  llvm::SmallVector<uint64_t, 128> segments;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t first = access.addresses[lane] >> kSegmentShift;
    const uint64_t last =
        (access.addresses[lane] + std::max(access.bytes, 1u) - 1) >>
        kSegmentShift;
    for (uint64_t segment = first; segment <= last; ++segment)
      if (segments.empty() || segments.back() != segment)
        segments.push_back(segment);
  }
  llvm::sort(segments);
  segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
  traced.segments = static_cast<uint16_t>(segments.size());
  traced.firstLine = static_cast<uint32_t>(trace.lines.size());
  for (uint64_t segment : segments) {
    // The low 39 bits of the address are enough to distinguish the buffers.
    const auto line =
        static_cast<uint32_t>(segment >> (kLineShift - kSegmentShift));
    if (trace.lines.size() == traced.firstLine || trace.lines.back() != line)
      trace.lines.push_back(line);
  }
  traced.lineCount =
      static_cast<uint16_t>(trace.lines.size() - traced.firstLine);
}

void TraceRecorder::access(Wave &wave, const Op &op,
                           const MemoryAccess &access) {
  WaveTrace *trace = traceOf(wave);
  if (!trace)
    return;
  uint64_t buffer[kRowLanes];
  TracedAccess traced;
  traced.space = access.space;
  traced.kind = access.kind;
  traced.dma = access.dma;
  switch (access.space) {
  case MemorySpace::Lds:
    traced.ldsCycles = static_cast<uint16_t>(
        ldsCost(figures, access.kind, access.bytes, access.lanes,
                access.addresses.all(buffer))
            .cycles);
    break;
  case MemorySpace::Scratch:
    // Scratch interleaves the dwords of all lanes, and mostly hits the cache.
    traced.segments = static_cast<uint16_t>(
        (llvm::popcount(access.lanes) * std::max(access.bytes, 4u) + 63) / 64);
    break;
  case MemorySpace::Global:
  case MemorySpace::Scalar:
    addLines(*trace, traced, access);
    break;
  }
  trace->accesses.push_back(traced);
  ++trace->ops.back().accessCount;
}
