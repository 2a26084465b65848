//===- AttentionTilingTest.cpp - Tiles of attention kernels ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "pipeline/strategy/AttentionTiling.h"

#include <gtest/gtest.h>

using namespace aircc;
using namespace aircc::strategy;

using aircc::test::loadProfile;

namespace {

AttentionSizes getSizes(const std::string &type, int64_t bits, int64_t head) {
  AttentionSizes sizes;
  sizes.queryType = type;
  sizes.k = sizes.v = {type, bits, head};
  return sizes;
}

TEST(AttentionTiling, StagesWhereAllFits) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1201"})
    for (int64_t head : {32, 40, 64, 128, 256}) {
      SCOPED_TRACE(std::string(chip) + " " + std::to_string(head));
      TargetProfile profile = loadProfile(chip);
      AttentionTiling tiling =
          chooseAttentionTiling(getSizes("f16", 16, head), profile);
      if (tiling.buffers == 0) {
        EXPECT_GE(head, 256);
        continue;
      }
      ASSERT_TRUE(tiling.scores && tiling.sums);
      EXPECT_GE(tiling.depth, head);
      EXPECT_LE(tiling.buffers * tiling.keys *
                    (tiling.depth + tiling.features) * 2,
                profile.limits.ldsBytes);
      EXPECT_EQ(tiling.keys %
                    (tiling.ranges * tiling.rangeLanes * tiling.rangeKeys),
                0);
    }
}

/// A lane of gfx942 has every second range of 4 keys, and reads 8 values at
/// once.
TEST(AttentionTiling, FindsTheKeysOfALane) {
  AttentionTiling tiling =
      chooseAttentionTiling(getSizes("bf16", 16, 128), loadProfile("gfx942"));
  EXPECT_EQ(tiling.rangeKeys, 4);
  EXPECT_EQ(tiling.rangeLanes, 2);
  EXPECT_EQ(tiling.ranges, 2);
  EXPECT_EQ(tiling.queries, 256);
}

/// gfx950 reads ranges of 4 values of 16 bits transposed, but 8 values of 8
/// bits.
TEST(AttentionTiling, ReadsValuesTransposed) {
  auto choose = [](const char *chip, const char *type, int64_t bits) {
    return chooseAttentionTiling(getSizes(type, bits, 128), loadProfile(chip));
  };
  EXPECT_TRUE(choose("gfx950", "bf16", 16).readsTransposedV);
  EXPECT_FALSE(choose("gfx950", "bf16", 16).readsTransposedK);
  EXPECT_FALSE(choose("gfx950", "f8E4M3FN", 8).readsTransposedV);
  EXPECT_FALSE(choose("gfx942", "bf16", 16).readsTransposedV);
  AttentionSizes sizes = getSizes("f16", 16, 128);
  sizes.k.hasHeadRows = sizes.v.hasHeadRows = false;
  AttentionTiling tiling = chooseAttentionTiling(sizes, loadProfile("gfx950"));
  EXPECT_TRUE(tiling.readsTransposedK);
  EXPECT_FALSE(tiling.readsTransposedV);
}

TEST(AttentionTiling, HasLargeTilesOfManyKeys) {
  TargetProfile profile = loadProfile("gfx950");
  AttentionSizes sizes = getSizes("bf16", 16, 64);
  EXPECT_EQ(chooseAttentionTiling(sizes, profile).keys, 64);
  for (auto [keys, tile] : {std::pair(4096, 128), std::pair(4160, 64),
                            std::pair(128, 64), std::pair(256, 128)}) {
    sizes.keys = keys;
    EXPECT_EQ(chooseAttentionTiling(sizes, profile).keys, tile) << keys;
  }
  sizes.k.head = sizes.v.head = 128;
  EXPECT_EQ(chooseAttentionTiling(sizes, profile).keys, 64);
}

TEST(AttentionTiling, LeavesLDSForOtherOperands) {
  TargetProfile profile = loadProfile("gfx942");
  AttentionSizes sizes = getSizes("bf16", 16, 128);
  sizes.hasOthers = true;
  AttentionTiling tiling = chooseAttentionTiling(sizes, profile);
  ASSERT_NE(tiling.buffers, 0);
  EXPECT_EQ(tiling.keys, 32);
}

/// On these chips, the weights must be in other lanes than those that hold the
/// results of matrix instructions, or there are no matrix instructions.
TEST(AttentionTiling, DoesNotStageWithoutInstructions) {
  for (const char *chip : {"gfx1100", "bmg"})
    EXPECT_EQ(chooseAttentionTiling(getSizes("f16", 16, 64), loadProfile(chip))
                  .buffers,
              0)
        << chip;
  EXPECT_EQ(
      chooseAttentionTiling(getSizes("f64", 64, 64), loadProfile("gfx942"))
          .buffers,
      0);
}

TEST(AttentionTiling, HasFewerWavesForFewQueries) {
  TargetProfile profile = loadProfile("gfx942");
  AttentionSizes sizes = getSizes("bf16", 16, 128);
  sizes.queries = 4096;
  for (auto [heads, waves] : {std::pair(4, 4), std::pair(16, 8)}) {
    sizes.heads = heads;
    EXPECT_EQ(chooseAttentionTiling(sizes, profile).waves, waves) << heads;
  }
  sizes.queries = 20;
  EXPECT_EQ(chooseAttentionTiling(sizes, profile).waves, 1);
}

/// Next to the sums and the scores, the parts of keys and values that a wave
/// reads fit in the registers of a thread.
TEST(AttentionTiling, ReadsBlocksThatFitInRegisters) {
  TargetProfile profile = loadProfile("bmg");
  for (const char *type : {"f16", "bf16"})
    for (bool isMasked : {false, true})
      for (int64_t head : {32, 64, 96, 128, 192, 256}) {
        SCOPED_TRACE(std::string(type) + " " + std::to_string(head));
        AttentionSizes sizes = getSizes(type, 16, head);
        sizes.isMasked = isMasked;
        AttentionTiling tiling = chooseAttentionTiling(sizes, profile);
        EXPECT_EQ(tiling.buffers, 0);
        ASSERT_TRUE(tiling.scores && tiling.sums);
        int64_t rows = tiling.queries / tiling.waves;
        EXPECT_EQ(tiling.queries % tiling.waves, 0);
        EXPECT_EQ(rows % tiling.scores->m, 0);
        EXPECT_EQ(tiling.depth % tiling.depthPart, 0);
        EXPECT_EQ(tiling.features % tiling.featurePart, 0);
        EXPECT_EQ(tiling.keys % tiling.keyPart, 0);
        int64_t sums = rows * tiling.features, scores = rows * tiling.keys;
        int64_t factors = tiling.depthPart * (rows + tiling.keys) / 2;
        EXPECT_LE((sums + scores + factors) / profile.waveSize,
                  profile.limits.largeVgprs);
      }
}

/// There is no matrix instruction for f32: waves have few keys.
TEST(AttentionTiling, ReadsWholeHeadsWithoutMatrixInstructions) {
  AttentionTiling tiling =
      chooseAttentionTiling(getSizes("f32", 32, 64), loadProfile("bmg"));
  EXPECT_FALSE(tiling.scores);
  EXPECT_EQ(tiling.depthPart, tiling.depth);
  EXPECT_EQ(tiling.featurePart, tiling.features);
  EXPECT_EQ(tiling.keyPart, tiling.keys);
}

} // namespace
