//===- TimingReport.cpp - The time of launches as text and JSON -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/TimingReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace aircc::sim;
using namespace llvm;

/// The maximum number of loops in the summary.
constexpr size_t kPrintedLoops = 3;

/// Returns the reason with the most stall cycles, and their number.
static std::pair<StallReason, double>
longestStall(const std::array<double, kStallReasons> &stalls) {
  auto longest = std::max_element(stalls.begin(), stalls.end());
  return {static_cast<StallReason>(longest - stalls.begin()), *longest};
}

static std::string percent(double share) {
  return formatv("{0:f1}%", share * 100).str();
}

static std::string microseconds(double nanoseconds) {
  return formatv("{0:f2} us", nanoseconds / 1000).str();
}

static StringRef plural(uint64_t count) { return count == 1 ? "" : "s"; }

void aircc::sim::printTiming(const KernelTiming &t, raw_ostream &os) {
  os << "kernel " << t.kernel << " on " << t.processor << ": "
     << microseconds(t.nanoseconds()) << ", bound by " << t.bound
     << (t.failed ? " (it failed)" : "") << "\n"
     << formatv("    {0:f0} cycles at {1:f0} MHz, and {2} for the launch\n",
                t.cycles, t.clock, microseconds(t.launchNanoseconds))
     << formatv("    {0} workgroup{1} of {2} wave{3}, up to {4} resident on "
                "each of the {5} {6}{7}\n",
                t.workgroups, plural(t.workgroups), t.wavesPerGroup,
                plural(t.wavesPerGroup), t.residentGroups, t.units,
                t.unitsAreWgps ? "WGPs" : "compute units",
                t.hasXcds ? " of an XCD" : "");
  if (t.timedWorkgroups < t.workgroups)
    os << formatv("    from {0} workgroup{1}{2}{3}\n", t.timedWorkgroups,
                  plural(t.timedWorkgroups),
                  t.hasXcds ? " of the first XCD" : "",
                  t.executedSample
                      ? "; only they were executed, so results are incomplete"
                      : "");
  os << "    busy:";
  const std::pair<const char *, double> shares[] = {
      {"matrix pipe", t.matrix},
      {"vector unit", t.vector},
      {"LDS", t.lds},
      {"vector cache", t.vectorCache},
      {"L2", t.l2},
      {"last-level cache", t.lastLevel},
      {"memory", t.memory}};
  StringRef separator = " ";
  for (auto [name, share] : shares) {
    os << separator << name << " " << percent(share);
    separator = ", ";
  }
  os << "; hits in L2 " << percent(t.l2HitRate) << "\n    waves wait for:";
  std::vector<unsigned> order;
  for (unsigned i = 1; i < kStallReasons; ++i)
    if (t.stalls[i] >= 0.005 * t.waveCycles)
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-t.stalls[a], a) < std::pair(-t.stalls[b], b);
  });
  separator = " ";
  for (unsigned i : order) {
    os << separator << stallReasonName(static_cast<StallReason>(i)) << " "
       << percent(t.stalls[i] / std::max(t.waveCycles, 1.0));
    separator = ", ";
  }
  os << "\n";
  for (const TimedLoop &loop : ArrayRef(t.loops).take_front(kPrintedLoops))
    os << formatv("    loop {0:x}-{1:x}: {2} iterations of {3:f0} cycles, the "
                  "matrix pipe is busy {4}\n",
                  loop.begin, loop.end, loop.iterations,
                  loop.cyclesPerIteration, percent(loop.matrixShare));
}

void aircc::sim::printTimingProfile(const KernelTiming &t, raw_ostream &os) {
  printTiming(t, os);
  os << "  share   issued   busy  stall  reason       offset  instruction\n";
  for (const TimedInstruction &line : t.instructions) {
    const OpStatistics &sums = line.sums;
    double stalls = 0;
    for (double stall : sums.stalls)
      stalls += stall;
    auto [reason, longest] = longestStall(sums.stalls);
    const auto issued = double(std::max<uint64_t>(sums.issued, 1));
    os << formatv("{0,7} {1,8} {2,6:f1} {3,6:f1}  {4,-12} {5,6:x-}  {6}",
                  percent((stalls + issued) / std::max(t.waveCycles, 1.0)),
                  sums.issued, sums.busyCycles / issued, stalls / issued,
                  longest > 0 ? stallReasonName(reason) : "", line.offset,
                  line.text);
    if (!line.source.empty())
      os << "  ; " << line.source;
    os << "\n";
  }
}

static json::Object toJson(const OpStatistics &sums) {
  json::Object stalls;
  for (unsigned i = 1; i < kStallReasons; ++i)
    if (sums.stalls[i] > 0)
      stalls[stallReasonName(static_cast<StallReason>(i))] = sums.stalls[i];
  return json::Object{{"issued", sums.issued},
                      {"busy_cycles", sums.busyCycles},
                      {"stall_cycles", std::move(stalls)}};
}

/// Describes what the first waves of a unit do over time.
static json::Object activityToJson(const KernelTiming &t) {
  json::Object legend;
  for (unsigned i = 0; i < kActivities; ++i)
    legend[std::string(1, activityLetter(static_cast<Activity>(i)))] =
        activityName(static_cast<Activity>(i));
  json::Array waves;
  for (const WaveActivity::Row &row : t.activity)
    waves.push_back(json::Object{
        {"wave", row.wave}, {"simd", row.simd}, {"columns", row.columns}});
  return json::Object{{"cycles_per_column", t.cyclesPerColumn},
                      {"legend", std::move(legend)},
                      {"waves", std::move(waves)}};
}

static json::Object toJson(const KernelTiming &t) {
  json::Array instructions, loops;
  for (const TimedInstruction &line : t.instructions) {
    json::Object object = toJson(line.sums);
    object["offset"] = line.offset;
    object["text"] = line.text;
    if (!line.source.empty())
      object["source"] = line.source;
    instructions.push_back(std::move(object));
  }
  for (const TimedLoop &loop : t.loops)
    loops.push_back(
        json::Object{{"begin", loop.begin},
                     {"end", loop.end},
                     {"iterations", loop.iterations},
                     {"cycles_per_iteration", loop.cyclesPerIteration},
                     {"matrix_share", loop.matrixShare}});
  json::Object stalls;
  for (unsigned i = 1; i < kStallReasons; ++i)
    stalls[stallReasonName(static_cast<StallReason>(i))] = t.stalls[i];
  return json::Object{
      {"kernel", t.kernel},
      {"processor", t.processor},
      {"failed", t.failed},
      {"grid", json::Array{t.grid[0], t.grid[1], t.grid[2]}},
      {"block", json::Array{t.block[0], t.block[1], t.block[2]}},
      {"workgroups", t.workgroups},
      {"timed_workgroups", t.timedWorkgroups},
      {"resident_workgroups", t.residentGroups},
      {"nanoseconds", t.nanoseconds()},
      {"launch_nanoseconds", t.launchNanoseconds},
      {"cycles", t.cycles},
      {"clock_mhz", t.clock},
      {"bound", t.bound},
      {"busy", json::Object{{"matrix", t.matrix},
                            {"vector", t.vector},
                            {"lds", t.lds},
                            {"vector_cache", t.vectorCache},
                            {"l2", t.l2},
                            {"last_level_cache", t.lastLevel},
                            {"memory", t.memory}}},
      {"l2_hit_rate", t.l2HitRate},
      {"wave_cycles", t.waveCycles},
      {"stall_cycles", std::move(stalls)},
      {"loops", std::move(loops)},
      {"activity", activityToJson(t)},
      {"instructions", std::move(instructions)}};
}

void aircc::sim::writeTimingJson(const std::vector<KernelTiming> &launches,
                                 raw_ostream &os) {
  json::Array array;
  for (const KernelTiming &launch : launches)
    array.push_back(toJson(launch));
  os << formatv("{0:2}\n",
                json::Value(json::Object{{"version", 1},
                                         {"launches", std::move(array)}}));
}

void aircc::sim::writeTimeline(const std::vector<KernelTiming> &launches,
                               raw_ostream &os) {
  json::OStream out(os);
  out.object([&] {
    out.attribute("displayTimeUnit", "ns");
    out.attributeArray("traceEvents", [&] {
      for (auto [number, launch] : llvm::enumerate(launches))
        for (const TimelineEvent &event : launch.timeline) {
          const TimedInstruction &line = launch.instructions[event.instruction];
          out.object([&] {
            out.attribute("name", StringRef(line.text).take_until([](char c) {
              return c == ' ' || c == '\t';
            }));
            out.attribute("ph", "X");
            out.attribute("ts", event.begin);
            out.attribute("dur", std::max(event.cycles, 1.0));
            out.attribute("pid", formatv("{0} {1}, SIMD {2}", launch.kernel,
                                         number, event.simd)
                                     .str());
            out.attribute("tid", int64_t(event.wave));
            out.attributeObject("args", [&] {
              out.attribute("instruction", line.text);
              out.attribute("offset", int64_t(line.offset));
              out.attribute("source", line.source);
            });
          });
        }
    });
  });
}
