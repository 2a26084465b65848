//===- LayoutAlgebraBruteForce.h - Layouts by enumeration -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of a nested layout as loops over its tiles, and generators of
// random layouts. This does not use the map of the algebra under test.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_LAYOUTALGEBRABRUTEFORCE_H
#define AIRCC_TEST_UNIT_LAYOUTALGEBRABRUTEFORCE_H

#include "dialects/layout/algebra/NestedLayout.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace aircc::layout {
/// How GoogleTest prints a layout.
inline void PrintTo(const NestedLayout &layout, std::ostream *os) {
  *os << layout.str();
}
} // namespace aircc::layout

namespace brute {

using aircc::layout::Ints;
using aircc::layout::NestedParams;

/// The number of random samples: AIRCC_LAYOUT_SAMPLES (100000 in the long
/// mode), by default few enough for a test of seconds.
inline int64_t numSamples() {
  const char *text = std::getenv("AIRCC_LAYOUT_SAMPLES");
  return text ? std::strtoll(text, nullptr, 10) : 2000;
}

/// Seeds the generator from AIRCC_LAYOUT_SEED, by default with a constant, and
/// prints the seed.
inline std::mt19937_64 seeded() {
  const char *text = std::getenv("AIRCC_LAYOUT_SEED");
  uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 20260711;
  std::cout << "seed " << seed << ", " << numSamples()
            << " samples (AIRCC_LAYOUT_SEED, AIRCC_LAYOUT_SAMPLES)\n";
  return std::mt19937_64(seed);
}

inline int64_t pick(std::mt19937_64 &random, int64_t low, int64_t high) {
  return low +
         static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

inline int64_t product(const Ints &sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// The cycle tile may be omitted.
inline int64_t roundsOf(const NestedParams &p, size_t dim) {
  return p.cycleTile.empty() ? 1 : p.cycleTile[dim];
}

inline Ints shapeOf(const NestedParams &p) {
  Ints shape;
  for (size_t i = 0; i < p.subgroupTile.size(); ++i)
    shape.push_back(roundsOf(p, i) * p.subgroupTile[i] * p.batchTile[i] *
                    p.outerTile[i] * p.threadTile[i] * p.elementTile[i]);
  return shape;
}

/// The coordinates that one lane holds of each dimension, in the order of its
/// values.
inline std::vector<Ints> share(const NestedParams &p, int64_t subgroup,
                               int64_t lane) {
  std::vector<Ints> result(p.subgroupTile.size());
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t s = 0, t = 0;
    if (p.subgroupStrides[i] != 0)
      s = (subgroup / p.subgroupStrides[i]) % p.subgroupTile[i];
    if (p.threadStrides[i] != 0)
      t = (lane / p.threadStrides[i]) % p.threadTile[i];
    for (int64_t r = 0; r < roundsOf(p, i); ++r)
      for (int64_t b = 0; b < p.batchTile[i]; ++b)
        for (int64_t o = 0; o < p.outerTile[i]; ++o)
          for (int64_t e = 0; e < p.elementTile[i]; ++e) {
            int64_t x = r;
            x = x * p.subgroupTile[i] + s;
            x = x * p.batchTile[i] + b;
            x = x * p.outerTile[i] + o;
            x = x * p.threadTile[i] + t;
            x = x * p.elementTile[i] + e;
            result[i].push_back(x);
          }
  }
  return result;
}

/// The map of a layout for a workgroup: at[subgroup][lane][register] is an
/// element.
struct Table {
  int64_t subgroups, lanes;
  Ints shape;     ///< Of the vector.
  Ints laneShape; ///< Of a lane's share.
  std::vector<std::vector<std::vector<Ints>>> at;

  int64_t registers() const { return product(laneShape); }
  int64_t linear(const Ints &element) const {
    int64_t index = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      index = index * shape[i] + element[i];
    return index;
  }
  /// The elements that a lane holds, as row-major indices.
  Ints flat() const {
    Ints result;
    for (const auto &subgroup : at)
      for (const auto &lane : subgroup)
        for (const Ints &element : lane)
          result.push_back(linear(element));
    return result;
  }
};

inline Table tabulate(const NestedParams &p, int64_t subgroups, int64_t lanes) {
  Table table{subgroups, lanes, shapeOf(p), {}, {}};
  for (const Ints &coordinates : share(p, 0, 0))
    table.laneShape.push_back(static_cast<int64_t>(coordinates.size()));
  table.at.resize(subgroups);
  for (int64_t s = 0; s < subgroups; ++s) {
    table.at[s].resize(lanes);
    for (int64_t l = 0; l < lanes; ++l) {
      // Combines the coordinates of the dimensions, the last dimension fastest.
      std::vector<Ints> elements = {{}};
      for (const Ints &coordinates : share(p, s, l)) {
        std::vector<Ints> longer;
        for (const Ints &prefix : elements)
          for (int64_t x : coordinates) {
            longer.push_back(prefix);
            longer.back().push_back(x);
          }
        elements = std::move(longer);
      }
      table.at[s][l] = std::move(elements);
    }
  }
  return table;
}

/// Chooses strides for `tiles` within ids below `limit`: the tiles in a random
/// order, with random gaps. Returns an empty list if they do not fit.
inline Ints randomStrides(std::mt19937_64 &random, const Ints &tiles,
                          int64_t limit) {
  std::vector<size_t> order(tiles.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  Ints strides(tiles.size(), 0);
  int64_t next = 1;
  for (size_t d : order) {
    if (tiles[d] == 1)
      continue;
    if (pick(random, 0, 3) == 0)
      next *= pick(random, 1, 4);
    strides[d] = next;
    next *= tiles[d];
  }
  if (next > limit)
    return tiles.empty() ? Ints{} : Ints{-1};
  return strides;
}

/// Divides `rest` by a random divisor of it and returns the divisor.
inline int64_t takeDivisor(std::mt19937_64 &random, int64_t &rest) {
  Ints divisors;
  for (int64_t d = 1; d <= rest; ++d)
    if (rest % d == 0)
      divisors.push_back(d);
  int64_t d = divisors[pick(random, 0, divisors.size() - 1)];
  rest /= d;
  return d;
}

/// A random layout of shape `shape`, for at most 4 subgroups of 64 lanes.
inline NestedParams randomOfShape(std::mt19937_64 &random, const Ints &shape) {
  while (true) {
    NestedParams p;
    for (int64_t size : shape) {
      int64_t rest = size;
      // Chooses the thread tile first, so that most layouts have one.
      p.threadTile.push_back(takeDivisor(random, rest));
      p.subgroupTile.push_back(takeDivisor(random, rest));
      p.elementTile.push_back(takeDivisor(random, rest));
      p.batchTile.push_back(takeDivisor(random, rest));
      p.outerTile.push_back(takeDivisor(random, rest));
      p.cycleTile.push_back(rest);
    }
    p.threadStrides = randomStrides(random, p.threadTile, 64);
    p.subgroupStrides = randomStrides(random, p.subgroupTile, 4);
    if (p.threadStrides != Ints{-1} && p.subgroupStrides != Ints{-1})
      return p;
  }
}

/// A random shape of rank 0 to 3 of at most `most` elements.
inline Ints randomShape(std::mt19937_64 &random, int64_t most = 1024) {
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64};
  while (true) {
    Ints shape(pick(random, 0, 9) == 0 ? 0 : pick(random, 1, 3));
    for (int64_t &size : shape)
      size = sizes[pick(random, 0, std::size(sizes) - 1)];
    if (product(shape) <= most)
      return shape;
  }
}

/// A random layout of rank 0 to 3, for at most 4 subgroups of 64 lanes, with at
/// most 1024 elements.
inline NestedParams randomParams(std::mt19937_64 &random) {
  return randomOfShape(random, randomShape(random));
}

} // namespace brute

#endif // AIRCC_TEST_UNIT_LAYOUTALGEBRABRUTEFORCE_H
