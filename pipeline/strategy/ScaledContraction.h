//===- ScaledContraction.h - Contractions with block scales -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_SCALEDCONTRACTION_H
#define AIRCC_PIPELINE_STRATEGY_SCALEDCONTRACTION_H

#include "pipeline/strategy/MatrixInstructions.h"

#include <optional>

namespace aircc::strategy {

/// C (m x n) += A (m x k) * B (n x k), with a scale for each block of A and of
/// B along k.
struct ScaledContraction {
  int64_t m, n, k;
  MatrixTypes types;
  int64_t block; ///< The number of elements along k that share a scale.
};

/// An instruction and the waves along m and n.
struct ScaledStrategy {
  const MatrixInstruction *instruction;
  int64_t wavesM = 1, wavesN = 1;
};

/// The layouts of A (m x k), B (n x k), C (m x n) and of the scales of A
/// (m x k / block) and B (n x k / block).
struct ScaledLayouts {
  NestedLayout lhs, rhs, acc, lhsScales, rhsScales;
};

/// Returns the layouts for repetitions of the strategy's instruction. Fails if
/// sizes do not divide evenly.
Result<ScaledLayouts> getScaledLayouts(int64_t m, int64_t n, int64_t k,
                                       const ScaledStrategy &strategy);

/// Returns the strategy with the best rank (see rankDistribution) for at most
/// `waves` waves; nullopt if no instruction fits.
std::optional<ScaledStrategy>
chooseScaledContraction(const ScaledContraction &contraction, int64_t waves,
                        const TargetProfile &profile);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_SCALEDCONTRACTION_H
