//===- LaneChecker.cpp - Races and undefined values of lanes --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/LaneChecker.h"

#include "simulator/spirv/Workgroup.h"

#include <cstring>

using namespace aircc::sim::spirv;

namespace {

/// In the order in which they are reported.
enum Fault : unsigned { SlmRace, DeviceRace, Uninitialised };

const char *faultText(unsigned fault) {
  switch (fault) {
  case SlmRace:
    return "data race in shared local memory";
  case DeviceRace:
    return "data race in global memory";
  default:
    return "read of shared local memory that was never written";
  }
}

bool orders(spv::MemorySemanticsMask semantics,
            spv::MemorySemanticsMask memory) {
  return (static_cast<uint32_t>(semantics) & static_cast<uint32_t>(memory)) !=
         0;
}

std::string verbOf(bool wrote, bool isAtomic) {
  return isAtomic ? "atomic" : wrote ? "write" : "read";
}

} // namespace

void LaneChecker::groupBegin(uint64_t number, uint32_t subgroups,
                             uint64_t slmBytes) {
  settle();
  group = number;
  slmTime = deviceTime = 1;
  subgroupTimes.assign(subgroups, 1);
  slm.assign(slmBytes, {});
}

void LaneChecker::met(const MeetSite &site, uint32_t subgroup) {
  settle();
  if (site.scope == spv::Scope::Subgroup) {
    ++subgroupTimes[subgroup];
    return;
  }
  for (uint32_t &time : subgroupTimes)
    ++time;
  if (orders(site.semantics, spv::MemorySemanticsMask::WorkgroupMemory))
    ++slmTime;
  if (orders(site.semantics, spv::MemorySemanticsMask::CrossWorkgroupMemory))
    ++deviceTime;
}

void LaneChecker::synchronized() { ordered.insert(group); }

bool LaneChecker::races(const Mark &before, const Mark &now, bool isSlm) const {
  if (!before.site || (before.group == now.group && before.lane == now.lane) ||
      (before.isAtomic && now.isAtomic))
    return false;
  if (before.group != now.group)
    return !(ordered.contains(before.group) && ordered.contains(now.group));
  if (before.subgroup == now.subgroup)
    return before.subgroupTime == now.subgroupTime;
  return before.groupTime == now.groupTime;
}

void LaneChecker::settle() {
  for (Pending &next : pending)
    if (std::memcmp(next.address, next.before.data(), next.before.size()) &&
        faults.isNew(next.key))
      faults.add(next.key, std::move(next.text));
  pending.clear();
}

std::string LaneChecker::text(const std::string &kernel) {
  settle();
  FaultList::Selection which;
  which.contains = [](unsigned) { return true; };
  which.name = [](unsigned fault) { return std::string(faultText(fault)); };
  which.intro = "the checker found";
  which.one = "a fault";
  which.several = "faults";
  return faults.text(kernel, which);
}

std::string LaneChecker::describe(const Lane &lane, const Site &site,
                                  const Mark &other, const std::string &what,
                                  bool otherWrote, bool isSlm) const {
  const bool sameGroup = other.group == group;
  std::string text =
      std::string(faultText(isSlm ? SlmRace : DeviceRace)) + ": " + what +
      "\n  " + lane.group->where(lane.subgroup, lane.index) + "\n  " +
      site.describe() + "\n  after the " + verbOf(otherWrote, other.isAtomic) +
      " by " +
      (sameGroup ? std::string("subgroup ")
                 : "workgroup number " + std::to_string(other.group) +
                       ", subgroup ") +
      std::to_string(other.subgroup) + ", lane " + std::to_string(other.index) +
      "\n  " + other.site->describe() + "\n  ";
  text += !sameGroup ? "nothing orders workgroups of a launch but atomics with "
                       "an order"
          : other.subgroup == lane.subgroup
              ? "no barrier or other operation of the subgroup is between them"
              : std::string("no barrier that names ") +
                    (isSlm ? "shared local" : "global") +
                    " memory is between them";
  return text;
}

void LaneChecker::access(const Lane &lane, const Site &site,
                         AccessSite::Kind kind, uint64_t address,
                         uint64_t slmOffset, uint64_t bytes) {
  settle();
  const bool isSlm = slmOffset != ~uint64_t(0);
  const bool reads = kind == AccessSite::Load;
  Mark now;
  now.site = &site;
  now.group = group;
  now.lane = lane.number;
  now.subgroup = lane.subgroup;
  now.index = lane.index;
  now.groupTime = isSlm ? slmTime : deviceTime;
  now.subgroupTime = subgroupTimes[lane.subgroup];
  now.isAtomic = kind == AccessSite::Atomic;
  const std::string what =
      verbOf(!reads, now.isAtomic) + " of " + std::to_string(bytes) +
      " bytes at " +
      (isSlm ? "byte " + std::to_string(slmOffset) : std::to_string(address));
  auto tell = [&](const Mark &other, bool otherWrote) {
    if (!selection.has(CheckKind::Races))
      return;
    const FaultList::Key key{isSlm ? SlmRace : DeviceRace, &site, other.site};
    // Of two plain writes the second is a fault if it changes what is there.
    const bool isSure = !otherWrote || reads || other.isAtomic || now.isAtomic;
    if (isSure && !faults.isNew(key))
      return;
    Pending next{reinterpret_cast<const uint8_t *>(address),
                 {},
                 key,
                 describe(lane, site, other, what, otherWrote, isSlm)};
    if (isSure)
      return faults.add(key, std::move(next.text));
    next.before.assign(next.address, next.address + bytes);
    pending.push_back(std::move(next));
  };
  bool told = false;
  for (uint64_t n = 0; n < bytes; ++n) {
    Cell *cell;
    if (isSlm) {
      cell = &slm[slmOffset + n];
    } else {
      std::unique_ptr<Page> &page = pages[(address + n) / kPage];
      if (!page)
        page = std::make_unique<Page>();
      cell = &page->cells[(address + n) % kPage];
    }
    if (isSlm && kind != AccessSite::Store && !cell->write.site && !told) {
      const FaultList::Key key{Uninitialised, &site, nullptr};
      if (selection.has(CheckKind::Undefined) && faults.isNew(key))
        faults.add(key, std::string(faultText(Uninitialised)) + ": " + what +
                            "\n  " +
                            lane.group->where(lane.subgroup, lane.index) +
                            "\n  " + site.describe());
      told = true;
    }
    if (!told && races(cell->write, now, isSlm)) {
      told = true;
      tell(cell->write, true);
    }
    if (reads) {
      // The last two lanes that read.
      if (cell->reads[0].site && (cell->reads[0].lane != now.lane ||
                                  cell->reads[0].group != now.group))
        cell->reads[1] = cell->reads[0];
      cell->reads[0] = now;
      continue;
    }
    for (const Mark &read : cell->reads)
      if (!told && races(read, now, isSlm)) {
        told = true;
        tell(read, false);
      }
    cell->write = now;
  }
}
