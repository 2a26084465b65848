//===- LayoutAlgebraTransformTest.cpp - Shape operations of layouts -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Transforms.h"
#include "test/unit/LayoutAlgebraBruteForce.h"

#include <gtest/gtest.h>

#include <map>

using namespace aircc::layout;

namespace {

constexpr int64_t subgroups = 4, lanes = 64;

NestedLayout layoutOf(const NestedParams &params) {
  auto layout = NestedLayout::get(params);
  EXPECT_TRUE(layout) << params.str();
  return *layout;
}

/// Checks the elements that each lane holds in `layout`; `expected(subgroup,
/// lane, register position)` returns the element.
template <typename Expected>
void compare(const NestedLayout &layout, Expected expected) {
  Ints laneShape = layout.distributedShape();
  for (int64_t s = 0; s < subgroups; ++s)
    for (int64_t l = 0; l < lanes; ++l)
      for (int64_t r = 0; r < layout.numRegisters(); ++r)
        ASSERT_EQ(layout.elementAt(s, l, r),
                  expected(s, l, delinearize(r, laneShape)))
            << layout.str();
}

TEST(LayoutTransform, Permute) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples() / 4; ++n) {
    NestedParams params = brute::randomParams(random);
    NestedLayout layout = layoutOf(params);
    brute::Table table = brute::tabulate(params, subgroups, lanes);
    Ints permutation(layout.rank());
    for (int64_t i = 0; i < layout.rank(); ++i)
      permutation[i] = i;
    std::shuffle(permutation.begin(), permutation.end(), random);
    auto permuted = permute(layout, permutation);
    ASSERT_TRUE(permuted);
    // Each lane transposes its distributed vector: position p of the result is
    // position q of the source with p[i] = q[permutation[i]].
    compare(*permuted, [&](int64_t s, int64_t l, Ints p) {
      Ints q(p.size()), result(p.size());
      for (size_t i = 0; i < p.size(); ++i)
        q[permutation[i]] = p[i];
      const Ints &element = table.at[s][l][linearize(q, table.laneShape)];
      for (size_t i = 0; i < p.size(); ++i)
        result[i] = element[permutation[i]];
      return result;
    });
    auto back = permute(*permuted, inversePermutation(permutation));
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, layout);
    if (HasFatalFailure())
      FAIL() << "sample " << n;
  }
  NestedLayout layout =
      layoutOf({{1, 1}, {1, 1}, {1, 1}, {2, 4}, {1, 1}, {0, 0}, {4, 1}});
  EXPECT_EQ(permute(layout, Ints{0, 0}).message(),
            "[0, 0] is not a permutation of the 2 dimensions");
  EXPECT_FALSE(permute(layout, Ints{0}));
  EXPECT_FALSE(permute(layout, Ints{0, 2}));
}

TEST(LayoutTransform, ProjectAndInsert) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples() / 4; ++n) {
    NestedParams params = brute::randomParams(random);
    NestedLayout layout = layoutOf(params);
    brute::Table table = brute::tabulate(params, subgroups, lanes);
    Ints dropped, kept;
    for (int64_t i = 0; i < layout.rank(); ++i)
      (brute::pick(random, 0, 1) ? dropped : kept).push_back(i);
    std::shuffle(dropped.begin(), dropped.end(), random);
    auto projected = project(layout, dropped);
    ASSERT_TRUE(projected);
    // Each lane holds the same elements as before, without the dropped
    // coordinates.
    compare(*projected, [&](int64_t s, int64_t l, Ints p) {
      Ints q(layout.rank(), 0), result;
      for (size_t i = 0; i < kept.size(); ++i)
        q[kept[i]] = p[i];
      const Ints &element = table.at[s][l][linearize(q, table.laneShape)];
      for (int64_t d : kept)
        result.push_back(element[d]);
      return result;
    });
    // Adding the dropped dimensions again gives the original layout.
    NestedLayout again = *projected;
    std::sort(dropped.begin(), dropped.end());
    for (int64_t d : dropped) {
      auto inserted = insertDim(again, d, layout.dim(d));
      ASSERT_TRUE(inserted) << inserted.message();
      again = *inserted;
    }
    ASSERT_EQ(again, layout);
    if (HasFatalFailure())
      FAIL() << "sample " << n;
  }
  NestedLayout layout =
      layoutOf({{1, 1}, {1, 1}, {1, 1}, {16, 4}, {1, 1}, {0, 0}, {1, 16}});
  EXPECT_EQ(project(layout, Ints{2}).message(),
            "cannot drop dimension 2 of a layout of rank 2");
  EXPECT_EQ(project(layout, Ints{1, 1}).message(),
            "dimension 1 is dropped twice");
  EXPECT_EQ(insertDim(layout, 3, {}).message(),
            "cannot insert a dimension at position 3 of a layout of rank 2");
  // All lanes are in use.
  EXPECT_FALSE(insertDim(layout, 0, {1, 1, 1, 2, 1, 0, 8}));
  EXPECT_TRUE(insertDim(layout, 0, {1, 1, 1, 2, 1, 0, 64}));
  // The reduction of a row leaves each result in four lanes: l, l + 16, …
  auto rows = project(layout, Ints{1});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->laneCopies(64), 4);
  EXPECT_EQ(rows->holdersOf(Ints{3}, 1, 64).lanes, (Ints{3, 19, 35, 51}));
  auto columns = project(layout, Ints{0});
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->laneCopies(64), 16);
  EXPECT_EQ(columns->holdersOf(Ints{2}, 1, 64).lanes.front(), 32);
}

TEST(LayoutTransform, Broadcast) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples() / 4; ++n) {
    // A random shape, and a source shape that can be broadcast to it.
    Ints shape = brute::randomShape(random, 256);
    Ints source(shape.begin() + brute::pick(random, 0, shape.size()),
                shape.end());
    for (int64_t &size : source)
      if (brute::pick(random, 0, 2) == 0)
        size = 1;
    size_t leading = shape.size() - source.size();
    auto elementOf = [&](Ints element) {
      element.erase(element.begin(), element.begin() + leading);
      for (size_t i = 0; i < source.size(); ++i)
        if (source[i] == 1)
          element[i] = 0;
      return element;
    };

    NestedParams params = brute::randomOfShape(random, source);
    NestedLayout layout = layoutOf(params);
    brute::Table table = brute::tabulate(params, subgroups, lanes);
    auto result = broadcast(layout, shape);
    ASSERT_TRUE(result) << result.message();
    ASSERT_EQ(result->shape(), shape);
    // Every value of the result is a broadcast of the lane's source vector.
    auto laneSource = [&](const Ints &sourceShape, Ints p) {
      p.erase(p.begin(), p.begin() + leading);
      for (size_t i = 0; i < p.size(); ++i)
        if (sourceShape[i] == 1)
          p[i] = 0;
      return linearize(p, sourceShape);
    };
    for (int64_t s = 0; s < subgroups; ++s)
      for (int64_t l = 0; l < lanes; ++l)
        for (int64_t r = 0; r < result->numRegisters(); ++r)
          ASSERT_EQ(
              elementOf(result->elementAt(s, l, r)),
              table.at[s][l][laneSource(
                  table.laneShape, delinearize(r, result->distributedShape()))])
              << layout.str() << " to " << shapeText(shape);
    auto back = broadcastSource(*result, source);
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, layout);

    // The inverse starts with a random layout of the result.
    params = brute::randomOfShape(random, shape);
    table = brute::tabulate(params, subgroups, lanes);
    auto needed = broadcastSource(layoutOf(params), source);
    ASSERT_TRUE(needed) << needed.message();
    ASSERT_EQ(needed->shape(), source);
    for (int64_t s = 0; s < subgroups; ++s)
      for (int64_t l = 0; l < lanes; ++l)
        for (int64_t r = 0; r < table.registers(); ++r)
          ASSERT_EQ(
              elementOf(table.at[s][l][r]),
              needed->elementAt(s, l,
                                laneSource(needed->distributedShape(),
                                           delinearize(r, table.laneShape))))
              << params.str() << " from " << shapeText(source);
    if (HasFatalFailure())
      FAIL() << "sample " << n;
  }
  NestedLayout layout =
      layoutOf({{1, 1}, {1, 1}, {1, 1}, {1, 4}, {1, 1}, {0, 0}, {0, 1}});
  EXPECT_EQ(broadcast(layout, Ints{4}).message(),
            "a vector of shape 1x4 cannot be broadcast to 4: it has more "
            "dimensions");
  EXPECT_EQ(broadcast(layout, Ints{3, 8}).message(),
            "a vector of shape 1x4 cannot be broadcast to 3x8: its dimension 1 "
            "is neither 1 nor 8");
  EXPECT_FALSE(broadcastSource(layout, Ints{2}));
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// All layouts of `shape` with at most `maxLanes` lanes and `maxSubgroups`
/// subgroups: all factorizations, with all strides that the verifier accepts.
void allLayouts(const Ints &shape, int64_t maxSubgroups, int64_t maxLanes,
                std::vector<DimTiles> prefix, std::vector<NestedLayout> &out) {
  if (prefix.size() == shape.size()) {
    auto layout = NestedLayout::ofDims(prefix);
    if (layout)
      out.push_back(*layout);
    return;
  }
  int64_t size = shape[prefix.size()];
  for (int64_t s = 1; s <= size; ++s)
    for (int64_t r = 1; r <= (s == 1 ? 1 : size / s); ++r)
      for (int64_t t = 1; t <= size / s / r; ++t)
        for (int64_t e = 1; e <= size / s / r / t; ++e) {
          if (size % (r * s * t * e) != 0 || (t == 1 && r * s * e != size))
            continue;
          for (int64_t ss = s > 1; ss <= (s > 1 ? maxSubgroups / s : 0); ++ss)
            for (int64_t ts = t > 1; ts <= (t > 1 ? maxLanes / t : 0); ++ts) {
              prefix.push_back({s, size / (r * s * t * e), 1, t, e, ss, ts, r});
              allLayouts(shape, maxSubgroups, maxLanes, prefix, out);
              prefix.pop_back();
            }
        }
}

/// For all pairs of shapes with equally many elements, reshape finds a layout
/// of the second shape exactly if one with the same map of row-major indices
/// exists.
void reshapeExactly(const std::vector<Ints> &shapes, int64_t maxSubgroups,
                    int64_t maxLanes, size_t fewest) {
  struct Shape {
    std::vector<NestedLayout> layouts;
    std::vector<Ints> maps;
    std::map<Ints, size_t> byMap;
  };
  std::vector<Shape> all(shapes.size());
  for (size_t n = 0; n < shapes.size(); ++n) {
    allLayouts(shapes[n], maxSubgroups, maxLanes, {}, all[n].layouts);
    for (size_t i = 0; i < all[n].layouts.size(); ++i) {
      all[n].maps.push_back(
          brute::tabulate(all[n].layouts[i].params(), maxSubgroups, maxLanes)
              .flat());
      ASSERT_TRUE(all[n].byMap.emplace(all[n].maps.back(), i).second);
    }
  }
  size_t found = 0, none = 0;
  for (const Shape &from : all)
    for (size_t n = 0; n < all.size(); ++n)
      for (size_t i = 0; i < from.layouts.size(); ++i) {
        auto result = reshape(from.layouts[i], shapes[n]);
        auto expected = all[n].byMap.find(from.maps[i]);
        if (expected == all[n].byMap.end()) {
          ASSERT_FALSE(result)
              << from.layouts[i].str() << " to " << shapeText(shapes[n])
              << " is no " << result->str();
          ++none;
          continue;
        }
        ASSERT_TRUE(result)
            << from.layouts[i].str() << " to " << shapeText(shapes[n]) << " is "
            << all[n].layouts[expected->second].str();
        ASSERT_EQ(*result, all[n].layouts[expected->second]);
        ++found;
      }
  EXPECT_GT(found, fewest);
  EXPECT_GT(none, fewest);
}

TEST(LayoutTransform, ReshapeExactlyWhereItExists) {
  reshapeExactly({{8}, {2, 4}, {4, 2}, {2, 2, 2}, {1, 8}, {8, 1}}, 2, 8, 300);
  reshapeExactly({{12}, {3, 4}, {4, 3}, {2, 6}, {6, 2}, {2, 3, 2}}, 2, 12,
                 1000);
  reshapeExactly({{16}, {4, 4}, {2, 8}, {2, 4, 2}}, 4, 8, 1000);
}

TEST(LayoutTransform, ReshapeRandom) {
  std::mt19937_64 random = brute::seeded();
  int64_t found = 0;
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    NestedParams params = brute::randomParams(random);
    NestedLayout layout = layoutOf(params);
    // Splits or merges dimensions at random positions.
    Ints shape;
    int64_t rest = layout.numElements();
    for (int64_t i = brute::pick(random, 0, 2); i > 0; --i)
      shape.push_back(brute::takeDivisor(random, rest));
    shape.push_back(rest);
    auto result = reshape(layout, shape);
    auto same = reshape(layout, layout.shape());
    ASSERT_TRUE(same);
    ASSERT_EQ(*same, layout);
    if (!result)
      continue;
    ++found;
    ASSERT_EQ(result->shape(), shape);
    brute::Table from = brute::tabulate(params, subgroups, lanes);
    brute::Table to = brute::tabulate(result->params(), subgroups, lanes);
    ASSERT_EQ(from.flat(), to.flat())
        << params.str() << " to " << shapeText(shape);
    auto back = reshape(*result, layout.shape());
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, layout);
  }
  EXPECT_GT(found, brute::numSamples() / 10);
}

TEST(LayoutTransform, ReshapeErrors) {
  NestedLayout layout = layoutOf({{1}, {1}, {1}, {8}, {1}, {0}, {1}});
  EXPECT_FALSE(reshape(layout, Ints{4}));
  EXPECT_FALSE(reshape(layout, Ints{2, 8}));
  EXPECT_FALSE(reshape(layout, Ints{8, 0}));
  EXPECT_FALSE(reshape(layout, Ints{}));
  EXPECT_TRUE(reshape(NestedLayout(), Ints{1, 1}));
  auto split = reshape(layout, Ints{2, 4});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->dim(0).threadStride, 4);
  EXPECT_EQ(split->dim(1).threadStride, 1);
}

TEST(LayoutTransform, UnprojectIsUndoneByProject) {
  std::mt19937_64 random = brute::seeded();
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    NestedLayout layout = layoutOf(brute::randomParams(random));
    if (layout.minLanes() > lanes)
      continue;
    Ints shape = layout.shape(), dims;
    for (int64_t k = brute::pick(random, 1, 2); k > 0; --k) {
      int64_t at = brute::pick(random, 0, shape.size());
      for (int64_t &d : dims)
        d += d >= at;
      dims.push_back(at);
      shape.insert(shape.begin() + at, brute::pick(random, 1, 40));
    }
    auto larger = unproject(layout, shape, dims, lanes);
    ASSERT_TRUE(larger) << larger.message();
    EXPECT_EQ(larger->shape(), shape);
    EXPECT_FALSE(larger->misfit(subgroups, lanes)) << larger->str();
    auto back = project(*larger, dims);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, layout);
  }
  NestedLayout row = layoutOf({{1}, {1}, {1}, {8}, {1}, {0}, {1}});
  EXPECT_EQ(unproject(row, Ints{8, 32}, Ints{1}, 64)->str(),
            "#layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], "
            "outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 4], "
            "subgroup_strides = [0, 0], thread_strides = [1, 8]>");
  EXPECT_EQ(unproject(row, Ints{8, 32}, Ints{0}, 64).message(),
            "a layout of shape 8 is not a layout of shape 32");
}

TEST(LayoutTransform, SliceExactlyWhereLanesKeepTheirRegisters) {
  std::mt19937_64 random = brute::seeded();
  int64_t slices = 0, refused = 0;
  for (int64_t n = 0; n < brute::numSamples(); ++n) {
    NestedParams params = brute::randomParams(random);
    NestedLayout layout = layoutOf(params);
    Ints shape = layout.shape(), laneShape = layout.distributedShape();
    Ints offsets, sizes;
    for (size_t i = 0; i < shape.size(); ++i) {
      // Prefers pieces of equal size, since most others are rejected.
      int64_t rest = shape[i];
      int64_t size = brute::pick(random, 0, 3)
                         ? brute::takeDivisor(random, rest)
                         : brute::pick(random, 1, rest);
      sizes.push_back(size);
      offsets.push_back(brute::pick(random, 0, (shape[i] - size) / size) *
                        size);
    }
    // The positions of a lane that are in the slice, along each dimension. They
    // must be the same in all lanes.
    std::vector<Ints> kept(shape.size()), inside;
    for (int64_t size : laneShape)
      inside.emplace_back(size);
    for (int64_t s = 0; s < subgroups; ++s)
      for (int64_t l = 0; l < lanes; ++l) {
        std::vector<Ints> held = brute::share(params, s, l);
        for (size_t i = 0; i < shape.size(); ++i)
          for (int64_t k = 0; k < laneShape[i]; ++k)
            inside[i][k] +=
                held[i][k] >= offsets[i] && held[i][k] < offsets[i] + sizes[i];
      }
    bool possible = true;
    for (size_t i = 0; i < shape.size(); ++i)
      for (int64_t k = 0; k < laneShape[i]; ++k) {
        if (inside[i][k] == subgroups * lanes)
          kept[i].push_back(k);
        else
          possible &= inside[i][k] == 0;
      }
    auto part = slice(layout, offsets, sizes);
    ASSERT_EQ(static_cast<bool>(part), possible)
        << layout.str() << " " << listText(offsets) << " " << listText(sizes);
    if (!part) {
      ++refused;
      continue;
    }
    ++slices;
    ASSERT_EQ(part->shape(), sizes);
    compare(*part, [&](int64_t s, int64_t l, Ints p) {
      for (size_t i = 0; i < p.size(); ++i)
        p[i] = kept[i][p[i]];
      Ints element = layout.elementAt(s, l, linearize(p, laneShape));
      for (size_t i = 0; i < p.size(); ++i)
        element[i] -= offsets[i];
      return element;
    });
    // Slicing an extended layout gives the original layout.
    if (auto whole = extend(*part, shape)) {
      auto again = slice(*whole, offsets, sizes);
      ASSERT_TRUE(again) << whole->str();
      EXPECT_EQ(*again, *part);
    } else {
      // If not, some dimension is not cut at a multiple of its batch.
      bool divides = true;
      for (size_t i = 0; i < shape.size(); ++i)
        divides &=
            shape[i] % (part->dim(i).thread * part->dim(i).element) == 0 ||
            part->dim(i).thread == 1;
      EXPECT_FALSE(divides) << part->str() << " to " << shapeText(shape);
    }
  }
  EXPECT_GT(slices, brute::numSamples() / 10);
  EXPECT_GT(refused, brute::numSamples() / 10);
}

TEST(LayoutTransform, SliceErrors) {
  NestedLayout layout =
      layoutOf({{2, 1}, {1, 2}, {1, 1}, {1, 4}, {4, 2}, {1, 0}, {0, 1}});
  auto message = [&](Ints offsets, Ints sizes) {
    auto part = slice(layout, offsets, sizes);
    return part ? "no error" : part.message();
  };
  EXPECT_EQ(message({0, 0}, {4, 16}),
            "dimension 0 is cut, but is distributed over 2 subgroups");
  EXPECT_EQ(message({0, 8}, {8, 4}),
            "dimension 1 is cut to 4 elements, but its "
            "4 lanes hold 8 at a time");
  EXPECT_EQ(message({0, 4}, {8, 8}), "dimension 1 is cut at 4, but its 4 lanes "
                                     "hold 8 elements at a time");
  EXPECT_EQ(message({0, 12}, {8, 8}), "dimension 1 has 16 elements, so a slice "
                                      "of 8 from offset 12 is out of bounds");
  EXPECT_EQ(message({0}, {8}),
            "a slice of a layout of rank 2 requires as many offsets and sizes");
  EXPECT_EQ(message({0, 8}, {8, 8}), "no error");
  EXPECT_EQ(extend(layout, Ints{16, 16})->dim(0).cycles, 2);
  EXPECT_EQ(extend(layout, Ints{12, 16}).message(),
            "dimension 0 is extended, but is distributed over 2 subgroups");
  EXPECT_EQ(extend(layout, Ints{8, 20}).message(),
            "dimension 1 is extended to 20 elements, but its 4 lanes hold 8 at "
            "a time");
  EXPECT_EQ(extend(layout, Ints{8, 8}).message(),
            "dimension 1 has 16 elements, more than 8");
}

} // namespace
