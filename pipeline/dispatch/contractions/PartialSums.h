//===- PartialSums.h - Add parts of long sums -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Splits a sum that is too long for the number of its results: one kernel
// computes several products of equal depth, and another adds them in order.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H
#define AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H

#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// Returns the type in which the products of `op` are summed, an accumulator of
/// `problem`.
mlir::Type getSumType(mlir::linalg::LinalgOp op,
                      const strategy::MatmulProblem &problem);

/// Creates the op that computes the products of `factors`, starting from zeros.
/// The maps are those of the factors and of the result, whose element type is
/// the one in which products are summed. `reduction` is the loop that sums.
mlir::linalg::GenericOp createProducts(mlir::OpBuilder &b, mlir::Location loc,
                                       mlir::ValueRange factors,
                                       llvm::ArrayRef<mlir::AffineMap> maps,
                                       mlir::RankedTensorType type,
                                       unsigned reduction);

/// Replaces `op` with the sum of its initial value and `products`, whose
/// outermost dimension is the number of the product. Returns the op that adds
/// them, fused with preceding and following elementwise ops.
mlir::linalg::GenericOp replaceBySum(mlir::IRRewriter &b,
                                     mlir::linalg::LinalgOp op,
                                     mlir::Value products);

/// Tiles the sum so that it uses the device well. Tiles are contiguous. Sizes
/// without suitable divisors are left to the default for elementwise ops.
/// Returns whether the sum is tiled.
bool tileSum(mlir::IRRewriter &b, mlir::linalg::GenericOp sum, int64_t cus);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H
