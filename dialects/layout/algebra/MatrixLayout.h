//===- MatrixLayout.h - Layouts made of matrix instructions -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix instruction says how one small tile of each operand lies in the
// registers of a wave. A contraction of larger vectors repeats it: over batches
// in a wave, and over the waves of a workgroup. The functions here make the
// layouts of the large vectors out of the instruction's.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// Repeats `tile`, a layout without a subgroup level, `batch[i]` times in a
/// subgroup and that over `subgroups[i]` subgroups along dimension i. The
/// result has the size subgroups[i] * batch[i] * tile size. Errors: lists of
/// another length than the rank; a tile with a subgroup level; those of
/// NestedLayout::get.
Result<NestedLayout> tileUp(const NestedLayout &tile,
                            std::span<const int64_t> batch,
                            std::span<const int64_t> subgroups,
                            std::span<const int64_t> subgroupStrides);

/// As tileUp, for a vector of shape `shape`: the batch counts are what is left.
/// Errors: the tile times the subgroups does not divide the shape.
Result<NestedLayout> tileToShape(const NestedLayout &tile,
                                 std::span<const int64_t> shape,
                                 std::span<const int64_t> subgroups,
                                 std::span<const int64_t> subgroupStrides);

/// The registers of a lane of `tiled`, made of `tile` by tileUp, that hold the
/// tile at batch position `batch`: entry r is where the tile's register r is.
/// These are, in order, what the instruction takes.
Ints registersOfTile(const NestedLayout &tiled, const NestedLayout &tile,
                     std::span<const int64_t> batch);
/// How many tiles of `tile` a subgroup holds along each dimension of `tiled`.
Ints batchCounts(const NestedLayout &tiled, const NestedLayout &tile);

/// The layouts of C (M x N) += A (M x K) * B (K x N).
struct ContractLayouts {
  NestedLayout a, b, c;
};

/// Lays out a contraction for one matrix instruction, whose operands have the
/// layouts `tile` (a: m x k, b: k x n, c: m x n), on wavesM x wavesN waves:
/// wave w computes the part (w / wavesN, w mod wavesN) of C, all of K. Errors:
/// the instruction's operands do not go together; a size that the instruction
/// and the waves do not divide.
Result<ContractLayouts> contractLayouts(const ContractLayouts &tile, int64_t m,
                                        int64_t n, int64_t k, int64_t wavesM,
                                        int64_t wavesN);

/// An operand of a contraction that a matrix instruction computes, as the check
/// below wants it.
struct InstructionOperand {
  NestedLayout layout;
  /// The iteration dimension of each of its dimensions.
  Ints dims;
  /// The instruction's layout of it, and the iteration dimensions of its rows
  /// and columns. Other iteration dimensions repeat the instruction.
  NestedLayout tile;
  int64_t rows = 0, columns = 0;
};

/// Why the instruction, applied to the lanes' values in their order, does not
/// compute the contraction; nothing where it does. Along each dimension a
/// lane's values are taken in groups of as many as the instruction's tile has
/// of them, and a group of each operand makes an instruction. So along a
/// dimension the lanes must be spread as in the tile, and the groups of the
/// operands that share the dimension must mean the same elements, one by one.
/// Layouts made by contractLayouts do; so do others, in which neighbouring
/// elements of the vector are in one lane and go to different instructions.
std::optional<Error>
checkInstructionOperands(std::span<const InstructionOperand> operands);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H
