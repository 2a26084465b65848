//===- Memory.h - Per-lane memory accesses ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MEMORY_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MEMORY_H

#include "pipeline/distribution/Distributor.h"

#include "mlir/IR/AffineMap.h"

namespace aircc::distribution {

/// A memory access by an op on undistributed vectors.
struct MemoryAccess {
  mlir::Operation *op;
  mlir::Value memref;
  /// The start of the vector: an index for each dimension of the memref.
  llvm::SmallVector<mlir::Value> indices;
  /// The permutation map of a vector.transfer_read, which is a projected
  /// permutation with zeros for broadcast dimensions.
  mlir::AffineMap map;
  /// For each dimension of the vector, whether it is in bounds.
  llvm::SmallVector<bool> inBounds;
  /// The distributed mask, or null. Its dimensions are the memref dimensions
  /// that are in the map, in the order of the memref.
  mlir::Value mask;
  layout::NestedLayout layout;
  mlir::Type elementType;
};

/// Emits an error if the elements of the memref cannot be accessed one by one.
mlir::LogicalResult checkAccess(const MemoryAccess &access);

/// Loads the elements of the distributed vector. `others` holds the values for
/// elements that are masked off or out of bounds: one for all registers, or one
/// for each.
llvm::SmallVector<mlir::Value> createLoads(Distributor &d,
                                           const MemoryAccess &access,
                                           mlir::ValueRange others);

/// Loads the elements with reads from LDS that transpose blocks of a matrix, if
/// the target has them and the layout is the one that they produce.
std::optional<llvm::SmallVector<mlir::Value>>
createTransposedLoads(Distributor &d, const MemoryAccess &access);

/// Stores the elements of a distributed vector. The first of the lanes that
/// hold an element stores it.
void createStores(Distributor &d, const MemoryAccess &access,
                  mlir::ValueRange elements);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MEMORY_H
