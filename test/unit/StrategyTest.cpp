//===- StrategyTest.cpp - The choosers of matrix instructions -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/TargetTestSupport.h"

#include "pipeline/strategy/ContractionBlock.h"
#include "pipeline/strategy/CostModel.h"
#include "pipeline/strategy/MatmulTiling.h"
#include "pipeline/strategy/ScaledContraction.h"
#include "pipeline/strategy/WaveDistribution.h"
#include "targets/ProfileLoader.h"

#include <gtest/gtest.h>

#include <set>

using namespace aircc;
using namespace aircc::strategy;

using aircc::test::loadProfile;

namespace {

struct Target {
  const char *chip;
  std::optional<unsigned> waveSize = std::nullopt;
};
const Target kTargets[] = {{"gfx90a"},      {"gfx942"},  {"gfx950"},
                           {"gfx1100"},     {"gfx1201"}, {"gfx1100", 64},
                           {"gfx1201", 64}, {"bmg"},     {"pvc"}};
const int64_t kSizes[] = {16, 48, 64, 256, 1000, 4096};

int64_t getBits(const std::string &type) {
  std::string digits;
  for (char c : type.substr(type.find_first_of("0123456789")))
    if (digits += c; !isdigit(c))
      break;
  return type == "tf32" ? 32 : std::stoll(digits);
}

/// All combinations of types that the target can multiply.
std::set<std::tuple<std::string, std::string, std::string>>
getTypes(const TargetProfile &profile, bool isScaled) {
  std::set<std::tuple<std::string, std::string, std::string>> types;
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (instruction.isScaled() == isScaled)
      types.insert(
          {instruction.a.type, instruction.b.type, instruction.c.type});
  return types;
}

std::string describe(const std::string &a, const std::string &b,
                     const std::string &c) {
  return MatrixTypes{a, b, c}.str();
}

/// For any shape, a chosen tiling respects the limits of the workgroup,
/// consists of tiles of the instruction, and is the same if it is chosen twice.
TEST(Strategy, TilingsFitTheTarget) {
  for (auto [chip, waveSize] : kTargets) {
    TargetProfile profile = loadProfile(chip, waveSize);
    for (const auto &[a, b, c] : getTypes(profile, /*isScaled=*/false))
      for (int64_t m : {16, 1000, 4096})
        for (int64_t n : {64, 4096})
          for (bool bAlongK : {false, true}) {
            SCOPED_TRACE(std::string(chip) + " " + describe(a, b, c) + " " +
                         std::to_string(m) + "x" + std::to_string(n));
            MatmulProblem problem{m,
                                  n,
                                  512,
                                  {a, getBits(a), true},
                                  {b, getBits(b), bAlongK},
                                  c,
                                  getBits(c)};
            auto tiling = chooseMatmulTiling(problem, profile, {});
            ASSERT_TRUE(tiling) << tiling.message();
            const MatmulSpec &spec = tiling->spec;
            const MatrixInstruction &instruction = *spec.instruction;
            EXPECT_EQ(spec.tileM % (instruction.m * spec.wavesM), 0);
            EXPECT_EQ(spec.tileN % (instruction.n * spec.wavesN), 0);
            EXPECT_EQ(spec.tileK % instruction.k, 0);
            EXPECT_LE(spec.getNumWaves() * profile.waveSize,
                      profile.limits.threadsPerWorkgroup);
            EXPECT_LE(tiling->registers, std::max(profile.limits.vgprs,
                                                  profile.limits.largeVgprs));
            if (spec.isStaged) {
              EXPECT_LE(tiling->getLDSBytes(), profile.limits.ldsBytes);
            }
            auto layouts = getMatmulLayouts(spec, profile);
            ASSERT_TRUE(layouts) << layouts.message();
            EXPECT_EQ(layouts->c.shape(),
                      (layout::Ints{spec.tileM, spec.tileN}));
            auto again = chooseMatmulTiling(problem, profile, {});
            EXPECT_EQ(again->spec.instruction, spec.instruction);
            EXPECT_EQ(again->spec.tileM, spec.tileM);
            EXPECT_EQ(again->spec.tileN, spec.tileN);
            EXPECT_EQ(again->spec.tileK, spec.tileK);
            EXPECT_EQ(again->buffers, tiling->buffers);
          }
  }
}

/// No tile of another shape that also fits is cheaper.
TEST(Strategy, NoOtherTileIsCheaper) {
  for (const char *chip : {"gfx942", "gfx1100"}) {
    TargetProfile profile = loadProfile(chip);
    for (int64_t m : kSizes)
      for (int64_t n : kSizes) {
        MatmulProblem problem{
            m, n, 512, {"f16", 16, true}, {"f16", 16, false}, "f32", 32};
        auto best = chooseMatmulTiling(problem, profile, {});
        ASSERT_TRUE(best) << best.message();
        const MatmulSpec &spec = best->spec;
        int64_t cost = estimateGridCost(
            {spec.tileM, spec.tileN, spec.wavesM, spec.wavesN}, m, n, profile);
        for (int64_t tileM = 32; tileM <= 256; tileM *= 2)
          for (int64_t tileN = 32; tileN <= 256; tileN *= 2) {
            MatmulChoices choices;
            choices.tileM = tileM;
            choices.tileN = tileN;
            auto other = chooseMatmulTiling(problem, profile, choices);
            if (other) {
              EXPECT_LE(cost, estimateGridCost(
                                  {tileM, tileN, spec.wavesM, spec.wavesN}, m,
                                  n, profile))
                  << chip << " " << m << "x" << n << " by " << tileM << "x"
                  << tileN;
            }
          }
      }
  }
}

ContractionRequest getRequest(const MatrixTypes &types, int64_t m, int64_t n,
                              int64_t k, int64_t waves) {
  ContractionRequest request;
  request.shape = {{m, n, k}, 0, 1, 2, {0, 1}, {{{0, 2}, {2, 1}, {0, 1}}}};
  request.types = types;
  request.bits = {getBits(types.a), getBits(types.b), getBits(types.c)};
  request.waves = waves;
  return request;
}

/// The layouts of a contraction cover its operands and fit the chosen
/// instruction, and the checker finds this instruction from the layouts alone.
TEST(Strategy, ContractionsFitTheirInstruction) {
  for (auto [chip, waveSize] : kTargets) {
    TargetProfile profile = loadProfile(chip, waveSize);
    for (const auto &[a, b, c] : getTypes(profile, /*isScaled=*/false))
      for (int64_t m : {32, 64, 96})
        for (int64_t waves : {1, 2, 4, 8}) {
          MatrixTypes types{a, b, c};
          SCOPED_TRACE(std::string(chip) + " " + types.str());
          ContractionRequest request = getRequest(types, m, 64, 64, waves);
          request.blockIO = profile.backend == Backend::XeVM;
          auto chosen = chooseContraction(request, profile);
          ASSERT_TRUE(chosen) << chosen.message();
          EXPECT_EQ(chosen->a.shape(), (layout::Ints{m, 64}));
          EXPECT_EQ(chosen->b.shape(), (layout::Ints{64, 64}));
          EXPECT_EQ(chosen->c.shape(), (layout::Ints{m, 64}));
          const NestedLayout *layouts[] = {&chosen->a, &chosen->b, &chosen->c};
          EXPECT_TRUE(
              fitsInstruction(request.shape, *chosen->instruction, layouts));
          EXPECT_EQ(matchMatrixInstruction(request.shape, types,
                                           chosen->instruction->name, layouts,
                                           profile),
                    chosen->instruction);
          EXPECT_EQ(waves % (chosen->waves[0] * chosen->waves[1]), 0);
          EXPECT_EQ(chosen->waves[2], 1);
        }
  }
}

TEST(Strategy, KeepsRowsWhereAsked) {
  TargetProfile profile = loadProfile("gfx942");
  ContractionRequest request = getRequest({"f16", "f16", "f32"}, 128, 128, 64,
                                          /*waves=*/4);
  auto balanced = chooseContraction(request, profile);
  ASSERT_TRUE(balanced);
  EXPECT_EQ(balanced->waves[0], 2);
  EXPECT_EQ(balanced->waves[1], 2);
  request.keepRows = true;
  auto rows = chooseContraction(request, profile);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->waves[0], 4);
  EXPECT_EQ(rows->waves[1], 1);
}

TEST(Strategy, SaysWhichProductsThereAreNot) {
  TargetProfile profile = loadProfile("gfx942");
  auto sizes =
      chooseContraction(getRequest({"f16", "f16", "f32"}, 8, 8, 8, 1), profile);
  ASSERT_FALSE(sizes);
  EXPECT_EQ(sizes.message(), "no matrix instruction of gfx942 multiplies f16 "
                             "by f16 into f32 in tiles of these sizes");
}

/// The values and the scales of a factor are distributed over the same waves.
TEST(Strategy, ScaledContractionsFit) {
  TargetProfile profile = loadProfile("gfx950");
  llvm::SmallVector<int64_t> blocks = getScaleBlocks(profile);
  ASSERT_FALSE(blocks.empty());
  for (const auto &[a, b, c] : getTypes(profile, /*isScaled=*/true))
    for (int64_t block : blocks)
      for (int64_t waves : {1, 4}) {
        auto chosen = chooseScaledContraction({64, 64, 256, {a, b, c}, block},
                                              waves, profile);
        ASSERT_TRUE(chosen);
        EXPECT_EQ(chosen->wavesM * chosen->wavesN, waves);
        auto layouts = getScaledLayouts(64, 64, 256, *chosen);
        ASSERT_TRUE(layouts) << layouts.message();
        EXPECT_EQ(layouts->lhs.shape(), (layout::Ints{64, 256}));
        EXPECT_EQ(layouts->lhsScales.shape(), (layout::Ints{64, 256 / block}));
        EXPECT_EQ(layouts->lhs.dim(0).subgroup,
                  layouts->lhsScales.dim(0).subgroup);
        EXPECT_EQ(layouts->rhs.dim(0).subgroup,
                  layouts->rhsScales.dim(0).subgroup);
      }
  EXPECT_FALSE(chooseScaledContraction(
      {64, 64, 256, {"f16", "f16", "f32"}, blocks.front()}, 4, profile));
  EXPECT_FALSE(chooseScaledContraction({64,
                                        64,
                                        256,
                                        {"f4E2M1FN", "f4E2M1FN", "f32"},
                                        /*block=*/7},
                                       4, profile));
}

/// Blocks divide the contraction, consist of tiles of an instruction, and do
/// not exceed their share of the registers.
TEST(Strategy, BlocksStayInRegisters) {
  for (auto [chip, waveSize] : kTargets) {
    TargetProfile profile = loadProfile(chip, waveSize);
    for (const auto &[a, b, c] : getTypes(profile, /*isScaled=*/false))
      for (int64_t size : {64, 128, 512})
        for (int64_t waves : {1, 4}) {
          SCOPED_TRACE(std::string(chip) + " " + describe(a, b, c));
          int64_t workers = waves * profile.waveSize;
          auto block =
              chooseContractionBlock({size,
                                      size,
                                      size,
                                      {a, b, c},
                                      {getBits(a), getBits(b), getBits(c)},
                                      workers},
                                     profile);
          ASSERT_TRUE(block);
          EXPECT_EQ(size % block->m, 0);
          EXPECT_EQ(size % block->n, 0);
          EXPECT_EQ(size % block->k, 0);
          EXPECT_LE(block->m * block->n * getBits(c) / 32 / workers,
                    profile.limits.vgprs /
                        profile.costModel.accumulatorVgprShare);
          EXPECT_TRUE(chooseMatrixInstruction(profile, {{a, b, c}}, block->m,
                                              block->n, block->k, /*parts=*/1,
                                              InstructionPreference::Large));
        }
  }
}

/// The shape of the instruction that is chosen on gfx950 for tiles of 64x64xk,
/// or of m rows; zeros if there is none.
std::tuple<int64_t, int64_t, int64_t>
choose(const MatrixTypes &types, int64_t k, int64_t parts,
       InstructionPreference preference = InstructionPreference::Small,
       int64_t m = 64) {
  static const TargetProfile profile = loadProfile("gfx950");
  const MatrixInstruction *chosen =
      chooseMatrixInstruction(profile, {types}, m, 64, k, parts, preference);
  return chosen ? std::tuple(chosen->m, chosen->n, chosen->k)
                : std::tuple<int64_t, int64_t, int64_t>();
}

TEST(Strategy, PrefersInstructionsBySize) {
  MatrixTypes types{"f16", "f16", "f32"};
  EXPECT_EQ(choose(types, 64, 1, InstructionPreference::Large),
            std::tuple(32, 32, 16));
  EXPECT_EQ(choose(types, 64, 1), std::tuple(16, 16, 32));
  EXPECT_EQ(choose(types, 16, 1), std::tuple(32, 32, 16));
  EXPECT_EQ(choose(types, 8, 1), std::tuple(32, 32, 8));
  EXPECT_EQ(choose(types, 64, 1, InstructionPreference::Small, 8),
            std::tuple(0, 0, 0));
}

TEST(Strategy, PrefersInstructionsThatDivideParts) {
  MatrixTypes types{"f8E4M3FN", "f8E5M2", "f32"};
  EXPECT_EQ(choose(types, 128, 1), std::tuple(16, 16, 128));
  EXPECT_EQ(choose(types, 128, 2), std::tuple(32, 32, 64));
  EXPECT_EQ(choose(types, 256, 2), std::tuple(16, 16, 128));
  EXPECT_EQ(choose(types, 32, 1), std::tuple(16, 16, 32));
}

} // namespace
