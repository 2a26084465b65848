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
  /// The maps of lhs, rhs and acc, which are projections of the iteration
  /// space.
  llvm::SmallVector<mlir::AffineMap, 3> maps;
  llvm::SmallVector<int64_t> bounds;
  /// The dimensions that are not reduced.
  llvm::SmallVector<int64_t> parallel;
  bool adds; ///< Whether the combining kind is addition.

  /// Returns nullopt for other ops, for a dpas of single lanes, and for one
  /// without an accumulator.
  static std::optional<MatrixOp> get(mlir::Operation *op);

  mlir::Value getLhs() const { return op->getOperand(0); }
  mlir::Value getRhs() const { return op->getOperand(1); }
  mlir::Value getAcc() const { return op->getOperand(2); }
  mlir::Value getResult() const { return op->getResult(0); }
};

/// Returns the iteration space of `op`. Its m, n and k dimensions are the
/// innermost ones of their kind, along which matrix instructions multiply.
/// Returns nullopt if `op` is not a product of matrices or vectors.
std::optional<strategy::ContractionShape>
getContractionShape(const MatrixOp &op);

/// Returns whether rows of the result of `op`, or of its left factor, should
/// remain in one wave. This is so if the result is reduced along rows or
/// becomes the left factor of another contraction, or if the left factor comes
/// from a contraction. Waves that share rows would have to exchange them.
bool worksOnRows(const MatrixOp &op);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXOP_H
