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
  /// The loops for each index of which there is a separate product, in the
  /// order of the result.
  llvm::SmallVector<unsigned> outer;
  /// The loops that together form the rows of the product. They are consecutive
  /// dimensions of the result.
  llvm::SmallVector<unsigned> rows;
  unsigned column = 0;
  /// The loops of the reduction that form the depth of the product, outermost
  /// first. They are consecutive dimensions of the filter.
  llvm::SmallVector<unsigned> sums;
  /// The outermost loops of the reduction if a separate product is computed for
  /// each of their indices, in order to have enough workgroups.
  llvm::SmallVector<unsigned> parts;
};

/// Returns the loops that index the dimensions of an operand.
llvm::SmallVector<unsigned> getLoops(mlir::AffineMap map);

/// Determines the roles of the loops of `op`; nullopt if a kernel cannot
/// compute it as a product with rows of windows.
std::optional<ProductLoops> sortLoops(mlir::linalg::LinalgOp op);

/// Returns the product of the sizes of `loops`, which is dynamic if one of them
/// is.
int64_t multiplySizes(mlir::linalg::LinalgOp op,
                      llvm::ArrayRef<unsigned> loops);

/// Returns groups of dimensions in which the loops `rows` form one group.
llvm::SmallVector<mlir::ReassociationIndices>
groupRows(mlir::AffineMap map, llvm::ArrayRef<unsigned> rows);

/// Describes the product as the kernel computes it.
strategy::MatmulProblem describeProduct(mlir::linalg::LinalgOp op,
                                        const ProductLoops &loops,
                                        const TargetProfile &profile);

/// Makes the channels the innermost loop of the sums if many consecutive
/// channels result: their addresses differ by a constant, and either all or
/// none of them are in the padding. In the order of a filter whose channels are
/// further out, the address of each element of a window would have to be
/// computed separately.
void orderSums(mlir::linalg::LinalgOp op, ProductLoops &loops);

/// Divides the loop over the channels into blocks if channels are far apart in
/// the image: the entire window is then summed for a few channels at a time,
/// whose pixels stay in the vector cache. Returns the op that replaces `op`, or
/// null if nothing changed.
mlir::linalg::LinalgOp divideChannels(mlir::IRRewriter &b,
                                      mlir::linalg::LinalgOp op,
                                      ProductLoops &loops);

/// Chooses the parts if a kernel with `tiling` has too few workgroups.
void chooseParts(mlir::linalg::LinalgOp op, ProductLoops &loops,
                 const strategy::MatmulProblem &problem,
                 const strategy::MatmulTiling &tiling,
                 const TargetProfile &profile);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONVOLUTIONS_PRODUCTLOOPS_H
