//===- Contraction.h - The parts of a product of matrices -------*- C++ -*-===//
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

/// One vector.contract or xegpu.dpas that is being distributed. With a matrix
/// instruction: one for each of its tiles that a wave has of the contraction.
/// Without: multiplications and additions of what the lane has, and sums over
/// lanes where these share out the reduced dimensions.
class Contraction {
public:
  Contraction(Distributor &d, mlir::vector::ContractionOp op);
  /// A whole xegpu.dpas: rows and columns of A, B and C in this order.
  Contraction(Distributor &d, mlir::xegpu::DpasOp op);

  /// `mask` is a whole vector, or null.
  mlir::LogicalResult distribute(mlir::Value mask);
  /// The registers of each of the instruction's tiles in the accumulator's
  /// share.
  llvm::SmallVector<llvm::SmallVector<int64_t>> getAccumulatorTiles();

private:
  /// A, B or C of the contraction.
  struct Operand {
    const char *name;
    /// Null for an accumulator of zeros.
    mlir::Value value;
    mlir::AffineMap map;
    layout::NestedLayout layout;
    mlir::Type elementType;
    /// Integers of this operand have no sign.
    bool isUnsigned = false;

    /// The dimension of the vector that goes along an iteration dimension; -1
    /// if none does.
    int64_t getDimAlong(int64_t iteration) const;
  };

  /// The operand's tile in the instruction, and the iteration dimensions that
  /// its rows and columns go along.
  struct Tile {
    layout::NestedLayout layout;
    int64_t roles[2];
  };

  mlir::LogicalResult collectOperands();
  mlir::LogicalResult matchInstruction();
  mlir::LogicalResult matchElementType(int operand, llvm::StringRef expected);
  mlir::LogicalResult checkTiles();
  mlir::LogicalResult distributeInLanes(mlir::Value mask);
  mlir::LogicalResult distributeToInstructions();
  mlir::Value createInstruction(mlir::Value lhs, mlir::Value rhs,
                                mlir::Value acc);
  mlir::Value createDpas(mlir::Value lhs, mlir::Value rhs, mlir::Value acc);

  /// The elements of the lane's share of an operand.
  llvm::SmallVector<mlir::Value> getOperandElements(int operand);
  /// The values of iteration dimension `i` that a lane has of an operand, in
  /// instructions: 1 for those that the instruction covers at once.
  layout::Ints getTileCounts() const;
  /// The registers of the operand's tile at this position of the iteration
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
  /// Of A and B of eight bits; else null.
  std::unique_ptr<ByteColumns> byteColumns[3];
  /// Of a lower precision than the instruction's: widened before, and rounded
  /// once after all of the reduction.
  bool isNarrowAccumulator = false;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MATRIX_CONTRACTION_H
