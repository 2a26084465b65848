//===- XeGPULayout.h - XeGPU parameters as nested layouts -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// XeGPU's #xegpu.layout specifies sizes of blocks; a nested layout specifies
// numbers of tiles. Along one dimension of size n:
//
//     cycle_tile = n / (sg_layout * sg_data)     subgroup_tile = sg_layout
//     batch_tile  = sg_data / inst_data
//     outer_tile    = inst_data / (lane_layout * lane_data)
//     thread_tile   = lane_layout            element_tile = lane_data
//
// The strides follow from `order`, the first dimension of which varies fastest
// in the id. If sg_layout * sg_data exceeds n, subgroups share blocks: they
// hold copies, and the subgroup tile is n / sg_data. The same applies to lanes.
// (Sources: mlir/Dialect/XeGPU/IR/XeGPUAttrs.td of LLVM 22.1, and the function
// computeDistributedCoords there.)
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// The parameters of #xegpu.layout. An empty list represents an omitted
/// parameter.
struct XeGPUParams {
  Ints sgLayout, sgData, instData, laneLayout, laneData, order;

  bool operator==(const XeGPUParams &) const = default;
};

/// The constraints that XeGPU parameters impose on a layout. Subgroups or lanes
/// may be unconstrained.
class PartialLayout {
public:
  /// Returns the constraints of `params` for a value of shape `shape`.
  /// Defaults: sg_data: shape / sg_layout; lane_data: ones; order: the last
  /// dimension first. An sg_data or inst_data beyond the size means all of it.
  /// Errors, with the numbers:
  ///   - lists whose length is not the rank; entries below 1; an order that is
  ///     not a permutation; sg_data without sg_layout, lane_data without
  ///     lane_layout;
  ///   - sizes that do not divide evenly.
  static Result<PartialLayout> get(const XeGPUParams &params,
                                   std::span<const int64_t> shape);
  /// Like get, for #xegpu.slice<layout, dims> and a value of shape `shape`,
  /// whose rank is that of the layout without `dims`.
  static Result<PartialLayout> getSlice(const XeGPUParams &params,
                                        std::span<const int64_t> dims,
                                        std::span<const int64_t> shape);

  /// If there are more subgroups than in sg_layout, the layout determines how
  /// much each holds, but not which of them hold copies, so the strides become
  /// unconstrained.
  void setNumSubgroups(int64_t numSubgroups) {
    strides = named >= numSubgroups;
  }
  bool hasStrides() const { return strides; }

  /// Prepends a dimension that each subgroup and each lane holds completely.
  void prependDim(int64_t size);

  /// Returns whether subgroups (lanes) are constrained.
  bool hasSubgroups() const { return subgroups; }
  bool hasLanes() const { return lanes; }
  /// Returns the size of an instruction: inst_data, or the contiguous part of a
  /// subgroup.
  const Ints &instData() const { return units; }
  Ints shape() const { return sizes; }
  /// Returns whether only one layout satisfies the constraints. Subgroups are
  /// considered only if they are needed.
  bool isComplete(bool subgroupsNeeded) const {
    return lanes && ((subgroups && strides) || !subgroupsNeeded);
  }
  /// Returns the constraints of a dimension: cycles, subgroup and its stride if
  /// hasSubgroups(); thread, its stride and element if hasLanes().
  const DimTiles &dim(int64_t i) const { return dims[i]; }

  /// Returns the constraints on subgroups only.
  PartialLayout getSubgroups() const;

  /// Returns whether `layout` satisfies the constraints. The inst_data must
  /// divide the contiguous part of a subgroup and be a multiple of the
  /// contiguous part of its lanes.
  bool allows(const NestedLayout &layout) const;
  /// Returns the layout that satisfies the constraints and otherwise equals
  /// `preference`, as far as sizes allow. Unconstrained strides are those of
  /// `preference` if it distributes over as many subgroups in all dimensions;
  /// otherwise, they are those of sg_layout. Fails if `preference` has another
  /// shape or the strides conflict.
  Result<NestedLayout> complete(const NestedLayout &preference) const;

private:
  std::vector<DimTiles> dims;
  Ints sizes, units;
  bool subgroups = false, lanes = false, hasInst = false, strides = true;
  int64_t named = 1; ///< The number of subgroups in sg_layout.
};

/// Returns the nested layout of a value of shape `shape`: that of
/// PartialLayout, with one subgroup if there is no sg_layout. Fails if
/// PartialLayout::get does, or if there is no lane_layout, because lanes are
/// then unconstrained.
Result<NestedLayout> fromXeGPU(const XeGPUParams &params,
                               std::span<const int64_t> shape);

/// Like fromXeGPU, for #xegpu.slice<layout, dims>.
Result<NestedLayout> fromXeGPUSlice(const XeGPUParams &params,
                                    std::span<const int64_t> dims,
                                    std::span<const int64_t> shape);

/// Returns parameters that denote `layout` in a workgroup of `numSubgroups`
/// subgroups of `numLanes` lanes, without sg_layout if `numSubgroups` is 0.
/// Returns nullopt if XeGPU cannot express the layout because no `order` has
/// its strides.
std::optional<XeGPUParams> toXeGPU(const NestedLayout &layout,
                                   int64_t numSubgroups, int64_t numLanes);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
