//===- XorShuffle.h - A swizzle against bank conflicts ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that read down a column of a row-major tile in LDS access the same
// bank. The xor swizzle permutes the access blocks of each row by the number of
// the row, so that the blocks of a column are in different banks:
//
//     row r, block b, position p in the block  ->  row r, block b xor (r mod
//     B), p
//
// with B blocks in a row. It is its own inverse and moves whole blocks within
// their row, so an access within one block stays contiguous.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_XORSHUFFLE_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_XORSHUFFLE_H

#include "dialects/layout/algebra/Result.h"

#include <algorithm>
#include <cstdint>

namespace aircc::layout {

/// `#layout.xor_shuffle<row_width, access_width, phases>`. Widths and offsets
/// count elements; offsets are into the flattened memref.
class XorShuffle {
public:
  /// `phases` is the number of rows until the permutation repeats; 0: the
  /// number of blocks in a row. With `group`, rows form groups of that size,
  /// and the permutation is determined by both the number of the row in its
  /// group and the number of the group; 0: the number of the row alone. Errors:
  /// a width below 1; an access width that does not divide the row width; a
  /// number of blocks in a row, of phases, or of rows in a group, that is not a
  /// power of two (the xor would leave the row); more phases than blocks.
  static Result<XorShuffle> get(int64_t rowWidth, int64_t accessWidth,
                                int64_t phases = 0, int64_t group = 0);

  bool operator==(const XorShuffle &) const = default;

  int64_t rowWidth() const { return row; }
  int64_t accessWidth() const { return access; }
  int64_t blocksPerRow() const { return row / access; }
  int64_t phases() const { return numPhases; }
  int64_t group() const { return rowsOfGroup; }
  /// Returns the number of elements after which the pattern of offsets repeats.
  int64_t period() const {
    return row * numPhases * std::max<int64_t>(rowsOfGroup, 1);
  }

  /// Returns the swizzled offset of `offset` (>= 0), and the inverse.
  int64_t apply(int64_t offset) const {
    int64_t r = offset / row, column = offset % row;
    int64_t phase = rowsOfGroup ? r ^ (r / rowsOfGroup) : r;
    int64_t block = (column / access) ^ (phase % numPhases);
    return r * row + block * access + column % access;
  }

  /// Returns whether an access of `width` elements, aligned to its own width,
  /// stays within one block, so that it is contiguous after the swizzle.
  bool keepsWhole(int64_t width) const {
    return width >= 1 && access % width == 0;
  }

private:
  XorShuffle(int64_t row, int64_t access, int64_t phases, int64_t group)
      : row(row), access(access), numPhases(phases), rowsOfGroup(group) {}

  int64_t row, access, numPhases, rowsOfGroup;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_XORSHUFFLE_H
