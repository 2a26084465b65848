//===- MatrixAnchors.h - Contractions by matrix instructions ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From contractions in IR to the choosers of pipeline/strategy.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H

#include "pipeline/layout/MatrixOp.h"
#include "pipeline/layout/WholeVectors.h"
#include "pipeline/strategy/Contraction.h"

namespace aircc::layout {

using strategy::ContractionStrategy;
using strategy::OperandConstraints;

/// What an anchor must satisfy.
struct AnchorRequest {
  mlir::Type lhsElement, rhsElement;
  /// Prefer waves that share no row of the result.
  bool keepRows = false;
  OperandConstraints constraints;
};

/// The best instruction of `profile` for `op` with operands of the request's
/// element types, and the layouts of its operands (see
/// strategy::chooseContraction). Errors: the kind is no addition; types or
/// sizes fit no instruction; none satisfies the constraints.
Result<ContractionStrategy> chooseMatrixAnchor(const MatrixOp &op,
                                               const AnchorRequest &request,
                                               const TargetProfile &profile,
                                               const Workgroup &workgroup);

/// Whether a factor of `op` has been widened without sign, and the target's
/// instructions multiply unsigned integers too. Then the ops that widen stay in
/// front of the contraction, for they alone tell the signs.
bool multipliesUnsigned(const MatrixOp &op, const TargetProfile &profile);

/// What `value` was before it was made wider for the multiplication, if a
/// matrix instruction does that itself, exactly; else `value`.
mlir::Value getNarrow(mlir::Value value, bool isUnsigned);

/// The instruction called `name`, or the largest if `name` is empty, that does
/// `op` with operands of these layouts (see strategy::fitsInstruction); null if
/// there is none.
const MatrixInstruction *
matchMatrixInstruction(const MatrixOp &op, llvm::StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
