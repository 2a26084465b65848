//===- WaveDistribution.h - Contractions over waves -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_WAVEDISTRIBUTION_H
#define AIRCC_PIPELINE_STRATEGY_WAVEDISTRIBUTION_H

#include "pipeline/strategy/Contraction.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace aircc::strategy {

/// How an instruction is repeated along each dimension of the iteration space.
struct WaveDistribution {
  llvm::SmallVector<int64_t> waves, strides, rounds;
  /// So many repetitions have neighboring elements in each lane, which one
  /// access to memory then moves.
  llvm::SmallVector<int64_t> contiguous;
};

/// How many tiles of the instruction there are along dimension `d`; 0 if they
/// do not divide it.
int64_t countTiles(const ContractionShape &shape,
                   const MatrixInstruction &instruction, int64_t d);

/// Elements of A and B that one wave reads.
int64_t getTraffic(const ContractionShape &shape,
                   llvm::ArrayRef<int64_t> waves);

/// The distribution over waves that the user's constraints fix; 0 waves where
/// they leave a dimension open. Errors: two operands contradict each other, or
/// waves would have to reduce together.
Result<WaveDistribution>
getUserDistribution(const ContractionShape &shape,
                    const OperandConstraints &constraints);

/// Distributes the wave ids that `fixed` leaves over the dimensions that it
/// leaves open, the last one fastest. Nothing if there are too few.
std::optional<WaveDistribution>
completeDistribution(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     WaveDistribution fixed, int64_t numWaves);

/// Calls `visit` for every distribution of `numWaves` or a divisor of it over
/// the parallel dimensions that gives each wave whole tiles.
void forEachDistribution(
    const ContractionShape &shape, const MatrixInstruction &instruction,
    int64_t numWaves, llvm::function_ref<void(const WaveDistribution &)> visit);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_WAVEDISTRIBUTION_H
