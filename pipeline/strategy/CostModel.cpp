//===- CostModel.cpp - The cost of choices on a target --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/CostModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace aircc::strategy {

int64_t estimateTileCost(const TileShape &tile, const CostModel &model) {
  // The last term is for waves that read factors from memory, each on its own.
  return tile.tileM * tile.tileN +
         model.tileRowCost * (tile.tileM + tile.tileN) +
         model.waveRowCost *
             (tile.wavesN * tile.tileM + tile.wavesM * tile.tileN);
}

int64_t estimateGridCost(const TileShape &tile, std::optional<int64_t> m,
                         std::optional<int64_t> n, const TargetProfile &profile,
                         int64_t additionalCost) {
  int64_t tiles = llvm::divideCeil(m.value_or(kAssumedSize), tile.tileM) *
                  llvm::divideCeil(n.value_or(kAssumedSize), tile.tileN);
  int64_t cus = std::max<int64_t>(profile.limits.cus, 1);
  return llvm::divideCeil(tiles, cus) *
         (estimateTileCost(tile, profile.costModel) + additionalCost);
}

int64_t getUsableVgprs(const TargetProfile &profile, int64_t threads,
                       bool shareRegisters) {
  int64_t vgprs = profile.limits.vgprs;
  if (threads * 2 <= profile.limits.threadsPerWorkgroup)
    vgprs = std::max(vgprs, profile.limits.largeVgprs);
  if (shareRegisters)
    vgprs = std::min<int64_t>(vgprs, vgprs * profile.waveSize *
                                         profile.costModel.simdsPerCU /
                                         std::max<int64_t>(threads, 1));
  return vgprs * profile.costModel.usableVgprs / 1000;
}

int64_t countWorkgroups(const TargetProfile &profile, int64_t waves,
                        int64_t registers, int64_t ldsBytes) {
  int64_t resident =
      profile.limits.vgprs / registers * profile.costModel.simdsPerCU;
  return std::min(profile.limits.ldsBytes / ldsBytes,
                  std::max<int64_t>(resident / waves, 1));
}

DistributionRank rankDistribution(const MatrixInstruction &instruction,
                                  llvm::ArrayRef<int64_t> waves,
                                  int64_t sharingRows, int64_t traffic) {
  int64_t busy = 1;
  for (int64_t count : waves)
    busy *= count;
  return {busy, -sharingRows, instruction.m * instruction.n, instruction.k,
          -traffic};
}

} // namespace aircc::strategy
