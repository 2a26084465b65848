//===- MatrixLayout.cpp - Layouts for matrix instructions -----------------===//
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
                   " of the tile is already distributed over " +
                   std::to_string(dims[i].subgroup) +
                   " subgroups and cannot be repeated"};
    dims[i].subgroup = subgroups[i];
    dims[i].subgroupStride = subgroupStrides[i];
    // The batch of the tile becomes part of the outer tile, which is nested
    // inside the new batch.
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
                 " cannot be multiplied into a product of " + shapeText(c)};
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

/// Returns the part of dimension `i` of an operand that belongs to the
/// instruction: a tile of one if the dimension only repeats the instruction.
static DimTiles tileAlong(const InstructionOperand &operand, int64_t i) {
  if (operand.dims[i] == operand.rows)
    return operand.tile.dim(0);
  if (operand.dims[i] == operand.columns)
    return operand.tile.dim(1);
  return {};
}

/// Checks that two operands agree along a dimension that they share.
static bool pairUp(const DimTiles &x, const DimTiles &tileX, const DimTiles &y,
                   const DimTiles &tileY) {
  if (x.size() != y.size() || x.cycles != y.cycles ||
      x.subgroup != y.subgroup || x.subgroupStride != y.subgroupStride ||
      tileX.size() != tileY.size() ||
      x.values() / tileX.values() != y.values() / tileY.values())
    return false;
  for (int64_t group = 0, end = x.values() / tileX.values(); group < end;
       ++group)
    for (int64_t element = 0; element < tileX.size(); ++element) {
      DimTiles::Place inX = tileX.place(element), inY = tileY.place(element);
      if (x.coordinate(0, inX.virtualThread, group * tileX.values() + inX.k) !=
          y.coordinate(0, inY.virtualThread, group * tileY.values() + inY.k))
        return false;
    }
  return true;
}

std::optional<Error>
checkInstructionOperands(std::span<const InstructionOperand> operands) {
  static const char *const names[] = {"A", "B", "C"};
  auto nameOf = [&](size_t o) { return std::string(o < 3 ? names[o] : "?"); };
  for (size_t o = 0; o < operands.size(); ++o) {
    const InstructionOperand &operand = operands[o];
    for (int64_t i = 0; i < operand.layout.rank(); ++i) {
      const DimTiles &dim = operand.layout.dim(i);
      DimTiles tile = tileAlong(operand, i);
      if (dim.thread != tile.thread || dim.threadStride != tile.threadStride ||
          dim.values() % tile.values() != 0)
        return Error{"dimension " + std::to_string(i) + " of operand " +
                     nameOf(o) + " has " + std::to_string(dim.values()) +
                     " values in each of " + std::to_string(dim.thread) +
                     " lanes with stride " + std::to_string(dim.threadStride) +
                     ", but the instruction takes " +
                     std::to_string(tile.values()) + " in each of " +
                     std::to_string(tile.thread) + " with stride " +
                     std::to_string(tile.threadStride)};
    }
  }
  for (size_t x = 0; x < operands.size(); ++x)
    for (size_t y = x + 1; y < operands.size(); ++y)
      for (int64_t i = 0; i < operands[x].layout.rank(); ++i)
        for (int64_t j = 0; j < operands[y].layout.rank(); ++j)
          if (operands[x].dims[i] == operands[y].dims[j] &&
              !pairUp(operands[x].layout.dim(i), tileAlong(operands[x], i),
                      operands[y].layout.dim(j), tileAlong(operands[y], j)))
            return Error{
                "dimension " + std::to_string(i) + " of operand " + nameOf(x) +
                " and dimension " + std::to_string(j) + " of operand " +
                nameOf(y) +
                " do not provide the instruction with the same elements"};
  return std::nullopt;
}

} // namespace aircc::layout
