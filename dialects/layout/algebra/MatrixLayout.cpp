//===- MatrixLayout.cpp - Layouts made of matrix instructions -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/MatrixLayout.h"

namespace aircc::layout {

static std::optional<Error>
checkList(const char *name, std::span<const int64_t> list, int64_t rank) {
  if (static_cast<int64_t>(list.size()) == rank)
    return std::nullopt;
  return Error{std::string(name) + " has " + std::to_string(list.size()) +
               " entries for a tile of rank " + std::to_string(rank)};
}

Result<NestedLayout> tileUp(const NestedLayout &tile,
                            std::span<const int64_t> batch,
                            std::span<const int64_t> subgroups,
                            std::span<const int64_t> subgroupStrides) {
  for (auto [name, list] :
       {std::pair("the list of batch counts", batch),
        std::pair("the list of subgroup counts", subgroups),
        std::pair("the list of subgroup strides", subgroupStrides)})
    if (auto error = checkList(name, list, tile.rank()))
      return *error;
  std::vector<DimTiles> dims = tile.dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].subgroup != 1)
      return Error{"dimension " + std::to_string(i) +
                   " of the tile is distributed over " +
                   std::to_string(dims[i].subgroup) +
                   " subgroups already, and cannot be repeated"};
    dims[i].subgroup = subgroups[i];
    dims[i].subgroupStride = subgroupStrides[i];
    // The tile's own batch becomes the outer tile: inside the new one.
    dims[i].outer *= dims[i].batch;
    dims[i].batch = batch[i];
  }
  return NestedLayout::ofDims(std::move(dims));
}

Result<NestedLayout> tileToShape(const NestedLayout &tile,
                                 std::span<const int64_t> shape,
                                 std::span<const int64_t> subgroups,
                                 std::span<const int64_t> subgroupStrides) {
  for (auto [name, list] :
       {std::pair("the shape", shape),
        std::pair("the list of subgroup counts", subgroups)})
    if (auto error = checkList(name, list, tile.rank()))
      return *error;
  Ints batch;
  for (int64_t i = 0; i < tile.rank(); ++i) {
    int64_t size = tile.dim(i).size();
    if (subgroups[i] < 1 || shape[i] < 1 || shape[i] % size != 0 ||
        shape[i] / size % subgroups[i] != 0)
      return Error{"dimension " + std::to_string(i) + " of " +
                   shapeText(shape) + " is not a multiple of " +
                   std::to_string(size) + " (the tile) * " +
                   std::to_string(subgroups[i]) + " (subgroups)"};
    batch.push_back(shape[i] / size / subgroups[i]);
  }
  return tileUp(tile, batch, subgroups, subgroupStrides);
}

Ints batchCounts(const NestedLayout &tiled, const NestedLayout &tile) {
  Ints counts;
  for (int64_t i = 0; i < tile.rank(); ++i)
    counts.push_back(tiled.dim(i).values() / tile.dim(i).values());
  return counts;
}

Ints registersOfTile(const NestedLayout &tiled, const NestedLayout &tile,
                     std::span<const int64_t> batch) {
  Ints inner = tile.distributedShape(), whole = tiled.distributedShape();
  Ints registers;
  for (int64_t reg = 0, end = product(inner); reg < end; ++reg) {
    Ints position = delinearize(reg, inner);
    for (size_t i = 0; i < position.size(); ++i)
      position[i] += batch[i] * inner[i];
    registers.push_back(linearize(position, whole));
  }
  return registers;
}

Result<ContractLayouts> contractLayouts(const ContractLayouts &tile, int64_t m,
                                        int64_t n, int64_t k, int64_t wavesM,
                                        int64_t wavesN) {
  Ints a = tile.a.shape(), b = tile.b.shape(), c = tile.c.shape();
  if (a.size() != 2 || b.size() != 2 || c.size() != 2 || a[0] != c[0] ||
      b[1] != c[1] || a[1] != b[0])
    return Error{"operands of " + shapeText(a) + " and " + shapeText(b) +
                 " do not make a product of " + shapeText(c)};
  auto operand = [&](const char *name, const NestedLayout &tile, Ints shape,
                     Ints subgroups, Ints strides) -> Result<NestedLayout> {
    auto layout = tileToShape(tile, shape, subgroups, strides);
    if (!layout)
      return Error{std::string("operand ") + name + ": " + layout.message()};
    return layout;
  };
  auto la = operand("A", tile.a, {m, k}, {wavesM, 1}, {wavesN, 0});
  if (!la)
    return Error{la.message()};
  auto lb = operand("B", tile.b, {k, n}, {1, wavesN}, {0, 1});
  if (!lb)
    return Error{lb.message()};
  auto lc = operand("C", tile.c, {m, n}, {wavesM, wavesN}, {wavesN, 1});
  if (!lc)
    return Error{lc.message()};
  return ContractLayouts{*la, *lb, *lc};
}

} // namespace aircc::layout
