//===- GatheringCopy.cpp - Copies of tiles that are gathered --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/CostModel.h"
#include "pipeline/strategy/MatmulTiling.h"

#include <numeric>

using namespace aircc::layout;

namespace aircc::strategy {

/// Divides both `size` and `parts` by the largest power of two that divides
/// them. Returns that power.
static int64_t take(int64_t &size, int64_t &parts) {
  int64_t taken = std::gcd(size, parts);
  size /= taken;
  parts /= taken;
  return taken;
}

Result<TileCopy> getGatheringCopy(const Ints &shape, int64_t bits,
                                  int64_t waves, const TargetProfile &profile) {
  int64_t height = shape[0], width = shape[1], lanes = profile.waveSize,
          subgroups = waves;
  int64_t piece = std::max<int64_t>(profile.costModel.accessBits / bits, 1);
  DimTiles rows, columns;
  rows.thread = take(height, lanes);
  columns.element = take(width, piece);
  columns.thread = take(width, lanes);
  // Divide columns among the waves before rows, so that the addresses within a
  // wave depend on only a few columns.
  columns.subgroup = take(width, subgroups);
  rows.subgroup = take(height, subgroups);
  if (piece > 1 || lanes > 1 || subgroups > 1)
    return Error{"a tile of " + shapeText(shape) + " elements of " +
                 std::to_string(bits) +
                 " bits cannot be divided among the lanes of " +
                 std::to_string(waves) + " waves"};
  rows.batch = height;
  columns.batch = width;
  rows.threadStride = rows.thread > 1 ? 1 : 0;
  columns.threadStride = columns.thread > 1 ? rows.thread : 0;
  columns.subgroupStride = columns.subgroup > 1 ? 1 : 0;
  rows.subgroupStride = rows.subgroup > 1 ? columns.subgroup : 0;
  Result<NestedLayout> layout = NestedLayout::ofDims({rows, columns});
  if (!layout)
    return Error{layout.message()};
  return TileCopy{*layout, bits};
}

} // namespace aircc::strategy
