//===- Workgroup.cpp - The lanes of a workgroup, taking turns -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Workgroup.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/exec/memory/SharedHeap.h"
#include "simulator/spirv/LaneChecker.h"
#include "simulator/spirv/LaneTrace.h"
#include "simulator/spirv/Meeting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <random>

using namespace aircc::sim;
using namespace aircc::sim::spirv;
using llvm::ArrayRef;

namespace {

/// Meetings of a subgroup until others get a turn.
constexpr unsigned kMeetingsOfTurn = 4096;
constexpr uint8_t kUndefined = 0xff;

/// Where the memory begins whose size the launch gives, in bytes from the start
/// of shared local memory.
uint32_t dynamicSlmOffset(const SpirvKernel &kernel) {
  return llvm::alignTo(kernel.slmBytes, kernel.dynamicSlmAlignment);
}

/// Fills `storage` such that `bytes` bytes of it begin at a multiple of
/// `alignment`; where they begin.
uint8_t *assignAligned(std::vector<uint8_t> &storage, size_t bytes,
                       size_t alignment) {
  storage.assign(bytes + alignment, kUndefined);
  return reinterpret_cast<uint8_t *>(
      llvm::alignTo(reinterpret_cast<uint64_t>(storage.data()), alignment));
}

/// "lanes 0-3, 7" of a subgroup.
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

/// The lane ends only by suspending for good: its stack is used again.
void runKernel(void *argument) {
  Lane &lane = *static_cast<Lane *>(argument);
  const LaunchContext &launch = *lane.group->launch;
  launch.kernel->entry(&lane, launch.arguments.data());
  lane.status = LaneStatus::Ended;
  lane.fiber.suspend();
}

} // namespace

//===----------------------------------------------------------------------===//
// Beginning
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
  // What OpenCL has for dimensions that there are not.
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
  const uint32_t dynamicAt = dynamicSlmOffset(kernel);
  slmBytes = uint64_t(dynamicAt) + context.dynamicSlmBytes;
  slmBase = assignAligned(slm, slmBytes, kernel.slmAlignment);
  const size_t privateBytes =
      llvm::alignTo(kernel.privateBytes, kernel.privateAlignment);
  uint8_t *privateBase = assignAligned(privateMemory, privateBytes * laneCount,
                                       kernel.privateAlignment);
  const uint32_t size = subgroupSize();
  subgroups.assign((laneCount + size - 1) / size, {});
  while (lanes.size() < laneCount)
    lanes.push_back(std::make_unique<Lane>());
  for (uint32_t n = 0; n < laneCount; ++n) {
    Lane &lane = *lanes[n];
    setIds(lane, n);
    lane.group = this;
    lane.slm = slmBase;
    lane.dynamicSlm = slmBase + dynamicAt;
    lane.status = LaneStatus::Running;
    lane.frames.clear();
    lane.privateMemory = privateBase + privateBytes * n;
    lane.privateUsed = 0;
    lane.polls = lane.work = lane.executed = 0;
    lane.turnSite = nullptr;
    lane.fiber.start(runKernel, &lane);
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
// Turns
//===----------------------------------------------------------------------===//

void Workgroup::runLane(Lane &lane, int64_t budget) {
  lane.budget = budget;
  lane.polls = lane.work = 0;
  lane.fiber.resume();
  if (!faultText.empty())
    throw Fault(faultText);
}

bool Workgroup::runRound(int64_t budget) {
  interrupted = false;
  bool anyAlive = false;
  for (uint32_t n : order) {
    Subgroup &subgroup = subgroups[n];
    for (unsigned meetings = 0; meetings < kMeetingsOfTurn; ++meetings) {
      for (Lane *lane : subgroup.lanes)
        if (lane->status == LaneStatus::Running)
          runLane(*lane, budget);
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
// Meeting
//===----------------------------------------------------------------------===//

void Workgroup::runMeeting(const MeetSite &site, ArrayRef<Lane *> taking) {
  Meeting meeting{site, *this, taking};
  if (site.isBarrier)
    counts.add(LaneCounts::Barriers);
  else if (!site.wholeSubgroup)
    counts.add(LaneCounts::GroupOperations);
  try {
    site.run(meeting);
  } catch (const Fault &fault) {
    const Lane *first = meeting.first();
    const Lane *lane = fault.lane >= 0 ? taking[fault.lane] : nullptr;
    throw Fault(where((lane ? lane : first)->subgroup,
                      lane ? static_cast<int>(lane->index) : -1) +
                ": " + fault.what() + "; " + site.describe());
  }
  if (launch->checker)
    launch->checker->met(site, meeting.first()->subgroup);
  for (Lane *lane : taking)
    if (lane)
      lane->status = LaneStatus::Running;
}

void Workgroup::failMeeting(const MeetSite &site, ArrayRef<Lane *> all,
                            bool isSubgroup) {
  // By where they are, in the order of the lanes.
  struct Party {
    const MeetSite *site;
    uint32_t subgroup;
    llvm::SmallVector<uint32_t> lanes;
  };
  std::vector<Party> parties;
  for (const Lane *lane : all) {
    const MeetSite *at =
        lane->status == LaneStatus::Meeting ? lane->site : nullptr;
    auto it = llvm::find_if(parties, [&](const Party &party) {
      return party.site == at && party.subgroup == lane->subgroup;
    });
    if (it == parties.end())
      it = parties.insert(parties.end(), {at, lane->subgroup, {}});
    it->lanes.push_back(lane->index);
  }
  std::string text =
      where(all.front()->subgroup, -1) + ": not all lanes of the " +
      (isSubgroup ? "subgroup" : "workgroup") + " come to the same place";
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

bool Workgroup::resolve(Subgroup &subgroup) {
  const MeetSite *any = nullptr, *partial = nullptr;
  unsigned alive = 0;
  bool same = true, allWorkgroup = true;
  for (const Lane *lane : subgroup.lanes) {
    if (lane->status == LaneStatus::Ended)
      continue;
    ++alive;
    if (lane->status != LaneStatus::Meeting)
      return false; // Its turn was over.
    const MeetSite *site = lane->site;
    same &= !any || any == site;
    any = site;
    allWorkgroup &= site->scope == spv::Scope::Workgroup;
    if (site->partial && (!partial || site->word < partial->word))
      partial = site;
  }
  if (!alive || allWorkgroup)
    return false;
  const MeetSite *chosen = partial ? partial : any;
  if (!chosen->partial) {
    if (!same || alive != subgroup.lanes.size())
      failMeeting(*chosen, subgroup.lanes, true);
    if (chosen->wholeSubgroup && subgroup.lanes.size() != subgroupSize())
      throw Fault(where(subgroup.lanes[0]->subgroup, -1) + ": " + chosen->what +
                  " needs all " + std::to_string(subgroupSize()) +
                  " lanes of a subgroup, and this one has " +
                  std::to_string(subgroup.lanes.size()) +
                  ", as the workgroup's size is no multiple of it; " +
                  chosen->describe());
  }
  llvm::SmallVector<Lane *, 32> taking;
  for (Lane *lane : subgroup.lanes)
    taking.push_back(lane->status == LaneStatus::Meeting && lane->site == chosen
                         ? lane
                         : nullptr);
  runMeeting(*chosen, taking);
  return true;
}

bool Workgroup::resolveAll() {
  const MeetSite *any = nullptr;
  bool same = true, allBarriers = true, someEnded = false;
  std::vector<Lane *> all;
  for (const Subgroup &subgroup : subgroups) {
    const MeetSite *ofSubgroup = nullptr;
    for (Lane *lane : subgroup.lanes) {
      all.push_back(lane);
      if (lane->status == LaneStatus::Ended) {
        someEnded = true;
        continue;
      }
      if (lane->status != LaneStatus::Meeting ||
          lane->site->scope != spv::Scope::Workgroup)
        return false;
      // Hardware has one instruction for a subgroup.
      if (ofSubgroup && ofSubgroup != lane->site)
        failMeeting(*lane->site, subgroup.lanes, true);
      ofSubgroup = lane->site;
      same &= !any || any == lane->site;
      any = lane->site;
      allBarriers &= lane->site->isBarrier;
    }
  }
  if (!any)
    return false;
  // Hardware does not distinguish barriers; SPIR-V requires the same
  // instruction, which the checker looks for.
  const bool mustBeSame =
      !allBarriers || (launch->checker && launch->checker->checksBarriers());
  if (someEnded || (!same && mustBeSame))
    failMeeting(*any, all, false);
  runMeeting(*any, all);
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
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

/// Where an address is in (or how far from) one of some pieces of memory.
template <typename Pieces>
static std::string describePieces(const Pieces &pieces, int64_t offset,
                                  const char *what) {
  const auto *nearest = pieces.empty() ? nullptr : &pieces.front();
  int64_t best = INT64_MAX;
  for (const auto &piece : pieces) {
    const int64_t begin = piece.offset, end = begin + piece.bytes;
    const int64_t distance = offset < begin  ? begin - offset
                             : offset >= end ? offset - end + 1
                                             : 0;
    if (distance < best) {
      best = distance;
      nearest = &piece;
    }
  }
  if (!nearest)
    return std::string("there is no ") + what;
  const int64_t begin = nearest->offset, end = begin + nearest->bytes;
  return (offset < begin
              ? std::to_string(begin - offset) + " bytes before the start"
          : offset >= end
              ? std::to_string(offset - end) + " bytes behind the end"
              : std::to_string(offset - begin) + " bytes behind the start") +
         " of " + what + " '" + nearest->name + "' of " +
         std::to_string(nearest->bytes) + " bytes";
}

static std::string hexOf(uint64_t address) {
  return "0x" + llvm::utohexstr(address, true);
}

std::string Workgroup::whyNotAccessible(const Lane &lane, const Site &site,
                                        AccessSite::Kind kind,
                                        spv::StorageClass storage,
                                        uint64_t address, uint64_t bytes) {
  auto within = [&](uint64_t offset, uint64_t begin, uint64_t size) {
    // No sums: what begins just before the memory must not wrap around.
    return offset >= begin && offset - begin <= size &&
           bytes <= size - (offset - begin);
  };
  if (storage == spv::StorageClass::Workgroup ||
      (storage == spv::StorageClass::Generic && isSlm(address))) {
    const SpirvKernel &kernel = *launch->kernel;
    const uint64_t offset = address - reinterpret_cast<uint64_t>(slmBase);
    for (const SlmVariable &variable : kernel.slm)
      if (within(offset, variable.offset, variable.bytes))
        return {};
    const uint32_t dynamicAt = dynamicSlmOffset(kernel);
    if (within(offset, dynamicAt, launch->dynamicSlmBytes))
      return {};
    std::vector<SlmVariable> pieces = kernel.slm;
    if (launch->dynamicSlmBytes)
      pieces.push_back({dynamicAt, launch->dynamicSlmBytes, /*alignment=*/1,
                        "(of the size that the launch gives)"});
    return "is outside of shared local memory: " +
           describePieces(pieces, offset, "variable");
  }
  const uint64_t privateOffset =
      address - reinterpret_cast<uint64_t>(lane.privateMemory);
  if (storage == spv::StorageClass::Function ||
      (storage == spv::StorageClass::Generic &&
       privateOffset < lane.privateUsed)) {
    for (const Lane::Frame &frame : llvm::reverse(lane.frames)) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(frame.base);
      for (const FrameLayout::Variable &variable : frame.layout->variables)
        if (within(offset, variable.offset, variable.bytes))
          return {};
    }
    for (const Lane::Frame &frame : llvm::reverse(lane.frames)) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(frame.base);
      if (offset < frame.layout->bytes)
        return "is outside of private memory: " +
               describePieces(frame.layout->variables, offset, "variable");
    }
    return "is outside of the lane's private memory";
  }
  if (storage == spv::StorageClass::Input)
    return within(address - reinterpret_cast<uint64_t>(&lane.ids), 0,
                  sizeof(lane.ids))
               ? std::string()
               : "is outside of the builtin variables";
  if (address >= lastRange.begin && address + bytes <= lastRange.end &&
      address + bytes >= address)
    return {};
  const MemorySnapshot &ranges = *launch->ranges;
  auto next = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](uint64_t a, const MemoryRange &range) { return a < range.begin; });
  if (next != ranges.begin()) {
    const MemoryRange &range = *std::prev(next);
    if (address + bytes <= range.end && address + bytes >= address) {
      if (!range.peer) {
        lastRange = range;
        return {};
      }
      if (range.peer->isAllocated(address, address + bytes))
        return {};
    }
  }
  if (const uint64_t behind =
          kind == AccessSite::Load ? bytesInSlack(ranges, address, bytes) : 0) {
    launch->warnings->add(
        "reads behind the end of a buffer, in the slack, up to", behind,
        "bytes", site.describe());
    return {};
  }
  std::vector<uint64_t> words;
  for (size_t i = 0; i < launch->kernel->arguments.size(); ++i)
    for (uint64_t at = 0; at + 8 <= launch->kernel->arguments[i].bytes; at += 8)
      if (launch->arguments[i]) {
        words.emplace_back();
        std::memcpy(&words.back(),
                    static_cast<const char *>(launch->arguments[i]) + at, 8);
      }
  return "is outside of all buffers: " + launch->memory->describe(address) +
         launch->memory->adviseOnHostMemory(address, words);
}

void Workgroup::checkAccess(Lane &lane, const AccessSite &site,
                            uint64_t address, uint64_t bytes) {
  const char *verb = site.kind == AccessSite::Load    ? "a read"
                     : site.kind == AccessSite::Store ? "a write"
                                                      : "an atomic";
  if (std::string why =
          whyNotAccessible(lane, site, site.kind, site.storage, address, bytes);
      !why.empty())
    fault(lane, site,
          std::string(verb) + " of " + std::to_string(bytes) + " bytes at " +
              hexOf(address) + " " + why);
  // Private memory is as aligned as the compiler of the chip makes it.
  const bool isPrivate =
      address - reinterpret_cast<uint64_t>(lane.privateMemory) <
      lane.privateUsed;
  if (address % site.alignment && !isPrivate)
    fault(lane, site,
          std::string(verb) + " of " + std::to_string(bytes) + " bytes at " +
              hexOf(address) + " is misaligned: the module says that the " +
              "address is a multiple of " + std::to_string(site.alignment));
  if (!isPrivate && site.storage != spv::StorageClass::Function) {
    const bool reads = site.kind == AccessSite::Load;
    counts.add(
        site.kind == AccessSite::Atomic ? LaneCounts::Atomics
        : isSlm(address)
            ? (reads ? LaneCounts::SlmReads : LaneCounts::SlmWrites)
            : (reads ? LaneCounts::GlobalReads : LaneCounts::GlobalWrites),
        bytes);
  }
  if (launch->checker)
    noteAccess(lane, site, site, address, bytes);
}

void Workgroup::noteAccess(const Lane &lane, const Site &site,
                           const AccessSite &memory, uint64_t address,
                           uint64_t bytes) {
  const uint64_t privateOffset =
      address - reinterpret_cast<uint64_t>(lane.privateMemory);
  if (memory.storage == spv::StorageClass::Function ||
      memory.storage == spv::StorageClass::UniformConstant ||
      privateOffset < lane.privateUsed)
    return;
  // Acquire, Release, AcquireRelease, SequentiallyConsistent.
  constexpr uint32_t ordering = 0x2 | 0x4 | 0x8 | 0x10;
  if (memory.kind == AccessSite::Atomic &&
      (static_cast<uint32_t>(memory.semantics) & ordering))
    launch->checker->synchronized();
  launch->checker->access(lane, site, memory.kind, address,
                          isSlm(address)
                              ? address - reinterpret_cast<uint64_t>(slmBase)
                              : ~uint64_t(0),
                          bytes);
}

void Workgroup::checkMeeting(const Lane &lane, const MeetSite &site,
                             uint64_t address, uint64_t bytes) {
  const AccessSite &memory = site.memory;
  if (std::string why = whyNotAccessible(lane, site, memory.kind,
                                         memory.storage, address, bytes);
      !why.empty())
    throw Fault(
        (memory.kind == AccessSite::Store ? "a write of " : "a read of ") +
        std::to_string(bytes) + " bytes at " + hexOf(address) + " " + why);
}
