//===- ElementwiseTile.h - Elementwise ops on a tile ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops that a kernel computes on a tile of a matrix while it is in
// registers: after a contraction (its epilogue) or before it (the initial value
// of its result).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H
#define AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

/// Whether `op` computes each element of its only result from at most one
/// element of each operand, by ops that also work on vectors, and without the
/// previous value of the result.
bool isElementwiseOnTiles(mlir::linalg::GenericOp op);

/// Whether `op`, a contraction of tensors or memrefs, is a matrix product, for
/// some batch dimensions: each operand is indexed by loops alone, and it sums
/// over one dimension.
bool isMatrixProduct(mlir::linalg::LinalgOp op);

/// True if the body of `op` multiplies, extending the factors if necessary, and
/// adds, as vector.contract does.
bool isProductOfElements(mlir::linalg::LinalgOp op);

/// The op that combines an element of output `output` with those that `op`
/// reduces; null unless it is one op, which vectors can be reduced by and which
/// has a neutral element.
mlir::Operation *findCombiner(mlir::linalg::LinalgOp op, unsigned output);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_ELEMENTWISETILE_H
