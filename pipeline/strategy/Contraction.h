//===- Contraction.h - A contraction on matrix instructions -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the matrix instruction and the distribution over waves of a
// contraction of vectors, and derives the layouts of its operands. There is no
// IR here: a contraction is its sizes, its types and the dimensions of its
// operands.
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
/// an instruction, all other dimensions repeat it.
struct ContractionShape {
  llvm::SmallVector<int64_t> bounds;
  int64_t m, n, k;
  /// The dimensions that are not reduced.
  llvm::SmallVector<int64_t> parallel;
  /// The dimensions of A, B and C, each in the operand's order.
  std::array<llvm::SmallVector<int64_t>, 3> dims;
};

/// What the user has fixed of the layouts of A, B and C.
using OperandConstraints = std::array<std::optional<PartialLayout>, 3>;

struct ContractionRequest {
  ContractionShape shape;
  MatrixTypes types;
  std::array<int64_t, 3> bits; ///< Of an element of A, B and C.
  int64_t waves = 1;
  /// A wave loads blocks of memory as a whole, so that lanes need no elements
  /// side by side.
  bool blockIO = false;
  /// Prefer waves that share no row of the result.
  bool keepRows = false;
  OperandConstraints constraints;
};

/// A contraction done by repeating a matrix instruction.
struct ContractionStrategy {
  const MatrixInstruction *instruction;
  /// In the order of the operands' own dimensions.
  NestedLayout a, b, c;
  /// For each dimension of the iteration space, how many waves share it.
  llvm::SmallVector<int64_t> waves;
};

/// The best strategy for the request. First choice is what keeps most waves
/// busy, then (with `keepRows`) waves that share no row, then the larger
/// instruction, then the distribution for which a wave reads least. Errors: no
/// instruction takes the types and sizes; none satisfies the constraints.
Result<ContractionStrategy> chooseContraction(const ContractionRequest &request,
                                              const TargetProfile &profile);

/// Whether operands of these layouts (A, B, C) are in the registers that each
/// repetition of `instruction` takes, and belong together. The order in which
/// repetitions go over a dimension is free, as long as operands agree about it.
/// A wave reduces by itself.
bool fitsInstruction(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     llvm::ArrayRef<const NestedLayout *> layouts);

/// The largest instruction (only the one called `name`, unless that is empty)
/// that fits operands of these layouts; null if there is none.
const MatrixInstruction *
matchMatrixInstruction(const ContractionShape &shape, const MatrixTypes &types,
                       llvm::StringRef name,
                       llvm::ArrayRef<const NestedLayout *> layouts,
                       const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_CONTRACTION_H
