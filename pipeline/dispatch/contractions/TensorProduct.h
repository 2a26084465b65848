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

/// A contraction of tensors as the products of matrices that its kernel
/// computes.
struct TensorProduct {
  strategy::MatmulProblem problem;
  /// How many matrices the result consists of, if the sizes are known.
  std::optional<int64_t> matrices;
  /// The reduced loop.
  unsigned depth = 0;
  /// The loops of the rows (those of the first factor) and columns of a matrix
  /// of the result. If a factor is a vector, there is only one of them.
  std::optional<unsigned> rows, columns;
};

/// Describes `op`, whose factors may be vectors: matrices of one row or column.
/// Nothing if no matmul kernel can compute it.
std::optional<TensorProduct> describeProduct(mlir::linalg::LinalgOp op,
                                             const TargetProfile &profile);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_TENSORPRODUCT_H
