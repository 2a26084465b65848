//===- MatrixAnchors.h - Contractions by matrix instructions ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "pipeline/layout/WholeVectors.h"
#include "targets/TargetProfile.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::layout {

/// A contraction done by repeating a matrix instruction.
struct MatrixAnchor {
  const MatrixInstruction *instruction;
  /// Of the contraction's operands lhs, rhs and acc, in the order of their own
  /// dimensions.
  NestedLayout lhs, rhs, acc;
  /// For each dimension of the iteration space, how many waves share it.
  llvm::SmallVector<int64_t> waves;
};

/// The best instruction of `profile` for `contract` with operands of these
/// element types, nothing if there is none: the kind must be an addition, types
/// and sizes must fit. First choice is what keeps most waves busy, then the
/// larger instruction, then the dealing for which a wave reads least. With
/// `keepRows`, waves rather share no row of the result: that comes before the
/// size of the instruction.
std::optional<MatrixAnchor>
chooseMatrixAnchor(mlir::vector::ContractionOp contract, mlir::Type lhsElement,
                   mlir::Type rhsElement, const TargetProfile &profile,
                   const Workgroup &workgroup, bool keepRows);

/// Whether rows of `contract`'s result, or of its left factor, are worked on as
/// a whole: the result is reduced along rows or becomes the left factor of
/// another contraction, or the left factor comes from one. Waves that share
/// rows would have to exchange them.
bool worksOnRows(mlir::vector::ContractionOp contract);

/// The instruction called `name`, or any if `name` is empty, that does
/// `contract` with operands of these layouts: the operands of each of its
/// repetitions are in the registers that it takes, and belong together. The
/// order in which repetitions go over a dimension is free, as long as operands
/// agree about it. Null if there is none.
const MatrixInstruction *
matchMatrixInstruction(mlir::vector::ContractionOp contract,
                       llvm::StringRef name, const NestedLayout &lhs,
                       const NestedLayout &rhs, const NestedLayout &acc,
                       const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
