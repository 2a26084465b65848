//===- Memory.h - A lane's part of an access to memory ----------*- C++ -*-===//
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

/// What a transfer, a load or a store of a whole vector touches.
struct MemoryAccess {
  mlir::Operation *op;
  mlir::Value memref;
  /// Where the vector begins, one index a dimension of the memref.
  llvm::SmallVector<mlir::Value> indices;
  /// From the memref's dimensions to the vector's, as of a
  /// vector.transfer_read: a projected permutation, with zeros for dimensions
  /// that are broadcast.
  mlir::AffineMap map;
  /// One for each dimension of the vector: nothing lies outside along it.
  llvm::SmallVector<bool> inBounds;
  /// A lane's mask: its dimensions are those of the memref that the map names,
  /// in the order of the memref. Null: all is accessed.
  mlir::Value mask;
  layout::NestedLayout layout;
  mlir::Type elementType;
};

/// Reports a memref that elements cannot be read from one by one.
mlir::LogicalResult checkAccess(const MemoryAccess &access);

/// The elements that a lane holds of what is read. `others` has what it holds
/// where the mask is off or the place is outside: one value for all, or one a
/// register.
llvm::SmallVector<mlir::Value> createLoads(Distributor &d,
                                           const MemoryAccess &access,
                                           mlir::ValueRange others);

/// Stores a lane's elements, in the lane that is the first to hold them.
void createStores(Distributor &d, const MemoryAccess &access,
                  mlir::ValueRange elements);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MEMORY_H
