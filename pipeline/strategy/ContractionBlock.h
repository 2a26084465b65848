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
  std::array<int64_t, 3> bits; ///< Of an element of A, B and C.
  int64_t workers;
};

/// A part of a contraction that is one product of vectors.
struct ContractionBlock {
  int64_t m = 0, n = 0, k = 0;
};

/// The largest block that divides the contraction, consists of tiles of an
/// instruction and stays within the register budgets of the operands: as much
/// of C as possible, then as deep as possible. Nothing if no instruction fits.
std::optional<ContractionBlock>
chooseContractionBlock(const BufferContraction &contraction,
                       const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_CONTRACTIONBLOCK_H
