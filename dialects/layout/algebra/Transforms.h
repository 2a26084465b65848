//===- Transforms.h - Layouts of results of shape ops -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each function maps the layout of a value to the layout of the result of an
// operation on undistributed vectors (a transpose, shape_cast or broadcast)
// when every lane applies the same operation to its distributed vector and
// nothing moves between lanes. Layouts propagate through these operations
// without a conversion.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// Transposes: dimension i of the result is dimension permutation[i] of the
/// source, as in vector.transpose. Fails if `permutation` is not a permutation
/// of 0 … rank - 1.
Result<NestedLayout> permute(const NestedLayout &layout,
                             std::span<const int64_t> permutation);

/// Returns the inverse of `permutation`.
Ints inversePermutation(std::span<const int64_t> permutation);

/// Drops dimensions, as a reduction does. The subgroups and lanes that differ
/// only in a dropped dimension hold copies. This is the layout of a reduction's
/// result, once all of them have it, and of a value that can be broadcast along
/// these dimensions. `dims` may be in any order. Fails if a dimension does not
/// exist or occurs twice.
Result<NestedLayout> project(const NestedLayout &layout,
                             std::span<const int64_t> dims);

/// The inverse of project: returns a layout of shape `shape` whose projection
/// of `dims` is `layout`. A new dimension is distributed over the lanes that
/// hold copies (among `numLanes`), as far as its size allows, innermost
/// dimension first; each lane takes up to four contiguous elements. Subgroups
/// are unchanged. Fails if project does, or if `shape` without `dims` is not
/// the shape of the layout.
Result<NestedLayout> unproject(const NestedLayout &layout,
                               std::span<const int64_t> shape,
                               std::span<const int64_t> dims, int64_t numLanes);

/// Inserts a dimension before dimension `position` (0 … rank). `dim` may
/// distribute it over subgroups and lanes that hold copies. Fails if the
/// position does not exist or NestedLayout::get fails, for example because
/// `dim` uses lanes that another dimension uses.
Result<NestedLayout> insertDim(const NestedLayout &layout, int64_t position,
                               const DimTiles &dim);

/// Returns the layout of a broadcast to `shape`, as in vector.broadcast: new
/// leading dimensions, and dimensions of size 1 that are stretched. Each lane
/// holds all of these dimensions. Fails if the shapes do not allow a broadcast.
Result<NestedLayout> broadcast(const NestedLayout &layout,
                               std::span<const int64_t> shape);

/// The inverse of broadcast: returns the layout that a source of shape
/// `sourceShape` must have for its broadcast to have layout `layout` without
/// moves between lanes. Fails if broadcast does.
Result<NestedLayout> broadcastSource(const NestedLayout &layout,
                                     std::span<const int64_t> sourceShape);

/// Returns the layout of a shape_cast to `shape`: the element with row-major
/// index n keeps its index, its lanes and its register. Returns nullopt if no
/// nested layout of that shape describes this map, or if the numbers of
/// elements differ. If such a layout exists, it is found.
std::optional<NestedLayout> reshape(const NestedLayout &layout,
                                    std::span<const int64_t> shape);

/// Returns the layout of a slice of `sizes` elements that starts at `offsets`:
/// each lane takes the same part of its registers. A dimension that is cut must
/// not be distributed over subgroups, unless it is cut at whole cycles; if it
/// is distributed over lanes, offset and size must be multiples of thread tile
/// * element tile. Fails if the slice exceeds the shape or a cut moves values
/// between lanes.
Result<NestedLayout> slice(const NestedLayout &layout,
                           std::span<const int64_t> offsets,
                           std::span<const int64_t> sizes);

/// The inverse of slice: returns a layout of shape `shape` of which `layout` is
/// the slice at every offset that slice() accepts. Fails if the size of a
/// dimension that grows is not a multiple of one cycle of the subgroups or of
/// thread tile * element tile, or if a dimension shrinks.
Result<NestedLayout> extend(const NestedLayout &layout,
                            std::span<const int64_t> shape);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H
