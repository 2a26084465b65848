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
  llvm::SmallVector<int64_t> waves, strides, cycles;
  /// The number of repetitions whose elements are adjacent in each lane, so
  /// that one memory access transfers them.
  llvm::SmallVector<int64_t> contiguous;
};

/// Returns the number of tiles of the instruction along dimension `d`; 0 if
/// they do not divide it.
int64_t countTiles(const ContractionShape &shape,
                   const MatrixInstruction &instruction, int64_t d);

/// Returns the number of elements of A and B that one wave reads.
int64_t getTraffic(const ContractionShape &shape,
                   llvm::ArrayRef<int64_t> waves);

/// Returns the distribution over waves that the user constraints fix, with 0
/// waves for an unconstrained dimension. Fails if the constraints of two
/// operands conflict, or if one distributes a reduction dimension over several
/// waves.
Result<WaveDistribution>
getUserDistribution(const ContractionShape &shape,
                    const OperandConstraints &constraints);

/// Distributes the remaining wave ids of `fixed` over its unconstrained
/// dimensions, the last one fastest. Returns nullopt if there are too few.
std::optional<WaveDistribution>
completeDistribution(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     WaveDistribution fixed, int64_t numWaves);

/// Calls `visit` for every distribution of `numWaves`, or a divisor of it, over
/// the parallel dimensions that gives each wave whole tiles.
void forEachDistribution(
    const ContractionShape &shape, const MatrixInstruction &instruction,
    int64_t numWaves, llvm::function_ref<void(const WaveDistribution &)> visit);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_WAVEDISTRIBUTION_H
