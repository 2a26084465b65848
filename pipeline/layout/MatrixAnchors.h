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
#include "dialects/layout/algebra/XeGPULayout.h"
#include "pipeline/layout/MatrixOp.h"
#include "pipeline/layout/WholeVectors.h"
#include "targets/TargetProfile.h"

#include <array>

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

/// What is said already of the layouts of lhs, rhs and acc.
using OperandWishes = std::array<std::optional<PartialLayout>, 3>;

/// What an anchor must fit to.
struct AnchorRequest {
  mlir::Type lhsElement, rhsElement;
  /// Waves rather share no row of the result.
  bool keepRows = false;
  OperandWishes wishes;
};

/// The best instruction of `profile` for `op` with operands of the request's
/// element types, an error if there is none: the kind must be an addition,
/// types and sizes must fit, and so must what is said of the operands' layouts.
/// First choice is what keeps most waves busy, then the larger instruction,
/// then the dealing for which a wave reads least; with `keepRows`, waves that
/// share no row come before the size of the instruction.
Result<MatrixAnchor> chooseMatrixAnchor(const MatrixOp &op,
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
/// `op` with operands of these layouts: the operands of each of its
/// repetitions are in the registers that it takes, and belong together. The
/// order in which repetitions go over a dimension is free, as long as operands
/// agree about it. Null if there is none.
const MatrixInstruction *
matchMatrixInstruction(const MatrixOp &op, llvm::StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_MATRIXANCHORS_H
