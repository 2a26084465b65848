//===- LayoutAlgebraDeriveTest.cpp - Tests of derived layouts -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derived layouts: from matrix instructions, direct-to-LDS transfers and
// XeGPU's parameters. Also the xor swizzle, and the picture of a layout.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/AsyncDma.h"
#include "dialects/layout/algebra/LayoutTable.h"
#include "dialects/layout/algebra/MatrixLayout.h"
#include "dialects/layout/algebra/Transforms.h"
#include "dialects/layout/algebra/XeGPULayout.h"
#include "dialects/layout/algebra/XorShuffle.h"
#include "test/unit/LayoutAlgebraBruteForce.h"

#include <gtest/gtest.h>

#include <set>

using namespace aircc::layout;

namespace {

NestedLayout layoutOf(const NestedParams &params) {
  auto layout = NestedLayout::get(params);
  EXPECT_TRUE(layout) << params.str();
  return layout ? *layout : NestedLayout();
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// v_mfma_f32_32x32x8_f16 on 64 lanes, as in the tables of the manual.
ContractLayouts mfma32x32x8() {
  return {
      layoutOf(NestedParams::ofInstruction({1, 1}, {32, 2}, {1, 4}, {1, 32})),
      layoutOf(NestedParams::ofInstruction({1, 1}, {2, 32}, {4, 1}, {32, 1})),
      layoutOf(NestedParams::ofInstruction({4, 1}, {2, 32}, {4, 1}, {32, 1}))};
}

TEST(MatrixLayout, Instruction) {
  ContractLayouts mfma = mfma32x32x8();
  EXPECT_EQ(mfma.a.shape(), (Ints{32, 8}));
  EXPECT_EQ(mfma.b.shape(), (Ints{8, 32}));
  EXPECT_EQ(mfma.c.shape(), (Ints{32, 32}));
  // C: row 8 * (register / 4) + 4 * (lane / 32) + register % 4, column lane
  // % 32.
  for (int64_t lane = 0; lane < 64; ++lane)
    for (int64_t r = 0; r < 16; ++r)
      EXPECT_EQ(mfma.c.elementAt(0, lane, r),
                (Ints{8 * (r / 4) + 4 * (lane / 32) + r % 4, lane % 32}));
}

TEST(MatrixLayout, TileUpAgainstFormula) {
  for (const NestedLayout &tile : {mfma32x32x8().a, mfma32x32x8().c})
    for (int64_t b0 = 1; b0 <= 3; ++b0)
      for (int64_t b1 = 1; b1 <= 2; ++b1)
        for (int64_t s0 = 1; s0 <= 2; ++s0) {
          Ints batch = {b0, b1}, subgroups = {s0, 2}, strides = {2, 1};
          auto tiled = tileUp(tile, batch, subgroups, strides);
          ASSERT_TRUE(tiled) << tiled.message();
          Ints size = tile.shape();
          EXPECT_EQ(tiled->shape(),
                    (Ints{s0 * b0 * size[0], 2 * b1 * size[1]}));
          EXPECT_EQ(batchCounts(*tiled, tile), batch);
          std::set<int64_t> registers;
          for (int64_t wave = 0; wave < 4; ++wave)
            for (int64_t n = 0; n < b0 * b1; ++n) {
              Ints at = delinearize(n, batch);
              Ints regs = registersOfTile(*tiled, tile, at);
              registers.insert(regs.begin(), regs.end());
              ASSERT_EQ(int64_t(regs.size()), tile.numRegisters());
              for (int64_t lane = 0; lane < 64; ++lane)
                for (size_t r = 0; r < regs.size(); ++r) {
                  Ints inner = tile.elementAt(0, lane, r);
                  int64_t w0 = s0 == 1 ? 0 : wave / 2 % 2, w1 = wave % 2;
                  Ints expected = {(w0 * b0 + at[0]) * size[0] + inner[0],
                                   (w1 * b1 + at[1]) * size[1] + inner[1]};
                  ASSERT_EQ(tiled->elementAt(wave, lane, regs[r]), expected);
                }
            }
          // The tiles are disjoint and cover all registers.
          EXPECT_EQ(int64_t(registers.size()), tiled->numRegisters());
        }
}

TEST(MatrixLayout, ContractGivesEachWaveWhatItMultiplies) {
  auto layouts = contractLayouts(mfma32x32x8(), 128, 192, 32, 2, 3);
  ASSERT_TRUE(layouts) << layouts.message();
  EXPECT_EQ(layouts->a.shape(), (Ints{128, 32}));
  EXPECT_EQ(layouts->b.shape(), (Ints{32, 192}));
  EXPECT_EQ(layouts->c.shape(), (Ints{128, 192}));
  for (int64_t wave = 0; wave < 6; ++wave) {
    std::set<int64_t> rowsA, columnsB, rowsC, columnsC, kA, kB;
    for (int64_t lane = 0; lane < 64; ++lane) {
      for (int64_t r = 0; r < layouts->a.numRegisters(); ++r) {
        rowsA.insert(layouts->a.elementAt(wave, lane, r)[0]);
        kA.insert(layouts->a.elementAt(wave, lane, r)[1]);
      }
      for (int64_t r = 0; r < layouts->b.numRegisters(); ++r) {
        kB.insert(layouts->b.elementAt(wave, lane, r)[0]);
        columnsB.insert(layouts->b.elementAt(wave, lane, r)[1]);
      }
      for (int64_t r = 0; r < layouts->c.numRegisters(); ++r) {
        rowsC.insert(layouts->c.elementAt(wave, lane, r)[0]);
        columnsC.insert(layouts->c.elementAt(wave, lane, r)[1]);
      }
    }
    EXPECT_EQ(rowsA, rowsC);
    EXPECT_EQ(columnsB, columnsC);
    EXPECT_EQ(kA, kB);
    EXPECT_EQ(kA.size(), 32u);
    EXPECT_EQ(*rowsC.begin(), wave / 3 * 64);
    EXPECT_EQ(*columnsC.begin(), wave % 3 * 64);
  }
}

TEST(MatrixLayout, WmmaOperandHasCopies) {
  // gfx11's A: 16 rows on 32 lanes, each lane a whole row.
  NestedLayout a =
      layoutOf(NestedParams::ofInstruction({1, 1}, {16, 1}, {1, 16}, {1, 0}));
  auto tiled = tileToShape(a, Ints{64, 32}, Ints{2, 1}, Ints{1, 0});
  ASSERT_TRUE(tiled);
  EXPECT_EQ(tiled->laneCopies(32), 2);
  EXPECT_EQ(tiled->distributedShape(), (Ints{2, 32}));
  // The batches and elements of K are contiguous, with the registers of the
  // tile in order.
  EXPECT_EQ(tiled->dim(1).element, 32);
  EXPECT_EQ(registersOfTile(*tiled, a, Ints{1, 1}).front(), 48);
}

TEST(MatrixLayout, Errors) {
  ContractLayouts mfma = mfma32x32x8();
  EXPECT_EQ(contractLayouts(mfma, 96, 64, 8, 2, 2).message(),
            "operand A: dimension 0 of 96x8 is not a multiple of 32 (the tile) "
            "* 2 (subgroups)");
  EXPECT_EQ(contractLayouts(mfma, 64, 64, 12, 2, 2).message(),
            "operand A: dimension 1 of 64x12 is not a multiple of 8 (the tile) "
            "* 1 (subgroups)");
  EXPECT_EQ(
      contractLayouts({mfma.b, mfma.a, mfma.c}, 64, 64, 64, 2, 2).message(),
      "operands of 8x32 and 32x8 cannot be multiplied into a product of 32x32");
  EXPECT_EQ(tileUp(mfma.a, Ints{1}, Ints{1, 1}, Ints{0, 0}).message(),
            "the list of batch counts has 1 entries for a tile of rank 2");
  auto tiled = tileUp(mfma.a, Ints{1, 1}, Ints{2, 1}, Ints{1, 0});
  ASSERT_TRUE(tiled);
  EXPECT_EQ(tileUp(*tiled, Ints{1, 1}, Ints{2, 1}, Ints{2, 0}).message(),
            "dimension 0 of the tile is already distributed over 2 subgroups "
            "and cannot be repeated");
}

//===----------------------------------------------------------------------===//
// Transfers to LDS
//===----------------------------------------------------------------------===//

AsyncDmaRequest request(Ints shape, int64_t bits, int64_t waves,
                        Ints widths = {32, 96, 128}) {
  AsyncDmaRequest r;
  r.shape = std::move(shape);
  r.elementBits = bits;
  r.widths = std::move(widths);
  r.waveSize = 64;
  r.waves = waves;
  return r;
}

TEST(AsyncDma, Tile64x64) {
  auto plan = planAsyncDma(request({64, 64}, 16, 4));
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_EQ(plan->width, 128);
  EXPECT_EQ(plan->elementsPerLane, 8);
  EXPECT_EQ(plan->loads, 2);
  EXPECT_EQ(plan->copies, 1);
  EXPECT_EQ(
      plan->params,
      (NestedParams{{4, 1}, {2, 1}, {1, 1}, {8, 8}, {1, 8}, {1, 0}, {8, 1}}));
  EXPECT_EQ(plan->layout.distributedShape(), (Ints{2, 8}));
  EXPECT_EQ(plan->pieceOf(3, 10, 1), (Ints{3 * 16 + 8 + 1, 16}));
  // The older target only has transfers of 32 bits.
  plan = planAsyncDma(request({64, 64}, 16, 4, {32}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->elementsPerLane, 2);
  EXPECT_EQ(plan->loads, 8);
}

TEST(AsyncDma, Tile2x64FallsBack) {
  // With one wave, the 2x64 elements are 64 pieces of 2.
  auto plan = planAsyncDma(request({2, 64}, 16, 1));
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_EQ(plan->width, 32);
  EXPECT_EQ(plan->elementsPerLane, 2);
  EXPECT_EQ(plan->loads, 1);
  EXPECT_EQ(plan->copies, 1);
  // With four waves, three have no work.
  AsyncDmaRequest four = request({2, 64}, 16, 4);
  plan = planAsyncDma(four);
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_EQ(plan->elementsPerLane, 2);
  EXPECT_EQ(plan->loads, 1);
  EXPECT_EQ(plan->copies, 4);
  four.allowSurplusWaves = false;
  EXPECT_EQ(
      planAsyncDma(four).message(),
      "no direct-to-LDS load width fits a tile of 2x64 elements of 16 bits: "
      "128 bits: thread tile: 64 lanes do not divide the 16 pieces (2x8) of 8 "
      "elements from the innermost dimension; "
      "96 bits: element tile: 6 elements per lane do not divide the tile 2x64 "
      "from the innermost dimension; "
      "32 bits: subgroup tile: 4 waves do not divide the 1 blocks (1x1) of 64 "
      "lanes x 2 elements from the outermost dimension");
}

TEST(AsyncDma, EvenWidthBeforeSurplusWaves) {
  // With 128 bits two of four waves would have no work; 32 bits use all.
  auto plan = planAsyncDma(request({16, 64}, 16, 4));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->width, 32);
  EXPECT_EQ(plan->copies, 1);
}

TEST(AsyncDma, NinetySixBits) {
  auto plan = planAsyncDma(request({64, 48}, 32, 1, {96}));
  ASSERT_TRUE(plan) << plan.message();
  EXPECT_EQ(plan->elementsPerLane, 3);
  EXPECT_EQ(plan->params.threadTile, (Ints{4, 16}));
  EXPECT_EQ(plan->loads, 16);
}

TEST(AsyncDma, SwizzleLimitsThePiece) {
  AsyncDmaRequest r = request({64, 64}, 16, 4);
  r.accessWidth = 8;
  EXPECT_EQ(planAsyncDma(r)->width, 128);
  r.accessWidth = 4;
  EXPECT_EQ(planAsyncDma(r)->width, 32);
  r.accessWidth = 1;
  EXPECT_EQ(
      planAsyncDma(r).message(),
      "no direct-to-LDS load width fits a tile of 64x64 elements of 16 bits: "
      "128 bits: element tile: a piece of 8 elements does not fit evenly "
      "in an access block of 1 elements; "
      "96 bits: element tile: a piece of 6 elements does not fit evenly "
      "in an access block of 1 elements; "
      "32 bits: element tile: a piece of 2 elements does not fit evenly "
      "in an access block of 1 elements");
}

TEST(AsyncDma, Errors) {
  EXPECT_EQ(
      planAsyncDma(request({64}, 64, 1, {32})).message(),
      "no direct-to-LDS load width fits a tile of 64 elements of 64 bits: 32 "
      "bits: element tile: 32 bits do not hold a whole number of elements of "
      "64 bits");
  EXPECT_EQ(planAsyncDma(request({64}, 16, 1, {})).message(),
            "the target has no direct-to-LDS loads");
  EXPECT_EQ(planAsyncDma(request({64, 0}, 16, 1)).message(),
            "the tile 64x0 is empty");
  EXPECT_EQ(planAsyncDma(request({64}, 0, 1)).message(),
            "the element width is 0, but must be at least 1");
}

/// Returns whether the first `count` elements of a row-major vector form a box
/// that tiles the vector. If so, divides `shape` by the box.
bool takeBox(int64_t count, Ints &shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t inner = 1;
    for (size_t j = i + 1; j < shape.size(); ++j)
      inner *= shape[j];
    if (count % inner == 0 && shape[i] % (count / inner) == 0) {
      shape[i] /= count / inner;
      for (size_t j = i + 1; j < shape.size(); ++j)
        shape[j] = 1;
      return true;
    }
  }
  return shape.empty() && count == 1;
}

/// For every width and shape, the widest transfer that divides the tile is
/// chosen, every element is transferred as often as the plan specifies, and
/// lanes access adjacent pieces.
TEST(AsyncDma, AgainstEnumeration) {
  std::vector<Ints> shapes = {{},      {64},     {96},       {512},
                              {4, 32}, {8, 24},  {16, 64},   {64, 16},
                              {6, 64}, {3, 128}, {2, 2, 64}, {4, 8, 16},
                              {5, 64}, {128, 1}, {1, 256}};
  int64_t planned = 0, refused = 0, surplus = 0;
  for (const Ints &shape : shapes)
    for (int64_t bits : {8, 16, 32, 64})
      for (int64_t waves : {1, 2, 3, 4})
        for (int64_t waveSize : {32, 64}) {
          AsyncDmaRequest r = request(shape, bits, waves);
          r.waveSize = waveSize;
          // Determines the expected width.
          int64_t expected = 0, expectedSurplus = 0;
          for (int64_t width : {128, 96, 32}) {
            Ints rest = shape;
            if (width % bits != 0 || !takeBox(width / bits, rest) ||
                !takeBox(waveSize, rest))
              continue;
            // Waves are assigned from the outermost dimension: the same test
            // with the dimensions reversed.
            Ints reversed(rest.rbegin(), rest.rend());
            if (takeBox(waves, reversed)) {
              expected = width;
              break;
            }
            if (expectedSurplus == 0 && waves % brute::product(rest) == 0 &&
                waves > brute::product(rest))
              expectedSurplus = width;
          }
          auto plan = planAsyncDma(r);
          if (expected == 0 && expectedSurplus == 0) {
            EXPECT_FALSE(plan);
            ++refused;
            continue;
          }
          ASSERT_TRUE(plan) << plan.message();
          EXPECT_EQ(plan->width, expected ? expected : expectedSurplus);
          EXPECT_EQ(plan->copies > 1, expected == 0);
          ++planned;
          surplus += plan->copies > 1;

          EXPECT_EQ(plan->layout, layoutOf(plan->params));
          EXPECT_EQ(plan->layout.shape(), shape);
          std::vector<int64_t> moved(brute::product(shape));
          for (int64_t wave = 0; wave < waves; ++wave)
            for (int64_t load = 0; load < plan->loads; ++load) {
              int64_t base = linearize(plan->pieceOf(wave, 0, load), shape);
              for (int64_t lane = 0; lane < waveSize; ++lane) {
                Ints piece = plan->pieceOf(wave, lane, load);
                int64_t begin = linearize(piece, shape);
                ASSERT_EQ(begin, base + lane * plan->elementsPerLane);
                for (int64_t e = 0; e < plan->elementsPerLane; ++e)
                  ++moved[begin + e];
                ASSERT_TRUE(plan->layout.holds(wave, lane, piece));
              }
            }
          for (int64_t count : moved)
            ASSERT_EQ(count, plan->copies);
        }
  EXPECT_GT(planned, 50);
  EXPECT_GT(refused, 50);
  EXPECT_GT(surplus, 10);
}

//===----------------------------------------------------------------------===//
// The xor swizzle
//===----------------------------------------------------------------------===//

TEST(XorShuffleTest, IsItsOwnInverseAndKeepsRowsAndBlocks) {
  for (int64_t access = 1; access <= 12; ++access)
    for (int64_t blocks : {1, 2, 4, 8, 16}) {
      auto swizzle = XorShuffle::get(access * blocks, access);
      ASSERT_TRUE(swizzle) << swizzle.message();
      int64_t row = access * blocks;
      for (int64_t offset = 0; offset < 2 * swizzle->period(); ++offset) {
        int64_t to = swizzle->apply(offset);
        ASSERT_EQ(swizzle->apply(to), offset);
        ASSERT_EQ(to / row, offset / row);
        ASSERT_EQ(to % access, offset % access);
        ASSERT_EQ(swizzle->apply(offset + swizzle->period()),
                  to + swizzle->period());
      }
      // In consecutive rows, the same block is stored at all positions of a row
      // before one repeats.
      for (int64_t block = 0; block < blocks; ++block) {
        std::set<int64_t> places;
        for (int64_t r = 0; r < blocks; ++r)
          places.insert(swizzle->apply(r * row + block * access) % row);
        EXPECT_EQ(int64_t(places.size()), blocks);
      }
      // A piece that fits in a block stays contiguous.
      for (int64_t width = 1; width <= row; ++width) {
        bool whole = row % width == 0 || swizzle->keepsWhole(width);
        for (int64_t begin = 0; whole && begin + width <= 4 * row;
             begin += width)
          for (int64_t i = 1; i < width; ++i)
            whole &= swizzle->apply(begin + i) == swizzle->apply(begin) + i;
        if (swizzle->keepsWhole(width)) {
          EXPECT_TRUE(whole) << access << "x" << blocks << " " << width;
        } else if (blocks > 1 && row % width == 0) {
          EXPECT_FALSE(whole) << access << "x" << blocks << " " << width;
        }
      }
    }
}

TEST(XorShuffleTest, TurnsRepeatSooner) {
  for (int64_t phases : {1, 2, 4, 8}) {
    auto swizzle = XorShuffle::get(64, 8, phases);
    ASSERT_TRUE(swizzle) << swizzle.message();
    EXPECT_EQ(swizzle->phases(), phases);
    EXPECT_EQ(swizzle->period(), 64 * phases);
    for (int64_t offset = 0; offset < 64 * 16; ++offset) {
      int64_t r = offset / 64, block = offset % 64 / 8;
      int64_t to = r * 64 + (block ^ (r % phases)) * 8 + offset % 8;
      ASSERT_EQ(swizzle->apply(offset), to);
      ASSERT_EQ(swizzle->apply(to), offset);
    }
  }
}

/// Rows next to each other, and rows at the distance of a group, have different
/// permutations; the xor of two offsets without a common bit is swizzled to the
/// xor of both.
TEST(XorShuffleTest, GroupsCountAsWell) {
  for (int64_t group : {1, 4, 8, 32}) {
    auto swizzle = XorShuffle::get(64, 8, 8, group);
    ASSERT_TRUE(swizzle) << swizzle.message();
    EXPECT_EQ(swizzle->group(), group);
    EXPECT_EQ(swizzle->period(), 64 * 8 * group);
    for (int64_t offset = 0; offset < 2 * swizzle->period(); offset += 8) {
      int64_t r = offset / 64, block = offset % 64 / 8;
      int64_t to = r * 64 + (block ^ ((r ^ (r / group)) % 8)) * 8;
      ASSERT_EQ(swizzle->apply(offset), to);
      ASSERT_EQ(swizzle->apply(to), offset);
      ASSERT_EQ(swizzle->apply(offset + swizzle->period()),
                to + swizzle->period());
      int64_t low = offset % 512, high = offset - low;
      ASSERT_EQ(swizzle->apply(low) ^ swizzle->apply(high), to);
    }
  }
  auto swizzle = XorShuffle::get(64, 8, 8, 8);
  std::set<int64_t> adjacent, distant;
  for (int64_t i = 0; i < 8; ++i) {
    adjacent.insert(swizzle->apply(i * 64) % 64);
    distant.insert(swizzle->apply(i * 8 * 64) % 64);
  }
  EXPECT_EQ(adjacent.size(), 8u);
  EXPECT_EQ(distant.size(), 8u);
}

TEST(XorShuffleTest, Errors) {
  EXPECT_EQ(XorShuffle::get(64, 8, 0, 6).message(),
            "a group of 6 rows: the number of rows must be a power of two");
  for (int64_t phases : {3, 16, -1})
    EXPECT_EQ(XorShuffle::get(64, 8, phases).message(),
              std::to_string(phases) +
                  " phases: the number of phases must be a power of two and "
                  "at most 8, the number of blocks in a row");
  EXPECT_EQ(XorShuffle::get(0, 8).message(),
            "row width 0 and access width 8 must both be at least 1");
  EXPECT_EQ(XorShuffle::get(64, 24).message(),
            "access width 24 does not divide row width 64");
  EXPECT_EQ(XorShuffle::get(48, 8).message(),
            "a row of 48 elements has 6 blocks of 8, but the number of blocks "
            "must be a power of two");
}

//===----------------------------------------------------------------------===//
// XeGPU
//===----------------------------------------------------------------------===//

TEST(XeGPULayoutTest, Documented) {
  // 16 lanes arranged as [[0 … 7], [8 … 15]], and with the order reversed.
  auto layout = fromXeGPU({{}, {}, {}, {2, 8}, {1, 1}, {}}, Ints{2, 8});
  ASSERT_TRUE(layout) << layout.message();
  EXPECT_EQ(layout->elementAt(0, 9, 0), (Ints{1, 1}));
  layout = fromXeGPU({{}, {}, {}, {2, 8}, {1, 1}, {0, 1}}, Ints{2, 8});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->elementAt(0, 9, 0), (Ints{1, 4}));
  // A value of 8x16 in blocks of 2x2; each lane holds four.
  layout = fromXeGPU({{}, {}, {8, 16}, {2, 8}, {2, 2}, {}}, Ints{16, 32});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->distributedShape(), (Ints{8, 4}));
  EXPECT_EQ(layout->elementAt(0, 9, 0), (Ints{2, 2}));
  EXPECT_EQ(layout->dim(1), (DimTiles{1, 2, 1, 8, 2, 0, 1}));
  // 8 subgroups arranged as [[0 … 3], [4 … 7]].
  layout = fromXeGPU({{2, 4}, {16, 16}, {}, {2, 8}, {1, 1}, {}}, Ints{32, 64});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->dim(0).subgroupStride, 4);
  EXPECT_EQ(layout->elementAt(5, 0, 0), (Ints{16, 16}));
}

TEST(XeGPULayoutTest, Errors) {
  auto message = [](const XeGPUParams &params, Ints shape) {
    auto layout = fromXeGPU(params, shape);
    return layout ? "no error" : layout.message();
  };
  EXPECT_EQ(message({{2, 4}, {16, 16}, {}, {}, {}, {}}, {32, 64}),
            "the XeGPU layout has no lane_layout, so it does not determine "
            "which lane holds which element");
  EXPECT_EQ(message({{2, 4}, {16, 16}, {}, {1, 16}, {1, 1}, {}}, {80, 64}),
            "shape[0] / sg_data[0] = 5 is not a multiple of sg_layout[0] = 2");
  EXPECT_EQ(message({{}, {}, {8, 24}, {1, 16}, {1, 1}, {}}, {32, 48}),
            "inst_data[1] = 24 is not a multiple of lane_layout[1] * "
            "lane_data[1] = 16");
  EXPECT_EQ(message({{}, {}, {8, 12}, {1, 16}, {1, 1}, {}}, {32, 48}),
            "inst_data[1] = 12 is not a multiple of lane_layout[1] * "
            "lane_data[1] = 16");
  EXPECT_EQ(message({{}, {}, {8, 16}, {1, 16}, {1, 1}, {}}, {12, 64}),
            "shape[0] = 12 is not a multiple of inst_data[0] = 8");
  EXPECT_EQ(message({{}, {}, {8, 16}, {}, {1, 1}, {}}, {16, 64}),
            "the XeGPU layout has lane_data, but no lane_layout");
  EXPECT_EQ(message({{3}, {}, {}, {16}, {}, {}}, {32}),
            "shape[0] = 32 is not a multiple of sg_layout[0] = 3");
  EXPECT_EQ(message({{3}, {16}, {}, {16}, {}, {}}, {32}),
            "sg_layout[0] = 3 is not a multiple of shape[0] / sg_data[0] = 2");
  EXPECT_EQ(message({{}, {16}, {}, {16}, {}, {}}, {32}),
            "the XeGPU layout has sg_data, but no sg_layout");
  EXPECT_EQ(message({{}, {}, {}, {16}, {1, 1}, {}}, {32}),
            "lane_data has 2 entries, but the value has rank 1");
  EXPECT_EQ(message({{}, {}, {}, {1, 16}, {1, 1}, {1, 1}}, {32, 32}),
            "order [1, 1] is not a permutation of the 2 dimensions");
  EXPECT_EQ(message({{}, {}, {}, {1, 16}, {1, -1}, {}}, {32, 32}),
            "lane_data[1] is -1, but must be at least 1");
}

/// Random parameters of an XeGPU layout, and a shape for it.
struct RandomXeGPU {
  explicit RandomXeGPU(std::mt19937_64 &random);

  size_t rank() const { return shape.size(); }
  int64_t numSubgroups() const { return brute::product(p.sgLayout); }
  int64_t numLanes() const { return brute::product(p.laneLayout); }
  Ints positionOf(int64_t id, const Ints &arrangement) const;
  bool subgroupHolds(int64_t subgroup, const Ints &element) const;
  bool laneHolds(int64_t lane, const Ints &element) const;

  XeGPUParams p;
  Ints shape;
};

RandomXeGPU::RandomXeGPU(std::mt19937_64 &random)
    : shape(brute::pick(random, 1, 3)) {
  for (size_t i = 0; i < rank(); ++i) {
    auto small = [&] { return brute::pick(random, 1, 3); };
    p.laneLayout.push_back(brute::pick(random, 1, 4));
    p.laneData.push_back(brute::pick(random, 1, 2));
    p.instData.push_back(p.laneLayout[i] * p.laneData[i] *
                         brute::pick(random, 1, 2));
    if (small() == 1) // More lanes than the instruction has data for.
      p.laneLayout[i] *= p.instData[i] / p.laneLayout[i] / p.laneData[i] * 2;
    p.sgData.push_back(p.instData[i] * brute::pick(random, 1, 2));
    // Each subgroup has one part, or several subgroups have the same part, or
    // parts are distributed cyclically.
    int64_t blocks = brute::pick(random, 1, 2);
    int64_t kind = small();
    shape[i] = p.sgData[i] * blocks * (kind == 2 ? 2 : 1);
    p.sgLayout.push_back(blocks * (kind == 1 ? 2 : 1));
    p.order.push_back(i);
  }
  std::shuffle(p.order.begin(), p.order.end(), random);
}

/// The digits of an id. The first dimension of the order is the fastest.
Ints RandomXeGPU::positionOf(int64_t id, const Ints &arrangement) const {
  Ints position(rank());
  for (int64_t d : p.order) {
    position[d] = id % arrangement[d];
    id /= arrangement[d];
  }
  return position;
}

bool RandomXeGPU::subgroupHolds(int64_t subgroup, const Ints &element) const {
  Ints at = positionOf(subgroup, p.sgLayout);
  for (size_t i = 0; i < rank(); ++i) {
    bool holds = false;
    int64_t cycle = std::min(shape[i], p.sgLayout[i] * p.sgData[i]);
    for (int64_t first = 0; first < shape[i]; first += cycle) {
      int64_t begin = (first + at[i] * p.sgData[i]) % shape[i];
      holds |= begin <= element[i] && element[i] < begin + p.sgData[i];
    }
    if (!holds)
      return false;
  }
  return true;
}

bool RandomXeGPU::laneHolds(int64_t lane, const Ints &element) const {
  Ints at = positionOf(lane, p.laneLayout);
  for (size_t i = 0; i < rank(); ++i)
    if (element[i] % p.instData[i] / p.laneData[i] % p.laneLayout[i] !=
        at[i] % (p.instData[i] / p.laneData[i]))
      return false;
  return true;
}

/// The holders of elements agree with XeGPU's definition: subgroups and lanes
/// are arranged in `order`, and blocks are assigned to them in that order.
TEST(XeGPULayoutTest, RandomAgainstBlocks) {
  std::mt19937_64 random = brute::seeded();
  int64_t shared = 0;
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    RandomXeGPU sample(random);
    int64_t subgroups = sample.numSubgroups(), lanes = sample.numLanes();
    auto layout = fromXeGPU(sample.p, sample.shape);
    ASSERT_TRUE(layout) << layout.message();
    ASSERT_EQ(layout->shape(), sample.shape);
    for (int64_t k = 0; k < 4; ++k) {
      Ints element;
      for (int64_t size : sample.shape)
        element.push_back(brute::pick(random, 0, size - 1));
      Ints subgroupIds, laneIds;
      for (int64_t s = 0; s < subgroups; ++s)
        if (sample.subgroupHolds(s, element))
          subgroupIds.push_back(s);
      for (int64_t l = 0; l < lanes; ++l)
        if (sample.laneHolds(l, element))
          laneIds.push_back(l);
      Holders holders = layout->holdersOf(element, subgroups, lanes);
      ASSERT_EQ(holders.subgroups, subgroupIds) << layout->str();
      ASSERT_EQ(holders.lanes, laneIds) << layout->str();
      shared += subgroupIds.size() > 1;
    }
  }
  EXPECT_GT(shared, 0);
}

/// A slice is the layout without the sliced dimensions, and layouts convert
/// back to equivalent parameters.
TEST(XeGPULayoutTest, RandomSlicesAndBack) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    RandomXeGPU sample(random);
    const XeGPUParams &p = sample.p;
    const Ints &shape = sample.shape;
    Ints dims = {brute::pick(random, 0, sample.rank() - 1)};
    Ints rest = shape;
    rest.erase(rest.begin() + dims[0]);
    XeGPUParams even = p;
    for (size_t i = 0; i < sample.rank(); ++i) {
      even.sgLayout[i] = shape[i] / p.sgData[i];
      even.laneLayout[i] =
          std::min(p.laneLayout[i], p.instData[i] / p.laneData[i]);
    }
    auto whole = fromXeGPU(even, shape);
    auto slice = fromXeGPUSlice(even, dims, rest);
    ASSERT_TRUE(whole && slice);
    ASSERT_EQ(*slice, *project(*whole, dims));

    auto back = toXeGPU(*whole, brute::product(even.sgLayout),
                        brute::product(even.laneLayout));
    ASSERT_TRUE(back) << whole->str();
    auto again = fromXeGPU(*back, shape);
    ASSERT_TRUE(again);
    ASSERT_EQ(*again, *whole);
  }
}

/// Omitted parameters are unconstrained, given ones are constraints.
TEST(XeGPULayoutTest, RandomPartialLayouts) {
  std::mt19937_64 random = brute::seeded();
  int64_t numCompleted = 0;
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    RandomXeGPU sample(random);
    XeGPUParams some = sample.p;
    if (n % 2 == 0)
      some.sgLayout = some.sgData = {};
    else
      some.laneLayout = some.laneData = {};
    if (n % 3 == 0)
      some.instData = {};
    auto partial = PartialLayout::get(some, sample.shape);
    if (!partial)
      continue; // Without inst_data the lanes may not divide.
    auto preference =
        NestedLayout::get(brute::randomOfShape(random, sample.shape));
    ASSERT_TRUE(preference);
    auto completed = partial->complete(*preference);
    numCompleted += bool(completed);
    if (completed) {
      ASSERT_TRUE(partial->allows(*completed)) << completed->str();
    }
    if (partial->allows(*preference)) {
      ASSERT_TRUE(completed) << preference->str();
      ASSERT_EQ(*completed, *preference);
    }
  }
  EXPECT_GT(numCompleted, 0);
}

TEST(XeGPULayoutTest, Cycles) {
  // 2x4 subgroups take 16x16 blocks of 64x128 cyclically: each has four.
  auto layout =
      fromXeGPU({{2, 4}, {16, 16}, {}, {1, 16}, {1, 1}, {}}, Ints{64, 128});
  ASSERT_TRUE(layout) << layout.message();
  EXPECT_EQ(layout->distributedShape(), (Ints{32, 2}));
  EXPECT_EQ(layout->elementAt(5, 3, 0), (Ints{16, 19}));
  EXPECT_EQ(layout->elementAt(5, 3, 1), (Ints{16, 83}));
  EXPECT_EQ(layout->elementAt(5, 3, 32), (Ints{48, 19}));
  EXPECT_EQ(layout->str(),
            "#layout.nested<cycle_tile = [2, 2], subgroup_tile = [2, 4], "
            "batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 16], "
            "element_tile = [16, 1], subgroup_strides = [4, 1], "
            "thread_strides = [0, 1]>");
  auto back = toXeGPU(*layout, 8, 16);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, (XeGPUParams{{2, 4}, {16, 16}, {}, {1, 16}, {1, 1}, {}}));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

TEST(LayoutTableTest, Small) {
  auto text = layoutTable(
      layoutOf({{2, 1}, {1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 0}, {0, 1}}));
  ASSERT_TRUE(text);
  EXPECT_EQ(
      *text,
      R"(#layout.nested<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 2], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [0, 1]>
shape 2x4, a lane holds 1x2 (2 values), 2 subgroups of 2 lanes
subgroup:lane:register of each element

       0      1      2      3
0  0:0:0  0:0:1  0:1:0  0:1:1
1  1:0:0  1:0:1  1:1:0  1:1:1
)");
}

TEST(LayoutTableTest, CopiesAndCuts) {
  LayoutTableOptions options;
  options.numSubgroups = 2;
  options.numLanes = 16;
  options.maxColumns = 2;
  options.maxRows = 1;
  options.maxTables = 1;
  auto text = layoutTable(layoutOf({{1, 1, 1},
                                    {2, 1, 1},
                                    {1, 1, 1},
                                    {1, 2, 4},
                                    {1, 1, 1},
                                    {0, 0, 0},
                                    {0, 8, 1}}),
                          options);
  ASSERT_TRUE(text);
  EXPECT_EQ(
      *text,
      R"(#layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [1, 2, 4], element_tile = [2, 1, 1], subgroup_strides = [0, 0, 0], thread_strides = [0, 8, 1]>
shape 2x2x4, a lane holds 2x1x1 (2 values), 2 subgroups of 16 lanes
Each element is in 2 subgroups: the one shown and +1.
Each element is in 2 lanes: the one shown and +4.
subgroup:lane:register of each element

[0, *, *]
       0      1  …
0  0:0:0  0:1:0  …
… 1 more row
… 2 more columns

… 1 more table
)");
}

TEST(LayoutTableTest, Errors) {
  LayoutTableOptions options;
  options.numLanes = 2;
  EXPECT_EQ(layoutTable(layoutOf({{1}, {1}, {1}, {4}, {1}, {0}, {1}}), options)
                .message(),
            "the layout uses lanes up to 3, but a subgroup has 2 lanes");
  // If the copies are unevenly distributed, the table notes it.
  options.numLanes = 6;
  auto text =
      layoutTable(layoutOf({{1}, {1}, {1}, {4}, {1}, {0}, {1}}), options);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("Elements are in different numbers of lanes"),
            std::string::npos);
  EXPECT_TRUE(layoutTable(NestedLayout()));
}

} // namespace
