//===- LayoutAlgebraMapTest.cpp - Tests of nested layouts -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/NestedLayout.h"
#include "test/unit/LayoutAlgebraBruteForce.h"

#include <gtest/gtest.h>

#include <map>

using namespace aircc::layout;

namespace {

/// The layout of the documentation's example: vector<64x64xf16> on two waves.
NestedParams example() {
  return {{2, 1}, {2, 4}, {1, 1}, {16, 4}, {1, 4}, {1, 0}, {1, 16}};
}

std::string messageOf(const NestedParams &params) {
  auto layout = NestedLayout::get(params);
  return layout ? "no error" : layout.message();
}

TEST(LayoutMap, Example) {
  auto layout = NestedLayout::get(example());
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->shape(), (Ints{64, 64}));
  EXPECT_EQ(layout->distributedShape(), (Ints{2, 16}));
  EXPECT_EQ(layout->numRegisters(), 32);
  EXPECT_EQ(layout->distinctSubgroups(), 2);
  EXPECT_EQ(layout->distinctLanes(), 64);
  EXPECT_EQ(layout->params(), example());
  // Subgroup 1, lane 35 = 16 * 2 + 3, register 1 * 16 + (2 * 4 + 1).
  EXPECT_EQ(layout->elementAt(1, 35, 25),
            (Ints{(1 * 2 + 1) * 16 + 3, 2 * 16 + 2 * 4 + 1}));
  EXPECT_EQ(layout->str(),
            "#layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 4], "
            "outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, "
            "4], subgroup_strides = [1, 0], thread_strides = [1, 16]>");
}

TEST(LayoutMap, Scalar) {
  auto layout = NestedLayout::get(NestedParams());
  ASSERT_TRUE(layout);
  EXPECT_EQ(*layout, NestedLayout());
  EXPECT_EQ(layout->numElements(), 1);
  EXPECT_EQ(layout->holdersOf({}, 2, 3).lanes, (Ints{0, 1, 2}));
  EXPECT_EQ(layout->laneCopies(64), 64);
}

TEST(LayoutMap, Errors) {
  NestedParams p = example();
  p.outerTile = {1};
  EXPECT_EQ(messageOf(p), "outer_tile has 1 entries, but subgroup_tile has 2; "
                          "every list must have one entry for each dimension");
  p = example();
  p.elementTile[1] = 0;
  EXPECT_EQ(messageOf(p),
            "element_tile[1] is 0, but a tile must be at least 1");
  p = example();
  p.threadStrides[0] = -1;
  EXPECT_EQ(messageOf(p),
            "thread_strides[0] is -1, but a stride cannot be negative");
  p = example();
  p.subgroupStrides[0] = 0;
  EXPECT_EQ(messageOf(p),
            "subgroup_tile[0] is 2, so subgroup_strides[0] cannot be 0; a "
            "stride of 0 is only for a tile of 1, which is not distributed");
  p = example();
  p.threadStrides[1] = 8;
  EXPECT_EQ(messageOf(p),
            "the strides of dimensions 0 and 1 overlap: thread_strides[1] = 8 "
            "is not a multiple of thread_strides[0] * thread_tile[0] = 1 * 16 "
            "= 16");
  p = example();
  p.batchTile = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(messageOf(p),
            "the vector has more elements than 64 bits can count");
  p = example();
  p.subgroupStrides[0] = int64_t(1) << 62;
  EXPECT_EQ(
      messageOf(p),
      "subgroup_strides[0] times subgroup_tile[0] does not fit in 64 bits");
}

TEST(LayoutMap, Misfit) {
  auto layout = NestedLayout::get(example());
  ASSERT_TRUE(layout);
  EXPECT_FALSE(layout->misfit(2, 64));
  EXPECT_FALSE(layout->misfit(3, 128));
  ASSERT_TRUE(layout->misfit(1, 64));
  EXPECT_EQ(layout->misfit(1, 64)->message,
            "the layout uses subgroup ids up to 1, but there is only one "
            "subgroup");
  ASSERT_TRUE(layout->misfit(2, 32));
  EXPECT_EQ(layout->misfit(2, 32)->message,
            "the layout uses lanes up to 63, but a subgroup has 32 lanes");
}

/// The verifier accepts strides exactly if ids and positions are inverse to
/// each other: the id that is the sum of strides times positions has this
/// position, and over one period all positions have equally many ids.
TEST(LayoutMap, StridesAcceptedExactlyWhereInvertible) {
  int64_t accepted = 0, rejected = 0;
  auto check = [&](Ints tiles, Ints strides) {
    size_t rank = tiles.size();
    int64_t period = 1;
    for (size_t i = 0; i < rank; ++i)
      period = std::max(period, strides[i] * tiles[i]);
    std::map<Ints, int64_t> ids;
    bool invertible = true;
    auto positionOf = [&](int64_t id) {
      Ints position(rank);
      for (size_t i = 0; i < rank; ++i)
        position[i] = id / strides[i] % tiles[i];
      return position;
    };
    for (int64_t id = 0; id < period; ++id) {
      ++ids[positionOf(id)];
      invertible &= positionOf(id) == positionOf(id + period);
    }
    int64_t all = brute::product(tiles);
    for (int64_t n = 0; n < all; ++n) {
      Ints position = delinearize(n, tiles);
      int64_t id = 0;
      for (size_t i = 0; i < rank; ++i)
        id += strides[i] * position[i];
      invertible &= positionOf(id) == position;
      invertible &= ids[position] * all == period;
    }
    Ints ones(rank, 1), zeros(rank, 0);
    bool threads = bool(
        NestedLayout::get({ones, ones, ones, tiles, ones, zeros, strides}));
    bool subgroups = bool(
        NestedLayout::get({tiles, ones, ones, ones, ones, strides, zeros}));
    EXPECT_EQ(threads, invertible) << listText(tiles) << listText(strides);
    EXPECT_EQ(subgroups, invertible) << listText(tiles) << listText(strides);
    ++(invertible ? accepted : rejected);
  };
  for (int64_t a = 2; a <= 4; ++a)
    for (int64_t b = 2; b <= 4; ++b)
      for (int64_t sa = 1; sa <= 16; ++sa)
        for (int64_t sb = 1; sb <= 16; ++sb) {
          check({a, b}, {sa, sb});
          if (a <= 3 && b <= 3 && sa <= 8 && sb <= 8)
            for (int64_t sc = 1; sc <= 12; ++sc)
              check({a, b, 2}, {sa, sb, sc});
        }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(rejected, 2000);
}

/// Collects layouts and their maps. Each map must have one layout, and each
/// layout one map.
class Bijection {
public:
  void add(const NestedParams &params, int64_t subgroups, int64_t lanes) {
    auto layout = NestedLayout::get(params);
    ASSERT_TRUE(layout) << params.str();
    brute::Table table = brute::tabulate(params, subgroups, lanes);
    std::string map;
    for (const Ints *shape : {&table.shape, &table.laneShape})
      map += shapeText(*shape) + "|";
    for (int64_t index : table.flat())
      map += {static_cast<char>(index), static_cast<char>(index >> 8)};
    auto [byMap, newMap] = layouts.emplace(map, *layout);
    EXPECT_EQ(byMap->second, *layout)
        << "one map, two layouts: " << params.str();
    auto [byLayout, newLayout] = maps.emplace(layout->str(), map);
    EXPECT_EQ(byLayout->second, map)
        << "one layout, two maps: " << params.str();
    // Canonicalizing a canonical layout changes nothing.
    auto again = NestedLayout::get(layout->params());
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *layout);
  }
  size_t size() const { return layouts.size(); }

private:
  std::map<std::string, NestedLayout> layouts;
  std::map<std::string, std::string> maps;
};

TEST(LayoutMap, EqualMapsAreEqualLayoutsRank1) {
  Bijection bijection;
  int64_t spellings = 0;
  for (int64_t s = 1; s <= 3; ++s)
    for (int64_t b = 1; b <= 3; ++b)
      for (int64_t o = 1; o <= 3; ++o)
        for (int64_t t = 1; t <= 3; ++t)
          for (int64_t e = 1; e <= 3; ++e)
            for (int64_t ss = 0; ss <= 4; ++ss)
              for (int64_t ts = 0; ts <= 4; ++ts) {
                if ((s > 1 && ss == 0) || (t > 1 && ts == 0))
                  continue;
                // The stride of a tile of 1 may be given but has no effect. The
                // reference must not depend on it.
                NestedParams p = {{s}, {b}, {o}, {t}, {e}, {ss}, {ts}};
                bijection.add(p, 12, 12);
                ++spellings;
              }
  EXPECT_GT(bijection.size(), 500u);
  EXPECT_LT(bijection.size(), static_cast<size_t>(spellings));
}

TEST(LayoutMap, EqualMapsAreEqualLayoutsRank2) {
  struct Level {
    Ints tiles, strides;
  };
  std::vector<Level> levels = {{{1, 1}, {0, 0}}};
  for (int64_t stride : {1, 2, 4}) {
    levels.push_back({{2, 1}, {stride, 0}});
    levels.push_back({{1, 2}, {0, stride}});
    for (int64_t other : {1, 2, 4})
      if (other != stride)
        levels.push_back({{2, 2}, {stride, other}});
  }
  Bijection bijection;
  for (const Level &subgroup : levels)
    for (const Level &thread : levels)
      for (int64_t bits = 0; bits < 64; ++bits) {
        auto tile = [&](int n) -> Ints {
          return {1 + (bits >> n & 1), 1 + (bits >> (n + 1) & 1)};
        };
        bijection.add({subgroup.tiles, tile(0), tile(2), thread.tiles, tile(4),
                       subgroup.strides, thread.strides},
                      8, 8);
      }
  EXPECT_GT(bijection.size(), 2000u);
}

TEST(LayoutMap, CanonicalForm) {
  // Batch and outer tiles are adjacent; element joins them if there is no
  // thread tile between them.
  auto layout = NestedLayout::get(
      {{1, 2}, {2, 3}, {4, 2}, {1, 8}, {2, 5}, {7, 1}, {9, 1}});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->dim(0), (DimTiles{1, 1, 1, 1, 16, 0, 0}));
  EXPECT_EQ(layout->dim(1), (DimTiles{2, 6, 1, 8, 5, 1, 1}));
}

/// Compares the map, its inverse and the counts with the loops.
void compare(const NestedParams &params, int64_t subgroups, int64_t lanes) {
  auto layout = NestedLayout::get(params);
  ASSERT_TRUE(layout) << params.str() << ": " << layout.message();
  brute::Table table = brute::tabulate(params, subgroups, lanes);
  ASSERT_EQ(layout->shape(), table.shape);
  ASSERT_EQ(layout->distributedShape(), table.laneShape);
  ASSERT_EQ(layout->numRegisters(), table.registers());

  struct Held {
    std::vector<bool> subgroups, lanes;
    int64_t count = 0, reg = -1;
  };
  std::vector<Held> held(brute::product(table.shape));
  Ints element(layout->rank());
  for (int64_t s = 0; s < subgroups; ++s)
    for (int64_t l = 0; l < lanes; ++l)
      for (int64_t r = 0; r < table.registers(); ++r) {
        layout->elementAt(s, l, r, element);
        ASSERT_EQ(element, table.at[s][l][r]) << params.str();
        Held &h = held[table.linear(element)];
        h.subgroups.resize(subgroups);
        h.lanes.resize(lanes);
        h.subgroups[s] = h.lanes[l] = true;
        ++h.count;
        ASSERT_TRUE(h.reg == -1 || h.reg == r) << params.str();
        h.reg = r;
      }

  bool complete = true;
  int64_t fewest = subgroups * lanes, most = 0;
  for (size_t n = 0; n < held.size(); ++n) {
    const Held &h = held[n];
    complete &= h.count > 0;
    fewest = std::min(fewest, h.count);
    most = std::max(most, h.count);
    if (h.count == 0)
      continue;
    Ints element = delinearize(n, table.shape);
    Holders holders = layout->holdersOf(element, subgroups, lanes);
    ASSERT_EQ(holders.reg, h.reg);
    Ints subgroupIds, laneIds;
    for (int64_t s = 0; s < subgroups; ++s)
      if (h.subgroups[s])
        subgroupIds.push_back(s);
    for (int64_t l = 0; l < lanes; ++l)
      if (h.lanes[l])
        laneIds.push_back(l);
    ASSERT_EQ(holders.subgroups, subgroupIds) << params.str();
    ASSERT_EQ(holders.lanes, laneIds) << params.str();
    // The holders of an element are the product of a set of subgroups and a set
    // of lanes.
    ASSERT_EQ(h.count, int64_t(subgroupIds.size() * laneIds.size()));
    ASSERT_EQ(layout->firstSubgroupOf(element), subgroupIds.front());
    ASSERT_EQ(layout->firstLaneOf(element), laneIds.front());
    ASSERT_TRUE(layout->holds(subgroupIds.back(), laneIds.back(), element));
    ASSERT_EQ(layout->holds(subgroups - 1, lanes - 1, element),
              h.subgroups.back() && h.lanes.back());
  }
  ASSERT_EQ(!layout->misfit(subgroups, lanes), complete) << params.str();
  auto subgroupCopies = layout->subgroupCopies(subgroups);
  auto laneCopies = layout->laneCopies(lanes);
  if (subgroupCopies && laneCopies) {
    ASSERT_EQ(fewest, *subgroupCopies * *laneCopies) << params.str();
    ASSERT_EQ(most, fewest) << params.str();
  } else {
    ASSERT_NE(most, fewest) << params.str();
  }
}

TEST(LayoutMap, RandomAgainstLoops) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    NestedParams params = brute::randomParams(random);
    // Usually a full workgroup, sometimes one that is too small, or of an odd
    // size.
    int64_t subgroups = 4, lanes = 64;
    if (n % 4 == 0)
      subgroups = brute::pick(random, 1, 5);
    if (n % 4 == 1)
      lanes = brute::pick(random, 1, 64);
    compare(params, subgroups, lanes);
    if (HasFatalFailure())
      FAIL() << "sample " << n;
  }
}

} // namespace
