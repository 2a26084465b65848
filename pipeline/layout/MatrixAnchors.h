//===- MatrixAnchors.h - Contractions by matrix instructions ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Calls the selection functions of pipeline/strategy for contractions in IR.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H

#include "pipeline/layout/MatrixOp.h"
#include "pipeline/layout/VectorScopes.h"
#include "pipeline/strategy/Contraction.h"

namespace aircc::layout {

using strategy::ContractionStrategy;
using strategy::OperandConstraints;

/// The requirements on an anchor.
struct AnchorRequest {
  mlir::Type lhsElement, rhsElement;
  /// Whether to prefer waves that do not share rows of the result.
  bool keepRows = false;
  OperandConstraints constraints;
};

/// Returns the best instruction of `profile` for `op` with operands of the
/// element types in the request, and the layouts of its operands (see
/// strategy::chooseContraction). Fails if the kind is not addition, if types or
/// sizes fit no instruction, or if no instruction satisfies the constraints.
Result<ContractionStrategy> chooseMatrixAnchor(const MatrixOp &op,
                                               const AnchorRequest &request,
                                               const TargetProfile &profile,
                                               const Workgroup &workgroup);

/// Returns whether a factor of `op` was zero-extended and the target has
/// instructions that multiply unsigned integers. The extensions then remain
/// before the contraction, because only they distinguish signed from unsigned
/// integers.
bool multipliesUnsigned(const MatrixOp &op, const TargetProfile &profile);

/// Returns the value from which `value` was extended, if a matrix instruction
/// performs the same extension exactly; otherwise, returns `value`.
mlir::Value getNarrow(mlir::Value value, bool isUnsigned);

/// Returns the instruction called `name`, or the largest one if `name` is
/// empty, that computes `op` with operands of these layouts (see
/// strategy::fitsInstruction); null if there is none.
const MatrixInstruction *
matchMatrixInstruction(const MatrixOp &op, llvm::StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
