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
//     subgroup_tile = n / sg_data            batch_tile  = sg_data / inst_data
//     outer_tile    = inst_data / (lane_layout * lane_data)
//     thread_tile   = lane_layout            element_tile = lane_data
//
// The strides come from `order`: its first dimension is the fastest in the id.
// (mlir/Dialect/XeGPU/IR/XeGPUAttrs.td of LLVM 22.1.)
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// The parameters of #xegpu.layout. An empty list: not given.
struct XeGPUParams {
  Ints sgLayout, sgData, instData, laneLayout, laneData, order;
};

/// The nested layout of a value of shape `shape`. What is not given: sg_layout:
/// the value is one subgroup's; sg_data: shape / sg_layout; inst_data: sg_data;
/// lane_data: ones; order: the last dimension first.
///
/// Where sg_layout * sg_data exceeds the shape, subgroups share blocks: they
/// hold copies. Errors, each with its figures:
///   - no lane_layout: XeGPU has then not yet said which lane holds what;
///   - lists of another length than the rank; entries below 1; an order that is
///   no
///     permutation;
///   - sizes that do not divide evenly;
///   - blocks that are dealt out to several subgroups in turns (sg_layout *
///     sg_data less than the shape): a nested layout gives each subgroup one
///     contiguous part.
Result<NestedLayout> fromXeGPU(const XeGPUParams &params,
                               std::span<const int64_t> shape);

/// The same of #xegpu.slice<layout, dims>, for a value of shape `shape`, whose
/// rank is that of the layout without `dims`.
Result<NestedLayout> fromXeGPUSlice(const XeGPUParams &params,
                                    std::span<const int64_t> dims,
                                    std::span<const int64_t> shape);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_XEGPULAYOUT_H
