//===- PartialSums.h - Add parts of long sums -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum that is too long for the number of its results is divided: a kernel
// computes several products of equal depth, and another one adds them, one
// after the other.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H
#define AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H

#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// The type in which the products of `op` are summed, an accumulator of
/// `problem`.
mlir::Type getSumType(mlir::linalg::LinalgOp op,
                      const strategy::MatmulProblem &problem);

/// Creates the op that computes the products of `factors`, from zeros. The maps
/// are those of the factors and of the result, whose type has the elements in
/// which the products are summed. `reduction` is the loop that sums.
mlir::linalg::GenericOp createProducts(mlir::OpBuilder &b, mlir::Location loc,
                                       mlir::ValueRange factors,
                                       llvm::ArrayRef<mlir::AffineMap> maps,
                                       mlir::RankedTensorType type,
                                       unsigned reduction);

/// Replaces `op` by the sum of its initial value and of `products`, which has
/// the number of the product as its outermost dimension. Returns the op that
/// adds them: together with elementwise ops before and after.
mlir::linalg::GenericOp replaceBySum(mlir::IRRewriter &b,
                                     mlir::linalg::LinalgOp op,
                                     mlir::Value products);

/// Tiles the sum such that it uses the device. Tiles are contiguous; sizes
/// without suitable divisors are left to the default of elementwise ops.
/// Returns whether it is tiled.
bool tileSum(mlir::IRRewriter &b, mlir::linalg::GenericOp sum, int64_t cus);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_PARTIALSUMS_H
