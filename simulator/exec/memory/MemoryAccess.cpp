//===- MemoryAccess.cpp - Checked access to global memory -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/memory/MemoryAccess.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/Hostcall.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/exec/memory/SharedHeap.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>

using namespace aircc::sim;

static const MemoryRange *findRange(const MemorySnapshot &ranges,
                                    uint64_t address) {
  auto it = std::upper_bound(
      ranges.begin(), ranges.end(), address,
      [](uint64_t a, const MemoryRange &range) { return a < range.begin; });
  if (it == ranges.begin())
    return nullptr;
  --it;
  return address < it->end ? &*it : nullptr;
}

bool aircc::sim::isAccessible(Wave &wave, const Op &op, uint64_t begin,
                              uint64_t end) {
  Wave::RangeCache &cache =
      wave.ranges[(reinterpret_cast<uintptr_t>(&op) / sizeof(Op)) & 15];
  if (begin >= cache.begin && end <= cache.end)
    return true;
  if (end < begin)
    return false;
  const HostcallBuffer *own = wave.group->hostcalls;
  if (own && begin >= own->begin() && end <= own->end()) {
    cache.begin = own->begin();
    cache.end = own->end();
    return true;
  }
  const MemoryRange *range = findRange(*wave.launch->ranges, begin);
  if (!range) {
    // Include memory allocated while the kernel runs.
    std::shared_ptr<const MemorySnapshot> fresh =
        wave.launch->memory->snapshot();
    const MemoryRange *found = findRange(*fresh, begin);
    return found && end <= found->end;
  }
  if (end > range->end)
    return false;
  // Do not cache this, because the peer may free its memory.
  if (range->peer)
    return range->peer->isAllocated(begin, end);
  cache.begin = range->begin;
  cache.end = range->end;
  return true;
}

unsigned aircc::sim::dwordBytesInside(Wave &wave, const Op &op,
                                      uint64_t address) {
  if (address % 4)
    return 0;
  unsigned inside = 4;
  while (inside && !isAccessible(wave, op, address, address + inside))
    --inside;
  return inside;
}

bool aircc::sim::isReadable(Wave &wave, const Op &op, uint64_t address,
                            unsigned bytes) {
  if (isAccessible(wave, op, address, address + bytes) ||
      (bytes == 4 && dwordBytesInside(wave, op, address)))
    return true;
  const uint64_t behind = bytesInSlack(*wave.launch->ranges, address, bytes);
  if (!behind)
    return false;
  wave.launch->warnings->add(
      "reads past the end of a buffer, in the slack, up to", behind, "bytes",
      describePlace(*wave.launch, op));
  return true;
}

/// For an access near address 0, describes the arguments that the compiler adds
/// for services of HIP and that are null on the simulated device.
static std::string describeNull(const Wave &wave, uint64_t address) {
  // This is larger than any object to which these pointers point.
  constexpr uint64_t kNearNull = 1 << 16;
  std::string names;
  if (address < kNearNull)
    for (const KernelArg &arg : wave.launch->kernel->args)
      for (const char *kind : {"hidden_printf_buffer", "hidden_default_queue",
                               "hidden_completion_action",
                               "hidden_multigrid_sync_arg", "hidden_heap_v1"})
        if (arg.valueKind == kind)
          names += (names.empty() ? "" : ", ") + arg.valueKind;
  return names.empty() ? names
                       : "; arguments of the kernel that are null on the "
                         "simulated device: " +
                             names;
}

/// Returns the kernarg segment, eight bytes at a time.
static std::vector<uint64_t> argumentWords(const LaunchState &launch) {
  std::vector<uint64_t> words(launch.kernel->kernargBytes / 8);
  std::memcpy(words.data(), reinterpret_cast<const void *>(launch.kernarg),
              words.size() * 8);
  return words;
}

void aircc::sim::faultAccess(Wave &wave, const Op &, uint64_t address,
                             unsigned bytes, bool isWrite, int lane) {
  const std::string what = std::string(isWrite ? "write" : "read") + " of " +
                           std::to_string(bytes) + " bytes at 0x" +
                           llvm::utohexstr(address, /*LowerCase=*/true);
  if (std::string where = wave.launch->memory->describeUnmapped(address);
      !where.empty())
    throw Fault(what + " " + where, lane);
  throw Fault(what + " outside of any allocation (" +
                  wave.launch->memory->describe(address) + ")" +
                  wave.launch->memory->adviseOnHostMemory(
                      address, argumentWords(*wave.launch)) +
                  describeNull(wave, address),
              lane);
}

void aircc::sim::faultLds(Wave &wave, const Op &, uint64_t address,
                          unsigned bytes, bool isWrite, int lane) {
  throw Fault(std::string(isWrite ? "write" : "read") + " of " +
                  std::to_string(bytes) + " bytes at LDS address 0x" +
                  llvm::utohexstr(address, /*LowerCase=*/true) +
                  ", outside of the workgroup's " +
                  std::to_string(wave.group->lds.size()) + " bytes of LDS",
              lane);
}

uint8_t *aircc::sim::ldsAt(Wave &wave, const Op &op, uint64_t address,
                           unsigned bytes, bool isWrite, int lane) {
  if (address + bytes > wave.group->lds.size())
    faultLds(wave, op, address, bytes, isWrite, lane);
  return wave.group->lds.data() + address;
}

void aircc::sim::checkAccess(Wave &wave, const Op &op, uint64_t address,
                             unsigned bytes, bool isWrite, int lane) {
  if (isWrite ? !isAccessible(wave, op, address, address + bytes)
              : !isReadable(wave, op, address, bytes))
    faultAccess(wave, op, address, bytes, isWrite, lane);
}

void aircc::sim::accessDword(Wave &wave, const Op &op, uint64_t address,
                             uint32_t *row, bool isWrite, unsigned lane) {
  checkAccess(wave, op, address, 4, isWrite, lane);
  void *memory = reinterpret_cast<void *>(address);
  std::memcpy(isWrite ? memory : row + lane, isWrite ? row + lane : memory, 4);
}

void aircc::sim::checkLanes(Wave &wave, const Op &op, const uint64_t *addresses,
                            uint64_t exec, unsigned bytes, bool isWrite) {
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    checkAccess(wave, op, addresses[lane], bytes, isWrite, lane);
  }
}

void aircc::sim::completeLdsDma(Wave &wave, uint64_t outstanding) {
  size_t landed = 0;
  for (const PendingLds &pending : wave.pendingLds) {
    if (pending.sequence + outstanding > wave.vmemIssued)
      break;
    std::memcpy(wave.group->lds.data() + pending.ldsAddress,
                wave.pendingData.data() + pending.data, pending.bytes);
    ++landed;
  }
  if (landed == wave.pendingLds.size()) {
    wave.pendingLds.clear();
    wave.pendingData.clear();
    return;
  }
  const size_t removed = wave.pendingLds[landed].data;
  wave.pendingLds.erase(wave.pendingLds.begin(),
                        wave.pendingLds.begin() + landed);
  wave.pendingData.erase(wave.pendingData.begin(),
                         wave.pendingData.begin() + removed);
  for (PendingLds &pending : wave.pendingLds)
    pending.data -= removed;
}

void aircc::sim::issueLds(Wave &wave, const Op &op, uint32_t ldsAddress,
                          const void *data, unsigned bytes, unsigned laneBytes,
                          int lane) {
  const size_t size = wave.group->lds.size();
  if (static_cast<uint64_t>(ldsAddress) + bytes > size) {
    // Find the first lane that is out of range.
    for (uint64_t at = ldsAddress; at + laneBytes <= size; at += laneBytes)
      ++lane;
    const uint64_t inside = ldsAddress > size ? 0 : (size - ldsAddress);
    faultLds(wave, op, ldsAddress + inside / laneBytes * laneBytes, laneBytes,
             true, lane);
  }
  if (wave.launch->inStep) {
    std::memcpy(wave.group->lds.data() + ldsAddress, data, bytes);
    return;
  }
  wave.pendingLds.push_back(
      {wave.vmemIssued, ldsAddress, bytes, wave.pendingData.size()});
  const uint8_t *from = static_cast<const uint8_t *>(data);
  wave.pendingData.insert(wave.pendingData.end(), from, from + bytes);
}

void aircc::sim::loadLane(const MemoryFormat &format, const void *from,
                          uint32_t *row, unsigned lane) {
  if (format.kind == MemoryFormat::Dwords) {
    for (unsigned k = 0; k < format.bytes / 4u; ++k)
      std::memcpy(&row[k * kRowLanes + lane],
                  static_cast<const char *>(from) + 4 * k, 4);
    return;
  }
  uint32_t value = 0;
  std::memcpy(&value, from, format.bytes);
  bool sext = format.kind == MemoryFormat::Sext ||
              format.kind == MemoryFormat::D16Sext ||
              format.kind == MemoryFormat::D16HiSext;
  if (sext)
    value = format.bytes == 1
                ? static_cast<uint32_t>(
                      static_cast<int32_t>(static_cast<int8_t>(value)))
                : static_cast<uint32_t>(
                      static_cast<int32_t>(static_cast<int16_t>(value)));
  switch (format.kind) {
  case MemoryFormat::D16:
  case MemoryFormat::D16Sext:
    row[lane] = (row[lane] & 0xffff0000) | (value & 0xffff);
    return;
  case MemoryFormat::D16Hi:
  case MemoryFormat::D16HiSext:
    row[lane] = (row[lane] & 0xffff) | value << 16;
    return;
  default:
    row[lane] = value;
    return;
  }
}

void aircc::sim::storeLane(const MemoryFormat &format, void *to,
                           const uint32_t *row, unsigned lane) {
  if (format.kind == MemoryFormat::Dwords) {
    for (unsigned k = 0; k < format.bytes / 4u; ++k)
      std::memcpy(static_cast<char *>(to) + 4 * k, &row[k * kRowLanes + lane],
                  4);
    return;
  }
  uint32_t value = row[lane];
  if (format.kind == MemoryFormat::D16Hi)
    value >>= 16;
  std::memcpy(to, &value, format.bytes);
}

void aircc::sim::issueLdsLoad(Wave &wave, const Op &op,
                              const MemoryFormat &format, const void *from,
                              uint32_t base, unsigned lane) {
  const unsigned size = ldsDmaBytes(format);
  uint32_t values[4] = {0, 0, 0, 0};
  if (format.kind == MemoryFormat::Dwords)
    std::memcpy(values, from, size);
  else
    loadLane(format, from, values, 0);
  issueLds(wave, op, base + lane * size, values, size, size, lane);
}

void aircc::sim::issueLdsRow(Wave &wave, const Op &op,
                             const MemoryFormat &format, uint64_t exec,
                             uint32_t base) {
  const unsigned size = ldsDmaBytes(format);
  alignas(64) uint8_t data[kRowLanes * 16];
  if (format.kind != MemoryFormat::Dwords || (exec & (exec + 1)) != 0) {
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      issueLdsLoad(wave, op, format,
                   reinterpret_cast<const void *>(wave.addresses[lane]), base,
                   lane);
    }
    return;
  }
  // These are the first `lanes` lanes, which are contiguous in LDS.
  const unsigned lanes = llvm::popcount(exec);
  if (size == 4)
    wave.level->gather(wave.addresses, exec, 1,
                       reinterpret_cast<uint32_t *>(data));
  else
    for (unsigned lane = 0; lane < lanes; ++lane)
      std::memcpy(data + lane * size,
                  reinterpret_cast<const void *>(wave.addresses[lane]), size);
  issueLds(wave, op, base, data, lanes * size, size, 0);
}
