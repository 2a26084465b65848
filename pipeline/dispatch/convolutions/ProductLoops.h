//===- ProductLoops.h - Loops of convolutions -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_CONVOLUTIONS_PRODUCTLOOPS_H
#define AIRCC_PIPELINE_DISPATCH_CONVOLUTIONS_PRODUCTLOOPS_H

#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace aircc::dispatch {

/// The role of each loop of a convolution in the product of matrices that
/// computes it.
struct ProductLoops {
  /// There is one product for each index of these loops. In the order of the
  /// result.
  llvm::SmallVector<unsigned> outer;
  /// These loops together form the rows of the product. They are consecutive
  /// dimensions of the result.
  llvm::SmallVector<unsigned> rows;
  unsigned column = 0;
  /// The loops of the reduction, in the order of the filter.
  llvm::SmallVector<unsigned> sums;
};

/// The loops that index the dimensions of an operand.
llvm::SmallVector<unsigned> getLoops(mlir::AffineMap map);

/// Determines the roles of the loops of `op`; nullopt if a kernel cannot
/// compute it as a product with rows of windows.
std::optional<ProductLoops> sortLoops(mlir::linalg::LinalgOp op);

/// The product of the sizes of `loops`; dynamic if one is.
int64_t multiplySizes(mlir::linalg::LinalgOp op,
                      llvm::ArrayRef<unsigned> loops);

/// The groups of dimensions with each of the loops `rows` as one group.
llvm::SmallVector<mlir::ReassociationIndices>
groupRows(mlir::AffineMap map, llvm::ArrayRef<unsigned> rows);

/// Describes the product as the kernel computes it.
strategy::MatmulProblem describeProduct(mlir::linalg::LinalgOp op,
                                        const ProductLoops &loops,
                                        const TargetProfile &profile);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONVOLUTIONS_PRODUCTLOOPS_H
