//===- Exchange.h - Moves of elements between lanes -------------*- C++ -*-===//
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

/// A vector made of the elements of another: element x of the result, in layout
/// `to`, is element map(x) of the source, in layout `from`. The map's symbols
/// are values of type index. All coordinates that it meets, and gives, are
/// those of elements that there are.
struct Exchange {
  mlir::Operation *op;
  /// A share, or a scalar that all lanes hold.
  mlir::Value source;
  layout::NestedLayout from, to;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> symbols;
  /// Go through LDS even if something else would do.
  bool throughLds = false;
};

/// The elements of the lane's share of the result. Takes the cheapest way that
/// there is: registers of the lane, shuffles within the wave, or LDS. Errors
/// are reported at the op.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
createExchange(Distributor &d, const Exchange &exchange);

/// As createExchange, always through LDS. What does not fit into the LDS at
/// once goes in pieces.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
exchangeThroughLds(Distributor &d, Exchange exchange);

/// In how many pieces exchangeThroughLds would go.
int64_t countLdsChunks(Distributor &d, const Exchange &exchange);

/// Writes a vector of layout `from`, of which lanes have `elements`, to LDS,
/// for an exchange by `op`. `withinWave`: each of `waves` waves its own, else
/// all together one. Gives a buffer of LdsExchangeBuffer::storedType, which all
/// of those lanes may read from now on. Errors are reported at the op.
mlir::FailureOr<mlir::Value> writeToLds(Distributor &d, mlir::Operation *op,
                                        llvm::ArrayRef<mlir::Value> elements,
                                        const layout::NestedLayout &from,
                                        const LdsExchangePlan &plan,
                                        int64_t waves, bool withinWave);

/// The coordinates of the lane's register of the result.
llvm::SmallVector<mlir::Value>
createResultCoordinates(Distributor &d, const Exchange &exchange, int64_t reg);
/// Those in the source of what the register is made of.
llvm::SmallVector<mlir::Value>
createSourceCoordinates(Distributor &d, const Exchange &exchange, int64_t reg);

/// An affine expression of known coordinates, without symbols.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// An affine expression of coordinates, none of which is below 0 on the way:
/// with unsigned divisions.
mlir::Value expandUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::AffineExpr expr, mlir::ValueRange dims,
                           mlir::ValueRange symbols);

/// sum + value * factor; a sum of none is 0.
mlir::Value multiplyAdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value sum,
                        mlir::Value value, int64_t factor);

/// `gpu.shuffle` of a value of any type.
mlir::Value createShuffle(Distributor &d, mlir::Location loc, mlir::Value value,
                          mlir::Value offset, mlir::gpu::ShuffleMode mode);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_EXCHANGE_H
