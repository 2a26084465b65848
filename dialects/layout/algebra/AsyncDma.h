//===- AsyncDma.h - Layouts of direct transfers to LDS ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A direct-to-LDS load moves a fixed number of bits for each lane of a wave.
// The pieces of the lanes are adjacent in LDS, in the order of the lanes. An
// async_dma of a tile by a workgroup consists of several such loads by each
// wave. Its layout says which lane of which wave moves which elements in which
// load.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

struct AsyncDmaRequest {
  /// Shape of the tile, in elements.
  Ints shape;
  int64_t elementBits = 0;
  /// Numbers of bits that one lane can move in one load, in any order.
  Ints widths;
  int64_t waveSize = 0;
  int64_t waves = 0;
  /// Elements of one access block of the xor swizzle of the destination, if it
  /// has one: the piece of a lane must lie within one block.
  std::optional<int64_t> accessWidth;
  /// If no width distributes the tile evenly over all waves, let the surplus
  /// waves hold copies. AsyncDmaPlan::copies is the number of waves that then
  /// hold each piece.
  bool allowSurplusWaves = true;
};

struct AsyncDmaPlan {
  /// Bits and elements that a lane moves in one load.
  int64_t width = 0;
  int64_t elementsPerLane = 0;
  /// The layout before canonicalization: the element tile is what a lane moves
  /// in one load, and each batch index is one load. All outer tiles are 1.
  NestedParams params;
  /// The canonical layout.
  NestedLayout layout;
  /// Number of loads that each wave executes.
  int64_t loads = 0;
  /// Number of waves that hold each piece. Greater than one if there are
  /// surplus waves: those with ids from waves / copies on have nothing of their
  /// own to move.
  int64_t copies = 1;

  /// The first element of the piece that a lane moves in load `load`
  /// (0 … loads - 1, row-major over the batch tiles). The piece of lane 0 is
  /// where the load of the wave begins in the destination: the other lanes
  /// follow without a gap in a row-major tile.
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
