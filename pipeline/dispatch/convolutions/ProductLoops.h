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
  /// The loops of the reduction that form the depth of the product, outermost
  /// first. They are consecutive dimensions of the filter.
  llvm::SmallVector<unsigned> sums;
  /// The outermost loops of the reduction if a product for each index of them
  /// is computed on its own, so that there are enough workgroups.
  llvm::SmallVector<unsigned> parts;
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

/// Makes the channels the innermost loop of the sums if many of them follow
/// each other then: their addresses differ by a constant, and they are all in
/// the padding or none. In the order of a filter whose channels are further
/// out, each element of a window would have an address of its own to compute.
void orderSums(mlir::linalg::LinalgOp op, ProductLoops &loops);

/// Chooses the parts if a kernel with `tiling` has too few workgroups.
void chooseParts(mlir::linalg::LinalgOp op, ProductLoops &loops,
                 const strategy::MatmulProblem &problem,
                 const strategy::MatmulTiling &tiling,
                 const TargetProfile &profile);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONVOLUTIONS_PRODUCTLOOPS_H
