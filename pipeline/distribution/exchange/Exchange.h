//===- Exchange.h - Move elements between lanes -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_EXCHANGE_H
#define AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_EXCHANGE_H

#include "pipeline/distribution/Distributor.h"
#include "pipeline/distribution/exchange/LdsExchangePlan.h"

#include "mlir/IR/AffineMap.h"

namespace aircc::distribution {

/// A rearrangement of the elements of a vector: element x of the result, in
/// layout `to`, is element map(x) of the source, in layout `from`. The symbols
/// of the map are values of type index. All coordinates must be in bounds.
struct Exchange {
  mlir::Operation *op;
  /// A distributed vector, or a scalar that is the same in all lanes.
  mlir::Value source;
  layout::NestedLayout from, to;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> symbols = {};
  /// Use LDS even if shuffles are sufficient.
  bool throughLds = false;
};

/// Returns the elements of the distributed result. Uses the cheapest method:
/// registers of the lane, shuffles within the wave, or LDS. Emits errors at the
/// op.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
createExchange(Distributor &d, const Exchange &exchange);

/// Like createExchange, but always through LDS. Vectors that are too large for
/// LDS are exchanged in chunks.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
exchangeThroughLds(Distributor &d, Exchange exchange);

/// Returns the number of chunks that exchangeThroughLds needs.
int64_t countLdsChunks(Distributor &d, const Exchange &exchange);

/// Writes a vector with layout `from`, of which each lane holds `elements`, to
/// LDS for an exchange by `op`. With `withinWave`, each of `waves` waves has
/// its own vector; otherwise, they share one. Returns a buffer of
/// LdsExchangeBuffer::storedType that these lanes may read. Emits errors at the
/// op.
mlir::FailureOr<mlir::Value> writeToLds(Distributor &d, mlir::Operation *op,
                                        llvm::ArrayRef<mlir::Value> elements,
                                        const layout::NestedLayout &from,
                                        const LdsExchangePlan &plan,
                                        int64_t waves, bool withinWave);

/// Returns the coordinates of register `reg` of the result.
llvm::SmallVector<mlir::Value>
createResultCoordinates(Distributor &d, const Exchange &exchange, int64_t reg);
/// Returns the coordinates in the source of register `reg` of the result.
llvm::SmallVector<mlir::Value>
createSourceCoordinates(Distributor &d, const Exchange &exchange, int64_t reg);

/// Evaluates an affine expression without symbols for constant coordinates.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// Expands an affine expression whose subexpressions are all non-negative,
/// using unsigned divisions.
mlir::Value expandUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::AffineExpr expr, mlir::ValueRange dims,
                           mlir::ValueRange symbols);

/// Returns sum + value * factor; a null sum counts as 0.
mlir::Value multiplyAdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value sum,
                        mlir::Value value, int64_t factor);

/// Creates a `gpu.shuffle` of a value of any type.
mlir::Value createShuffle(Distributor &d, mlir::Location loc, mlir::Value value,
                          mlir::Value offset, mlir::gpu::ShuffleMode mode);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_EXCHANGE_H
