//===- TileEvaluator.h - Elementwise ops on a tile --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Computes elementwise ops on a tile of a matrix that a workgroup holds in
// registers as one vector, and accesses their operands in memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_TILEEVALUATOR_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_TILEEVALUATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// Computes the body of an elementwise op (isElementwiseOnTiles) on vectors of
/// shape `shape`. `inputs` are vectors of this shape, or scalars that apply to
/// all elements. `getIndices` returns the index of a loop for each element, and
/// `getInside` returns a mask of the elements that are in the result of the op,
/// or null if all are.
mlir::Value
evaluateOnVectors(mlir::OpBuilder &b, mlir::Location loc,
                  mlir::linalg::GenericOp op, mlir::ValueRange inputs,
                  llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<mlir::Value(unsigned)> getIndices,
                  llvm::function_ref<mlir::Value()> getInside);

/// The role of a loop of an elementwise op in the tile.
struct TileLoop {
  enum Kind { Rows, Columns, Outer } kind = Outer;
  /// The first row or column of the tile, or the index of the workgroup in an
  /// outer dimension.
  mlir::Value index;
  /// Whether all tiles are full along rows or columns.
  bool isFull = true;
  /// Whether all indices have at most 31 bits.
  bool isShort = false;
};

/// Creates code at the insertion point of the builder.
class TileEvaluator {
public:
  /// `loops` describes the loops of the ops, in order.
  TileEvaluator(mlir::OpBuilder &b, mlir::Location loc, int64_t rows,
                int64_t columns, llvm::SmallVector<TileLoop> loops)
      : b(b), loc(loc), rows(rows), columns(columns), loops(std::move(loops)) {}

  /// Reads the element of `memref` for each element of the tile; `map` maps the
  /// loops to the dimensions of the memref. Returns a vector of the size of the
  /// tile, or a scalar if all elements are the same. Elements outside the
  /// memref are 0.
  mlir::Value read(mlir::Value memref, mlir::AffineMap map);
  /// Starts to copy the elements to row-major `lds`, starting at `indices`,
  /// without using registers. The columns of the tile are the last dimension of
  /// the memref.
  void move(mlir::Value memref, mlir::AffineMap map, mlir::Value lds,
            mlir::ValueRange indices, bool isCounted);
  /// Writes the elements that are in the memref.
  void write(mlir::Value elements, mlir::Value memref, mlir::AffineMap map);
  /// Computes `op` (isElementwiseOnTiles). `getKnown` returns the elements of
  /// an operand if they are in registers, and null if they are in memory.
  mlir::Value
  evaluate(mlir::linalg::GenericOp op,
           llvm::function_ref<mlir::Value(mlir::OpOperand &)> getKnown);
  /// Broadcasts a scalar to the tile; returns other values unchanged.
  mlir::Value broadcast(mlir::Value value);
  /// Broadcasts a vector to each column of the tile.
  mlir::Value broadcastColumn(mlir::Value column);

private:
  /// The part of a memref at the outer indices of the workgroup.
  struct Access {
    mlir::Value view;
    llvm::SmallVector<mlir::Value> indices;
    /// The dimensions of the view along rows and columns.
    std::optional<unsigned> rows, columns;
    bool fullRows = true, fullColumns = true;

    mlir::AffineMap getOrder(mlir::OpBuilder &b) const;
  };
  Access access(mlir::Value memref, mlir::AffineMap map);
  mlir::Value readVector(const Access &from, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<bool> inBounds, mlir::AffineMap order);
  mlir::Value getIndices(const TileLoop &loop);
  /// Returns a mask of the elements of the tile that are in the result of `op`;
  /// null if all are.
  mlir::Value getInside(mlir::linalg::GenericOp op);

  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t rows, columns;
  llvm::SmallVector<TileLoop> loops;
};

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_TILEEVALUATOR_H
