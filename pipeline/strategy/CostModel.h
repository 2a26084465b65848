//===- CostModel.h - What a choice costs on a target ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares tiles, distributions and register use. All figures of the hardware
// come from the target profile's costModel and limits. Costs are relative: they
// order the choices for one problem on one target.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_STRATEGY_COSTMODEL_H
#define AIRCC_PIPELINE_STRATEGY_COSTMODEL_H

#include "targets/TargetProfile.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <tuple>

namespace aircc::strategy {

/// A size along M or N that is not known at compile time counts as this: large
/// enough to fill a device, so that it does not shrink the tiles.
inline constexpr int64_t kAssumedSize = 4096;

/// A tile of C that a workgroup of wavesM x wavesN waves computes.
struct TileShape {
  int64_t tileM, tileN, wavesM, wavesN;
};

/// What one step along K of the tile costs, in multiply-adds for each element
/// of K: the multiplications, and moving a row of A or B for each row and
/// column.
int64_t estimateTileCost(const TileShape &tile, const CostModel &model);

/// The cost of C of m x n, one tile a workgroup: as many rounds as it takes all
/// compute units to compute all tiles.
int64_t estimateGridCost(const TileShape &tile, std::optional<int64_t> m,
                         std::optional<int64_t> n,
                         const TargetProfile &profile);

/// Vector registers of a lane that values may take if the workgroup has
/// `threads` lanes. Workgroups that `shareRegisters` have at most one wave's
/// worth of the registers for each of the compute unit's SIMDs.
int64_t getUsableVgprs(const TargetProfile &profile, int64_t threads,
                       bool shareRegisters);

/// 32-bit registers that hold `values` values of `bits` bits.
inline int64_t getRegisters(int64_t values, int64_t bits) {
  return (values * bits + 31) / 32;
}

/// Workgroups that a compute unit has room for, each of `waves` waves with
/// `registers` registers a lane and `ldsBytes` bytes of LDS.
int64_t countWorkgroups(const TargetProfile &profile, int64_t waves,
                        int64_t registers, int64_t ldsBytes);

/// Orders ways to distribute a contraction: greater is better. Busy waves come
/// first, then how few waves share rows, the instruction's result, its depth,
/// and how little a wave reads.
using DistributionRank =
    std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;

/// The rank of `waves` waves along each dimension, of which `sharingRows` share
/// each row of the result (0: that does not matter) and each reads `traffic`
/// elements.
DistributionRank rankDistribution(const MatrixInstruction &instruction,
                                  llvm::ArrayRef<int64_t> waves,
                                  int64_t sharingRows, int64_t traffic);

} // namespace aircc::strategy

#endif // AIRCC_PIPELINE_STRATEGY_COSTMODEL_H
