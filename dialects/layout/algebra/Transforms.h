//===- Transforms.h - What shape operations do to a layout ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function here takes the layout of a value to the layout of what an
// operation on whole vectors makes of it, when every lane applies the same
// operation to its own share and nothing moves between lanes: the lane's
// transpose, shape_cast or broadcast of its distributed vector. So layouts
// propagate through these operations without a conversion.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H
#define AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H

#include "dialects/layout/algebra/NestedLayout.h"

namespace aircc::layout {

/// Transposes: dimension i of the result is dimension permutation[i] of the
/// source, as vector.transpose has it. Errors: no permutation of 0 … rank - 1.
Result<NestedLayout> permute(const NestedLayout &layout,
                             std::span<const int64_t> permutation);

/// The permutation that undoes `permutation`.
Ints inversePermutation(std::span<const int64_t> permutation);

/// Drops dimensions, as a reduction does. The subgroups and lanes that differ
/// in a dropped dimension only hold copies: the layout of a reduction's result
/// after all of them have it, and of what may be broadcast along these
/// dimensions. `dims` in any order. Errors: no such dimension, a dimension
/// twice.
Result<NestedLayout> project(const NestedLayout &layout,
                             std::span<const int64_t> dims);

/// The inverse: a layout of shape `shape` whose projection of `dims` is
/// `layout`. A new dimension is dealt to lanes that hold copies, as far as
/// there are any among `numLanes` and its size allows, the innermost first;
/// among these lanes, runs of up to four elements stay together. Subgroups are
/// left as they are. Errors: those of project; `shape` without `dims` is not
/// the layout's shape.
Result<NestedLayout> unproject(const NestedLayout &layout,
                               std::span<const int64_t> shape,
                               std::span<const int64_t> dims, int64_t numLanes);

/// Puts in a dimension before dimension `position` (0 … rank). `dim` may spread
/// it over subgroups and lanes that hold copies. Errors: no such position;
/// those of NestedLayout::get, for one if `dim` wants lanes that are taken.
Result<NestedLayout> insertDim(const NestedLayout &layout, int64_t position,
                               const DimTiles &dim);

/// The layout of a broadcast to `shape`, as vector.broadcast has it: new
/// leading dimensions, and dimensions of size 1 that get longer. Each lane
/// holds the whole of each such dimension. Errors: the shapes do not allow a
/// broadcast.
Result<NestedLayout> broadcast(const NestedLayout &layout,
                               std::span<const int64_t> shape);

/// The inverse: the layout that a source of shape `sourceShape` must have for
/// its broadcast to have layout `layout` without any move between lanes. Errors
/// as for broadcast.
Result<NestedLayout> broadcastSource(const NestedLayout &layout,
                                     std::span<const int64_t> sourceShape);

/// The layout of a shape_cast to `shape`: the element with row-major index n of
/// the source is the one with index n of the result, and stays in its lanes and
/// in its register. Nothing if no nested layout of that shape is this map, or
/// if the numbers of elements differ. Exact: wherever such a layout exists, it
/// is found.
std::optional<NestedLayout> reshape(const NestedLayout &layout,
                                    std::span<const int64_t> shape);

/// The layout of a slice of `sizes` elements from `offsets` on: each lane takes
/// a part of its registers, the same part in all lanes. A dimension that is cut
/// must not be spread over subgroups, or is cut by whole rounds; where it is
/// spread over lanes, offset and size must be multiples of one turn of the
/// lanes, thread tile * element tile.
/// Errors: a slice beyond the shape; a cut that moves values between lanes.
Result<NestedLayout> slice(const NestedLayout &layout,
                           std::span<const int64_t> offsets,
                           std::span<const int64_t> sizes);

/// The inverse: a layout of shape `shape` of which `layout` is the slice at
/// every offset that slice() takes. Errors: a dimension that grows is no
/// multiple of one round of the subgroups, or of one turn of the lanes; one
/// shrinks.
Result<NestedLayout> extend(const NestedLayout &layout,
                            std::span<const int64_t> shape);

} // namespace aircc::layout

#endif // AIRCC_DIALECTS_LAYOUT_ALGEBRA_TRANSFORMS_H
