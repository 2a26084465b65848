//===- AttentionTiling.cpp - Tiles of an attention kernel -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/AttentionTiling.h"

#include "dialects/layout/algebra/TransposedRead.h"
#include "pipeline/strategy/MatmulTiling.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace aircc::strategy {

constexpr int64_t kHeadMultiple = 32, kMaxWaves = 4, kMaxKeys = 64;
/// The minimum number of keys in an LDS tile, and the number of tiles in LDS.
constexpr int64_t kMinStagedKeys = 32, kBuffers = 2;
/// The number of keys in an LDS tile if the total number of keys is a large
/// multiple of it.
constexpr int64_t kManyKeys = 128;
/// The maximum result of countRegisters at which two waves fit on a SIMD. The
/// remaining registers hold factors.
constexpr int64_t kMaxRegisters = 168;
/// Two waves for each SIMD: one computes weights while the other multiplies.
constexpr int64_t kMaxStagedWaves = 8;
/// For tiles that are read in blocks: the number of waves, the maximum number
/// of sums per lane in small tiles, and the maximum head size in large tiles,
/// so that the scores of kMaxKeys keys also fit in registers; and the part of a
/// head that is read at once.
constexpr int64_t kBlockWaves = 8, kMaxBlockSums = 64, kMaxLargeHead = 128,
                  kBlockPart = 16;
/// The relative time of an iteration with half as many waves, according to the
/// timing model of gfx942 and gfx950.
constexpr double kTimeOfHalf = 0.7;

/// Halves the number of waves as long as the remaining ones cover all queries.
static int64_t limitWaves(int64_t waves, int64_t rows,
                          const AttentionSizes &sizes) {
  while (sizes.queries && waves > 1 && (waves / 2) * rows >= *sizes.queries)
    waves /= 2;
  return waves;
}

/// Returns the number of waves with which a launch of known size takes the
/// least time. A compute unit executes one workgroup at a time; with half as
/// many waves, an iteration takes more than half of the time.
static int64_t chooseStagedWaves(int64_t rows, const AttentionSizes &sizes,
                                 const TargetProfile &profile) {
  int64_t waves = limitWaves(kMaxStagedWaves, rows, sizes);
  if (!sizes.queries || !sizes.heads || waves <= kMaxWaves)
    return waves;
  auto getTime = [&](int64_t waves, double time) {
    int64_t groups =
        llvm::divideCeil(*sizes.queries, waves * rows) * *sizes.heads;
    return double(llvm::divideCeil(groups, profile.limits.cus)) * time;
  };
  return getTime(waves / 2, kTimeOfHalf) < getTime(waves, 1) ? waves / 2
                                                             : waves;
}

/// Returns the instruction with the most products among those that have `rows`
/// rows and columns; null if there is none.
static const MatrixInstruction *findInstruction(const TargetProfile &profile,
                                                const MatrixTypes &types,
                                                int64_t rows) {
  const MatrixInstruction *best = nullptr;
  for (const MatrixInstruction *instruction :
       findMatrixInstructions(profile, types))
    if (instruction->m == rows && instruction->n == rows &&
        (!best || instruction->k > best->k))
      best = instruction;
  return best;
}

/// Returns whether the waves can copy a tile of the operand to LDS.
static bool canCopy(const AttentionOperand &operand, int64_t head,
                    bool isTransposed, const AttentionTiling &tiling,
                    const TargetProfile &profile) {
  layout::Ints shape{tiling.keys, head};
  if (!operand.hasHeadRows)
    std::swap(shape[0], shape[1]);
  return bool(isTransposed
                  ? getTransposingCopy(shape, operand.bits, tiling.waves,
                                       profile, /*isNarrow=*/true)
                  : getTileCopy(shape, operand.bits, tiling.waves, profile));
}

/// Returns whether tiles of keys are copied to LDS as they are in memory;
/// copiesValues does the same for tiles of values.
static bool copiesKeys(const AttentionSizes &sizes,
                       const AttentionTiling &tiling) {
  return sizes.k.hasHeadRows || tiling.readsTransposedK;
}
static bool copiesValues(const AttentionSizes &sizes,
                         const AttentionTiling &tiling) {
  return !sizes.v.hasHeadRows || tiling.readsTransposedV;
}

/// Determines which operands are transposed when they are read. A lane reads
/// the values of consecutive keys at once.
static void findTransposedReads(AttentionTiling &tiling,
                                const AttentionSizes &sizes,
                                const TargetProfile &profile) {
  auto canRead = [&](const AttentionOperand &operand) {
    return isReadTransposed({operand.type, operand.bits, /*alongK=*/false},
                            profile);
  };
  tiling.readsTransposedK = !sizes.k.hasHeadRows && canRead(sizes.k);
  tiling.readsTransposedV =
      sizes.v.hasHeadRows && canRead(sizes.v) &&
      tiling.rangeKeys % layout::TransposedRead(sizes.v.bits).rows() == 0;
}

/// Finds the keys whose scores a lane holds. Fails unless the weights, as the
/// right factor, have the same layout as the scores except for the order of the
/// keys.
static bool findRanges(AttentionTiling &tiling, const AttentionSizes &sizes,
                       const TargetProfile &profile) {
  const OperandLayout &result = tiling.scores->c, &factor = tiling.sums->b;
  tiling.rangeKeys = result.elementTile[0];
  tiling.rangeLanes = result.threadTile[0];
  // Use as many keys as a lane reads at once, or as an instruction multiplies.
  int64_t adjacent = std::max(profile.costModel.accessBits / sizes.v.bits,
                              tiling.sums->k / tiling.rangeLanes);
  tiling.ranges = std::max<int64_t>(adjacent / tiling.rangeKeys, 1);
  return factor.threadTile[0] == tiling.rangeLanes &&
         factor.threadStrides == result.threadStrides &&
         factor.threadTile[1] == result.threadTile[1] &&
         kMinStagedKeys %
                 (tiling.ranges * tiling.rangeLanes * tiling.rangeKeys) ==
             0;
}

/// Returns the number of registers of a lane for the sums, queries, scores and
/// weights of its wave, and for its part of the tiles that are being fetched.
static int64_t countRegisters(const AttentionTiling &tiling, int64_t rows,
                              const AttentionSizes &sizes,
                              const TargetProfile &profile) {
  int64_t elements = rows * tiling.features + rows * tiling.keys;
  int64_t words =
      rows * tiling.depth * sizes.k.bits / 32 +
      rows * tiling.keys * sizes.v.bits / 32 +
      tiling.keys *
          (tiling.depth * sizes.k.bits + tiling.features * sizes.v.bits) / 32 /
          tiling.waves;
  return (elements + words) / profile.waveSize;
}

/// More keys per iteration mean fewer barriers, but a partial tile at the end
/// takes as long as a whole one.
static int64_t getMaxStagedKeys(const AttentionSizes &sizes) {
  bool isMultiple = sizes.keys && *sizes.keys >= 2 * kManyKeys &&
                    *sizes.keys % kManyKeys == 0;
  return isMultiple ? kManyKeys : kMaxKeys;
}

/// Returns the tiling with keys and values in LDS, if there is one.
static std::optional<AttentionTiling> stage(AttentionTiling tiling,
                                            int64_t rows,
                                            const AttentionSizes &sizes,
                                            const TargetProfile &profile) {
  if (profile.backend == Backend::XeVM)
    return std::nullopt;
  tiling.buffers = kBuffers;
  tiling.scores =
      findInstruction(profile, {sizes.k.type, sizes.queryType, "f32"}, rows);
  tiling.sums =
      findInstruction(profile, {sizes.v.type, sizes.v.type, "f32"}, rows);
  if (!tiling.scores || !tiling.sums || tiling.depth % tiling.scores->k != 0)
    return std::nullopt;
  if (!findRanges(tiling, sizes, profile))
    return std::nullopt;
  findTransposedReads(tiling, sizes, profile);
  int64_t ldsBytes = profile.limits.ldsBytes / (sizes.hasOthers ? 2 : 1);
  for (tiling.keys = getMaxStagedKeys(sizes); tiling.keys >= kMinStagedKeys;
       tiling.keys /= 2)
    for (tiling.waves = chooseStagedWaves(rows, sizes, profile);
         tiling.waves > 0; tiling.waves /= 2) {
      int64_t bits =
          tiling.buffers * tiling.keys *
          (tiling.depth * sizes.k.bits + tiling.features * sizes.v.bits);
      tiling.queries = tiling.waves * rows;
      if (bits / 8 <= ldsBytes &&
          countRegisters(tiling, rows, sizes, profile) <= kMaxRegisters &&
          canCopy(sizes.k, tiling.depth, !copiesKeys(sizes, tiling), tiling,
                  profile) &&
          canCopy(sizes.v, tiling.features, !copiesValues(sizes, tiling),
                  tiling, profile))
        return tiling;
    }
  return std::nullopt;
}

/// Returns the tiling for waves that read keys and values in blocks, as their
/// matrix instructions take them, if there is one.
static std::optional<AttentionTiling> readBlocks(AttentionTiling tiling,
                                                 const AttentionSizes &sizes,
                                                 const TargetProfile &profile) {
  if (profile.backend != Backend::XeVM)
    return std::nullopt;
  // Intel's compiler (2.40) moves the rounding to bf16 to where the weights are
  // used, which takes more registers.
  bool isSmall = sizes.v.type == "bf16" || sizes.isMasked || sizes.hasOthers ||
                 tiling.features > kMaxLargeHead;
  int64_t rows = isSmall ? 8 : 16;
  while (isSmall && rows > 1 &&
         rows * tiling.features / profile.waveSize > kMaxBlockSums)
    rows /= 2;
  tiling.waves = limitWaves(kBlockWaves, rows, sizes);
  tiling.queries = tiling.waves * rows;
  tiling.keys = kMaxKeys;
  tiling.depthPart = kBlockPart;
  tiling.featurePart = tiling.features % (2 * kMaxLargeHead) == 0
                           ? kMaxLargeHead
                           : tiling.features;
  tiling.keyPart = isSmall ? kBlockPart : tiling.keys;
  auto choose = [&](const std::string &lhs, const std::string &rhs, int64_t n,
                    int64_t k) {
    return chooseMatrixInstruction(profile, {{lhs, rhs, "f32"}}, rows, n, k, 1,
                                   InstructionPreference::Large);
  };
  tiling.scores =
      choose(sizes.queryType, sizes.k.type, tiling.keys, tiling.depthPart);
  tiling.sums =
      choose(sizes.v.type, sizes.v.type, tiling.features, tiling.keyPart);
  if (!tiling.scores || !tiling.sums)
    return std::nullopt;
  return tiling;
}

AttentionTiling chooseAttentionTiling(const AttentionSizes &sizes,
                                      const TargetProfile &profile) {
  AttentionTiling tiling;
  tiling.depth = llvm::alignTo(sizes.k.head, kHeadMultiple);
  tiling.features = llvm::alignTo(sizes.v.head, kHeadMultiple);
  // The registers of a lane hold a row of sums, of queries and of scores. Waves
  // of 64 lanes have twice the registers for a row.
  int64_t head = std::max(tiling.depth, tiling.features);
  int64_t rows = profile.waveSize == 64 && head <= 128 ? 32
                 : profile.waveSize >= 32              ? 16
                                                       : 8;
  if (std::optional<AttentionTiling> staged =
          stage(tiling, rows, sizes, profile))
    return *staged;
  tiling.waves = limitWaves(kMaxWaves, rows, sizes);
  tiling.queries = tiling.waves * rows;
  if (std::optional<AttentionTiling> blocks =
          readBlocks(tiling, sizes, profile))
    return *blocks;
  // A wave keeps a tile of keys or values in registers. Lanes of larger waves
  // also have more registers.
  int64_t words = head * sizes.k.bits / 32;
  tiling.keys = std::clamp<int64_t>(
      llvm::bit_floor<uint64_t>(profile.waveSize * profile.waveSize / words),
      16, kMaxKeys);
  tiling.depthPart = tiling.depth;
  tiling.featurePart = tiling.features;
  tiling.keyPart = tiling.keys;
  return tiling;
}

} // namespace aircc::strategy
