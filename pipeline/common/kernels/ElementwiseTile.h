//===- ElementwiseTile.h - Elementwise ops on a tile ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Elementwise ops that a kernel computes on a tile of a matrix while it is in
// registers, either after a contraction (its epilogue) or before it (the
// initial value of its result).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H
#define AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

/// Returns whether `op` computes each element of its only result from at most
/// one element of each operand, with ops that also support vectors, and without
/// reading the previous value of the result.
bool isElementwiseOnTiles(mlir::linalg::GenericOp op);

/// Returns whether `op`, a contraction of tensors or memrefs, is a matrix
/// product, possibly with batch dimensions: each operand is indexed only by
/// loops, and a single dimension is summed.
bool isMatrixProduct(mlir::linalg::LinalgOp op);

/// Returns true if the body of `op` multiplies, after extending the factors if
/// necessary, and adds, as vector.contract does.
bool isProductOfElements(mlir::linalg::LinalgOp op);

/// Returns the op that combines an element of output `output` with those that
/// `op` reduces. Returns null unless it is a single op that has a neutral
/// element and by which vectors can be reduced.
mlir::Operation *findCombiner(mlir::linalg::LinalgOp op, unsigned output);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H
