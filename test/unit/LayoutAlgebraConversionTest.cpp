//===- LayoutAlgebraConversionTest.cpp - Tests of conversions of layouts --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Conversion.h"
#include "test/unit/LayoutAlgebraBruteForce.h"

#include <gtest/gtest.h>

#include <set>

using namespace aircc::layout;

namespace {

NestedLayout layoutOf(const NestedParams &params) {
  auto layout = NestedLayout::get(params);
  EXPECT_TRUE(layout) << params.str();
  return *layout;
}

/// The registers of all lanes: [subgroup][lane][register].
using Registers = std::vector<std::vector<Ints>>;

Registers valuesOf(const brute::Table &table) {
  Registers values(table.subgroups, std::vector<Ints>(table.lanes));
  for (int64_t s = 0; s < table.subgroups; ++s)
    for (int64_t l = 0; l < table.lanes; ++l)
      for (const Ints &element : table.at[s][l])
        values[s][l].push_back(1000 + table.linear(element));
  return values;
}

/// Executes a conversion with only those operations that its kind permits.
Registers execute(const Conversion &conversion, const Registers &source) {
  Registers result(conversion.numSubgroups(),
                   std::vector<Ints>(conversion.numLanes(),
                                     Ints(conversion.numRegisters(), -1)));
  auto table = conversion.registerTable();
  for (int64_t r = 0; r < conversion.numRegisters(); ++r) {
    RegisterMove move = conversion.move(r);
    for (int64_t s = 0; s < conversion.numSubgroups(); ++s)
      for (int64_t l = 0; l < conversion.numLanes(); ++l) {
        int64_t &to = result[s][l][r];
        const Source &from = conversion.source(s, l, r);
        switch (conversion.kind()) {
        case ConversionKind::Identity:
          to = source[s][l][r];
          break;
        case ConversionKind::WithinLane:
          to = source[s][l][table ? (*table)[r] : from.reg];
          break;
        case ConversionKind::WithinWave:
          // One shuffle per source register, followed by a select.
          for (int32_t reg : move.sourceRegisters) {
            int64_t lane = move.xorMask     ? l ^ *move.xorMask
                           : move.laneTable ? (*move.laneTable)[l]
                                            : from.lane;
            if (reg == from.reg)
              to = source[s][lane][reg];
          }
          break;
        case ConversionKind::AcrossWaves:
          to = source[from.subgroup][from.lane][from.reg];
          break;
        }
      }
  }
  return result;
}

/// The kind that the tables of element positions require.
ConversionKind kindOf(const brute::Table &from, const brute::Table &to) {
  if (from.at == to.at)
    return ConversionKind::Identity;
  bool lane = true, wave = true;
  for (int64_t s = 0; s < to.subgroups; ++s) {
    std::set<int64_t> inWave;
    std::vector<std::set<int64_t>> inLane(to.lanes);
    for (int64_t l = 0; l < to.lanes; ++l)
      for (const Ints &element : from.at[s][l]) {
        inLane[l].insert(from.linear(element));
        inWave.insert(from.linear(element));
      }
    for (int64_t l = 0; l < to.lanes; ++l)
      for (const Ints &element : to.at[s][l]) {
        lane &= inLane[l].count(to.linear(element)) != 0;
        wave &= inWave.count(to.linear(element)) != 0;
      }
  }
  return lane   ? ConversionKind::WithinLane
         : wave ? ConversionKind::WithinWave
                : ConversionKind::AcrossWaves;
}

/// The source holds the right element, and no closer lane holds it.
void checkSources(const Conversion &conversion, const brute::Table &from,
                  const brute::Table &to) {
  for (int64_t s = 0; s < to.subgroups; ++s)
    for (int64_t l = 0; l < to.lanes; ++l)
      for (int64_t r = 0; r < to.registers(); ++r) {
        const Source &source = conversion.source(s, l, r);
        const Ints &element = to.at[s][l][r];
        ASSERT_EQ(from.at[source.subgroup][source.lane][source.reg], element);
        auto holds = [&](int64_t subgroup, int64_t lane) {
          return from.at[subgroup][lane][source.reg] == element;
        };
        if (source.lane != l) {
          ASSERT_FALSE(holds(source.subgroup, l));
          for (int64_t other = 0; other < to.lanes; ++other) {
            if ((other ^ l) < (source.lane ^ l)) {
              ASSERT_FALSE(holds(source.subgroup, other));
            }
          }
        }
        if (source.subgroup != s) {
          for (int64_t other = 0; other < to.lanes; ++other)
            ASSERT_FALSE(holds(s, other));
        }
      }
}

/// The summary of a register's move agrees with the sources.
void checkMoves(const Conversion &conversion) {
  int64_t shuffles = 0;
  bool uniform = true;
  for (int64_t r = 0; r < conversion.numRegisters(); ++r) {
    RegisterMove move = conversion.move(r);
    std::set<int32_t> registers, foreign, masks;
    bool ownLane = true, ownSubgroup = true, byLane = true;
    for (int64_t s = 0; s < conversion.numSubgroups(); ++s)
      for (int64_t l = 0; l < conversion.numLanes(); ++l) {
        const Source &source = conversion.source(s, l, r);
        registers.insert(source.reg);
        if (source.lane != l)
          foreign.insert(source.reg);
        masks.insert(source.lane ^ l);
        ownSubgroup = ownSubgroup && source.subgroup == s;
        ownLane = ownLane && source.subgroup == s && source.lane == l;
        byLane = byLane && source.lane == conversion.source(0, l, r).lane;
        if (move.laneTable) {
          ASSERT_EQ((*move.laneTable)[l], source.lane);
        }
      }
    ASSERT_EQ(std::set<int32_t>(move.sourceRegisters.begin(),
                                move.sourceRegisters.end()),
              registers);
    ASSERT_EQ(move.ownLane, ownLane);
    ASSERT_EQ(move.ownSubgroup, ownSubgroup);
    ASSERT_EQ(move.laneTable.has_value(), byLane);
    ASSERT_EQ(move.xorMask.has_value(), masks.size() == 1);
    if (move.xorMask) {
      ASSERT_EQ(*move.xorMask, *masks.begin());
    }
    shuffles += foreign.size();
    uniform &= registers.size() == 1;
  }
  ASSERT_EQ(conversion.numShuffles(), shuffles);
  ASSERT_EQ(conversion.registerTable().has_value(), uniform);
}

TEST(LayoutConversion, RandomPairs) {
  std::mt19937_64 random = brute::seeded();
  int64_t seen[4] = {};
  for (int64_t n = 0; n < brute::numSamples() / 2; ++n) {
    Ints shape = brute::randomShape(random, 256);
    NestedParams a = brute::randomOfShape(random, shape);
    NestedParams b = brute::randomOfShape(random, shape);
    // Conversions between independent layouts mostly cross waves, so this
    // derives one layout from the other.
    if (n % 3 != 0) {
      b.subgroupTile = a.subgroupTile;
      b.subgroupStrides = a.subgroupStrides;
      b.cycleTile = a.cycleTile;
      for (size_t i = 0; i < shape.size(); ++i) {
        int64_t block = shape[i] / b.cycleTile[i] / b.subgroupTile[i];
        int64_t rest = block;
        b.threadTile[i] =
            n % 3 == 1 ? a.threadTile[i] : brute::takeDivisor(random, rest);
        rest = block / b.threadTile[i];
        b.elementTile[i] = brute::takeDivisor(random, rest);
        b.outerTile[i] = 1;
        b.batchTile[i] = rest;
      }
      b.threadStrides = n % 3 == 1
                            ? a.threadStrides
                            : brute::randomStrides(random, b.threadTile, 64);
      if (b.threadStrides == Ints{-1})
        continue;
    }
    NestedLayout from = layoutOf(a), to = layoutOf(b);
    brute::Table fromTable = brute::tabulate(a, 4, 64);
    brute::Table toTable = brute::tabulate(b, 4, 64);
    auto kind = conversionKind(from, to, 4, 64);
    ASSERT_TRUE(kind) << kind.message();
    ASSERT_EQ(*kind, kindOf(fromTable, toTable)) << a.str() << "\n" << b.str();
    auto conversion = Conversion::get(from, to, 4, 64);
    ASSERT_TRUE(conversion) << conversion.message();
    ASSERT_EQ(conversion->kind(), *kind);
    ++seen[static_cast<int>(*kind)];
    checkSources(*conversion, fromTable, toTable);
    checkMoves(*conversion);
    ASSERT_EQ(execute(*conversion, valuesOf(fromTable)), valuesOf(toTable))
        << a.str() << "\n"
        << b.str();
    if (HasFatalFailure())
      FAIL() << "sample " << n << "\n" << a.str() << "\n" << b.str();
  }
  for (int64_t count : seen)
    EXPECT_GT(count, brute::numSamples() / 100);
}

TEST(LayoutConversion, RegroupingIsNoMove) {
  // Regrouping batch and outer tiles keeps all registers.
  NestedLayout a = layoutOf({{1}, {4}, {2}, {8}, {2}, {0}, {1}});
  NestedLayout b = layoutOf({{1}, {2}, {4}, {8}, {2}, {0}, {1}});
  EXPECT_EQ(*conversionKind(a, b, 1, 64), ConversionKind::Identity);
  // Exchanging the batch and the element tile moves elements between lanes.
  NestedLayout c = layoutOf({{1}, {2}, {1}, {8}, {8}, {0}, {1}});
  EXPECT_EQ(*conversionKind(a, c, 1, 64), ConversionKind::WithinWave);
}

TEST(LayoutConversion, SelectFromCopies) {
  // From a layout with all elements in each lane to one with one element per
  // lane: a select without a shuffle.
  NestedLayout all = layoutOf({{1}, {1}, {1}, {1}, {4}, {0}, {0}});
  NestedLayout one = layoutOf({{1}, {1}, {1}, {4}, {1}, {0}, {1}});
  auto conversion = Conversion::get(all, one, 1, 4);
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->kind(), ConversionKind::WithinLane);
  EXPECT_FALSE(conversion->registerTable());
  EXPECT_EQ(conversion->source(0, 3, 0), (Source{0, 3, 3}));
  // In the other direction every lane needs the values of the others.
  conversion = Conversion::get(one, all, 1, 4);
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->kind(), ConversionKind::WithinWave);
  EXPECT_EQ(conversion->registerTable(), (std::vector<int32_t>{0, 0, 0, 0}));
  EXPECT_EQ(conversion->numShuffles(), 4);
  EXPECT_EQ(conversion->move(2).laneTable, (std::vector<int32_t>{2, 2, 2, 2}));
}

TEST(LayoutConversion, XorShuffle) {
  // Even and odd lanes exchange halves.
  NestedLayout rows =
      layoutOf({{1, 1}, {1, 1}, {1, 1}, {2, 1}, {1, 2}, {0, 0}, {1, 0}});
  NestedLayout columns =
      layoutOf({{1, 1}, {1, 1}, {1, 1}, {1, 2}, {2, 1}, {0, 0}, {0, 1}});
  auto conversion = Conversion::get(rows, columns, 1, 64);
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->kind(), ConversionKind::WithinWave);
  EXPECT_EQ(conversion->source(0, 6, 1), (Source{0, 7, 0}));
  EXPECT_EQ(conversion->source(0, 6, 0), (Source{0, 6, 0}));
  EXPECT_EQ(conversion->source(0, 7, 0), (Source{0, 6, 1}));
}

TEST(LayoutConversion, Errors) {
  NestedLayout a = layoutOf({{1}, {1}, {1}, {64}, {2}, {0}, {1}});
  NestedLayout b = layoutOf({{1}, {1}, {1}, {64}, {1}, {0}, {1}});
  NestedLayout c = layoutOf({{2}, {1}, {1}, {64}, {1}, {1}, {1}});
  EXPECT_EQ(conversionKind(a, b, 1, 64).message(),
            "a layout of shape 128 cannot be converted to one of shape 64");
  EXPECT_EQ(Conversion::get(a, c, 1, 64).message(),
            "the layout uses subgroup ids up to 1, but there is only one "
            "subgroup");
  NestedLayout huge = layoutOf({{1}, {1}, {1}, {1}, {1 << 26}, {0}, {0}});
  EXPECT_EQ(*conversionKind(huge, huge, 1, 64), ConversionKind::Identity);
  EXPECT_FALSE(Conversion::get(huge, huge, 1, 64));
}

} // namespace
