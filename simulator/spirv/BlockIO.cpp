//===- BlockIO.cpp - Block reads and writes of a subgroup -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A surface of 2-D blocks has `height` rows of `width` bytes, which are `pitch`
// bytes apart. The restrictions on surfaces are those of the OpenCL extension
// cl_intel_subgroup_2d_block_io ("Restrictions"); the hardware does not check
// them. Elements outside the surface are read as zero and not written.
//
// The elements of a block are distributed to lanes row by row: element n
// belongs to lane n mod 16, in element n / 16 of its private array. In
// transformed blocks, 32 bits contain the elements of 2 or 4 rows in one
// column. In transposed blocks, the elements are distributed column by column.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchWarnings.h"
#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/LaneTranspose.h"
#include "simulator/spirv/Workgroup.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace aircc::sim;
using namespace aircc::sim::spirv;

namespace {

struct Surface {
  uint64_t base = 0;
  int64_t width = 0, height = 0, pitch = 0; ///< In bytes, rows and bytes.
};

/// Some chips access narrower surfaces as if they were wider; others read
/// nothing.
void checkMinimum(const Convergence &convergence, int64_t bytes,
                  const char *what) {
  const LaunchContext &launch = *convergence.group.launch;
  if (bytes >= 64)
    return;
  if (!launch.lenientSurfaces || bytes <= 0)
    throw Fault(std::string("the surface's ") + what + " is " +
                std::to_string(bytes) + " bytes, but must be at least 64" +
                (bytes > 0 ? "; --surfaces=lenient (AIRCC_SIM_SURFACES) "
                             "accepts it with a warning"
                           : ""));
  launch.warnings->add(std::string("a surface of 2-D blocks whose ") + what +
                           " is less than 64 bytes:",
                       bytes, "bytes", convergence.site.describe());
}

/// Fails if the surface violates a restriction.
void checkSurface(const Convergence &convergence, const Surface &s,
                  const BlockShape &block, int64_t x) {
  // Build a message only if the restriction is violated.
  auto demand = [](bool holds, auto what) {
    if (!holds)
      throw Fault(what());
  };
  constexpr int64_t kMost = int64_t(1) << 24;
  const int64_t unit = std::max<int64_t>(4, block.elementBytes);
  demand(s.base % 64 == 0, [&] {
    return "the surface's base 0x" + llvm::utohexstr(s.base, true) +
           " is not aligned to 64 bytes";
  });
  checkMinimum(convergence, s.width, "width");
  demand(s.width <= kMost, [&] {
    return "the surface's width of " + std::to_string(s.width) +
           " bytes is more than 2^24";
  });
  demand(s.width % unit == 0, [&] {
    return "the surface's width of " + std::to_string(s.width) +
           " bytes is not a multiple of " + std::to_string(unit);
  });
  demand(s.height >= 1 && s.height <= kMost, [&] {
    return "the surface's height is " + std::to_string(s.height) +
           ", but must be between 1 and 2^24";
  });
  checkMinimum(convergence, s.pitch, "pitch");
  demand(s.pitch <= kMost, [&] {
    return "the surface's pitch of " + std::to_string(s.pitch) +
           " bytes is more than 2^24";
  });
  demand(s.pitch % 16 == 0, [&] {
    return "the surface's pitch of " + std::to_string(s.pitch) +
           " bytes is not a multiple of 16";
  });
  demand(s.pitch >= s.width, [&] {
    return "the surface's pitch of " + std::to_string(s.pitch) +
           " bytes is less than its width of " + std::to_string(s.width);
  });
  demand(x * block.elementBytes % 4 == 0, [&] {
    return "the block begins in column " + std::to_string(x) + ", at byte " +
           std::to_string(x * block.elementBytes) +
           ", which is not a multiple of 4";
  });
}

/// The position of the block on the surface.
struct Window {
  Surface surface;
  int64_t x = 0, y = 0; ///< In elements and rows.
};

/// The bytes of a row of the block that are on the surface, relative to the
/// surface's left edge. Empty if begin >= end.
struct Span {
  int64_t begin = 0, end = 0;
};
Span spanOf(const Window &window, const BlockShape &block) {
  const int64_t bytes = block.elementBytes;
  return {std::max<int64_t>(0, window.x * bytes),
          std::min<int64_t>(window.surface.width,
                            (window.x + int64_t(block.columns) * block.blocks) *
                                bytes)};
}

/// Returns the size of one of the block's parts in all lanes' arrays. Each part
/// begins with a new array element.
unsigned partBytes(const BlockShape &block) {
  return llvm::alignTo(block.rows * block.columns * block.elementBytes,
                       kBlockLanes * block.registerBytes);
}

/// The largest row and the largest block: four parts of 32 rows of 16 bytes, or
/// two of 32.
constexpr unsigned kMaxRowBytes = 64, kMaxRows = 32;
constexpr unsigned kMaxBlockBytes = kMaxRowBytes * kMaxRows;

unsigned rowBytes(const BlockShape &block) {
  return block.columns * block.blocks * block.elementBytes;
}

/// Reads the rows of all parts of the block. Elements outside the surface are
/// zero.
void readRows(const Window &window, const BlockShape &block, unsigned firstRow,
              unsigned endRow, uint8_t *rows) {
  const Span span = spanOf(window, block);
  const unsigned bytes = rowBytes(block);
  const int64_t first = window.x * int64_t(block.elementBytes);
  const bool isWhole = firstRow == 0 && endRow == block.rows &&
                       span.end - span.begin == int64_t(bytes);
  if (!isWhole)
    std::memset(rows, 0, size_t(block.rows) * bytes);
  for (unsigned row = firstRow; row < endRow; ++row) {
    const auto *memory = reinterpret_cast<const uint8_t *>(
        window.surface.base + (window.y + row) * window.surface.pitch);
    copySmall(rows + row * bytes + (span.begin - first), memory + span.begin,
              static_cast<size_t>(span.end - span.begin));
  }
}

/// Converts rows to the sequence of all lanes' elements (LaneTranspose.h), one
/// part after the other.
void splitParts(const BlockShape &block, const uint8_t *rows,
                uint8_t *sequence) {
  const unsigned bytes = rowBytes(block), ofPart = partBytes(block);
  const unsigned width = bytes / block.blocks;
  if (ofPart != block.rows * width)
    std::memset(sequence, 0, size_t(ofPart) * block.blocks);
  for (unsigned part = 0; part < block.blocks; ++part)
    for (unsigned row = 0; row < block.rows; ++row)
      copySmall(sequence + part * ofPart + row * width,
                rows + row * bytes + part * width, width);
}

/// Does the same as splitParts() for transformed blocks, where 32 bits contain
/// the elements of several rows.
template <typename T>
void splitTransformed(const BlockShape &block, const uint8_t *rows,
                      uint8_t *sequence) {
  constexpr unsigned together = 4 / sizeof(T), columns = 16;
  const unsigned bytes = rowBytes(block);
  for (unsigned part = 0; part < block.blocks; ++part)
    for (unsigned row = 0; row < block.rows; row += together) {
      T elements[together][columns];
      for (unsigned n = 0; n < together; ++n)
        std::memcpy(elements[n],
                    rows + (row + n) * bytes + part * columns * sizeof(T),
                    sizeof(elements[n]));
      uint32_t words[columns] = {};
      for (unsigned column = 0; column < columns; ++column)
        for (unsigned n = 0; n < together; ++n)
          words[column] |= uint32_t(elements[n][column]) << (8 * sizeof(T) * n);
      std::memcpy(sequence, words, sizeof(words));
      sequence += sizeof(words);
    }
}

/// Distributes a transposed block. Lane n gets row n and, if there are more
/// than 16 rows, row 16 + n. For each column, its array has the elements of
/// both.
void scatterTransposed(const BlockShape &block, const uint8_t *rows,
                       uint8_t *const (&lanes)[kBlockLanes]) {
  constexpr unsigned columns = 8;
  const unsigned of16 = block.rows / kBlockLanes;
  for (unsigned lane = 0; lane < kBlockLanes; ++lane)
    for (unsigned n = 0; n < of16; ++n) {
      uint32_t row[columns];
      std::memcpy(row, rows + (n * kBlockLanes + lane) * sizeof(row),
                  sizeof(row));
      if (of16 == 1)
        std::memcpy(lanes[lane], row, sizeof(row));
      else
        for (unsigned column = 0; column < columns; ++column)
          std::memcpy(lanes[lane] + (column * of16 + n) * 4, &row[column], 4);
    }
}

void writeRow(const Window &window, const BlockShape &block, const Span &span,
              unsigned row, const uint8_t *sequence) {
  // Written blocks have one part, and its rows are consecutive.
  const uint64_t bytes = uint64_t(block.columns) * block.elementBytes;
  auto *memory = reinterpret_cast<uint8_t *>(
      window.surface.base + (window.y + row) * window.surface.pitch);
  std::memcpy(memory + span.begin,
              sequence + row * bytes +
                  (span.begin - window.x * int64_t(block.elementBytes)),
              static_cast<size_t>(span.end - span.begin));
}

/// A lane's operands that describe the block, with the types of the builtin's
/// parameters.
struct BlockOperands {
  uint64_t base = 0;
  uint32_t width = 0, height = 0, pitch = 0;
  int32_t at[2] = {};

  BlockOperands(const Convergence &convergence, const Lane *lane) {
    std::memcpy(&base, convergence.operand(lane, 0), sizeof(base));
    std::memcpy(&width, convergence.operand(lane, 1), sizeof(width));
    std::memcpy(&height, convergence.operand(lane, 2), sizeof(height));
    std::memcpy(&pitch, convergence.operand(lane, 3), sizeof(pitch));
    std::memcpy(at, convergence.operand(lane, 4), sizeof(at));
  }
  /// Returns the name of the first operand that differs, or null.
  const char *differenceTo(const BlockOperands &o) const {
    return base != o.base                         ? "base"
           : width != o.width                     ? "width"
           : height != o.height                   ? "height"
           : pitch != o.pitch                     ? "pitch"
           : at[0] != o.at[0] || at[1] != o.at[1] ? "coordinates"
                                                  : nullptr;
  }
};

/// Reads the operands, which must be the same in all lanes because the hardware
/// executes one block message for the subgroup.
Window readWindow(const Convergence &convergence) {
  const BlockOperands first(convergence, convergence.first());
  for (const Lane *lane : convergence.lanes)
    if (const char *what = BlockOperands(convergence, lane).differenceTo(first))
      throw Fault(std::string("the block's ") + what +
                      " must be the same in all lanes, but lane " +
                      std::to_string(lane->index) + " differs from lane 0",
                  static_cast<int>(lane->index));
  auto number = [](uint32_t v) { return static_cast<int32_t>(v); };
  return {{first.base, number(first.width), number(first.height),
           number(first.pitch)},
          first.at[0],
          first.at[1]};
}

void scatterToLanes(const BlockShape &block, const uint8_t *sequence,
                    uint8_t *const (&lanes)[kBlockLanes]) {
  switch (block.registerBytes) {
  case 1:
    return toLanes<uint8_t>(sequence, block.registers(), lanes);
  case 2:
    return toLanes<uint16_t>(sequence, block.registers(), lanes);
  default:
    return toLanes<uint32_t>(sequence, block.registers(), lanes);
  }
}

void gatherFromLanes(const BlockShape &block, uint8_t *sequence,
                     uint8_t *const (&lanes)[kBlockLanes]) {
  switch (block.registerBytes) {
  case 1:
    return fromLanes<uint8_t>(sequence, block.registers(), lanes);
  case 2:
    return fromLanes<uint16_t>(sequence, block.registers(), lanes);
  default:
    return fromLanes<uint32_t>(sequence, block.registers(), lanes);
  }
}

} // namespace

void aircc::sim::spirv::runBlock2D(Convergence &convergence) {
  const CollectiveSite &site = convergence.site;
  const BlockShape &block = site.block;
  if (convergence.lanes.size() != kBlockLanes)
    throw Fault("the subgroup has " + std::to_string(convergence.lanes.size()) +
                " lanes, but the instruction requires 16");
  const Window window = readWindow(convergence);
  const Surface &s = window.surface;
  checkSurface(convergence, s, block, window.x);
  LaneCounts &counts = convergence.group.counts;
  const LaneCounts::Row counted =
      block.kind == BlockShape::Prefetch ? LaneCounts::BlockPrefetches
      : block.kind == BlockShape::Write  ? LaneCounts::BlockWrites
                                         : LaneCounts::BlockReads;
  counts.add(counted);
  if (block.kind == BlockShape::Prefetch)
    return;

  uint8_t *lanes[kBlockLanes];
  for (const Lane *lane : convergence.lanes)
    lanes[lane->index] =
        reinterpret_cast<uint8_t *>(convergence.read<uint64_t>(lane, 5));
  alignas(64) uint8_t sequence[kMaxBlockBytes];
  const bool isWrite = block.kind == BlockShape::Write;
  if (isWrite)
    gatherFromLanes(block, sequence, lanes);

  // Only the rows on the surface are accessed.
  const Span span = spanOf(window, block);
  auto clampRow = [&](int64_t row) {
    return static_cast<unsigned>(std::clamp<int64_t>(row, 0, block.rows));
  };
  const unsigned firstRow = clampRow(-window.y);
  const unsigned endRow =
      span.begin < span.end ? clampRow(s.height - window.y) : 0;
  for (unsigned row = firstRow; row < endRow; ++row) {
    convergence.group.checkConvergence(*convergence.first(), site,
                                       s.base + (window.y + row) * s.pitch +
                                           span.begin,
                                       span.end - span.begin);
    counts.addAmount(counted, span.end - span.begin);
    if (isWrite)
      writeRow(window, block, span, row, sequence);
  }
  if (isWrite)
    return;
  alignas(64) uint8_t rows[kMaxBlockBytes];
  readRows(window, block, firstRow, endRow, rows);
  if (block.kind == BlockShape::Transpose)
    return scatterTransposed(block, rows, lanes);
  if (block.kind == BlockShape::Read)
    splitParts(block, rows, sequence);
  else if (block.elementBytes == 1)
    splitTransformed<uint8_t>(block, rows, sequence);
  else
    splitTransformed<uint16_t>(block, rows, sequence);
  scatterToLanes(block, sequence, lanes);
}

/// Element n of lane l is element n * lanes + l in memory.
void aircc::sim::spirv::runBlockLinear(Convergence &convergence) {
  const CollectiveSite &site = convergence.site;
  const Lane *first = convergence.first();
  const uint64_t base = convergence.read<uint64_t>(first, 0);
  for (const Lane *lane : convergence.lanes)
    if (convergence.read<uint64_t>(lane, 0) != base)
      throw Fault(
          "the block's address must be the same in all lanes, but lane " +
              std::to_string(lane->index) + " differs from lane 0",
          static_cast<int>(lane->index));
  const bool isWrite = site.memory.kind == AccessSite::Store;
  const unsigned bytes = site.elementBits / 8;
  // In cl_intel_subgroups, reads require an alignment of 4 bytes and writes one
  // of 16.
  const unsigned alignment = isWrite ? 16 : std::max(4u, bytes);
  if (base % alignment)
    throw Fault("the block's address 0x" + llvm::utohexstr(base, true) +
                " is not aligned to " + std::to_string(alignment) + " bytes");
  const size_t lanes = convergence.lanes.size();
  convergence.group.checkConvergence(*first, site, base,
                                     uint64_t(bytes) * site.elements * lanes);
  convergence.group.counts.add(isWrite ? LaneCounts::LinearWrites
                                       : LaneCounts::LinearReads,
                               uint64_t(bytes) * site.elements * lanes);
  for (unsigned n = 0; n < site.elements; ++n)
    for (Lane *lane : convergence.lanes) {
      auto *memory = reinterpret_cast<uint8_t *>(
          base + (uint64_t(n) * lanes + lane->index) * bytes);
      if (isWrite)
        std::memcpy(memory, convergence.operand(lane, 1) + n * bytes, bytes);
      else
        std::memcpy(convergence.result(lane) + n * bytes, memory, bytes);
    }
}
