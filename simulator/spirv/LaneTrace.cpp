//===- LaneTrace.cpp - Traces of SPIR-V kernels ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/LaneTrace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using llvm::ArrayRef;

/// The maximum number of instructions that are buffered per lane. Further
/// instructions are printed even if other lanes have not reached them.
static constexpr size_t kKept = 1 << 16;

bool LaneTrace::groupBegin(const uint64_t (&id)[3], const SpirvKernel &what,
                           uint32_t lanes) {
  if (!std::equal(options.group.begin(), options.group.end(), id))
    return false;
  kernel = what.name;
  const uint32_t size = what.subgroupSize;
  subgroups.assign((lanes + size - 1) / size, {});
  for (auto [number, subgroup] : llvm::enumerate(subgroups)) {
    subgroup.size = std::min<uint32_t>(size, lanes - number * size);
    const uint32_t end = std::min(options.lastLane + 1, subgroup.size);
    if (options.firstLane < end)
      subgroup.lanes.resize(end - options.firstLane);
  }
  return true;
}

bool LaneTrace::wants(const Lane &lane) const {
  return (!options.wave || *options.wave == lane.subgroup) &&
         lane.index >= options.firstLane && lane.index <= options.lastLane;
}

void LaneTrace::operands(const Lane &lane, const TraceSite &site,
                         const uint8_t *record) {
  if (!wants(lane))
    return;
  std::deque<Event> &events = eventsOf(lane);
  if (events.size() >= kKept)
    print(lane.subgroup);
  const bool isFinished = site.write.parts.empty() || site.isCall;
  events.push_back({&site,
                    /*isReturn=*/false,
                    isFinished,
                    {record, record + site.readBytes},
                    {}});
}

void LaneTrace::result(const Lane &lane, const TraceSite &site,
                       const uint8_t *record) {
  if (!wants(lane))
    return;
  std::deque<Event> &events = eventsOf(lane);
  if (events.empty() || events.back().isFinished)
    events.push_back({&site, site.isCall, /*isFinished=*/true, {}, {}});
  events.back().isFinished = true;
  events.back().write.assign(record, record + site.writeBytes);
}

void LaneTrace::fault(const std::string &what) {
  for (uint32_t number = 0; number < subgroups.size(); ++number)
    print(number, /*unfinished=*/true);
  std::lock_guard<std::mutex> lock(sink.mutex);
  sink.os() << "    fault: " << what << "\n";
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void LaneTrace::print(uint32_t number, bool unfinished) {
  Subgroup &subgroup = subgroups[number];
  std::lock_guard<std::mutex> lock(sink.mutex);
  while (true) {
    // Find the next instruction of any lane that is first in the module.
    const Event *first = nullptr;
    for (const std::deque<Event> &events : subgroup.lanes) {
      if (events.empty() || !(events.front().isFinished || unfinished))
        continue;
      const Event &next = events.front();
      if (!first || next.site->word < first->site->word)
        first = &next;
    }
    if (!first)
      return;
    llvm::SmallVector<const Event *, 32> together;
    for (const std::deque<Event> &events : subgroup.lanes) {
      const bool takesPart = !events.empty() &&
                             events.front().site == first->site &&
                             events.front().isReturn == first->isReturn &&
                             events.front().isFinished == first->isFinished;
      together.push_back(takesPart ? &events.front() : nullptr);
    }
    printLine(number, subgroup, together);
    for (auto [event, events] : llvm::zip(together, subgroup.lanes))
      if (event)
        events.pop_front();
  }
}

/// Prints one line each with the instruction, the operands and the result.
void LaneTrace::printLine(uint32_t number, Subgroup &subgroup,
                          ArrayRef<const Event *> events) {
  const uint64_t count = subgroup.printed++;
  if (count < options.from || count - options.from >= options.count)
    return;
  const Event &event =
      **llvm::find_if(events, [](const Event *e) { return e; });
  const TraceSite &site = *event.site;
  llvm::raw_ostream &os = sink.os();
  if (!subgroup.isNamed) {
    os << "# " << kernel << " (" << options.group[0] << "," << options.group[1]
       << "," << options.group[2] << ") subgroup " << number << ": lanes "
       << options.firstLane << "-" << options.firstLane + events.size() - 1
       << "\n";
    subgroup.isNamed = true;
  }
  os << "s" << number << " " << count << " word " << site.word;
  if (site.function != kernel)
    os << " in " << site.function;
  os << ": " << site.text;
  if (event.isReturn)
    os << " returns";
  if (llvm::is_contained(events, nullptr)) {
    os << "  [lanes";
    for (auto [lane, other] : llvm::enumerate(events))
      if (other)
        os << " " << options.firstLane + lane;
    os << "]";
  }
  if (!site.line.empty())
    os << "  [" << site.line << "]";
  os << "\n";
  if (!event.reads.empty()) {
    os << "    reads ";
    for (const TraceSite::Value &value : site.reads)
      printValue(value, events, /*isWrite=*/false);
    os << "\n";
  }
  if (!event.write.empty()) {
    os << "    writes";
    printValue(site.write, events, /*isWrite=*/true);
    os << "\n";
  }
}

/// Prints the values of all lanes as in " %7=3f800000,40000000", with "-" for
/// inactive lanes.
void LaneTrace::printValue(const TraceSite::Value &value,
                           ArrayRef<const Event *> events, bool isWrite) {
  llvm::raw_ostream &os = sink.os();
  os << " %" << value.id << "=";
  llvm::ListSeparator between(",");
  for (const Event *event : events) {
    os << between;
    if (!event) {
      os << "-";
      continue;
    }
    const std::vector<uint8_t> &bytes = isWrite ? event->write : event->reads;
    const bool isSingle = value.parts.size() == 1;
    os << (isSingle ? "" : "[");
    for (const auto &[n, part] : llvm::enumerate(value.parts)) {
      os << (n ? " " : "");
      for (uint32_t byte = part.bytes; byte-- > 0;)
        os << llvm::hexdigit(bytes[part.offset + byte] >> 4, /*LowerCase=*/true)
           << llvm::hexdigit(bytes[part.offset + byte] & 15,
                             /*LowerCase=*/true);
    }
    os << (isSingle ? "" : "]");
  }
}
