//===- ComputedTile.h - Tiles of a computed operand -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes tiles of a matmul operand that an elementwise op produces, such as
// dequantized weights, from the elements in memory. A dimension of the operand
// may correspond to several loops of the op, as in groups of weights:
//
//   weight (n, k) = (packed (n, g, i) - zero (n, g)) * scale (n, g)
//
// with k = g * 32 + i. A tile of 64 along K consists of two groups: the op is
// computed on vectors with the dimensions n, g and i, which are then reshaped.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_COMPUTEDTILE_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_COMPUTEDTILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// A dimension of the tile.
struct ComputedDim {
  /// The loops of the op that form the dimension, outermost first.
  llvm::SmallVector<unsigned> loops;
  /// The size of the tile, a power of two, and the multiple of it at which the
  /// tile starts.
  int64_t size = 0;
  mlir::Value first;
  /// Whether all tiles are full along this dimension.
  bool isFull = true;
  /// Whether elements of the tile outside the matrix must be 0.
  bool clearsOutside = false;
};

/// Creates code at the insertion point of the builder.
class ComputedTile {
public:
  /// `outer` contains the indices of the loops of `op` that are not in `dims`,
  /// and null for the others. Except for the first loop of a dimension, the
  /// sizes of loops are known powers of two.
  ComputedTile(mlir::OpBuilder &b, mlir::Location loc,
               mlir::linalg::GenericOp op, llvm::ArrayRef<ComputedDim> dims,
               llvm::ArrayRef<mlir::Value> outer);

  /// Reads the inputs of the op for the tile.
  llvm::SmallVector<mlir::Value> read();
  /// Computes the tile from the values that `read` returned.
  mlir::Value compute(mlir::ValueRange inputs);

private:
  /// A loop of the op in the tile.
  struct Loop {
    /// The first index in the tile, or the only one.
    mlir::Value index;
    /// The dimension of the vectors, if the tile has several indices.
    std::optional<unsigned> dim;
    bool isFull = true;
    bool clearsOutside = false;
  };
  void addDim(const ComputedDim &dim);
  mlir::Value readInput(mlir::OpOperand &input);
  mlir::Value getIndices(unsigned loop);
  /// Returns a mask of the elements of the tile that are in the result of the
  /// op; null if all are. With `onlyCleared`, checks only the dimensions in
  /// which elements outside must be 0.
  mlir::Value getInside(bool onlyCleared);
  mlir::Value getSize(unsigned loop);
  mlir::Value broadcast(mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::linalg::GenericOp op;
  llvm::SmallVector<Loop> loops;
  /// The shape of the vectors, and that of the tile.
  llvm::SmallVector<int64_t> shape, tileShape;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_COMPUTEDTILE_H
