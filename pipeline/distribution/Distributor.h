//===- Distributor.h - From whole vectors to lanes' shares ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame in which the ops of a kernel are distributed, one after another. An
// op on whole vectors stays where it is while the ops of a lane are made in
// front of it; the Distributor knows the share of each whole value, and at the
// end takes the whole ops away.
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

  /// Distributes everything in the function. Errors are reported at the ops.
  mlir::LogicalResult run();

  /// Distributes the ops of a block, in order.
  mlir::LogicalResult distributeBlock(mlir::Block &block);

  const DistributionTarget &target;
  mlir::gpu::GPUFuncOp func;
  /// Stands in front of the op that is being distributed.
  mlir::OpBuilder b;
  /// The place of that op.
  mlir::Location loc;
  LaneIds ids;
  LdsExchangeBuffer ldsBuffer;

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The layout of a whole vector; null for any other value.
  const layout::NestedLayout *getLayout(mlir::Value value) const;
  void setLayout(mlir::Value value, const layout::NestedLayout &layout);
  bool isUndistributed(mlir::Value value) const { return getLayout(value); }

  /// What a lane holds of a value: its share of a whole vector, and any other
  /// value itself.
  mlir::Value getDistributed(mlir::Value value) const;
  llvm::SmallVector<mlir::Value> getDistributed(mlir::ValueRange values) const;
  void setDistributed(mlir::Value undistributed, mlir::Value distributed);
  /// The type of the share of a value.
  mlir::Type getDistributedType(mlir::Value value) const;
  mlir::VectorType getDistributedType(mlir::VectorType undistributed,
                                      const layout::NestedLayout &layout) const;

  /// Has the op a whole vector among its operands or results, or is it the
  /// prefetch of one, or does it print something beside whole vectors?
  bool hasUndistributedVectors(mlir::Operation *op) const;

  /// A later op takes the place of `op`, which is taken away at the end.
  /// Results that are no whole vectors are replaced at once.
  void replace(mlir::Operation *op, mlir::ValueRange values);
  void erase(mlir::Operation *op) { dead.push_back(op); }
  void eraseArgument(mlir::BlockArgument argument) {
    deadArguments.push_back(argument);
  }

  //===--------------------------------------------------------------------===//
  // Scopes
  //===--------------------------------------------------------------------===//

  /// Do the op's whole vectors belong to a single wave?
  bool isWaveScope(mlir::Operation *op) const;
  /// Number of waves that hold the op's whole vectors together.
  int64_t getNumWaves(mlir::Operation *op) const {
    return isWaveScope(op) ? 1 : ids.getNumWaves();
  }

  //===--------------------------------------------------------------------===//
  // Branches
  //===--------------------------------------------------------------------===//

  /// In lanes where the condition holds what `make` returns, in the others what
  /// `other` does. Each is called once, and makes its ops in a branch of its
  /// own.
  mlir::Value select(mlir::Location loc, mlir::Type type, mlir::Value condition,
                     llvm::function_ref<mlir::Value()> createThen,
                     llvm::function_ref<mlir::Value()> createElse);

  //===--------------------------------------------------------------------===//
  // Registers
  //===--------------------------------------------------------------------===//

  /// The elements of a lane's vector, in row-major order. A scalar is its own
  /// element.
  llvm::SmallVector<mlir::Value> getElements(mlir::Value vector);
  /// The vector of these elements. Takes the vector that they come from where
  /// they are all of it.
  mlir::Value assemble(mlir::VectorType type, mlir::ValueRange elements);
  /// The vector of the elements of `vector` at these row-major places.
  mlir::Value pick(mlir::Value vector, llvm::ArrayRef<int64_t> registers,
                   mlir::VectorType type);

  /// The coordinate of the lane's value k along a dimension.
  mlir::Value coordinate(const layout::DimTiles &dim, int64_t k);

  /// A buffer of the module that holds the constant, row-major.
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
