//===- WorkgroupMemory.cpp - Checks of memory accesses --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/exec/memory/SharedHeap.h"
#include "simulator/spirv/LaneChecker.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"

#include <algorithm>
#include <utility>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

/// Describes the position of an offset relative to the nearest piece of memory.
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
              ? std::to_string(offset - end) + " bytes past the end"
              : std::to_string(offset - begin) + " bytes past the start") +
         " of " + what + " '" + nearest->name + "' of " +
         std::to_string(nearest->bytes) + " bytes";
}

/// Returns whether an access is within a piece of memory. Compares differences,
/// because sums could wrap around.
static bool liesWithin(uint64_t offset, uint64_t bytes, uint64_t begin,
                       uint64_t size) {
  return offset >= begin && offset - begin <= size &&
         bytes <= size - (offset - begin);
}

bool Workgroup::findSlm(uint64_t address, uint64_t bytes,
                        Extent &extent) const {
  const SpirvKernel &kernel = *launch->kernel;
  const uint64_t base = reinterpret_cast<uint64_t>(slmBase);
  auto isIn = [&](uint64_t offset, uint64_t size) {
    extent = {base + offset, size, /*stays=*/true};
    return liesWithin(address - base, bytes, offset, size);
  };
  for (const SlmVariable &variable : kernel.slm)
    if (isIn(variable.offset, variable.bytes))
      return true;
  return isIn(kernel.dynamicSlmOffset(), launch->dynamicSlmBytes);
}

bool Workgroup::findPrivate(const Lane &lane, uint64_t address, uint64_t bytes,
                            Extent &extent) const {
  for (const Lane::Frame &frame : llvm::reverse(lane.frames)) {
    const uint64_t base = reinterpret_cast<uint64_t>(frame.base);
    for (const FrameLayout::Variable &variable : frame.layout->variables)
      if (liesWithin(address - base, bytes, variable.offset, variable.bytes)) {
        extent = {base + variable.offset, variable.bytes,
                  /*stays=*/frame.layout == launch->kernel->frame};
        return true;
      }
  }
  return false;
}

bool Workgroup::findBuffer(uint64_t address, uint64_t bytes, Extent &extent) {
  if (address + bytes < address)
    return false;
  if (address < lastRange.begin || address + bytes > lastRange.end) {
    const MemorySnapshot &ranges = *launch->ranges;
    auto next = std::upper_bound(
        ranges.begin(), ranges.end(), address,
        [](uint64_t a, const MemoryRange &range) { return a < range.begin; });
    if (next == ranges.begin())
      return false;
    const MemoryRange &range = *std::prev(next);
    if (address + bytes > range.end)
      return false;
    if (range.peer)
      return range.peer->isAllocated(address, address + bytes);
    lastRange = range;
  }
  extent = {lastRange.begin, lastRange.end - lastRange.begin, /*stays=*/true};
  return true;
}

Workgroup::Memory Workgroup::memoryOf(const Lane &lane,
                                      spv::StorageClass storage,
                                      uint64_t address) const {
  switch (storage) {
  case spv::StorageClass::Workgroup:
    return Memory::Slm;
  case spv::StorageClass::Function:
    return Memory::Private;
  case spv::StorageClass::Input:
    return Memory::Builtins;
  case spv::StorageClass::Generic:
    return isSlm(address)             ? Memory::Slm
           : isPrivate(lane, address) ? Memory::Private
                                      : Memory::Global;
  default:
    return Memory::Global;
  }
}

bool Workgroup::findExtent(const Lane &lane, Memory memory, uint64_t address,
                           uint64_t bytes, Extent &extent) {
  switch (memory) {
  case Memory::Slm:
    return findSlm(address, bytes, extent);
  case Memory::Private:
    return findPrivate(lane, address, bytes, extent);
  case Memory::Builtins:
    return liesWithin(address, bytes, reinterpret_cast<uint64_t>(&lane.ids),
                      sizeof(lane.ids));
  case Memory::Global:
    return findBuffer(address, bytes, extent);
  }
  return false;
}

/// Adds the hits of a window to the counts.
static void flush(AccessWindow &window, const AccessSite &site,
                  LaneCounts &counts) {
  if (window.row < LaneCounts::Rows)
    counts.addTimes(static_cast<LaneCounts::Row>(window.row), window.hits,
                    window.hits * site.bytes);
  window.hits = 0;
}

void Workgroup::openWindow(const Lane &lane, const AccessSite &site,
                           Memory memory, const Extent &extent, uint32_t row) {
  // Compiled code subtracts the start of private memory from addresses only for
  // pointers in storage class Function.
  const bool isPrivate = memory == Memory::Private;
  if (!extent.stays || launch->checker ||
      isPrivate != (site.storage == spv::StorageClass::Function))
    return;
  AccessWindow &window = windows[site.number];
  if (window.row != row)
    flush(window, site, counts);
  window.begin =
      extent.begin -
      (isPrivate ? reinterpret_cast<uint64_t>(lane.privateMemory) : 0);
  window.count = extent.size - site.bytes + 1;
  window.row = row;
}

LaneCounts Workgroup::takeCounts() {
  for (AccessWindow &window : windows)
    flush(window, (*launch->kernel->accessSites)[&window - windows.data()],
          counts);
  return std::exchange(counts, LaneCounts());
}

std::string Workgroup::whyNotAccessible(const Lane &lane, const Site &site,
                                        AccessSite::Kind kind, Memory memory,
                                        uint64_t address, uint64_t bytes) {
  switch (memory) {
  case Memory::Slm: {
    std::vector<SlmVariable> pieces = launch->kernel->slm;
    if (launch->dynamicSlmBytes)
      pieces.push_back({launch->kernel->dynamicSlmOffset(),
                        launch->dynamicSlmBytes, /*alignment=*/1,
                        "(of the size that the launch gives)"});
    return "is outside of shared local memory: " +
           describePieces(pieces, address - reinterpret_cast<uint64_t>(slmBase),
                          "variable");
  }
  case Memory::Private:
    for (const Lane::Frame &frame : llvm::reverse(lane.frames)) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(frame.base);
      if (offset < frame.layout->bytes)
        return "is outside of private memory: " +
               describePieces(frame.layout->variables, offset, "variable");
    }
    return "is outside the lane's private memory";
  case Memory::Builtins:
    return "is outside of the builtin variables";
  case Memory::Global:
    break;
  }
  if (const uint64_t behind =
          kind == AccessSite::Load
              ? bytesInSlack(*launch->ranges, address, bytes)
              : 0) {
    launch->warnings->add("reads past the end of a buffer, in the slack, up to",
                          behind, "bytes", site.describe());
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
  if (std::string where = launch->memory->describeUnmapped(address);
      !where.empty())
    return "is " + where;
  return "is outside of all buffers: " + launch->memory->describe(address) +
         launch->memory->adviseOnHostMemory(address, words);
}

/// Returns a text such as "a read of 4 bytes at 0x10".
static std::string describeAccess(AccessSite::Kind kind, uint64_t address,
                                  uint64_t bytes) {
  const char *verb = kind == AccessSite::Load    ? "a read"
                     : kind == AccessSite::Store ? "a write"
                                                 : "an atomic";
  return std::string(verb) + " of " + std::to_string(bytes) + " bytes at 0x" +
         llvm::utohexstr(address, true);
}

void Workgroup::checkAccess(Lane &lane, const AccessSite &site,
                            uint64_t address, uint64_t bytes) {
  const Memory memory = memoryOf(lane, site.storage, address);
  Extent extent;
  if (LLVM_UNLIKELY(!findExtent(lane, memory, address, bytes, extent)))
    if (std::string why =
            whyNotAccessible(lane, site, site.kind, memory, address, bytes);
        !why.empty())
      fault(lane, site, describeAccess(site.kind, address, bytes) + " " + why);
  // The chip's compiler determines the alignment of private memory.
  const bool isOwn = isPrivate(lane, address);
  if (LLVM_UNLIKELY(address % site.alignment != 0) && !isOwn)
    fault(lane, site,
          describeAccess(site.kind, address, bytes) +
              " is misaligned: the module says that the " +
              "address is a multiple of " + std::to_string(site.alignment));
  uint32_t row = LaneCounts::Rows; // Private memory is not counted.
  if (!isOwn && site.storage != spv::StorageClass::Function) {
    const bool reads = site.kind == AccessSite::Load;
    const LaneCounts::Row counted =
        site.kind == AccessSite::Atomic ? LaneCounts::Atomics
        : isSlm(address)
            ? (reads ? LaneCounts::SlmReads : LaneCounts::SlmWrites)
            : (reads ? LaneCounts::GlobalReads : LaneCounts::GlobalWrites);
    counts.add(counted, bytes);
    row = counted;
  }
  if (launch->checker)
    noteAccess(lane, site, site, address, bytes);
  if (bytes == site.bytes)
    openWindow(lane, site, memory, extent, row);
}

void Workgroup::noteAccess(const Lane &lane, const Site &site,
                           const AccessSite &memory, uint64_t address,
                           uint64_t bytes) {
  if (memory.storage == spv::StorageClass::Function ||
      memory.storage == spv::StorageClass::UniformConstant ||
      isPrivate(lane, address))
    return;
  // These are Acquire, Release, AcquireRelease and SequentiallyConsistent.
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

void Workgroup::checkConvergence(const Lane &lane, const CollectiveSite &site,
                                 uint64_t address, uint64_t bytes) {
  const AccessSite &access = site.memory;
  const Memory memory = memoryOf(lane, access.storage, address);
  Extent extent;
  if (findExtent(lane, memory, address, bytes, extent))
    return;
  if (std::string why =
          whyNotAccessible(lane, site, access.kind, memory, address, bytes);
      !why.empty())
    throw Fault(describeAccess(access.kind, address, bytes) + " " + why);
}
