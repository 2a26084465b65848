//===- AsyncDma.h - Layouts of direct transfers to LDS ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A direct-to-LDS load transfers a fixed number of bits for each lane of a
// wave. The pieces of the lanes are adjacent in LDS, in lane order. The
// async_dma of a tile by a workgroup consists of several such loads by each
// wave. Its layout specifies which lane of which wave transfers which elements
// in which load.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

struct AsyncDmaRequest {
  /// The shape of the tile, in elements.
  Ints shape;
  int64_t elementBits = 0;
  /// The numbers of bits that one lane can transfer in one load, in any order.
  Ints widths;
  int64_t waveSize = 0;
  int64_t waves = 0;
  /// The number of elements in an access block of the destination's xor
  /// swizzle, if it has one. The piece of a lane must lie within one block.
  std::optional<int64_t> accessWidth;
  /// If no width distributes the tile evenly over all waves, let the surplus
  /// waves hold copies. AsyncDmaPlan::copies is then the number of waves that
  /// hold each piece.
  bool allowSurplusWaves = true;
};

struct AsyncDmaPlan {
  /// The number of bits and elements that a lane transfers in one load.
  int64_t width = 0;
  int64_t elementsPerLane = 0;
  /// The layout before canonicalization: the element tile is what a lane
  /// transfers in one load, and each batch index is one load. All outer tiles
  /// are 1.
  NestedParams params;
  /// The canonical layout.
  NestedLayout layout;
  /// The number of loads that each wave executes.
  int64_t loads = 0;
  /// The number of waves that hold each piece. Greater than one if there are
  /// surplus waves: waves whose ids are at least waves / copies have no piece
  /// of their own to transfer.
  int64_t copies = 1;

  /// Returns the first element of the piece that a lane transfers in load
  /// `load` (0 … loads - 1, row-major over the batch tiles). The piece of lane
  /// 0 is where the load of the wave begins in the destination; in a row-major
  /// tile, those of the other lanes follow it without gaps.
  Ints pieceOf(int64_t wave, int64_t lane, int64_t load) const;
};

/// Derives the layout of an async_dma. Tries each width, the widest first:
///   1. element tile: width / elementBits elements, from the innermost
///      dimension outward;
///   2. thread tile: distributes the pieces over the lanes of a wave, innermost
///      dimension first;
///   3. subgroup tile: distributes the rest over the waves, outermost dimension
///      first;
///   4. batch tile: the rest.
/// Each step exhausts a dimension before it uses the next, and everything must
/// divide evenly. The strides are suffix products of the tiles. Returns the
/// first width for which every step succeeds; otherwise, the error says for
/// each width which step failed, with the numbers.
Result<AsyncDmaPlan> planAsyncDma(const AsyncDmaRequest &request);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H
