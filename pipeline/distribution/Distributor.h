//===- Distributor.h - Map vectors to distributed vectors -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Distributes the ops of a kernel in order. The per-lane ops for an op on
// undistributed vectors are created before it. The Distributor maps each
// undistributed vector to its distributed vector, and erases the original ops
// at the end.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTOR_H
#define AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTOR_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "pipeline/distribution/DistributionTarget.h"
#include "pipeline/distribution/LaneIds.h"
#include "pipeline/distribution/exchange/LdsExchangeBuffer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc::distribution {

class Distributor {
public:
  Distributor(mlir::gpu::GPUFuncOp func, const DistributionTarget &target);

  /// Distributes the function. Emits errors at ops that cannot be distributed.
  mlir::LogicalResult run();

  /// Distributes the ops of a block, in order.
  mlir::LogicalResult distributeBlock(mlir::Block &block);

  const DistributionTarget &target;
  mlir::gpu::GPUFuncOp func;
  /// Its insertion point is before the op that is being distributed.
  mlir::OpBuilder b;
  /// The location of that op.
  mlir::Location loc;
  LaneIds ids;
  LdsExchangeBuffer ldsBuffer;

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// Returns the layout of an undistributed vector; null for any other value.
  const layout::NestedLayout *getLayout(mlir::Value value) const;
  void setLayout(mlir::Value value, const layout::NestedLayout &layout);
  bool isUndistributed(mlir::Value value) const { return getLayout(value); }

  /// Returns the distributed vector for an undistributed vector; returns any
  /// other value unchanged.
  mlir::Value getDistributed(mlir::Value value) const;
  /// Returns the elements of the distributed vector for `value`.
  llvm::SmallVector<mlir::Value> getDistributedElements(mlir::Value value) {
    return getElements(getDistributed(value));
  }
  llvm::SmallVector<mlir::Value> getDistributed(mlir::ValueRange values) const;
  void setDistributed(mlir::Value undistributed, mlir::Value distributed);
  /// Returns the type of the distributed vector of `value`.
  mlir::Type getDistributedType(mlir::Value value) const;
  mlir::VectorType getDistributedType(mlir::VectorType undistributed,
                                      const layout::NestedLayout &layout) const;

  /// Returns whether the op has an undistributed vector as operand or result,
  /// prefetches a tile, or prints a value in code with undistributed vectors.
  bool hasUndistributedVectors(mlir::Operation *op) const;

  /// Replaces the results of `op` with per-lane values and erases it at the
  /// end.
  void replace(mlir::Operation *op, mlir::ValueRange values);
  void erase(mlir::Operation *op) { dead.push_back(op); }
  void eraseArgument(mlir::BlockArgument argument) {
    deadArguments.push_back(argument);
  }

  //===--------------------------------------------------------------------===//
  // Scopes
  //===--------------------------------------------------------------------===//

  /// Returns whether the undistributed vectors of the op belong to a single
  /// wave.
  bool isWaveScope(mlir::Operation *op) const;
  /// Returns the number of waves over which the vectors of the op are
  /// distributed.
  int64_t getNumWaves(mlir::Operation *op) const {
    return isWaveScope(op) ? 1 : ids.getNumWaves();
  }

  //===--------------------------------------------------------------------===//
  // Branches
  //===--------------------------------------------------------------------===//

  /// Creates an scf.if on `condition` that yields the result of `createThen` or
  /// of `createElse`.
  mlir::Value select(mlir::Location loc, mlir::Type type, mlir::Value condition,
                     llvm::function_ref<mlir::Value()> createThen,
                     llvm::function_ref<mlir::Value()> createElse);

  /// If several lanes (of `numWaves` waves) hold the same elements of `layout`,
  /// creates a branch for the first of them and moves the insertion point into
  /// it. The caller must restore the insertion point.
  void enterFirstHolder(mlir::Location loc, const layout::NestedLayout &layout,
                        int64_t numWaves);

  //===--------------------------------------------------------------------===//
  // Registers
  //===--------------------------------------------------------------------===//

  /// Returns the elements of a distributed vector in row-major order, or a
  /// scalar itself.
  llvm::SmallVector<mlir::Value> getElements(mlir::Value vector);
  /// Returns the vector of these elements, or the vector from which they were
  /// extracted if they are all of its elements.
  mlir::Value assemble(mlir::VectorType type, mlir::ValueRange elements);
  /// Returns the vector of these elements if they are all the elements of
  /// vectors that transposing reads returned or that were assembled from words;
  /// otherwise, returns null. Joins these vectors as words, because LLVM would
  /// move each 8-bit element separately.
  mlir::Value joinWords(mlir::VectorType type, mlir::ValueRange elements);
  /// Returns the distributed vector of `value` with these elements.
  mlir::Value assembleDistributed(mlir::Value value, mlir::ValueRange elements);
  /// Returns the vector of the elements of `vector` with these row-major
  /// indices.
  mlir::Value pick(mlir::Value vector, llvm::ArrayRef<int64_t> registers,
                   mlir::VectorType type);

  /// Returns the coordinate of the lane's value k along a dimension.
  mlir::Value coordinate(const layout::DimTiles &dim, int64_t k);

  /// Returns a constant global of the module with the elements, in row-major
  /// order.
  mlir::Value getConstantTable(mlir::DenseElementsAttr elements);

private:
  mlir::LogicalResult readLayouts();
  mlir::LogicalResult distribute(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, layout::NestedLayout> layouts;
  llvm::DenseMap<mlir::Value, mlir::Value> distributedValues;
  llvm::DenseMap<mlir::Value, mlir::Operation *> elementsOf;
  llvm::SmallVector<mlir::Operation *> dead;
  llvm::SmallVector<mlir::BlockArgument> deadArguments;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTOR_H
