//===- BlockPlan.h - Whether blocks can do an access -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of the forms of BlockAccess.h the layout of a memory access is, and
// whether the hardware's rules hold for the memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H

#include "pipeline/distribution/memory/BlockAccess.h"

namespace aircc::distribution {

enum class BlockForm { Rows, Packed, Narrow, Transposed };
enum class BlockDirection { Load, Store, Prefetch };

/// Width and pitch in bytes, and rows, are less than this.
inline constexpr int64_t kMaxBlockExtent = 1 << 24;

/// Registers of a lane whose elements follow each other, a turn of the lanes
/// apart, in pieces.
struct BlockSpan {
  int64_t first;      ///< Register.
  int64_t coordinate; ///< Of that, in lane 0 of the first wave.
  int64_t count;      ///< Pieces.
};

/// The spans along a dimension, in pieces of as many registers.
llvm::SmallVector<BlockSpan> getBlockSpans(const layout::DimTiles &dim,
                                           int64_t width);

/// How much of the dimension a wave has at a stretch.
int64_t getWaveTileSize(const layout::DimTiles &dim);

/// How blocks do an access.
struct BlockPlan {
  /// With the views folded into the indices, where that is allowed.
  MemoryAccess access;
  mlir::MemRefType type = {};
  int64_t bits = 0; ///< Of an element: 8, 16 or 32.
  BlockForm form = BlockForm::Rows;
  /// The vector's dimensions that go along rows and columns of memory; -1 where
  /// it has one row.
  int64_t rowDim = -1, columnDim = -1;
  layout::DimTiles rows = {}, columns = {};
  /// Rows are counted from where the vector begins: then they are few.
  bool startsAtRow = false;
};

/// Nothing if blocks cannot do it. Makes no code but sums of indices.
std::optional<BlockPlan> planBlocks(Distributor &d, const MemoryAccess &access,
                                    const BlockOptions &options,
                                    BlockDirection direction);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H
