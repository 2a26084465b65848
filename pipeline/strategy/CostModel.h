//===- CostModel.h - The cost of choices on a target ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compares tiles, distributions and register use. All properties of the
// hardware come from the costModel and limits of the target profile. Costs are
// relative: they only order the choices for one problem on one target.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_COSTMODEL_H
#define AIRCC_PIPELINE_STRATEGY_COSTMODEL_H

#include "targets/TargetProfile.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <tuple>

namespace aircc::strategy {

/// The assumed value of a size along M or N that is unknown at compile time. It
/// is large enough to fill a device, so that it does not shrink the tiles.
inline constexpr int64_t kAssumedSize = 4096;

/// A tile of C that a workgroup of wavesM x wavesN waves computes.
struct TileShape {
  int64_t tileM, tileN, wavesM, wavesN;
};

/// Returns the cost of one step along K of the tile, in multiply-adds per
/// element of K: the multiplications, plus the cost of moving an element of A
/// or B for each row and column.
int64_t estimateTileCost(const TileShape &tile, const CostModel &model);

/// Returns the cost of an m x n C, with one tile per workgroup, in as many
/// rounds as all compute units together need to compute all tiles.
/// `additionalCost` is the cost of a step along K of a tile, in addition to
/// estimateTileCost.
int64_t estimateGridCost(const TileShape &tile, std::optional<int64_t> m,
                         std::optional<int64_t> n, const TargetProfile &profile,
                         int64_t additionalCost = 0);

/// Returns the number of vector registers of a lane that the values of a matmul
/// kernel may use if the workgroup has `threads` lanes. Workgroups that
/// `shareRegisters` may use at most the registers of one wave for each SIMD of
/// the compute unit.
int64_t getUsableVgprs(const TargetProfile &profile, int64_t threads,
                       bool shareRegisters);

/// Returns the number of 32-bit registers that hold `values` values of `bits`
/// bits.
inline int64_t getRegisters(int64_t values, int64_t bits) {
  return (values * bits + 31) / 32;
}

/// Returns the number of workgroups that fit on a compute unit if each has
/// `waves` waves with `registers` registers per lane and `ldsBytes` bytes of
/// LDS.
int64_t countWorkgroups(const TargetProfile &profile, int64_t waves,
                        int64_t registers, int64_t ldsBytes);

/// Orders ways to distribute a contraction; greater is better. The criteria, in
/// order, are: busy waves, how few waves share rows, the size of the
/// instruction's result, its depth, and how little a wave reads.
using DistributionRank =
    std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;

/// Returns the rank of a distribution over `waves` waves along each dimension,
/// of which `sharingRows` share each row of the result (0: ignore this), and
/// each reads `traffic` elements.
DistributionRank rankDistribution(const MatrixInstruction &instruction,
                                  llvm::ArrayRef<int64_t> waves,
                                  int64_t sharingRows, int64_t traffic);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_COSTMODEL_H
