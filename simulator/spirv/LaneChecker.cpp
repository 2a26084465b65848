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
#include <utility>

using namespace aircc::sim::spirv;

namespace {

/// The maximum number of lanes in a subgroup.
constexpr uint32_t kMaxLanes = 64;

/// The kinds of faults, in the order of the report.
enum Fault : unsigned { SlmRace, DeviceRace, Uninitialized };

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

} // namespace

void LaneChecker::groupBegin(uint64_t number, uint32_t subgroups,
                             uint64_t slmBytes) {
  settle();
  group = number;
  times.assign(subgroups, Times());
  slmHistories.reset();
  slm.reset(slmBytes);
}

void LaneChecker::converged(const CollectiveSite &site, uint32_t subgroup) {
  settle();
  if (site.scope == spv::Scope::Subgroup) {
    ++times[subgroup].now;
    return;
  }
  for (Times &time : times) {
    ++time.now;
    if (orders(site.semantics, spv::MemorySemanticsMask::WorkgroupMemory))
      time.slmOrdered = time.now;
    if (orders(site.semantics, spv::MemorySemanticsMask::CrossWorkgroupMemory))
      time.deviceOrdered = time.now;
  }
}

void LaneChecker::synchronized() { ordered.insert(group); }

uint32_t LaneChecker::agentOf(const Lane &lane) const {
  const uint64_t subgroup = group * times.size() + lane.subgroup;
  return static_cast<uint32_t>(subgroup * kMaxLanes + lane.index + 1);
}

LaneChecker::Place LaneChecker::placeOf(const PastAccess &past) const {
  const uint32_t subgroup = (past.agent - 1) / kMaxLanes;
  const auto subgroups = static_cast<uint32_t>(times.size());
  return {subgroup / subgroups, subgroup % subgroups,
          (past.agent - 1) % kMaxLanes};
}

uint32_t LaneChecker::numberOf(const Site &site) {
  auto [it, isNew] = siteNumbers.try_emplace(&site, sites.size());
  if (isNew)
    sites.push_back(&site);
  return it->second;
}

bool LaneChecker::isBefore(const PastAccess &past, const Lane &lane,
                           bool isSlm) const {
  const Place other = placeOf(past);
  if (other.group != group)
    return ordered.contains(other.group) && ordered.contains(group);
  const Times &time = times[other.subgroup];
  if (other.subgroup == lane.subgroup)
    return other.index == lane.index || past.ticket != time.now;
  return past.ticket < (isSlm ? time.slmOrdered : time.deviceOrdered);
}

void LaneChecker::settle() {
  for (Pending &next : pending)
    if (std::memcmp(next.address, next.before.data(), next.before.size()) !=
            0 &&
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
                                  const PastAccess &other,
                                  const std::string &what, bool isSlm) const {
  const Place place = placeOf(other);
  const bool sameGroup = place.group == group;
  std::string text =
      std::string(faultText(isSlm ? SlmRace : DeviceRace)) + ": " + what +
      "\n  " + lane.group->where(lane.subgroup, lane.index) + "\n  " +
      site.describe() + "\n  after the " +
      accessText(other.writes, other.atomic) + " by " +
      (sameGroup ? std::string("subgroup ")
                 : "workgroup number " + std::to_string(place.group) +
                       ", subgroup ") +
      std::to_string(place.subgroup) + ", lane " + std::to_string(place.index) +
      "\n  " + sites[other.op]->describe() + "\n  ";
  text += !sameGroup ? "nothing orders workgroups of a launch but atomics with "
                       "an order"
          : place.subgroup == lane.subgroup
              ? "no barrier or other operation of the subgroup is between them"
              : std::string("no barrier that names ") +
                    (isSlm ? "shared local" : "global") +
                    " memory is between them";
  return text;
}

/// Reports a read of unwritten shared local memory once.
void LaneChecker::checkDefined(const Lane &lane, const Site &site,
                               uint64_t slmOffset, uint64_t bytes,
                               llvm::function_ref<std::string()> what) {
  slm.refine(slmHistories, slmOffset, static_cast<unsigned>(bytes));
  auto writes = [](const PastAccess &past) { return past.writes != 0; };
  for (uint64_t at = slmOffset; at < slmOffset + bytes; at += slm.granule()) {
    if (slmHistories.any(slm.at(at), writes))
      continue;
    const FaultList::Key key{Uninitialized, &site, nullptr};
    if (faults.isNew(key))
      faults.add(key, std::string(faultText(Uninitialized)) + ": " + what() +
                          "\n  " +
                          lane.group->where(lane.subgroup, lane.index) +
                          "\n  " + site.describe());
    return;
  }
}

void LaneChecker::access(const Lane &lane, const Site &site,
                         AccessSite::Kind kind, uint64_t address,
                         uint64_t slmOffset, uint64_t bytes) {
  settle();
  const bool isSlm = slmOffset != ~uint64_t(0);
  PastAccess now;
  now.agent = agentOf(lane);
  now.ticket = times[lane.subgroup].now;
  now.op = numberOf(site);
  now.atomic = kind == AccessSite::Atomic;
  now.writes = kind != AccessSite::Load;
  auto what = [&] {
    return accessText(now.writes, now.atomic) + " of " + std::to_string(bytes) +
           " bytes at " +
           (isSlm ? "byte " + std::to_string(slmOffset)
                  : std::to_string(address));
  };
  if (isSlm && kind != AccessSite::Store && selection.has(CheckKind::Undefined))
    checkDefined(lane, site, slmOffset, bytes, what);
  auto isPast = [&](const PastAccess &past) {
    return isBefore(past, lane, isSlm);
  };
  // Report at most one fault per access.
  bool told = !selection.has(CheckKind::Races);
  auto report = [&](unsigned, uint64_t, unsigned, const PastAccess &other) {
    if (std::exchange(told, true))
      return true;
    const FaultList::Key key{isSlm ? SlmRace : DeviceRace, &site,
                             sites[other.op]};
    // The second of two plain writes is a fault only if it changes the value.
    const bool isSure =
        !other.writes || !now.writes || other.atomic || now.atomic;
    if (isSure && !faults.isNew(key))
      return true;
    Pending next{reinterpret_cast<const uint8_t *>(address),
                 {},
                 key,
                 describe(lane, site, other, what(), isSlm)};
    if (isSure) {
      faults.add(key, std::move(next.text));
      return true;
    }
    next.before.assign(next.address, next.address + bytes);
    pending.push_back(std::move(next));
    return true;
  };
  const uint64_t first = isSlm ? slmOffset : address;
  const AccessFootprint footprint(&first, 1, static_cast<unsigned>(bytes));
  RaceQuery query{now, footprint, isPast};
  query.agentsPerGroup = 1;
  if (isSlm)
    detectRaces(slmHistories, FlatCells(slm), query, report);
  else
    detectRaces(deviceHistories, device, query, report);
}
