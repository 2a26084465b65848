//===- XeGPULayout.h - XeGPU parameters as nested layouts -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XeGPU's #xegpu.layout names the sizes of blocks where a nested layout counts
// tiles. Along one dimension of size n:
//
//     round_tile = n / (sg_layout * sg_data)     subgroup_tile = sg_layout
//     batch_tile  = sg_data / inst_data
//     outer_tile    = inst_data / (lane_layout * lane_data)
//     thread_tile   = lane_layout            element_tile = lane_data
//
// The strides come from `order`: its first dimension is the fastest in the id.
// Where sg_layout * sg_data exceeds n, subgroups share blocks: they hold
// copies, and the subgroup tile is n / sg_data. So with lanes.
// (mlir/Dialect/XeGPU/IR/XeGPUAttrs.td of LLVM 22.1, and what its
// computeDistributedCoords computes.)
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// The parameters of #xegpu.layout. An empty list: not given.
struct XeGPUParams {
  Ints sgLayout, sgData, instData, laneLayout, laneData, order;

  bool operator==(const XeGPUParams &) const = default;
};

/// What XeGPU parameters say of a layout: they may leave the subgroups open, or
/// the lanes.
class PartialLayout {
public:
  /// What `params` say of a value of shape `shape`. Defaults: sg_data: shape /
  /// sg_layout; lane_data: ones; order: the last dimension first. An sg_data or
  /// inst_data of more than there is means all. Errors, each with its figures:
  ///   - lists of another length than the rank; entries below 1; an order that
  ///     is no permutation; sg_data without sg_layout, lane_data without
  ///     lane_layout;
  ///   - sizes that do not divide evenly.
  static Result<PartialLayout> get(const XeGPUParams &params,
                                   std::span<const int64_t> shape);
  /// The same of #xegpu.slice<layout, dims>, for a value of shape `shape`,
  /// whose rank is that of the layout without `dims`.
  static Result<PartialLayout> getSlice(const XeGPUParams &params,
                                        std::span<const int64_t> dims,
                                        std::span<const int64_t> shape);

  /// If there are more subgroups than sg_layout names, it says how much each
  /// has, but not which of them have copies: then strides are open.
  void setNumSubgroups(int64_t numSubgroups) {
    strides = named >= numSubgroups;
  }
  bool hasStrides() const { return strides; }

  /// Puts a dimension in front, of which each subgroup and each lane has all.
  void prependDim(int64_t size);

  /// Whether it says what each subgroup (each lane) has.
  bool hasSubgroups() const { return subgroups; }
  bool hasLanes() const { return lanes; }
  /// The size of an instruction's part: inst_data, or what a subgroup has side
  /// by side.
  const Ints &instData() const { return units; }
  Ints shape() const { return sizes; }
  /// Whether it leaves no choice; of subgroups, if these are needed.
  bool isComplete(bool subgroupsNeeded) const {
    return lanes && ((subgroups && strides) || !subgroupsNeeded);
  }
  /// What is said of a dimension: rounds, subgroup and its stride if there are
  /// subgroups; thread, its stride and element if there are lanes.
  const DimTiles &dim(int64_t i) const { return dims[i]; }

  /// What it says of subgroups alone.
  PartialLayout getSubgroups() const;

  /// Whether `layout` is as this says. Of inst_data, that it divides what a
  /// subgroup has side by side, and is divided by what its lanes have.
  bool allows(const NestedLayout &layout) const;
  /// The layout that is as this says, and otherwise like `wish`, as far as
  /// sizes allow; open strides are those of `wish` where it deals a dimension
  /// to as many subgroups in all dimensions, else those of sg_layout. Errors:
  /// `wish` is of another shape; the strides of both do not go together.
  Result<NestedLayout> complete(const NestedLayout &wish) const;

private:
  std::vector<DimTiles> dims;
  Ints sizes, units;
  bool subgroups = false, lanes = false, hasInst = false, strides = true;
  int64_t named = 1; ///< How many subgroups sg_layout has.
};

/// The nested layout of a value of shape `shape`: PartialLayout's, of one
/// subgroup where there is no sg_layout. Errors: those of PartialLayout; no
/// lane_layout: XeGPU has then not yet said which lane holds what.
Result<NestedLayout> fromXeGPU(const XeGPUParams &params,
                               std::span<const int64_t> shape);

/// The same of #xegpu.slice<layout, dims>.
Result<NestedLayout> fromXeGPUSlice(const XeGPUParams &params,
                                    std::span<const int64_t> dims,
                                    std::span<const int64_t> shape);

/// Parameters that mean `layout` in a workgroup of `numSubgroups` subgroups of
/// `numLanes` lanes; with no sg_layout if `numSubgroups` is 0. Nothing if none
/// do: strides that no order has.
std::optional<XeGPUParams> toXeGPU(const NestedLayout &layout,
                                   int64_t numSubgroups, int64_t numLanes);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
