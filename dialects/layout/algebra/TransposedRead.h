//===- TransposedRead.h - Transposing reads from LDS ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposing read from LDS reads, in each group of 16 lanes, a block of 16
// columns and R = 64 / (bits of an element) rows. The lanes give the addresses
// of pieces of R adjacent elements, 16 / R for each row:
//
//     lane l of the group reads row l / (16 / R), columns R * (l mod 16 / R) on
//
// and lane l gets the R elements of column l. Source: AMD CDNA 4 ISA,
// DS_READ_B64_TR_B16 and DS_READ_B64_TR_B8.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSPOSEDREAD_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSPOSEDREAD_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

class TransposedRead {
public:
  /// The number of lanes in a group, which is the number of columns of its
  /// block.
  static constexpr int64_t kLanes = 16;
  static constexpr int64_t kBits = 64;

  /// `bits` is the size of an element: a divisor of 64.
  explicit TransposedRead(int64_t bits) : numRows(kBits / bits) {}

  /// Returns the number of elements that a lane reads, which is the number of
  /// rows of the block.
  int64_t rows() const { return numRows; }
  int64_t piecesPerRow() const { return kLanes / numRows; }

  /// Returns where the piece of a lane begins in the block of its group.
  int64_t row(int64_t lane) const { return lane % kLanes / piecesPerRow(); }
  int64_t column(int64_t lane) const { return lane % piecesPerRow() * numRows; }

  /// Returns whether the read produces `layout` from a row-major matrix with
  /// rows along dimension `columnDim`: adjacent lanes hold adjacent columns,
  /// and a lane holds a multiple of rows() adjacent rows along `rowDim`.
  bool produces(const NestedLayout &layout, int64_t rowDim,
                int64_t columnDim) const {
    const DimTiles &columns = layout.dim(columnDim);
    // The strides of other dimensions must be multiples of the lanes of this
    // one.
    return columns.element == 1 && columns.threadStride == 1 &&
           columns.thread % kLanes == 0 &&
           layout.dim(rowDim).element % rows() == 0;
  }

private:
  int64_t numRows;
};

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSPOSEDREAD_H
