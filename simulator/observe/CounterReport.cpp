//===- CounterReport.cpp - Counters as a table and as JSON ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/CounterReport.h"

#include "simulator/observe/FileNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace aircc::sim;
using namespace llvm;

static const char *kindName(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::None:
    break;
  }
  return "none";
}

static double ratio(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// Returns the sum of the accesses of a memory space.
static KernelCounters::Access total(const KernelCounters::Accesses &accesses) {
  KernelCounters::Access sum;
  for (const auto &entry : accesses) {
    sum += entry.second;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string grouped(uint64_t value) {
  std::string digits = utostr(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, 1, ',');
  return digits;
}

static std::string percent(double value) {
  return formatv("{0:f1}%", value * 100).str();
}

static std::string plural(uint64_t count, StringRef what) {
  return grouped(count) + " " + what.str() + (count == 1 ? "" : "s");
}

/// Prints one line: a name, then right-aligned columns.
static void row(raw_ostream &os, StringRef name, ArrayRef<std::string> cells) {
  os << "    " << left_justify(name, 20);
  for (StringRef cell : cells)
    os << right_justify(cell, 16);
  os << "\n";
}

static void printClasses(const KernelCounters &c, raw_ostream &os) {
  row(os, "instructions", {"count", "of all", "lanes on"});
  const uint64_t all = c.instructions();
  for (unsigned i = 0; i < kOpClasses; ++i) {
    const KernelCounters::Class &entry = c.classes[i];
    const OpClass opClass = static_cast<OpClass>(i);
    if (!entry.instructions)
      continue;
    row(os, "  " + std::string(opClassName(opClass)),
        {grouped(entry.instructions), percent(ratio(entry.instructions, all)),
         countsLanes(opClass)
             ? percent(ratio(entry.lanes, entry.instructions * c.waveSize))
             : ""});
  }
  row(os, "  all", {grouped(all), "", percent(c.laneUtilization())});
}

static void printGlobalMemory(const KernelCounters &c, raw_ostream &os) {
  if (!c.global.empty()) {
    row(os, "global memory",
        {"instructions", "bytes wanted", "cache lines", "bytes moved",
         "efficiency"});
    auto line = [&](const std::string &name,
                    const KernelCounters::Access &entry) {
      uint64_t moved = entry.lines * c.lineBytes;
      row(os, "  " + name,
          {grouped(entry.instructions), grouped(entry.bytes),
           grouped(entry.lines), grouped(moved),
           percent(ratio(entry.bytes, moved))});
    };
    for (const auto &[key, entry] : c.global)
      line(std::string(kindName(key.first)) + " " + utostr(key.second), entry);
    if (c.global.size() > 1)
      line("all", total(c.global));
  }
  if (c.distinctLines.all) {
    row(os, "distinct lines", {"read", "written", "all", "bytes"});
    row(os, "",
        {grouped(c.distinctLines.read), grouped(c.distinctLines.written),
         grouped(c.distinctLines.all),
         grouped(c.distinctLines.all * c.lineBytes)});
  }
  if (c.scalar.instructions) {
    row(os, "scalar loads", {"instructions", "bytes wanted", "cache lines"});
    row(os, "",
        {grouped(c.scalar.instructions), grouped(c.scalar.bytes),
         grouped(c.scalar.lines)});
  }
}

static void printLocalMemory(const KernelCounters &c, raw_ostream &os) {
  if (!c.lds.empty() || c.dma.instructions) {
    row(os, "LDS", {"instructions", "bytes", "cycles", "by conflicts"});
    auto line = [&](const std::string &name,
                    const KernelCounters::Access &entry) {
      row(os, "  " + name,
          {grouped(entry.instructions), grouped(entry.bytes),
           grouped(entry.cycles), grouped(entry.conflicts)});
    };
    for (const auto &[key, entry] : c.lds)
      line(std::string(kindName(key.first)) + " " + utostr(key.second), entry);
    if (c.dma.instructions)
      line("from memory", c.dma);
    if (c.lds.size() > 1)
      line("all", total(c.lds));
  }
  if (!c.scratch.empty()) {
    row(os, "scratch", {"instructions", "bytes"});
    for (const auto &[key, entry] : c.scratch)
      row(os,
          "  " + std::string(kindName(key.first)) + " " + utostr(key.second),
          {grouped(entry.instructions), grouped(entry.bytes)});
  }
}

static void printMatrixAndWaiting(const KernelCounters &c, raw_ostream &os) {
  if (!c.matrix.empty()) {
    row(os, "matrix", {"instructions", "passes", "multiply-adds"});
    for (const auto &[name, entry] : c.matrix)
      os << "      " << name << "\n",
          row(os, "",
              {grouped(entry.instructions),
               entry.passes ? grouped(entry.passes) : "-",
               grouped(entry.multiplyAdds)});
  }
  if (c.barriers || c.sleeps || c.spins) {
    row(os, "waiting", {"at barriers", "spins", "sleeps"});
    row(os, "", {grouped(c.barriers), grouped(c.spins), grouped(c.sleeps)});
  }
}

static void printEstimate(const KernelCounters &c, raw_ostream &os) {
  IssueUnit bound;
  uint64_t cycles = c.estimatedCycles(bound);
  row(os, "estimate", {"cycles", "units a CU"});
  for (unsigned i = 0; i < kIssueUnits; ++i)
    if (c.issue[i])
      row(os, "  " + std::string(issueUnitName(static_cast<IssueUnit>(i))),
          {grouped(c.issue[i]), utostr(c.units[i])});
  os << "    at least " << grouped(cycles)
     << " cycles on one compute unit, all of which the " << issueUnitName(bound)
     << " unit is busy: an estimate\n    from published rates, without waits "
        "for memory or for each other\n";
}

void aircc::sim::printCounters(const KernelCounters &c, raw_ostream &os) {
  os << "kernel " << c.kernel << " on " << c.processor << ": "
     << grouped(c.launches) << (c.launches == 1 ? " launch, " : " launches, ")
     << plural(c.workgroups, "workgroup") << ", " << plural(c.waves, "wave")
     << " of " << c.waveSize << " lanes" << (c.failed ? " (it failed)" : "")
     << "\n";
  printClasses(c, os);
  printGlobalMemory(c, os);
  printLocalMemory(c, os);
  printMatrixAndWaiting(c, os);
  printEstimate(c, os);
}

void aircc::sim::printCounters(const SpirvCounters &c, raw_ostream &os) {
  os << "kernel " << c.kernel << " (SPIR-V): " << grouped(c.launches)
     << (c.launches == 1 ? " launch, " : " launches, ")
     << plural(c.counts.getWorkgroups(), "workgroup") << ", "
     << plural(c.counts.getSubgroups(), "subgroup") << " of " << c.subgroupSize
     << " lanes" << (c.failed ? " (it failed)" : "") << "\n"
     << c.counts.table();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void
writeAccesses(json::OStream &json, StringRef name,
              const KernelCounters::Accesses &accesses,
              function_ref<void(const KernelCounters::Access &)> more) {
  json.attributeArray(name, [&] {
    for (const auto &[key, entry] : accesses)
      json.object([&, key = key, &entry = entry] {
        json.attribute("access", kindName(key.first));
        json.attribute("bytes_per_lane", key.second);
        json.attribute("instructions", entry.instructions);
        json.attribute("lanes", entry.lanes);
        json.attribute("bytes", entry.bytes);
        more(entry);
      });
  });
}

/// Writes the sizes of a single launch, or the number of launches in a sum.
template <typename Launch>
static void writeLaunches(json::OStream &json, const Launch &c,
                          bool oneLaunch) {
  if (!oneLaunch) {
    json.attribute("launches", c.launches);
    return;
  }
  json.attributeArray("grid", [&] {
    for (uint32_t size : c.grid)
      json.value(size);
  });
  json.attributeArray("block", [&] {
    for (uint32_t size : c.block)
      json.value(size);
  });
}

static void writeKernel(json::OStream &json, const KernelCounters &c,
                        bool oneLaunch) {
  json.attribute("kernel", c.kernel);
  json.attribute("processor", c.processor);
  json.attribute("wave_size", c.waveSize);
  writeLaunches(json, c, oneLaunch);
  json.attribute("failed", c.failed);
  json.attribute("workgroups", c.workgroups);
  json.attribute("waves", c.waves);
  json.attribute("instructions", c.instructions());
  json.attribute("lane_utilization", c.laneUtilization());
  json.attributeObject("classes", [&] {
    for (unsigned i = 0; i < kOpClasses; ++i) {
      const KernelCounters::Class &entry = c.classes[i];
      const OpClass opClass = static_cast<OpClass>(i);
      if (!entry.instructions)
        continue;
      json.attributeObject(opClassName(opClass), [&] {
        json.attribute("instructions", entry.instructions);
        if (countsLanes(opClass))
          json.attribute("lanes", entry.lanes);
      });
    }
  });
  json.attribute("line_bytes", c.lineBytes);
  writeAccesses(json, "global", c.global,
                [&](const KernelCounters::Access &entry) {
                  json.attribute("lines", entry.lines);
                });
  json.attributeObject("distinct_lines", [&] {
    json.attribute("read", c.distinctLines.read);
    json.attribute("written", c.distinctLines.written);
    json.attribute("all", c.distinctLines.all);
  });
  json.attributeObject("scalar_loads", [&] {
    json.attribute("instructions", c.scalar.instructions);
    json.attribute("bytes", c.scalar.bytes);
    json.attribute("line_bytes", c.scalarLineBytes);
    json.attribute("lines", c.scalar.lines);
  });
  auto ldsCycles = [&](const KernelCounters::Access &entry) {
    json.attribute("cycles", entry.cycles);
    json.attribute("conflict_cycles", entry.conflicts);
  };
  writeAccesses(json, "lds", c.lds, ldsCycles);
  json.attributeObject("lds_from_memory", [&] {
    json.attribute("instructions", c.dma.instructions);
    json.attribute("bytes", c.dma.bytes);
    ldsCycles(c.dma);
  });
  writeAccesses(json, "scratch", c.scratch,
                [](const KernelCounters::Access &) {});
  json.attributeArray("matrix", [&] {
    for (const auto &[name, entry] : c.matrix)
      json.object([&, &name = name, &entry = entry] {
        json.attribute("instruction", name);
        json.attribute("instructions", entry.instructions);
        json.attribute("passes", entry.passes);
        json.attribute("multiply_adds", entry.multiplyAdds);
      });
  });
  json.attribute("barriers", c.barriers);
  json.attribute("spins", c.spins);
  json.attribute("sleeps", c.sleeps);
  json.attributeObject("estimate", [&] {
    IssueUnit bound;
    uint64_t cycles = c.estimatedCycles(bound);
    json.attribute("is", "an estimate from published rates, without waits");
    json.attributeObject("unit_cycles", [&] {
      for (unsigned i = 0; i < kIssueUnits; ++i)
        json.attribute(issueUnitName(static_cast<IssueUnit>(i)), c.issue[i]);
    });
    json.attributeObject("units_per_cu", [&] {
      for (unsigned i = 0; i < kIssueUnits; ++i)
        json.attribute(issueUnitName(static_cast<IssueUnit>(i)), c.units[i]);
    });
    json.attribute("cu_cycles", cycles);
    json.attribute("bound_by", issueUnitName(bound));
  });
}

static void writeKernel(json::OStream &json, const SpirvCounters &c,
                        bool oneLaunch) {
  json.attribute("kernel", c.kernel);
  json.attribute("processor", "spirv");
  json.attribute("subgroup_size", c.subgroupSize);
  writeLaunches(json, c, oneLaunch);
  json.attribute("failed", c.failed);
  json.attribute("workgroups", c.counts.getWorkgroups());
  json.attribute("subgroups", c.counts.getSubgroups());
  json.attributeObject("counts", [&] {
    for (unsigned i = 0; i < spirv::LaneCounts::Rows; ++i) {
      const auto row = static_cast<spirv::LaneCounts::Row>(i);
      const spirv::LaneCounts::RowText &text = spirv::LaneCounts::text(row);
      if (!c.counts.times(row))
        continue;
      json.attributeObject(text.key, [&] {
        json.attribute("times", c.counts.times(row));
        if (text.unitKey)
          json.attribute(text.unitKey, c.counts.amount(row));
      });
    }
  });
}

static bool isSameKernel(const KernelCounters &a, const KernelCounters &b) {
  return a.kernel == b.kernel && a.processor == b.processor &&
         a.waveSize == b.waveSize;
}

static bool isSameKernel(const SpirvCounters &a, const SpirvCounters &b) {
  return a.kernel == b.kernel && a.subgroupSize == b.subgroupSize;
}

void SpirvCounters::add(const SpirvCounters &other) {
  launches += other.launches;
  failed |= other.failed;
  counts += other.counts;
}

/// Returns the sums of each kernel, in the order of their first launches.
template <typename Launch>
static std::vector<Launch> byKernel(const std::vector<Launch> &launches) {
  std::vector<Launch> kernels;
  for (const Launch &launch : launches) {
    auto sum = llvm::find_if(kernels, [&](const Launch &kernel) {
      return isSameKernel(kernel, launch);
    });
    if (sum != kernels.end())
      sum->add(launch);
    else
      kernels.push_back(launch);
  }
  return kernels;
}

void aircc::sim::writeCountersJson(
    const std::vector<KernelCounters> &launches,
    const std::vector<SpirvCounters> &spirvLaunches, raw_ostream &os) {
  json::OStream json(os, 1);
  auto writeAll = [&](const auto &kernels, bool oneLaunch) {
    for (const auto &kernel : kernels)
      json.object([&] { writeKernel(json, kernel, oneLaunch); });
  };
  json.object([&] {
    json.attribute("format", "aircc-counters");
    json.attribute("version", 1);
    json.attributeArray("kernels", [&] {
      writeAll(byKernel(launches), /*oneLaunch=*/false);
      writeAll(byKernel(spirvLaunches), /*oneLaunch=*/false);
    });
    json.attributeArray("launches", [&] {
      writeAll(launches, /*oneLaunch=*/true);
      writeAll(spirvLaunches, /*oneLaunch=*/true);
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// CounterCollection
//===----------------------------------------------------------------------===//

/// Returns the first of these variables that is set, or `otherwise`. Each
/// launcher of ranks uses different variables.
CounterCollection::CounterCollection(const std::string &name)
    : destination(name == "-" ? name : expandFileName(name)) {}

std::unique_ptr<LaunchObserver> CounterCollection::observe() {
  return std::make_unique<CounterObserver>([this](const KernelCounters &done) {
    std::lock_guard<std::mutex> lock(mutex);
    launches.push_back(done);
    written = false;
  });
}

void CounterCollection::add(const SpirvCounters &launch) {
  std::lock_guard<std::mutex> lock(mutex);
  spirvLaunches.push_back(launch);
  written = false;
}

llvm::Error CounterCollection::write() {
  std::lock_guard<std::mutex> lock(mutex);
  if (written)
    return llvm::Error::success();
  written = true;
  if (destination == "-") {
    for (const KernelCounters &kernel : byKernel(launches))
      printCounters(kernel, errs());
    for (const SpirvCounters &kernel : byKernel(spirvLaunches))
      printCounters(kernel, errs());
    launches.clear();
    spirvLaunches.clear();
    return llvm::Error::success();
  }
  std::error_code failure;
  raw_fd_ostream file(destination, failure);
  if (!failure) {
    writeCountersJson(launches, spirvLaunches, file);
    file.close();
    failure = file.error();
    file.clear_error();
  }
  if (!failure)
    return llvm::Error::success();
  return llvm::createStringError("cannot write the counters to " + destination +
                                 ": " + failure.message());
}
