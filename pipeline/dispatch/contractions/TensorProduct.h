//===- TensorProduct.h - Contractions as matrix products --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_TENSORPRODUCT_H
#define AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_TENSORPRODUCT_H

#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// A contraction of tensors, described as the matrix products that its kernel
/// computes.
struct TensorProduct {
  strategy::MatmulProblem problem;
  /// The number of matrices that the result consists of, if the sizes are
  /// known.
  std::optional<int64_t> matrices;
  /// The reduced loop.
  unsigned depth = 0;
  /// The loops of the rows (those of the first factor) and columns of a matrix
  /// of the result. If a factor is a vector, only one of them is present.
  std::optional<unsigned> rows, columns;
};

/// Describes `op`, whose factors may be vectors, that is, matrices with one row
/// or column. Returns nullopt if no matmul kernel can compute it.
std::optional<TensorProduct> describeProduct(mlir::linalg::LinalgOp op,
                                             const TargetProfile &profile);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_TENSORPRODUCT_H
