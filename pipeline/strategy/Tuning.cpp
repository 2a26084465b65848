//===- Tuning.cpp - Choices that a search found to be fast ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace aircc::strategy {

/// The numbers of waves per SIMD that a workgroup of a candidate may have.
static constexpr int64_t kWavesPerSimd[] = {1, 2};
/// The numbers of rows and columns in the tile of a wave, of buffers in LDS,
/// and of splits along K, that candidates may have.
static constexpr int64_t kWaveTiles[] = {128, 64, 32, 16};
static constexpr int64_t kBuffers[] = {2, 3};
static constexpr int64_t kSplits[] = {1, 2, 4, 8, 16, 32};

std::optional<TunedProductKey> getTuningKey(const MatmulProblem &problem,
                                            const TargetProfile &profile) {
  // Keys have no fields for scales.
  if (!problem.m || !problem.n || !problem.k || !problem.matrices ||
      problem.scaleBlock)
    return std::nullopt;
  auto convert = [](const MatmulOperand &operand) {
    return TunedFactor{operand.type, operand.alongK, operand.isComputed};
  };
  TunedProductKey key;
  key.chip = profile.chip;
  key.waveSize = profile.waveSize;
  key.cus = profile.limits.cus;
  key.m = *problem.m;
  key.n = *problem.n;
  key.k = *problem.k;
  key.matrices = *problem.matrices;
  key.a = convert(problem.a);
  key.b = convert(problem.b);
  key.c = problem.cType;
  return key;
}

/// Returns the entry for `problem` among those whose keys `getKey` returns, or
/// null.
static const TunedProduct *
findProduct(const MatmulProblem &problem, const TargetProfile &profile,
            llvm::function_ref<TunedProductKey(const TunedProduct &)> getKey) {
  if (profile.tuning.empty())
    return nullptr;
  std::optional<TunedProductKey> wanted = getTuningKey(problem, profile);
  if (!wanted)
    return nullptr;
  auto it = llvm::find_if(profile.tuning, [&](const TunedProduct &product) {
    return getKey(product) == *wanted;
  });
  return it == profile.tuning.end() ? nullptr : &*it;
}

std::optional<MatmulChoices> findTunedChoices(const MatmulProblem &problem,
                                              const TargetProfile &profile) {
  const TunedProduct *found =
      findProduct(problem, profile, [](const TunedProduct &product) {
        // The kernel of a split product computes more matrices of smaller
        // depth.
        TunedProductKey key = product.key;
        key.k /= product.splits;
        key.matrices *= product.splits;
        return key;
      });
  if (!found)
    return std::nullopt;
  return MatmulChoices{found->tileM,  found->tileN,  found->tileK,
                       found->wavesM, found->wavesN, found->buffers};
}

std::optional<int64_t> findTunedSplits(const MatmulProblem &problem,
                                       const TargetProfile &profile) {
  const TunedProduct *found =
      findProduct(problem, profile,
                  [](const TunedProduct &product) { return product.key; });
  return found ? std::optional(found->splits) : std::nullopt;
}

/// Returns ways to arrange the waves of a workgroup along M and N.
static std::vector<std::pair<int64_t, int64_t>>
listWaves(const TargetProfile &profile) {
  std::vector<std::pair<int64_t, int64_t>> waves;
  for (int64_t perSimd : kWavesPerSimd) {
    int64_t count = perSimd * profile.costModel.simdsPerCU;
    if (count * profile.waveSize > profile.limits.threadsPerWorkgroup)
      continue;
    for (int64_t along = 1; along <= count; along *= 2)
      if (count % along == 0)
        waves.emplace_back(along, count / along);
  }
  return waves;
}

std::vector<MatmulTiling> listMatmulTilings(const MatmulProblem &problem,
                                            const TargetProfile &profile) {
  int64_t row = profile.costModel.tileRowBytes * 8 /
                std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
  std::vector<MatmulTiling> tilings;
  for (auto [wavesM, wavesN] : listWaves(profile))
    for (int64_t waveM : kWaveTiles)
      for (int64_t waveN : kWaveTiles)
        for (int64_t tileK : {row, row / 2, row / 4})
          for (int64_t buffers : kBuffers) {
            MatmulChoices choices{waveM * wavesM, waveN * wavesN, tileK,
                                  wavesM,         wavesN,         buffers};
            if (tileK < 1)
              continue;
            if (auto tiling = chooseMatmulTiling(problem, profile, choices))
              tilings.push_back(*tiling);
          }
  return tilings;
}

std::vector<int64_t> listSplits(const MatmulProblem &problem,
                                const TargetProfile &profile) {
  // Rows of the parts have to be aligned for wide accesses.
  int64_t access = profile.costModel.accessBits /
                   std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
  std::vector<int64_t> splits;
  for (int64_t count : kSplits)
    if (count == 1 || (problem.k && *problem.k % (count * access) == 0))
      splits.push_back(count);
  return splits;
}

MatmulProblem splitProblem(MatmulProblem problem, int64_t splits) {
  if (problem.k)
    *problem.k /= splits;
  if (problem.matrices)
    *problem.matrices *= splits;
  return problem;
}

} // namespace aircc::strategy
