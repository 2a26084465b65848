//===- AddressShapes.cpp - Patterns of LDS addresses ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/AddressShapes.h"

#include "simulator/exec/VectorClones.h"

#include <algorithm>

using namespace aircc::sim;

/// The maximum number of shapes, which take a megabyte.
static constexpr size_t kMostShapes = 4096;

AIRCC_SIM_VECTOR_CLONES static uint32_t
differences(const uint32_t *row, const uint32_t *distances, unsigned lanes) {
  const uint32_t first = row[0];
  uint32_t differs = 0;
  for (unsigned begin = 0; begin < lanes; begin += 32)
    for (unsigned lane = begin; lane < begin + 32; ++lane)
      differs |= (row[lane] - first) ^ distances[lane];
  return differs;
}

bool AddressShapes::matches(const AddressShape &shape, const uint32_t *row) {
  return !differences(row, shape.distances, shape.lanes);
}

void AddressShapes::clear() {
  byHash.clear();
  shapes.clear();
}

const AddressShape *AddressShapes::intern(const uint32_t *row, unsigned lanes) {
  AddressShape shape;
  shape.lanes = lanes;
  uint64_t hash = lanes;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    shape.distances[lane] = row[lane] - row[0];
    hash = (hash ^ shape.distances[lane]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  auto [begin, end] = byHash.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (it->second->lanes == lanes && matches(*it->second, row))
      return it->second;
  if (shapes.size() >= kMostShapes)
    return nullptr;
  shape.stride = shape.distances[1];
  shape.isStrided = true;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint32_t distance = shape.distances[lane];
    shape.low = std::min(shape.low, static_cast<int32_t>(distance));
    shape.high = std::max(shape.high, static_cast<int32_t>(distance));
    shape.isStrided &= distance == lane * shape.stride;
    shape.residues |= 1u << distance % 16;
  }
  int32_t sorted[64];
  std::copy_n(shape.distances, lanes, sorted);
  std::sort(sorted, sorted + lanes);
  for (unsigned lane = 1; lane < lanes; ++lane)
    shape.gap =
        std::min(shape.gap, static_cast<uint32_t>(sorted[lane]) -
                                static_cast<uint32_t>(sorted[lane - 1]));
  // Do not treat descending addresses as strided.
  shape.isStrided &= shape.low == 0;
  shapes.push_back(shape);
  byHash.emplace(hash, &shapes.back());
  return &shapes.back();
}
