//===- AsyncDma.h - Layouts of transfers straight to LDS --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A direct-to-LDS load moves a fixed number of bits for each lane of a wave.
// The lanes' pieces land side by side in LDS, in the order of the lanes. An
// async_dma of a whole tile by a workgroup is some number of such loads by each
// wave, and its layout says which lane of which wave moves what in which load.
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
  /// Bits that one lane can move in one load, in any order.
  Ints widths;
  int64_t waveSize = 0;
  int64_t waves = 0;
  /// Elements of one access block of the destination's xor swizzle, if it has
  /// one: a lane's piece must lie within one block.
  std::optional<int64_t> accessWidth;
  /// Where waves are left over after all the tile is dealt out, let them hold
  /// copies: AsyncDmaPlan::copies says how many waves then have each piece.
  /// Only where no width deals the tile out evenly over all waves.
  bool allowSurplusWaves = true;
};

struct AsyncDmaPlan {
  /// Bits and elements that a lane moves in one load.
  int64_t width = 0;
  int64_t elementsPerLane = 0;
  /// The layout as the rules build it: the element tile is a lane's piece of
  /// one load, a batch position is one load. Its outer tiles are ones.
  NestedParams params;
  /// The same, canonical.
  NestedLayout layout;
  /// Number of loads that each wave executes.
  int64_t loads = 0;
  /// Number of waves that would move each piece. Greater than one where waves
  /// were left over: the ids from waves / copies on have nothing of their own
  /// to do.
  int64_t copies = 1;

  /// The first element of a lane's piece of load `load` (0 … loads - 1,
  /// row-major over the batch tiles). In the destination, lane 0's is where the
  /// wave's load begins: the lanes follow without a gap in a row-major tile.
  Ints pieceOf(int64_t wave, int64_t lane, int64_t load) const;
};

/// Derives the layout of an async_dma. For each width, from the widest:
///   1. element tile: width / elementBits elements, from the innermost
///   dimension
///      outward;
///   2. thread tile: the lanes of a wave over the elements' blocks, innermost
///      first;
///   3. subgroup tile: the waves over what remains, outermost first;
///   4. batch tile: the rest.
/// A step fills a dimension before it goes to the next, and everything must
/// divide evenly. The strides are suffix products of the tiles. The first width
/// for which every step succeeds is taken; if there is none, the error says for
/// each width which step failed, with the figures.
Result<AsyncDmaPlan> planAsyncDma(const AsyncDmaRequest &request);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_ASYNCDMA_H
