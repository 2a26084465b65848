//===- WindowTile.h - Tiles of a matrix of windows --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Gathers tiles of a matrix whose rows are the windows of an image, from the
// image in memory. The index of an element is the sum of a part that depends on
// the row and a part that depends on the position in the window:
//
//   image (n, h * 2 + y - 1, w * 2 + x - 1, c) for row (n, h, w), column (y, x,
//   c)
//
// The first part is computed once, before the loop along K. Elements outside
// the image, in its padding, are 0.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_WINDOWTILE_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_WINDOWTILE_H

#include "pipeline/hierarchy/tiles/ComputedTile.h"
#include "pipeline/hierarchy/tiles/MatchMatmul.h"

namespace aircc::hierarchy {

/// Code is created at the insertion point of the builder.
class WindowTile {
public:
  /// Prepares tiles of the rows `across` and of `depth` columns. `outer`
  /// contains the indices of the loops of the op that copies the windows, and
  /// null for those of rows and columns. `hasBuffers` specifies whether lanes
  /// can read through a buffer descriptor, which returns 0 for elements beyond
  /// its end.
  WindowTile(mlir::OpBuilder &b, mlir::Location loc, const MatmulMatrix &matrix,
             const ComputedDim &across, int64_t depth,
             llvm::ArrayRef<mlir::Value> outer, bool hasBuffers);

  /// Returns the tile whose first column is `k`. With `clearsOutside`, elements
  /// beyond the last column are 0.
  mlir::Value read(mlir::Value k, bool clearsOutside);

  /// Returns whether the elements of a row are read one by one.
  bool isGathered() const { return block == 1 || distance != 1; }

private:
  /// A dimension of the image. Its index is the sum of `row`, an i32 that
  /// depends on the row, and of the loops of the window times their factors.
  struct Dim {
    mlir::Value row;
    llvm::SmallVector<int64_t> factors;
    int64_t constant = 0, size = 0, stride = 0;
    bool isPadded = false;
  };
  /// For each dimension, an index as an i32 scalar or vector; null for 0.
  using Indices = llvm::SmallVector<mlir::Value>;

  void findDims();
  void chooseBlocks();
  void createRows(llvm::ArrayRef<mlir::Value> outer);
  mlir::Value clampRows(mlir::Value row, mlir::Value start, int64_t inner);
  void createMemory(mlir::Value base);
  Indices splitColumns(mlir::Value k);
  mlir::Value getInside(Indices columns);
  /// Adds i32 scalars or vectors; null is 0.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, int64_t by);
  mlir::Value constant(int64_t value, mlir::Type like);
  mlir::Value steps(int64_t count, int64_t by);
  /// Broadcasts `value` to `shape`. A vector of rank 1 is along dimension
  /// `dim`.
  mlir::Value broadcast(mlir::Value value, unsigned dim);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::linalg::GenericOp op;
  const MatmulMatrix &matrix;
  const ComputedDim across;
  const int64_t depth;
  const bool hasBuffers;
  llvm::SmallVector<Dim> dims;
  mlir::Value image, memory;
  /// `block` consecutive elements of a row are `distance` elements apart in the
  /// image, and are either all in its padding or all outside it.
  int64_t block = 1, distance = 1;
  /// The shape of the vectors: rows, blocks if a row has several, and the
  /// elements of a block if it has several.
  llvm::SmallVector<int64_t> shape;
  /// The part of the linear index that depends on the row.
  mlir::Value rows;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_WINDOWTILE_H
