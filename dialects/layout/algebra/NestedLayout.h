//===- NestedLayout.h - The distribution of a vector ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nested layout distributes a vector of rank r over the subgroups (waves) of
// a workgroup, the lanes of a subgroup and the registers of a lane. Each
// dimension is independent of the others. It has six tile counts, whose product
// is its size,
//
//     size = cycle * subgroup * batch * outer * thread * element
//
// nested in this order, innermost last, and two strides, which say which parts
// of the subgroup id and of the lane id belong to it. The cycle tile is rarely
// more than 1: with it, subgroups take blocks cyclically instead of one part
// each.
//
//     s = (subgroup id / subgroup stride) mod subgroup tile
//     t = (lane / thread stride) mod thread tile
//
// THE MAP. The distributed vector of a lane has rank r, too. Its size along a
// dimension is cycle * batch * outer * element: value k is at the cycle, batch,
// outer and element position (c, b, o, e) with
//
//     k = ((c * batch + b) * outer + o) * element + e
//
// A register is the row-major index into the distributed shape. A layout is
// therefore this function, applied to each dimension separately:
//
//     (subgroup, lane, register) -> element
//     x = ((((c * subgroup + s) * batch + b) * outer + o) * thread + t) *
//         element + e
//
// for all subgroup ids and all lanes from 0 on. If there are more ids than the
// tiles use, the others hold copies; a layout does not say how many there are.
// Every subgroup, lane and register holds exactly one element; an element is in
// one or more lanes, and always in the same register.
//
// THE CANONICAL FORM. Equal maps are equal layouts. Different tiles and strides
// denote the same map exactly in these cases:
//
//   - the stride of a tile of one has no effect: it is 0;
//   - without a subgroup tile between them, cycles and batches are adjacent:
//     the batch tile holds the product;
//   - batch and outer positions are adjacent both in the nesting and in k, so
//     only their product counts: the batch tile holds it, the outer tile is 1;
//   - without a thread tile between them (thread tile 1), the same holds for
//     batch, outer and element: the element tile holds the product, so that it
//     is always the longest contiguous range of elements that a lane holds.
//
// A NestedLayout is always canonical. If the spelling matters, as for the
// operands of a matrix instruction, use NestedParams.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_NESTEDLAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_NESTEDLAYOUT_H

#include "dialects/layout/algebra/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aircc::layout {

/// Sizes, counts, positions or strides; one for each dimension.
using Ints = std::vector<int64_t>;

/// A layout as a user writes it: lists whose length is the rank. `cycleTile`
/// may be empty if it is all ones.
struct NestedParams {
  Ints subgroupTile, batchTile, outerTile, threadTile, elementTile;
  Ints subgroupStrides, threadStrides;
  Ints cycleTile = {};

  bool operator==(const NestedParams &) const = default;

  /// Returns the layout of a matrix instruction's operand, which has no
  /// subgroup level and no batch level.
  static NestedParams ofInstruction(Ints outerTile, Ints threadTile,
                                    Ints elementTile, Ints threadStrides);

  /// `#layout.nested<subgroup_tile = [2, 1], …, thread_strides = [1, 16]>`.
  std::string str() const;
};

/// One dimension of a layout.
struct DimTiles {
  int64_t subgroup = 1, batch = 1, outer = 1, thread = 1, element = 1;
  /// 0 if the tile is 1.
  int64_t subgroupStride = 0, threadStride = 0;
  int64_t cycles = 1;

  bool operator==(const DimTiles &) const = default;

  /// Returns the size of the whole dimension.
  int64_t size() const { return cycles * subgroup * blockSize(); }
  /// Returns the number of values of this dimension that a lane holds.
  int64_t values() const { return cycles * batch * outer * element; }
  /// Returns the number of adjacent elements that a subgroup holds.
  int64_t blockSize() const { return batch * outer * thread * element; }

  /// Returns the position of a subgroup id or of a lane in its tile.
  int64_t virtualSubgroup(int64_t id) const {
    return subgroup == 1 ? 0 : id / subgroupStride % subgroup;
  }
  int64_t virtualThread(int64_t lane) const {
    return thread == 1 ? 0 : lane / threadStride % thread;
  }

  /// Returns the coordinate of value k (0 <= k < values()) at the given
  /// positions.
  int64_t coordinate(int64_t virtualSubgroup, int64_t virtualThread,
                     int64_t k) const {
    int64_t batches = batch * outer; // Per cycle.
    int64_t b = k / element;
    int64_t block = b / batches * subgroup + virtualSubgroup;
    return ((block * batches + b % batches) * thread + virtualThread) *
               element +
           k % element;
  }

  /// The position of a coordinate.
  struct Place {
    int64_t virtualSubgroup, virtualThread, k;
  };
  Place place(int64_t coordinate) const;
};

/// The workers that hold an element: each of these lanes in each of these
/// subgroups, in the same register. Both lists are sorted.
struct Holders {
  Ints subgroups;
  Ints lanes;
  int64_t reg;
};

/// A nested layout, valid and canonical.
class NestedLayout {
public:
  /// Checks and canonicalizes. Errors:
  ///   - the seven lists differ in length;
  ///   - a tile below 1, a stride below 0;
  ///   - a tile of more than 1 with stride 0 (a stride with a tile of 1 is not
  ///     an error: it becomes 0);
  ///   - two dimensions whose strides overlap: among the dimensions that are
  ///     distributed over subgroups (over lanes), sorted by their strides, each
  ///     stride must be a multiple of the preceding stride times its tile. If
  ///     and only if this holds, the id sum_i stride_i * position_i maps back
  ///     to its positions, ids repeat after the greatest stride times its tile,
  ///     and below that each position has equally many ids;
  ///   - sizes beyond 64 bits.
  static Result<NestedLayout> get(const NestedParams &params);
  static Result<NestedLayout> ofDims(std::vector<DimTiles> dims);

  /// The layout of a scalar, or of a 0-d vector: all lanes hold it.
  NestedLayout() = default;

  bool operator==(const NestedLayout &) const = default;

  int64_t rank() const { return static_cast<int64_t>(tiles.size()); }
  const DimTiles &dim(int64_t i) const { return tiles[i]; }
  const std::vector<DimTiles> &dims() const { return tiles; }
  NestedParams params() const;
  std::string str() const { return params().str(); }

  /// Returns the shape of the undistributed vector.
  Ints shape() const;
  /// Returns the shape of the distributed vector.
  Ints distributedShape() const;
  /// Returns the number of elements of the undistributed vector.
  int64_t numElements() const;
  /// Returns the number of values that a lane holds: the product of
  /// distributedShape().
  int64_t numRegisters() const;

  /// Returns the number of subgroups (lanes) that hold different elements: the
  /// product of the tiles.
  int64_t distinctSubgroups() const;
  int64_t distinctLanes() const;
  /// Returns the number of subgroup ids (lanes) after which the values repeat:
  /// the greatest stride times its tile, or 1 if nothing is distributed.
  int64_t subgroupPeriod() const;
  int64_t lanePeriod() const;
  /// Returns the minimum number of subgroups (lanes) that hold every element.
  int64_t minSubgroups() const;
  int64_t minLanes() const;

  /// Returns how many of `numSubgroups` subgroups (`numLanes` lanes of one
  /// subgroup) hold each element. Returns nullopt if elements differ in this,
  /// that is, if the period does not divide the number.
  std::optional<int64_t> subgroupCopies(int64_t numSubgroups) const;
  std::optional<int64_t> laneCopies(int64_t numLanes) const;

  /// Returns why a workgroup of `numSubgroups` subgroups of `numLanes` lanes
  /// cannot hold the vector; nullopt if it can.
  std::optional<Error> misfit(int64_t numSubgroups, int64_t numLanes) const;

  /// Computes the map. `element` takes rank() coordinates.
  void elementAt(int64_t subgroup, int64_t lane, int64_t reg,
                 std::span<int64_t> element) const;
  Ints elementAt(int64_t subgroup, int64_t lane, int64_t reg) const;

  /// Returns the register that holds an element, in every lane that holds it.
  int64_t registerOf(std::span<const int64_t> element) const;
  /// Returns the lowest subgroup id and the lowest lane that hold an element.
  int64_t firstSubgroupOf(std::span<const int64_t> element) const;
  int64_t firstLaneOf(std::span<const int64_t> element) const;
  /// Returns whether this lane holds the element.
  bool holds(int64_t subgroup, int64_t lane,
             std::span<const int64_t> element) const;
  /// Returns the inverse map, within a workgroup of `numSubgroups` x
  /// `numLanes`.
  Holders holdersOf(std::span<const int64_t> element, int64_t numSubgroups,
                    int64_t numLanes) const;

private:
  explicit NestedLayout(std::vector<DimTiles> tiles)
      : tiles(std::move(tiles)) {}

  std::vector<DimTiles> tiles;
};

/// Returns the product of all sizes.
int64_t product(std::span<const int64_t> sizes);
/// Row-major index of a position in a shape, and back.
int64_t linearize(std::span<const int64_t> position,
                  std::span<const int64_t> shape);
Ints delinearize(int64_t index, std::span<const int64_t> shape);
/// Return "[2, 16]" and "2x16"; a shape without dimensions is "scalar".
std::string listText(std::span<const int64_t> values);
std::string shapeText(std::span<const int64_t> shape);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_NESTEDLAYOUT_H
