//===- Contraction.h - A contraction on matrix instructions -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Chooses the matrix instruction and the distribution over waves for a
// contraction of vectors, and derives the layouts of its operands. This does
// not depend on IR: a contraction consists of its sizes, its types and the
// dimensions of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_CONTRACTION_H
#define AIRCC_PIPELINE_STRATEGY_CONTRACTION_H

#include "dialects/layout/algebra/XeGPULayout.h"
#include "pipeline/strategy/MatrixInstructions.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>

namespace aircc::strategy {

using layout::PartialLayout;

/// The iteration space of a contraction: the innermost m, n and k are those of
/// an instruction; all other dimensions repeat the instruction.
struct ContractionShape {
  llvm::SmallVector<int64_t> bounds;
  int64_t m, n, k;
  /// The dimensions that are not reduced.
  llvm::SmallVector<int64_t> parallel;
  /// The dimensions of A, B and C, each in the order of the operand.
  std::array<llvm::SmallVector<int64_t>, 3> dims;
};

/// The user constraints on the layouts of A, B and C.
using OperandConstraints = std::array<std::optional<PartialLayout>, 3>;

struct ContractionRequest {
  ContractionShape shape;
  MatrixTypes types;
  std::array<int64_t, 3> bits; ///< For an element of A, B and C.
  int64_t waves = 1;
  /// Whether a wave loads blocks of memory as a whole, so that lanes do not
  /// need adjacent elements.
  bool blockIO = false;
  /// Whether to prefer waves that do not share rows of the result.
  bool keepRows = false;
  OperandConstraints constraints;
};

/// A contraction implemented by repeating a matrix instruction.
struct ContractionStrategy {
  const MatrixInstruction *instruction;
  /// The layouts, in the order of each operand's dimensions.
  NestedLayout a, b, c;
  /// For each dimension of the iteration space, the number of waves over which
  /// it is distributed.
  llvm::SmallVector<int64_t> waves;
};

/// Returns the best strategy for the request. The criteria, in order, are: the
/// number of busy waves; with `keepRows`, that waves do not share rows; the
/// size of the instruction; and how little a wave reads. Fails if no
/// instruction supports the types and sizes, or none satisfies the constraints.
Result<ContractionStrategy> chooseContraction(const ContractionRequest &request,
                                              const TargetProfile &profile);

/// Returns whether operands with these layouts (A, B, C) are in the registers
/// that each repetition of `instruction` takes, and match each other.
/// Repetitions may be in any order along a dimension, as long as operands agree
/// on it. Each wave reduces on its own.
bool fitsInstruction(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     llvm::ArrayRef<const NestedLayout *> layouts);

/// Returns the largest instruction (or the one called `name`, if not empty)
/// that fits operands of these layouts; null if there is none.
const MatrixInstruction *
matchMatrixInstruction(const ContractionShape &shape, const MatrixTypes &types,
                       llvm::StringRef name,
                       llvm::ArrayRef<const NestedLayout *> layouts,
                       const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_CONTRACTION_H
