//===- MatrixLayout.h - Layouts for matrix instructions ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A matrix instruction defines how the registers of a wave hold one small tile
// of each operand. A contraction of larger vectors repeats the instruction:
// over batches in a wave, and over the waves of a workgroup. The functions here
// derive the layouts of the large vectors from those of the instruction.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// Repeats `tile`, a layout without a subgroup level, `batch[i]` times in a
/// subgroup, and the result over `subgroups[i]` subgroups, along each dimension
/// i. The size is then subgroups[i] * batch[i] * tile size. Fails if the length
/// of a list is not the rank, if the tile has a subgroup level, or if
/// NestedLayout::get fails.
Result<NestedLayout> tileUp(const NestedLayout &tile,
                            std::span<const int64_t> batch,
                            std::span<const int64_t> subgroups,
                            std::span<const int64_t> subgroupStrides);

/// Like tileUp, for a vector of shape `shape`, which determines the batch
/// counts. Fails if the tile times the subgroups does not divide the shape.
Result<NestedLayout> tileToShape(const NestedLayout &tile,
                                 std::span<const int64_t> shape,
                                 std::span<const int64_t> subgroups,
                                 std::span<const int64_t> subgroupStrides);

/// Returns the registers of a lane of `tiled`, made from `tile` by tileUp, that
/// hold the tile at batch position `batch`: entry r is the register that holds
/// register r of the tile. In this order, they are the operand of the
/// instruction.
Ints registersOfTile(const NestedLayout &tiled, const NestedLayout &tile,
                     std::span<const int64_t> batch);
/// Returns how many tiles of `tile` a subgroup holds along each dimension of
/// `tiled`.
Ints batchCounts(const NestedLayout &tiled, const NestedLayout &tile);

/// The layouts of C (M x N) += A (M x K) * B (K x N).
struct ContractLayouts {
  NestedLayout a, b, c;
};

/// Returns the layouts of a contraction that one matrix instruction, whose
/// operands have the layouts `tile` (a: m x k, b: k x n, c: m x n), computes on
/// wavesM x wavesN waves. Wave w computes the part (w / wavesN, w mod wavesN)
/// of C, over all of K. Fails if the operands of the instruction do not match,
/// or if the instruction and the waves do not divide a size.
Result<ContractLayouts> contractLayouts(const ContractLayouts &tile, int64_t m,
                                        int64_t n, int64_t k, int64_t wavesM,
                                        int64_t wavesN);

/// An operand of a contraction that a matrix instruction computes, for the
/// check below.
struct InstructionOperand {
  NestedLayout layout;
  /// The iteration dimension of each of the operand's dimensions.
  Ints dims;
  /// The layout of the operand of the instruction, and the iteration dimensions
  /// of its rows and columns. Other iteration dimensions repeat the
  /// instruction.
  NestedLayout tile;
  int64_t rows = 0, columns = 0;
};

/// Returns why the instruction, applied to the values of each lane in order,
/// does not compute the contraction; nullopt if it does. Along each dimension,
/// the values of a lane are divided into groups of as many values as the
/// instruction's tile has, and an instruction takes one group of each operand.
/// So the lanes must be distributed along a dimension as in the tile, and the
/// groups of operands that share the dimension must contain the same elements
/// in the same order. Layouts made by contractLayouts satisfy this. So do other
/// layouts, in which adjacent elements of the vector are in one lane and belong
/// to different instructions.
std::optional<Error>
checkInstructionOperands(std::span<const InstructionOperand> operands);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_MATRIXLAYOUT_H
