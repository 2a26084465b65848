//===- Contraction.h - Distribute one contraction ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MATRIX_CONTRACTION_H
#define AIRCC_PIPELINE_DISTRIBUTION_MATRIX_CONTRACTION_H

#include "pipeline/distribution/Distributor.h"
#include "pipeline/distribution/memory/ByteColumns.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

#include <memory>

namespace aircc::distribution {

/// Distributes one vector.contract or xegpu.dpas. With a matrix instruction,
/// creates one instruction for each tile of the wave. Without one, multiplies
/// and adds the elements of the lane, and then reduces over lanes if the
/// reduced dimensions are distributed.
class Contraction {
public:
  Contraction(Distributor &d, mlir::vector::ContractionOp op);
  /// An undistributed xegpu.dpas with row-major A, B and C.
  Contraction(Distributor &d, mlir::xegpu::DpasOp op);

  /// `mask` is an undistributed vector, or null.
  mlir::LogicalResult distribute(mlir::Value mask);
  /// Returns the registers of each instruction tile in a distributed operand.
  llvm::SmallVector<llvm::SmallVector<int64_t>> getTiles(int operand);

private:
  /// A, B or C of the contraction.
  struct Operand {
    const char *name;
    /// Null if the accumulator is zero.
    mlir::Value value;
    mlir::AffineMap map;
    layout::NestedLayout layout;
    mlir::Type elementType;
    /// Whether the integers of this operand are unsigned.
    bool isUnsigned = false;

    /// Returns the dimension of the vector along an iteration dimension, or -1.
    int64_t getDimAlong(int64_t iteration) const;
  };

  /// The tile that the instruction takes of an operand, and the iteration
  /// dimensions of its rows and columns.
  struct Tile {
    layout::NestedLayout layout;
    int64_t roles[2];
  };

  mlir::LogicalResult collectOperands();
  mlir::LogicalResult matchInstruction();
  mlir::LogicalResult matchElementType(int operand, llvm::StringRef expected);
  mlir::LogicalResult checkTiles();
  /// Returns the tiles of each iteration dimension, which must be the same in
  /// all operands.
  mlir::FailureOr<std::vector<layout::DimTiles>> getIterationTiles();
  /// Returns the elements of the distributed mask, or an empty list if there is
  /// no mask.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  getMaskElements(mlir::Value mask, llvm::ArrayRef<layout::DimTiles> iteration);
  /// Adds the products of a lane, `counts` of them in each iteration dimension,
  /// to `accumulators`.
  void multiplyInLane(const layout::Ints &counts,
                      llvm::ArrayRef<llvm::SmallVector<mlir::Value>> factors,
                      llvm::ArrayRef<mlir::Value> mask,
                      llvm::MutableArrayRef<mlir::Value> accumulators);
  mlir::LogicalResult distributeInLanes(mlir::Value mask);
  mlir::LogicalResult distributeToInstructions();
  mlir::Value createInstruction(mlir::Value lhs, mlir::Value rhs,
                                mlir::Value acc);
  mlir::Value permuteLanes(mlir::Value factor,
                           llvm::ArrayRef<int64_t> permutation);
  mlir::Value createDpas(mlir::Value lhs, mlir::Value rhs, mlir::Value acc);

  /// Returns the elements of a distributed operand.
  llvm::SmallVector<mlir::Value> getOperandElements(int operand);
  /// Returns the number of instruction tiles of a lane for each iteration
  /// dimension.
  layout::Ints getTileCounts() const;
  /// Returns the registers of an operand's tile at a position in the iteration
  /// space.
  llvm::SmallVector<int64_t> getTileRegisters(int operand,
                                              llvm::ArrayRef<int64_t> at) const;
  mlir::Value getTile(int operand, llvm::ArrayRef<int64_t> at,
                      llvm::ArrayRef<mlir::Value> elements);

  Distributor &d;
  mlir::OpBuilder &b;
  mlir::Operation *op;
  mlir::Location loc;
  mlir::vector::CombiningKind kind;
  mlir::Value inputs[3];
  llvm::SmallVector<mlir::AffineMap> maps;
  int64_t numDims = 0;
  std::vector<Operand> operands;
  const MatrixInstruction *instruction = nullptr;
  std::vector<Tile> tiles;
  /// Used for operands A and B with 8-bit elements; otherwise null.
  std::unique_ptr<ByteColumns> byteColumns[3];
  /// Whether the accumulator has a lower precision than the instruction's
  /// accumulator, in which case it is extended before the reduction and rounded
  /// once after it.
  bool isNarrowAccumulator = false;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MATRIX_CONTRACTION_H
