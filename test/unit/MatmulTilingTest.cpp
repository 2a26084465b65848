//===- MatmulTilingTest.cpp - Tiles of matmul kernels ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "dialects/layout/algebra/MatrixLayout.h"
#include "dialects/layout/algebra/TransposedRead.h"
#include "dialects/layout/algebra/XorShuffle.h"
#include "pipeline/strategy/MatmulTiling.h"
#include "targets/ProfileLoader.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace aircc;
using namespace aircc::strategy;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

using aircc::test::loadProfile;

namespace {

MatmulProblem problem(const char *type, int64_t bits, const char *cType,
                      int64_t cBits, std::optional<int64_t> size = 4096,
                      bool bAlongK = false) {
  MatmulProblem p;
  p.m = p.n = p.k = size;
  p.a = {type, bits, true};
  p.b = {type, bits, bAlongK};
  p.cType = cType;
  p.cBits = cBits;
  return p;
}

struct Case {
  const char *chip, *type;
  int64_t bits;
  const char *cType;
  int64_t cBits;
  std::optional<unsigned> waveSize = std::nullopt;
};

const Case kCases[] = {
    {"gfx90a", "f16", 16, "f32", 32},
    {"gfx90a", "bf16", 16, "f32", 32},
    {"gfx90a", "i8", 8, "i32", 32},
    {"gfx90a", "f64", 64, "f64", 64},
    {"gfx942", "f16", 16, "f32", 32},
    {"gfx942", "f32", 32, "f32", 32},
    {"gfx942", "f64", 64, "f64", 64},
    {"gfx942", "i8", 8, "i32", 32},
    {"gfx942", "f8E4M3FNUZ", 8, "f32", 32},
    {"gfx950", "f16", 16, "f32", 32},
    {"gfx950", "bf16", 16, "f32", 32},
    {"gfx950", "i8", 8, "i32", 32},
    {"gfx950", "f8E4M3FN", 8, "f32", 32},
    {"gfx1100", "f16", 16, "f32", 32},
    {"gfx1201", "bf16", 16, "f32", 32},
    {"bmg", "f16", 16, "f32", 32},
    {"bmg", "bf16", 16, "f32", 32},
    {"pvc", "i8", 8, "i32", 32},
    {"gfx1100", "f16", 16, "f32", 32, 64},
    {"gfx1201", "bf16", 16, "f32", 32, 64},
    {"gfx1201", "i8", 8, "i32", 32, 64},
};

/// One wave computes each part of C. The operands have the layouts that the
/// instruction requires: the k-th value of a lane of A has the same K
/// coordinate as the k-th value of the lane of B that the instruction combines
/// with it.
TEST(MatmulTiling, FitsTheInstruction) {
  for (const Case &c : kCases)
    for (bool bAlongK : {false, true}) {
      SCOPED_TRACE(std::string(c.chip) + " " + c.type);
      TargetProfile profile = loadProfile(c.chip, c.waveSize);
      auto tiling = chooseMatmulTiling(
          problem(c.type, c.bits, c.cType, c.cBits, 4096, bAlongK), profile,
          {});
      ASSERT_TRUE(tiling) << tiling.message();
      const MatmulSpec &spec = tiling->spec;
      if (spec.isStaged) {
        EXPECT_LE(tiling->getLDSBytes(), profile.limits.ldsBytes);
      }
      auto layouts = getMatmulLayouts(spec, profile);
      ASSERT_TRUE(layouts) << layouts.message();
      const NestedLayout &a = layouts->a, &b = layouts->b;
      bool stagedAlongK = spec.b.alongK;
      EXPECT_EQ(stagedAlongK, bAlongK || spec.transposesB);
      int64_t kOfB = stagedAlongK ? 1 : 0;
      EXPECT_EQ(b.dim(1 - kOfB).element, layouts->c.dim(1).element);
      EXPECT_EQ(a.shape(), (Ints{tiling->spec.tileM, tiling->spec.tileK}));
      EXPECT_EQ(layouts->c.shape(),
                (Ints{tiling->spec.tileM, tiling->spec.tileN}));
      auto tile = [](const OperandLayout &o) {
        return *NestedLayout::get(layout::NestedParams::ofInstruction(
            o.outerTile, o.threadTile, o.elementTile, o.threadStrides));
      };
      const MatrixInstruction &instruction = *spec.instruction;
      const layout::InstructionOperand operands[] = {
          {a, {0, 2}, tile(instruction.a), 0, 2},
          {b, stagedAlongK ? Ints{1, 2} : Ints{2, 1}, tile(instruction.b), 2,
           1},
          {layouts->c, {0, 1}, tile(instruction.c), 0, 1}};
      auto error = layout::checkInstructionOperands(operands);
      EXPECT_FALSE(error) << error->message;
      // On Xe each wave reads its own operands. The instruction requires the
      // columns of A in lanes and the rows of B in registers.
      if (profile.backend == Backend::XeVM)
        continue;
      EXPECT_EQ(a.dim(1), b.dim(kOfB));
      auto copyA = getTileCopy(spec.getShapeA(), c.bits, spec.getNumWaves(),
                               profile),
           copyB = getTileCopy(spec.getShapeB(), c.bits, spec.getNumWaves(),
                               profile);
      ASSERT_TRUE(copyA && copyB);
      EXPECT_EQ(a.shape(), copyA->layout.shape());
      EXPECT_EQ(b.shape(), copyB->layout.shape());
    }
}

/// Reads of 128 bits in the groups of lanes that the hardware serves together:
/// each group accesses every bank at most once.
void expectNoConflicts(const TargetProfile &profile, const LdsSwizzle &s,
                       const Ints &shape, const NestedLayout &operand,
                       int64_t bits, int64_t banks, bool pairs) {
  auto swizzle = layout::XorShuffle::get(s.row, s.access, s.phases);
  ASSERT_TRUE(swizzle);
  int64_t piece = 128 / bits;
  ASSERT_EQ(operand.dim(1).element, piece);
  int64_t group = banks * 4 / 16;
  for (int64_t wave : {0, 1, 3})
    for (int64_t reg = 0; reg < operand.numRegisters(); reg += piece)
      for (int64_t first = 0; first < profile.waveSize; first += group) {
        std::set<int64_t> seen;
        for (int64_t i = 0; i < group; ++i) {
          int64_t lane = first + i;
          // Lanes 0-3 are served with 20-23, 4-7 with 16-19.
          if (pairs) {
            int64_t half = first / 32 * 32, number = first % 32 / 8;
            int64_t low = number % 2 * 4 + number / 2 * 8;
            lane = half + low + i % 4 + (i >= 4 ? (number % 2 ? 12 : 20) : 0);
          }
          Ints at = operand.elementAt(wave, lane, reg);
          int64_t offset = swizzle->apply(at[0] * shape[1] + at[1]);
          seen.insert(offset * bits / 8 / 16 % group);
        }
        EXPECT_EQ(int64_t(seen.size()), group);
      }
}

TEST(MatmulTiling, ReadsWithoutBankConflicts) {
  for (auto [chip, banks, pairs] :
       {std::tuple("gfx942", 32, true), std::tuple("gfx950", 64, false)}) {
    SCOPED_TRACE(chip);
    TargetProfile profile = loadProfile(chip);
    auto tiling = chooseMatmulTiling(problem("f16", 16, "f32", 32, 4096, true),
                                     profile, {});
    ASSERT_TRUE(tiling) << tiling.message();
    auto layouts = getMatmulLayouts(tiling->spec, profile);
    ASSERT_TRUE(layouts) << layouts.message();
    expectNoConflicts(profile, layouts->swizzleA, tiling->spec.getShapeA(),
                      layouts->a, 16, banks, pairs);
    expectNoConflicts(profile, layouts->swizzleB, tiling->spec.getShapeB(),
                      layouts->b, 16, banks, pairs);
  }
}

/// Tiles of B whose rows are across K are transposed while they are copied to
/// LDS. A lane reads pieces of rows of 128 bits, and writes its columns to rows
/// of the buffer; lanes that are served together access different banks.
TEST(MatmulTiling, TransposesWithoutBankConflicts) {
  TargetProfile profile = loadProfile("gfx942");
  auto tiling = chooseMatmulTiling(problem("f16", 16, "f32", 32, 4096, false),
                                   profile, {});
  ASSERT_TRUE(tiling) << tiling.message();
  const MatmulSpec &spec = tiling->spec;
  ASSERT_TRUE(spec.transposesB && spec.b.alongK);
  EXPECT_EQ(tiling->parts, 2);
  auto layouts = getMatmulLayouts(spec, profile);
  ASSERT_TRUE(layouts) << layouts.message();
  expectNoConflicts(profile, layouts->swizzleB, spec.getShapeB(), layouts->b,
                    16, 32, true);
  Ints shape = {spec.tileK, spec.tileN};
  auto copy = getTransposingCopy(shape, 16, spec.getNumWaves(), profile);
  ASSERT_TRUE(copy) << copy.message();
  const NestedLayout &layout = copy->layout;
  EXPECT_EQ(layout.shape(), shape);
  EXPECT_EQ(layout.dim(1).element, 8);
  int64_t rows = layout.dim(0).element;
  ASSERT_EQ(rows, 4);
  const LdsSwizzle &s = layouts->swizzleB;
  auto swizzle = layout::XorShuffle::get(s.row, s.access, s.phases, s.group);
  ASSERT_TRUE(swizzle) << swizzle.message();
  std::set<Ints> elements;
  for (int64_t wave = 0; wave < spec.getNumWaves(); ++wave)
    for (int64_t reg = 0; reg < layout.numRegisters(); ++reg)
      for (int64_t first = 0; first < profile.waveSize; first += 16) {
        std::set<int64_t> places;
        for (int64_t lane = first; lane < first + 16; ++lane) {
          Ints at = layout.elementAt(wave, lane, reg);
          elements.insert(at);
          int64_t offset = swizzle->apply(at[1] * spec.tileK + at[0]);
          places.insert(offset / rows % 16);
        }
        EXPECT_EQ(places.size(), 16u);
      }
  EXPECT_EQ(int64_t(elements.size()), spec.tileK * spec.tileN);
  EXPECT_FALSE(getTransposingCopy({2, 256}, 16, 4, profile));
}

/// Tiles whose rows are across K are transposed when they are read, by 32 lanes
/// at once: these access every bank once, and each lane gets its elements.
TEST(MatmulTiling, TransposesReadsWithoutBankConflicts) {
  TargetProfile profile = loadProfile("gfx950");
  for (auto [type, bits, cType] :
       {std::tuple("bf16", 16, "f32"), std::tuple("i8", 8, "i32"),
        std::tuple("f8E4M3FN", 8, "f32")})
    for (int64_t size : {64, 128, 4096}) {
      SCOPED_TRACE(std::string(type) + " " + std::to_string(size));
      auto tiling =
          chooseMatmulTiling(problem(type, bits, cType, 32, size), profile, {});
      ASSERT_TRUE(tiling) << tiling.message();
      const MatmulSpec &spec = tiling->spec;
      EXPECT_FALSE(spec.transposesB || spec.b.alongK);
      EXPECT_TRUE(tiling->isDirectB);
      auto layouts = getMatmulLayouts(spec, profile);
      ASSERT_TRUE(layouts) << layouts.message();
      const LdsSwizzle &s = layouts->swizzleB;
      auto swizzle =
          layout::XorShuffle::get(s.row, s.access, s.phases, s.group);
      ASSERT_TRUE(swizzle) << swizzle.message();
      const layout::TransposedRead read(bits);
      ASSERT_TRUE(read.produces(layouts->b, 0, 1));
      for (int64_t reg = 0; reg < layouts->b.numRegisters(); ++reg) {
        Ints position = layout::delinearize(reg, layouts->b.distributedShape());
        if (position[0] % read.rows())
          continue;
        for (int64_t first = 0; first < profile.waveSize; first += 32) {
          std::set<int64_t> banks;
          for (int64_t lane = first; lane < first + 32; ++lane) {
            // The first element of the block of the lane's group.
            Ints at = layouts->b.elementAt(1, lane - lane % 16, reg);
            int64_t offset =
                swizzle->apply((at[0] + read.row(lane)) * spec.tileN + at[1] +
                               read.column(lane));
            banks.insert(offset * bits / 64 % 32);
          }
          EXPECT_EQ(banks.size(), 32u);
        }
      }
    }
}

TEST(MatmulTiling, GoesStraightToLDSWhereLoadsAreWide) {
  EXPECT_TRUE(chooseMatmulTiling(problem("f16", 16, "f32", 32),
                                 loadProfile("gfx950"), {})
                  ->isDirectA);
  EXPECT_FALSE(chooseMatmulTiling(problem("f16", 16, "f32", 32),
                                  loadProfile("gfx942"), {})
                   ->isDirectA);
}

/// Workgroups are small if there would otherwise be too few for the chip, and
/// waves do not exceed their registers.
TEST(MatmulTiling, SpreadsOverXeCores) {
  TargetProfile profile = loadProfile("bmg");
  for (int64_t size : {64, 256, 1024, 4096}) {
    SCOPED_TRACE(size);
    auto tiling =
        chooseMatmulTiling(problem("f16", 16, "f32", 32, size), profile, {});
    ASSERT_TRUE(tiling) << tiling.message();
    auto layouts = getMatmulLayouts(tiling->spec, profile);
    ASSERT_TRUE(layouts) << layouts.message();
    int64_t threads = tiling->spec.getNumWaves() * profile.waveSize;
    EXPECT_LE(threads, profile.limits.threadsPerWorkgroup);
    EXPECT_LE(layouts->c.numRegisters() + layouts->a.numRegisters() / 2 +
                  layouts->b.numRegisters() / 2,
              threads * 2 <= profile.limits.threadsPerWorkgroup
                  ? profile.limits.largeVgprs
                  : profile.limits.vgprs);
    if (size <= 256) {
      EXPECT_LE(tiling->spec.tileM * tiling->spec.tileN, 64 * 64);
    }
    if (size >= 4096) {
      EXPECT_GE(tiling->spec.tileM * tiling->spec.tileN, 256 * 256);
    }
  }
}

/// Waves have more rows than columns if loads transpose B, which takes more
/// messages.
TEST(MatmulTiling, ReadsFewTransposedColumns) {
  TargetProfile profile = loadProfile("bmg");
  MatmulProblem transposed = problem("f16", 16, "f32", 32, 4096);
  for (bool alongK : {false, true}) {
    transposed.b.alongK = alongK;
    auto tiling = chooseMatmulTiling(transposed, profile, {});
    ASSERT_TRUE(tiling) << tiling.message();
    int64_t rows = tiling->spec.tileM / tiling->spec.wavesM,
            columns = tiling->spec.tileN / tiling->spec.wavesN;
    EXPECT_EQ(rows > columns, alongK);
    // An iteration reads whole cache lines of A.
    EXPECT_EQ(tiling->spec.tileK * tiling->tilesPerIteration * 16 / 8,
              profile.costModel.tileRowBytes);
  }
}

TEST(MatmulTiling, TakesTheTilesThatAreAskedFor) {
  TargetProfile profile = loadProfile("gfx942");
  MatmulChoices choices;
  choices.tileM = 64;
  choices.tileN = 128;
  choices.tileK = 32;
  auto tiling =
      chooseMatmulTiling(problem("f16", 16, "f32", 32), profile, choices);
  ASSERT_TRUE(tiling) << tiling.message();
  EXPECT_EQ(tiling->spec.tileM, 64);
  EXPECT_EQ(tiling->spec.tileN, 128);
  EXPECT_EQ(tiling->spec.tileK, 32);
}

int64_t getSplits(const char *chip, std::optional<int64_t> m,
                  std::optional<int64_t> n, std::optional<int64_t> k,
                  int64_t matrices = 1) {
  TargetProfile profile = loadProfile(chip);
  MatmulProblem p = problem("f16", 16, "f32", 32);
  p.m = m;
  p.n = n;
  p.k = k;
  auto tiling = chooseMatmulTiling(p, profile, {});
  EXPECT_TRUE(tiling);
  return tiling ? chooseSplits(p, matrices, *tiling, profile) : 0;
}

/// The parts of a sum are of equal depth, in whole tiles if the sum is.
TEST(MatmulTiling, SplitsLongSumsOfFewTiles) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1201"}) {
    SCOPED_TRACE(chip);
    for (int64_t m : {1, 16, 32}) {
      int64_t splits = getSplits(chip, m, 2048, 4096);
      EXPECT_GT(splits, 1);
      EXPECT_EQ(4096 % (splits * 64), 0);
    }
    EXPECT_GT(getSplits(chip, 128, 128, 4096), 4);
    EXPECT_GT(getSplits(chip, 16, 512, 4100), 1);
  }
}

TEST(MatmulTiling, DoesNotSplitOtherSums) {
  EXPECT_EQ(getSplits("gfx942", 4096, 4096, 4096), 1);
  EXPECT_EQ(getSplits("gfx942", 16, 4096, 256), 1) << "a short sum";
  EXPECT_EQ(getSplits("gfx942", 16, 512, 4096, 1024), 1) << "many matrices";
  EXPECT_EQ(getSplits("gfx942", 16, 4096, 4099), 1) << "a prime";
  EXPECT_EQ(getSplits("gfx942", 16, 4096, std::nullopt), 1);
  EXPECT_EQ(getSplits("gfx942", std::nullopt, 4096, 4096), 1);
  EXPECT_EQ(getSplits("bmg", 16, 4096, 4096), 1) << "operands from memory";
}

TEST(MatmulTiling, SaysWhyThereIsNone) {
  TargetProfile profile = loadProfile("gfx942");
  auto types = chooseMatmulTiling(problem("i64", 64, "i64", 64), profile, {});
  ASSERT_FALSE(types);
  EXPECT_NE(types.message().find("no matrix instruction of gfx942"),
            std::string::npos);
  auto sums = chooseMatmulTiling(problem("f16", 16, "f16", 16), profile, {});
  ASSERT_FALSE(sums);
  EXPECT_EQ(sums.message(),
            "no matrix instruction of gfx942 multiplies f16 by "
            "f16 into f16; there are instructions with results of type f32");
  MatmulChoices choices;
  choices.tileM = choices.tileN = 256;
  choices.tileK = 128;
  auto lds =
      chooseMatmulTiling(problem("f16", 16, "f32", 32), profile, choices);
  ASSERT_FALSE(lds);
  EXPECT_NE(lds.message().find("bytes of LDS"), std::string::npos);
}

/// Packed 4-bit floats with scales: tiles have as many bytes as those of
/// other types, and everything is moved directly to LDS.
TEST(MatmulTiling, ScaledFactors) {
  TargetProfile profile = loadProfile("gfx950");
  for (auto [type, bits] :
       {std::pair("f4E2M1FN", 4), std::pair("f8E4M3FN", 8)}) {
    MatmulProblem p = problem(type, bits, "f32", 32, 4096, /*bAlongK=*/true);
    p.scaleBlock = 32;
    Result<MatmulTiling> tiling = chooseMatmulTiling(p, profile, {});
    ASSERT_TRUE(tiling) << tiling.message();
    const MatmulSpec &spec = tiling->spec;
    EXPECT_TRUE(spec.instruction->isScaled());
    EXPECT_EQ(spec.scaleBlock, 32);
    EXPECT_EQ(spec.tileK * bits / 8, 128);
    EXPECT_EQ(spec.getMemoryShape(spec.a, spec.tileM), (Ints{256, 128}));
    // The scales of a row fill an access of a lane.
    EXPECT_EQ(spec.getScaleShape(spec.tileM, tiling->tilesPerIteration),
              (Ints{256, 16}));
    EXPECT_TRUE(tiling->isDirectA && tiling->isDirectB &&
                tiling->isDirectScales);
    EXPECT_EQ(tiling->getLDSBytes(), tiling->buffers * 2 * 256 * (128 + 16));
    Result<MatmulLayouts> layouts = getMatmulLayouts(spec, profile);
    ASSERT_TRUE(layouts) << layouts.message();
    EXPECT_EQ(layouts->a.shape(), (Ints{256, spec.tileK}));
    EXPECT_EQ(layouts->scalesA.shape(), (Ints{256, spec.tileK / 32}));
    EXPECT_EQ(packLayout(layouts->a, spec.a).shape(), (Ints{256, 128}));
    // If the tiles of all iterations do not have as many scales, those of each
    // tile are copied alone.
    p.k = 4096 + spec.tileK;
    tiling = chooseMatmulTiling(p, profile, {});
    ASSERT_TRUE(tiling) << tiling.message();
    EXPECT_EQ(tiling->tilesPerIteration, 1);
  }
}

TEST(MatmulTiling, ScaledFactorsAcrossK) {
  MatmulProblem p = problem("f8E4M3FN", 8, "f32", 32);
  p.scaleBlock = 32;
  Result<MatmulTiling> tiling =
      chooseMatmulTiling(p, loadProfile("gfx950"), {});
  ASSERT_FALSE(tiling);
  EXPECT_EQ(tiling.message(), "blocks that share a scale must be along the "
                              "rows of A and along the columns of B in memory");
}

} // namespace
