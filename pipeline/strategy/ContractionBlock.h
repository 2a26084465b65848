//===- ContractionBlock.h - Contractions held in registers ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_CONTRACTIONBLOCK_H
#define AIRCC_PIPELINE_STRATEGY_CONTRACTIONBLOCK_H

#include "pipeline/strategy/MatrixInstructions.h"

#include <array>
#include <optional>

namespace aircc::strategy {

/// A contraction of buffers that `workers` lanes compute together, in blocks
/// whose operands are in registers.
struct BufferContraction {
  int64_t m, n, k;
  MatrixTypes types;
  std::array<int64_t, 3> bits; ///< For an element of A, B and C.
  int64_t workers;
};

/// A part of a contraction that is a single product of vectors.
struct ContractionBlock {
  int64_t m = 0, n = 0, k = 0;
};

/// Returns the largest block that divides the contraction, consists of tiles of
/// an instruction and is within the register budgets of the operands: as much
/// of C as possible, then as deep as possible. Returns nullopt if no
/// instruction fits.
std::optional<ContractionBlock>
chooseContractionBlock(const BufferContraction &contraction,
                       const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_CONTRACTIONBLOCK_H
