//===- MatrixOp.h - A common view of contractions ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_MATRIXOP_H
#define AIRCC_PIPELINE_LAYOUT_MATRIXOP_H

#include "pipeline/strategy/Contraction.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace aircc::layout {

/// A vector.contract, or an xegpu.dpas of undistributed vectors, which is a
/// contraction of row-major matrices.
struct MatrixOp {
  mlir::Operation *op;
  /// The maps of lhs, rhs and acc: projections of the iteration space.
  llvm::SmallVector<mlir::AffineMap, 3> maps;
  llvm::SmallVector<int64_t> bounds;
  /// The dimensions that are not reduced.
  llvm::SmallVector<int64_t> parallel;
  bool adds; ///< Whether the combining kind is addition.

  /// Nothing for other ops, a dpas of single lanes, or one without accumulator.
  static std::optional<MatrixOp> get(mlir::Operation *op);

  mlir::Value getLhs() const { return op->getOperand(0); }
  mlir::Value getRhs() const { return op->getOperand(1); }
  mlir::Value getAcc() const { return op->getOperand(2); }
  mlir::Value getResult() const { return op->getResult(0); }
};

/// The iteration space of `op`, with the innermost m, n and k as those of an
/// instruction. Nothing if `op` is not a product of matrices or vectors.
std::optional<strategy::ContractionShape>
getContractionShape(const MatrixOp &op);

/// Whether rows of the result of `op`, or of its left factor, should stay in
/// one wave: the result is reduced along rows or becomes the left factor of
/// another contraction, or the left factor comes from one. Waves that share
/// rows would have to exchange them.
bool worksOnRows(const MatrixOp &op);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXOP_H
