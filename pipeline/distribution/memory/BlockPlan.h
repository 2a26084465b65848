//===- BlockPlan.h - Plan block accesses ------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Determines the form (see BlockAccess.h) of a memory access's layout, and
// checks the hardware rules.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H

#include "pipeline/distribution/memory/BlockAccess.h"

namespace aircc::distribution {

enum class BlockForm { Rows, Packed, Narrow, Transposed };
enum class BlockDirection { Load, Store, Prefetch };

/// The exclusive limit of the width and pitch in bytes, and of the number of
/// rows.
inline constexpr int64_t kMaxBlockExtent = 1 << 24;

/// Groups of a lane's registers whose elements are at regular intervals, one
/// tile of the lanes apart.
struct BlockSpan {
  int64_t first;      ///< The first register.
  int64_t coordinate; ///< Its coordinate in lane 0 of the first wave.
  int64_t count;      ///< The number of groups.
};

/// Returns the spans along a dimension, in groups of `width` registers.
llvm::SmallVector<BlockSpan> getBlockSpans(const layout::DimTiles &dim,
                                           int64_t width);

/// Returns the size of the contiguous part of a wave along the dimension.
int64_t getWaveTileSize(const layout::DimTiles &dim);

/// The plan for an access with blocks.
struct BlockPlan {
  /// The access, with views folded into the indices if possible.
  MemoryAccess access;
  mlir::MemRefType type = {};
  int64_t bits = 0; ///< The bits of an element: 8, 16 or 32.
  BlockForm form = BlockForm::Rows;
  /// The dimensions of the vector along rows and columns of memory; -1 if it
  /// has one row.
  int64_t rowDim = -1, columnDim = -1;
  layout::DimTiles rows = {}, columns = {};
  /// Whether the matrix starts at the first row of the vector, which limits its
  /// height.
  bool startsAtRow = false;
};

/// Returns nullopt if blocks do not support the access. Creates no code except
/// sums of indices.
std::optional<BlockPlan> planBlocks(Distributor &d, const MemoryAccess &access,
                                    const BlockOptions &options,
                                    BlockDirection direction);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKPLAN_H
