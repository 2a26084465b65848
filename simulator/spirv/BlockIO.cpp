//===- BlockIO.cpp - Blocks of memory for a subgroup ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2-D blocks: a surface is `height` rows of `width` bytes, `pitch` bytes apart.
// The rules for it are those of the hardware's block messages, which does not
// check them (OpenCL extension cl_intel_subgroup_2d_block_io, "Restrictions").
// What lies outside of the surface is read as zero and not written.
//
// Elements of a block follow each other row by row through the registers: the
// n-th one of a private array is for lane n mod 16, in element n / 16 of its
// array. Transformed: 32 bits hold the elements of 2 or 4 rows in one column.
// Transposed: columns follow each other in place of rows.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/spirv/Meeting.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/StringExtras.h"

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

struct Surface {
  uint64_t base = 0;
  int64_t width = 0, height = 0, pitch = 0; ///< Bytes, rows, bytes.
};

/// The rules; each with what is wrong when it does not hold.
void checkSurface(const Meeting &meeting, const Surface &s,
                  const BlockShape &block, int64_t x) {
  const LaunchContext &launch = *meeting.group.launch;
  auto demand = [](bool holds, const std::string &what) {
    if (!holds)
      throw Fault(what);
  };
  constexpr int64_t kMost = int64_t(1) << 24;
  const int64_t unit = std::max<int64_t>(4, block.elementBytes);
  demand(s.base % 64 == 0, "the surface's base 0x" +
                               llvm::utohexstr(s.base, true) +
                               " is not aligned to 64 bytes");
  // Hardware takes narrower surfaces for wider ones, or reads nothing: it
  // depends on the chip.
  auto demandWide = [&](int64_t bytes, const std::string &what) {
    if (bytes >= 64)
      return;
    if (!launch.lenientSurfaces || bytes <= 0)
      throw Fault("the surface's " + what + " is " + std::to_string(bytes) +
                  " bytes, and must be 64 at least" +
                  (bytes > 0 ? "; --surfaces=lenient (AIRCC_SIM_SURFACES) "
                               "takes it with a warning"
                             : ""));
    launch.warnings->add("a surface of 2-D blocks whose " + what +
                             " is less than 64 bytes:",
                         bytes, "bytes", meeting.site.describe());
  };
  demandWide(s.width, "width");
  demand(s.width <= kMost, "the surface's width of " + std::to_string(s.width) +
                               " bytes is more than 2^24");
  demand(s.width % unit == 0,
         "the surface's width of " + std::to_string(s.width) +
             " bytes is no multiple of " + std::to_string(unit));
  demand(s.height >= 1 && s.height <= kMost,
         "the surface's height is " + std::to_string(s.height) +
             ", and must be between 1 and 2^24");
  demandWide(s.pitch, "pitch");
  demand(s.pitch <= kMost, "the surface's pitch of " + std::to_string(s.pitch) +
                               " bytes is more than 2^24");
  demand(s.pitch % 16 == 0, "the surface's pitch of " +
                                std::to_string(s.pitch) +
                                " bytes is no multiple of 16");
  demand(s.pitch >= s.width,
         "the surface's pitch of " + std::to_string(s.pitch) +
             " bytes is less than its width of " + std::to_string(s.width));
  demand(x * block.elementBytes % 4 == 0,
         "the block begins in column " + std::to_string(x) + ", at byte " +
             std::to_string(x * block.elementBytes) +
             ", which is no multiple of 4");
}

/// Where an element of the block is in the lanes' private arrays: bytes in the
/// sequence of all lanes' elements.
uint64_t placeOf(const BlockShape &block, unsigned part, unsigned row,
                 unsigned column) {
  const uint64_t line = 16 * block.registerBytes;
  const uint64_t bytes = block.elementBytes;
  const uint64_t partBytes =
      (uint64_t(block.rows) * block.columns * bytes + line - 1) / line * line;
  uint64_t place = part * partBytes;
  switch (block.kind) {
  case BlockShape::Transform: {
    const unsigned rowsOfWord = 4 / block.elementBytes;
    return place + (uint64_t(row / rowsOfWord) * block.columns + column) * 4 +
           row % rowsOfWord * bytes;
  }
  case BlockShape::Transpose:
    return place + (uint64_t(column) * block.rows + row) * bytes;
  default:
    return place + (uint64_t(row) * block.columns + column) * bytes;
  }
}

} // namespace

void aircc::sim::spirv::runBlock2D(Meeting &meeting) {
  const MeetSite &site = meeting.site;
  const BlockShape &block = site.block;
  const Lane *first = meeting.first();
  // The message is one for the subgroup: all lanes must mean the same.
  static const char *const names[] = {"base", "width", "height", "pitch",
                                      "coordinates"};
  for (unsigned n = 0; n < 5; ++n)
    for (const Lane *lane : meeting.lanes)
      if (std::memcmp(meeting.operand(lane, n), meeting.operand(first, n),
                      site.operands[n].bytes))
        throw Fault(std::string("the block's ") + names[n] +
                        " must be the same in all lanes, and lane " +
                        std::to_string(lane->index) +
                        " has another one than "
                        "lane 0",
                    static_cast<int>(lane->index));
  Surface s;
  s.base = meeting.read<uint64_t>(first, 0);
  s.width = meeting.read<int32_t>(first, 1);
  s.height = meeting.read<int32_t>(first, 2);
  s.pitch = meeting.read<int32_t>(first, 3);
  int32_t at[2];
  std::memcpy(at, meeting.operand(first, 4), sizeof(at));
  const int64_t x = at[0], y = at[1];
  checkSurface(meeting, s, block, x);
  LaneCounts &counts = meeting.group.counts;
  const LaneCounts::Row counted =
      block.kind == BlockShape::Prefetch ? LaneCounts::BlockPrefetches
      : block.kind == BlockShape::Write  ? LaneCounts::BlockWrites
                                         : LaneCounts::BlockReads;
  counts.add(counted);
  if (block.kind == BlockShape::Prefetch)
    return;

  const bool isWrite = block.kind == BlockShape::Write;
  const unsigned bytes = block.elementBytes;
  uint8_t *privates[32] = {};
  for (const Lane *lane : meeting.lanes)
    privates[lane->index] =
        reinterpret_cast<uint8_t *>(meeting.read<uint64_t>(lane, 5));
  const unsigned unit = block.registerBytes;
  if (!isWrite)
    for (const Lane *lane : meeting.lanes)
      std::memset(privates[lane->index], 0, block.registers() * unit);

  for (unsigned row = 0; row < block.rows; ++row) {
    const int64_t r = y + row;
    if (r < 0 || r >= s.height)
      continue;
    // The part of the row that is on the surface, as one access.
    const int64_t begin = std::max<int64_t>(0, x * bytes);
    const int64_t end = std::min<int64_t>(
        s.width, (x + int64_t(block.columns) * block.blocks) * bytes);
    if (begin >= end)
      continue;
    const uint64_t rowBase = s.base + r * s.pitch;
    meeting.group.checkMeeting(*first, site, rowBase + begin, end - begin);
    counts.addAmount(counted, end - begin);
    for (unsigned part = 0; part < block.blocks; ++part)
      for (unsigned column = 0; column < block.columns; ++column) {
        const int64_t c = (x + int64_t(part) * block.columns + column) * bytes;
        if (c < 0 || c + bytes > s.width)
          continue;
        const uint64_t place = placeOf(block, part, row, column);
        const uint64_t element = place / unit;
        uint8_t *lane =
            privates[element % 16] + element / 16 * unit + place % unit;
        auto *memory = reinterpret_cast<uint8_t *>(rowBase + c);
        if (isWrite)
          std::memcpy(memory, lane, bytes);
        else
          std::memcpy(lane, memory, bytes);
      }
  }
}

/// Element n of lane l is at n * lanes + l.
void aircc::sim::spirv::runBlockLinear(Meeting &meeting) {
  const MeetSite &site = meeting.site;
  const Lane *first = meeting.first();
  const uint64_t base = meeting.read<uint64_t>(first, 0);
  for (const Lane *lane : meeting.lanes)
    if (meeting.read<uint64_t>(lane, 0) != base)
      throw Fault(
          "the block's address must be the same in all lanes, and lane " +
              std::to_string(lane->index) + " has another one than lane 0",
          static_cast<int>(lane->index));
  const bool isWrite = site.memory.kind == AccessSite::Store;
  const unsigned bytes = site.elementBits / 8;
  // cl_intel_subgroups: reads want 4 bytes, writes 16.
  const unsigned alignment = isWrite ? 16 : std::max(4u, bytes);
  if (base % alignment)
    throw Fault("the block's address 0x" + llvm::utohexstr(base, true) +
                " is not aligned to " + std::to_string(alignment) + " bytes");
  const size_t lanes = meeting.lanes.size();
  meeting.group.checkMeeting(*first, site, base,
                             uint64_t(bytes) * site.elements * lanes);
  meeting.group.counts.add(isWrite ? LaneCounts::LinearWrites
                                   : LaneCounts::LinearReads,
                           uint64_t(bytes) * site.elements * lanes);
  for (unsigned n = 0; n < site.elements; ++n)
    for (Lane *lane : meeting.lanes) {
      auto *memory = reinterpret_cast<uint8_t *>(
          base + (uint64_t(n) * lanes + lane->index) * bytes);
      if (isWrite)
        std::memcpy(memory, meeting.operand(lane, 1) + n * bytes, bytes);
      else
        std::memcpy(meeting.result(lane) + n * bytes, memory, bytes);
    }
}
