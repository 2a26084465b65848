//===- Workgroup.cpp - Execution of the lanes of a workgroup --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Workgroup.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/LaneChecker.h"
#include "simulator/spirv/LaneTrace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <random>

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using llvm::ArrayRef;

namespace {

/// The number of convergences of a subgroup before another subgroup executes.
constexpr unsigned kConvergencesPerSlice = 4096;
constexpr uint8_t kUndefined = 0xff;

/// Resizes and fills `storage`. Returns the start of `bytes` bytes in it that
/// are aligned to `alignment`.
uint8_t *assignAligned(std::vector<uint8_t> &storage, size_t bytes,
                       size_t alignment) {
  storage.assign(bytes + alignment, kUndefined);
  return reinterpret_cast<uint8_t *>(
      llvm::alignTo(reinterpret_cast<uint64_t>(storage.data()), alignment));
}

/// Returns a list such as "lanes 0-3, 7" of a subgroup.
std::string laneList(ArrayRef<uint32_t> lanes) {
  std::string text = lanes.size() == 1 ? "lane " : "lanes ";
  for (size_t i = 0; i < lanes.size();) {
    size_t end = i;
    while (end + 1 < lanes.size() && lanes[end + 1] == lanes[end] + 1)
      ++end;
    text += (i ? ", " : "") + std::to_string(lanes[i]);
    if (end > i)
      text += "-" + std::to_string(lanes[end]);
    i = end + 1;
  }
  return text;
}

/// The entry point of a lane's fiber. It never returns, because the stack is
/// reused: after the kernel has ended, the lane yields and is not resumed.
void runKernel(void *argument) {
  Lane &lane = *static_cast<Lane *>(argument);
  const LaunchContext &launch = *lane.group->launch;
  launch.kernel->entry(&lane, launch.arguments.data());
  lane.status = LaneStatus::Ended;
  lane.group->yield(lane);
}

} // namespace

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

void Workgroup::setIds(Lane &lane, uint32_t number) {
  LaneIds &ids = lane.ids;
  const auto &block = launch->block, &grid = launch->grid;
  const uint64_t local[3] = {number % block[0], number / block[0] % block[1],
                             number / block[0] / block[1]};
  uint64_t linear = 0, globalLinear = 0;
  for (int d = 2; d >= 0; --d) {
    ids.localId[d] = local[d];
    ids.groupId[d] = id[d];
    ids.groupSize[d] = block[d];
    ids.groups[d] = grid[d];
    ids.globalSize[d] = uint64_t(grid[d]) * block[d];
    ids.globalId[d] = id[d] * block[d] + local[d];
    ids.globalOffset[d] = 0;
    linear = linear * block[d] + local[d];
    globalLinear = globalLinear * ids.globalSize[d] + ids.globalId[d];
  }
  // OpenCL defines these values for dimensions beyond the third.
  ids.localId[3] = ids.groupId[3] = ids.globalId[3] = ids.globalOffset[3] = 0;
  ids.groupSize[3] = ids.groups[3] = ids.globalSize[3] = 1;
  ids.localIndex = linear;
  ids.globalIndex = globalLinear;

  const uint32_t size = subgroupSize();
  lane.number = number;
  lane.subgroup = number / size;
  lane.index = number % size;
  ids.subgroupId = lane.subgroup;
  ids.subgroupLane = lane.index;
  ids.subgroups = (laneCount + size - 1) / size;
  ids.subgroupMaxSize = size;
  ids.subgroupSize = std::min(size, laneCount - lane.subgroup * size);
  ids.dimensions = grid[2] * block[2] > 1 ? 3 : grid[1] * block[1] > 1 ? 2 : 1;
  const uint64_t all = (uint64_t(1) << ids.subgroupSize) - 1;
  const uint64_t bit = uint64_t(1) << lane.index;
  std::memset(ids.maskEq, 0, sizeof(LaneIds) - offsetof(LaneIds, maskEq));
  ids.maskEq[0] = static_cast<uint32_t>(bit);
  ids.maskGe[0] = static_cast<uint32_t>(~(bit - 1) & all);
  ids.maskGt[0] = static_cast<uint32_t>(~(2 * bit - 1) & all);
  ids.maskLe[0] = static_cast<uint32_t>((2 * bit - 1) & all);
  ids.maskLt[0] = static_cast<uint32_t>(bit - 1);
}

void Workgroup::start(const LaunchContext &context, uint64_t number,
                      uint64_t seed) {
  launch = &context;
  ownNumber = number;
  const SpirvKernel &kernel = *context.kernel;
  id[0] = number % context.grid[0];
  id[1] = number / context.grid[0] % context.grid[1];
  id[2] = number / context.grid[0] / context.grid[1];
  laneCount = context.block[0] * context.block[1] * context.block[2];
  const uint32_t dynamicAt = kernel.dynamicSlmOffset();
  slmBytes = uint64_t(dynamicAt) + context.dynamicSlmBytes;
  slmBase = assignAligned(slm, slmBytes, kernel.slmAlignment);
  const size_t privateBytes =
      llvm::alignTo(kernel.privateBytes, kernel.privateAlignment);
  uint8_t *privateBase = assignAligned(privateMemory, privateBytes * laneCount,
                                       kernel.privateAlignment);
  const uint32_t size = subgroupSize();
  subgroups.assign((laneCount + size - 1) / size, {});
  windows.resize(kernel.accessSites->size());
  for (AccessWindow &window : windows)
    window.begin = window.count = 0;
  while (lanes.size() < laneCount)
    lanes.push_back(std::make_unique<Lane>());
  for (uint32_t n = 0; n < laneCount; ++n) {
    Lane &lane = *lanes[n];
    setIds(lane, n);
    lane.group = this;
    lane.slm = slmBase;
    lane.windows = windows.data();
    lane.dynamicSlm = slmBase + dynamicAt;
    lane.status = LaneStatus::Running;
    lane.frames.clear();
    lane.privateMemory = privateBase + privateBytes * n;
    lane.privateUsed = 0;
    lane.polls = lane.work = lane.executed = 0;
    lane.stopSite = nullptr;
    lane.fiber.start(runKernel, &lane, lane.index);
    subgroups[lane.subgroup].lanes.push_back(&lane);
  }
  order.resize(subgroups.size());
  for (uint32_t n = 0; n < order.size(); ++n)
    order[n] = n;
  if (!context.inStep)
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  lastRange = {};
  faultText.clear();
  if (context.checker)
    context.checker->groupBegin(number, subgroups.size(), slmBytes);
  counts.addGroup(subgroups.size());
  trace = context.trace && context.trace->groupBegin(id, kernel, laneCount)
              ? context.trace
              : nullptr;
}

//===----------------------------------------------------------------------===//
// Time slices
//===----------------------------------------------------------------------===//

void Workgroup::runLanes(Subgroup &subgroup, int64_t budget) {
  Lane *first = nullptr;
  for (Lane *lane : llvm::reverse(subgroup.lanes))
    if (lane->status == LaneStatus::Running) {
      lane->budget = budget;
      lane->polls = lane->work = 0;
      lane->next = first;
      first = lane;
    }
  if (!first)
    return;
  first->fiber.resume();
  if (!faultText.empty())
    throw Fault(faultText);
}

void Workgroup::converge(Lane &lane, const CollectiveSite &site,
                         uint8_t *record) {
  lane.site = &site;
  lane.record = record;
  lane.status = LaneStatus::Convergence;
  ++lane.work;
  Subgroup &subgroup = subgroups[lane.subgroup];
  if (subgroup.site != &site) {
    subgroup.site = &site;
    subgroup.arrived = 0;
  }
  ++subgroup.arrived;
  yield(lane);
}

void Workgroup::yield(Lane &lane) {
  if (lane.next)
    lane.fiber.switchTo(lane.next->fiber);
  else
    lane.fiber.suspend();
}

bool Workgroup::runRound(int64_t budget) {
  interrupted = false;
  bool anyAlive = false;
  for (uint32_t n : order) {
    Subgroup &subgroup = subgroups[n];
    for (unsigned convergences = 0; convergences < kConvergencesPerSlice;
         ++convergences) {
      runLanes(subgroup, budget);
      if (trace)
        trace->print(n);
      if (!resolve(subgroup))
        break;
    }
    for (Lane *lane : subgroup.lanes) {
      anyAlive |= lane->status != LaneStatus::Ended;
      interrupted |= lane->status == LaneStatus::Running;
    }
  }
  if (!anyAlive)
    return true;
  resolveAll();
  return false;
}

uint64_t Workgroup::executed() const {
  uint64_t sum = 0;
  for (const Subgroup &subgroup : subgroups)
    for (const Lane *lane : subgroup.lanes)
      sum += lane->executed;
  return sum;
}

const Lane *Workgroup::findBusiest() const {
  const Lane *busiest = nullptr;
  for (const Subgroup &subgroup : subgroups)
    for (const Lane *lane : subgroup.lanes)
      if (lane->status != LaneStatus::Ended &&
          (!busiest || lane->executed > busiest->executed))
        busiest = lane;
  return busiest;
}

const Lane *Workgroup::findWaiting() const {
  const Lane *first = nullptr;
  for (const Subgroup &subgroup : subgroups)
    for (const Lane *lane : subgroup.lanes) {
      if (lane->status != LaneStatus::Running)
        continue;
      if (lane->work || !lane->polls)
        return nullptr;
      if (!first)
        first = lane;
    }
  return first;
}

//===----------------------------------------------------------------------===//
// Convergence
//===----------------------------------------------------------------------===//

void Workgroup::runConvergence(const CollectiveSite &site,
                               ArrayRef<Lane *> taking) {
  Convergence convergence{site, *this, taking};
  if (site.isBarrier)
    counts.add(LaneCounts::Barriers);
  else if (!site.wholeSubgroup)
    counts.add(LaneCounts::GroupOperations);
  try {
    site.run(convergence);
  } catch (const Fault &fault) {
    const Lane *first = convergence.first();
    const Lane *lane = fault.lane >= 0 ? taking[fault.lane] : nullptr;
    throw Fault(where((lane ? lane : first)->subgroup,
                      lane ? static_cast<int>(lane->index) : -1) +
                ": " + fault.what() + "; " + site.describe());
  }
  if (launch->checker)
    launch->checker->converged(site, convergence.first()->subgroup);
  for (Lane *lane : taking)
    if (lane)
      lane->status = LaneStatus::Running;
}

void Workgroup::failConvergence(const CollectiveSite &site,
                                ArrayRef<Lane *> all, bool isSubgroup) {
  // Group the lanes by position, in the order of the lanes.
  struct Party {
    const CollectiveSite *site;
    uint32_t subgroup;
    llvm::SmallVector<uint32_t> lanes;
  };
  std::vector<Party> parties;
  for (const Lane *lane : all) {
    const CollectiveSite *at =
        lane->status == LaneStatus::Convergence ? lane->site : nullptr;
    auto it = llvm::find_if(parties, [&](const Party &party) {
      return party.site == at && party.subgroup == lane->subgroup;
    });
    if (it == parties.end())
      it = parties.insert(parties.end(), {at, lane->subgroup, {}});
    it->lanes.push_back(lane->index);
  }
  std::string text =
      where(all.front()->subgroup, -1) + ": not all lanes of the " +
      (isSubgroup ? "subgroup" : "workgroup") + " reach the same operation";
  constexpr size_t kNamed = 6;
  for (const Party &party : ArrayRef<Party>(parties).take_front(kNamed))
    text +=
        "; " +
        (isSubgroup ? "" : "subgroup " + std::to_string(party.subgroup) + " ") +
        laneList(party.lanes) +
        (party.site ? " " + party.site->describe() : " ended");
  if (parties.size() > kNamed)
    text += "; and others";
  throw Fault(text);
}

void Workgroup::checkWhole(const CollectiveSite &site,
                           const Subgroup &subgroup) const {
  if (site.wholeSubgroup && subgroup.lanes.size() != subgroupSize())
    throw Fault(where(subgroup.lanes[0]->subgroup, -1) + ": " + site.what +
                " needs all " + std::to_string(subgroupSize()) +
                " lanes of a subgroup, and this one has " +
                std::to_string(subgroup.lanes.size()) +
                ", as the workgroup's size is not a multiple of it; " +
                site.describe());
}

bool Workgroup::resolve(Subgroup &subgroup) {
  if (subgroup.isTogether()) {
    const CollectiveSite &site = *subgroup.site;
    if (site.scope == spv::Scope::Workgroup)
      return false;
    checkWhole(site, subgroup);
    subgroup.clearArrivals();
    runConvergence(site, subgroup.lanes);
    return true;
  }
  const CollectiveSite *any = nullptr, *partial = nullptr;
  unsigned alive = 0;
  bool same = true, allWorkgroup = true;
  for (const Lane *lane : subgroup.lanes) {
    if (lane->status == LaneStatus::Ended)
      continue;
    ++alive;
    if (lane->status != LaneStatus::Convergence)
      return false; // The lane has used its time slice.
    const CollectiveSite *site = lane->site;
    same &= !any || any == site;
    any = site;
    allWorkgroup &= site->scope == spv::Scope::Workgroup;
    if (site->partial && (!partial || site->word < partial->word))
      partial = site;
  }
  if (!alive || allWorkgroup)
    return false;
  const CollectiveSite *chosen = partial ? partial : any;
  if (!chosen->partial) {
    if (!same || alive != subgroup.lanes.size())
      failConvergence(*chosen, subgroup.lanes, true);
    checkWhole(*chosen, subgroup);
  }
  llvm::SmallVector<Lane *, 32> taking;
  for (Lane *lane : subgroup.lanes)
    taking.push_back(lane->status == LaneStatus::Convergence &&
                             lane->site == chosen
                         ? lane
                         : nullptr);
  subgroup.clearArrivals();
  runConvergence(*chosen, taking);
  return true;
}

bool Workgroup::resolveAll() {
  const CollectiveSite *any = nullptr;
  bool same = true, allBarriers = true, someEnded = false;
  std::vector<Lane *> all;
  for (const Subgroup &subgroup : subgroups) {
    const CollectiveSite *ofSubgroup = nullptr;
    for (Lane *lane : subgroup.lanes) {
      all.push_back(lane);
      if (lane->status == LaneStatus::Ended) {
        someEnded = true;
        continue;
      }
      if (lane->status != LaneStatus::Convergence ||
          lane->site->scope != spv::Scope::Workgroup)
        return false;
      // The hardware executes one instruction for the whole subgroup.
      if (ofSubgroup && ofSubgroup != lane->site)
        failConvergence(*lane->site, subgroup.lanes, true);
      ofSubgroup = lane->site;
      same &= !any || any == lane->site;
      any = lane->site;
      allBarriers &= lane->site->isBarrier;
    }
  }
  if (!any)
    return false;
  // The hardware does not distinguish barriers. SPIR-V requires that all lanes
  // execute the same instruction, which only the checker enforces.
  const bool mustBeSame =
      !allBarriers || (launch->checker && launch->checker->checksBarriers());
  if (someEnded || (!same && mustBeSame))
    failConvergence(*any, all, false);
  for (Subgroup &subgroup : subgroups)
    subgroup.clearArrivals();
  runConvergence(*any, all);
  return true;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Workgroup::where(uint32_t subgroup, int lane) const {
  std::string text = "kernel '" + launch->kernel->name + "', workgroup (" +
                     std::to_string(id[0]) + "," + std::to_string(id[1]) + "," +
                     std::to_string(id[2]) + "), subgroup " +
                     std::to_string(subgroup);
  return lane < 0 ? text : text + ", lane " + std::to_string(lane);
}

void Workgroup::fault(Lane &lane, const Site &site, const std::string &what) {
  faultText =
      where(lane.subgroup, lane.index) + ": " + what + "; " + site.describe();
  while (true)
    lane.fiber.suspend();
}
