//===- MatrixInstructions.h - Matrix instructions of a target ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Finds the matrix instructions that multiply given element types, and the
// layouts of their operands. The selection functions in this directory choose
// among them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_MATRIXINSTRUCTIONS_H
#define AIRCC_PIPELINE_STRATEGY_MATRIXINSTRUCTIONS_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "targets/TargetProfile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc::strategy {

using layout::NestedLayout;
using layout::Result;

/// Element types of C += A * B, as profiles name them: "f16", "i8", …
struct MatrixTypes {
  std::string a, b, c;

  /// Returns, for example, "f16 by f16 into f32".
  std::string str() const { return a + " by " + b + " into " + c; }
};

/// Returns the instructions that multiply `types`, sorted by name: those
/// without scales, or those that scale blocks of `scaleBlock` elements.
llvm::SmallVector<const MatrixInstruction *>
findMatrixInstructions(const TargetProfile &profile, const MatrixTypes &types,
                       int64_t scaleBlock = 0);

/// Returns the instruction called `name`; null if the target has none.
const MatrixInstruction *findMatrixInstruction(const TargetProfile &profile,
                                               llvm::StringRef name);

/// Returns whether any instruction, with scales or without, multiplies `types`.
bool hasMatrixInstruction(const TargetProfile &profile,
                          const MatrixTypes &types);

/// Returns the sizes of the blocks that instructions scale, sorted by the names
/// of the instructions.
llvm::SmallVector<int64_t> getScaleBlocks(const TargetProfile &profile);

/// Returns the types in which instructions without scales accumulate products
/// of `a` and `b`, sorted.
std::vector<std::string> getAccumulatorTypes(const TargetProfile &profile,
                                             llvm::StringRef a,
                                             llvm::StringRef b);

/// Returns the type in which matrix instructions sum products of elements of
/// `a` and `b` for results of type `c` with `bits` bits: f32 or i32 for
/// narrower results, which are then rounded once; otherwise, `c`.
std::string chooseAccumulator(const TargetProfile &profile,
                              const std::string &a, const std::string &b,
                              const std::string &c, int64_t bits);

/// Returns operand 0 (A), 1 (B) or 2 (C) of an instruction.
inline const OperandLayout &getOperand(const MatrixInstruction &instruction,
                                       unsigned number) {
  return number == 0   ? instruction.a
         : number == 1 ? instruction.b
                       : instruction.c;
}

/// Returns the layout of an operand of one instruction.
Result<NestedLayout> getInstructionLayout(const OperandLayout &operand);

/// The preference among several instructions that fit.
enum class InstructionPreference {
  /// The smallest result, then the longest along K: leaves the most freedom to
  /// gather elements of a lane for wide accesses.
  Small,
  /// The largest result, then the longest along K: does the most work per
  /// instruction.
  Large,
};

/// Returns whether `candidate` is preferred over `best`, which may be null. Of
/// two equal instructions, keeps the one whose name comes first.
bool isPreferred(const MatrixInstruction &candidate,
                 const MatrixInstruction *best,
                 InstructionPreference preference);

/// The types of a product, and the number of elements along K that share a
/// scale (0 if there are no scales).
struct ProductTypes {
  MatrixTypes types;
  int64_t scaleBlock = 0;
};

/// Returns the instruction for tiles of m x n x k, which its shape must divide;
/// null if there is none. Prefers instructions of the latest generation, which
/// have the longest k for their result, then those that also divide each of
/// `parts` parts along k.
const MatrixInstruction *chooseMatrixInstruction(
    const TargetProfile &profile, const ProductTypes &product, int64_t m,
    int64_t n, int64_t k, int64_t parts, InstructionPreference preference);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_MATRIXINSTRUCTIONS_H
