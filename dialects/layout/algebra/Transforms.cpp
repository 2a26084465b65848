//===- Transforms.cpp - Layouts of the results of shape operations --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Transforms.h"

#include <algorithm>
#include <numeric>

namespace aircc::layout {

static bool isPermutation(std::span<const int64_t> permutation) {
  std::vector<bool> seen(permutation.size());
  for (int64_t p : permutation) {
    if (p < 0 || p >= static_cast<int64_t>(seen.size()) || seen[p])
      return false;
    seen[p] = true;
  }
  return true;
}

Result<NestedLayout> permute(const NestedLayout &layout,
                             std::span<const int64_t> permutation) {
  if (static_cast<int64_t>(permutation.size()) != layout.rank() ||
      !isPermutation(permutation))
    return Error{listText(permutation) + " is not a permutation of the " +
                 std::to_string(layout.rank()) + " dimensions"};
  std::vector<DimTiles> dims;
  for (int64_t p : permutation)
    dims.push_back(layout.dim(p));
  return NestedLayout::ofDims(std::move(dims));
}

Ints inversePermutation(std::span<const int64_t> permutation) {
  Ints inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[permutation[i]] = static_cast<int64_t>(i);
  return inverse;
}

Result<NestedLayout> project(const NestedLayout &layout,
                             std::span<const int64_t> dims) {
  std::vector<bool> dropped(layout.rank());
  for (int64_t d : dims) {
    if (d < 0 || d >= layout.rank())
      return Error{"cannot drop dimension " + std::to_string(d) +
                   " of a layout of rank " + std::to_string(layout.rank())};
    if (dropped[d])
      return Error{"dimension " + std::to_string(d) + " is dropped twice"};
    dropped[d] = true;
  }
  std::vector<DimTiles> kept;
  for (int64_t i = 0; i < layout.rank(); ++i)
    if (!dropped[i])
      kept.push_back(layout.dim(i));
  return NestedLayout::ofDims(std::move(kept));
}

Result<NestedLayout> unproject(const NestedLayout &layout,
                               std::span<const int64_t> shape,
                               std::span<const int64_t> dims,
                               int64_t numLanes) {
  std::vector<bool> added(shape.size());
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(shape.size()) || added[d])
      return Error{"cannot add the dimensions " + listText(dims) +
                   " to a layout of rank " + std::to_string(layout.rank())};
    added[d] = true;
  }
  std::vector<DimTiles> result(shape.size());
  Ints kept;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!added[i])
      kept.push_back(shape[i]);
  if (kept != layout.shape())
    return Error{"a layout of shape " + shapeText(layout.shape()) +
                 " is not a layout of shape " + shapeText(kept)};
  for (size_t i = 0, from = 0; i < shape.size(); ++i)
    if (!added[i])
      result[i] = layout.dim(from++);

  int64_t stride = layout.lanePeriod();
  int64_t free = numLanes % stride == 0 ? numLanes / stride : 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (!added[i])
      continue;
    DimTiles &dim = result[i];
    dim.thread = std::gcd(shape[i], free);
    dim.threadStride = stride;
    stride *= dim.thread;
    free /= dim.thread;
    dim.element = std::gcd(shape[i] / dim.thread, int64_t(4));
    dim.batch = shape[i] / dim.thread / dim.element;
  }
  return NestedLayout::ofDims(std::move(result));
}

Result<NestedLayout> insertDim(const NestedLayout &layout, int64_t position,
                               const DimTiles &dim) {
  if (position < 0 || position > layout.rank())
    return Error{"cannot insert a dimension at position " +
                 std::to_string(position) + " of a layout of rank " +
                 std::to_string(layout.rank())};
  std::vector<DimTiles> dims = layout.dims();
  dims.insert(dims.begin() + position, dim);
  return NestedLayout::ofDims(std::move(dims));
}

/// Returns why a vector of shape `source` cannot be broadcast to `result`.
static std::optional<Error> cannotBroadcast(std::span<const int64_t> source,
                                            std::span<const int64_t> result) {
  Error error{"a vector of shape " + shapeText(source) +
              " cannot be broadcast to " + shapeText(result)};
  if (source.size() > result.size())
    return Error{error.message + ": it has more dimensions"};
  size_t leading = result.size() - source.size();
  for (size_t i = 0; i < source.size(); ++i)
    if (source[i] != 1 && source[i] != result[leading + i])
      return Error{error.message + ": its dimension " + std::to_string(i) +
                   " is neither 1 nor " + std::to_string(result[leading + i])};
  return std::nullopt;
}

Result<NestedLayout> broadcast(const NestedLayout &layout,
                               std::span<const int64_t> shape) {
  if (auto error = cannotBroadcast(layout.shape(), shape))
    return *error;
  size_t leading = shape.size() - layout.rank();
  std::vector<DimTiles> dims(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i >= leading && layout.dim(i - leading).size() == shape[i])
      dims[i] = layout.dim(i - leading);
    else
      dims[i].element = shape[i];
  }
  return NestedLayout::ofDims(std::move(dims));
}

Result<NestedLayout> broadcastSource(const NestedLayout &layout,
                                     std::span<const int64_t> sourceShape) {
  if (auto error = cannotBroadcast(sourceShape, layout.shape()))
    return *error;
  size_t leading = layout.rank() - sourceShape.size();
  std::vector<DimTiles> dims(sourceShape.size());
  for (size_t i = 0; i < sourceShape.size(); ++i)
    if (sourceShape[i] != 1)
      dims[i] = layout.dim(leading + i);
  return NestedLayout::ofDims(std::move(dims));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Changes the size of a dimension to `size` through the number of its batches,
/// or of its cycles if it is distributed over subgroups. `what` names the
/// change in errors.
static std::optional<Error> resize(DimTiles &dim, int64_t size, size_t number,
                                   const char *what) {
  std::string name = "dimension " + std::to_string(number);
  int64_t cycle = dim.subgroup * dim.blockSize();
  if (dim.subgroup > 1 && size % cycle == 0) {
    dim.cycles = size / cycle;
    return std::nullopt;
  }
  if (dim.subgroup > 1)
    return Error{name + " is " + what + ", but is distributed over " +
                 std::to_string(dim.subgroup) + " subgroups"};
  int64_t batch = dim.thread * dim.element;
  if (dim.thread == 1) {
    dim = DimTiles();
    dim.element = size;
    return std::nullopt;
  }
  if (size % batch != 0)
    return Error{name + " is " + what + " to " + std::to_string(size) +
                 " elements, but its " + std::to_string(dim.thread) +
                 " lanes hold " + std::to_string(batch) + " at a time"};
  dim.batch = size / batch;
  dim.outer = 1;
  return std::nullopt;
}

Result<NestedLayout> slice(const NestedLayout &layout,
                           std::span<const int64_t> offsets,
                           std::span<const int64_t> sizes) {
  Ints shape = layout.shape();
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    return Error{"a slice of a layout of rank " + std::to_string(shape.size()) +
                 " requires as many offsets and sizes"};
  std::vector<DimTiles> dims = layout.dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (offsets[i] < 0 || sizes[i] < 1 || offsets[i] > shape[i] - sizes[i])
      return Error{"dimension " + std::to_string(i) + " has " +
                   std::to_string(shape[i]) + " elements, so a slice of " +
                   std::to_string(sizes[i]) + " from offset " +
                   std::to_string(offsets[i]) + " is out of bounds"};
    if (sizes[i] == shape[i])
      continue;
    int64_t period = dims[i].subgroup > 1
                         ? dims[i].subgroup * dims[i].blockSize()
                     : dims[i].thread > 1 ? dims[i].thread * dims[i].element
                                          : 1;
    if (dims[i].cycles > 1 && offsets[i] % period != 0)
      return Error{"dimension " + std::to_string(i) + " is cut at " +
                   std::to_string(offsets[i]) + ", but its " +
                   std::to_string(dims[i].subgroup) + " subgroups hold " +
                   std::to_string(period) + " elements in a cycle"};
    if (dims[i].subgroup == 1 && offsets[i] % period != 0)
      return Error{"dimension " + std::to_string(i) + " is cut at " +
                   std::to_string(offsets[i]) + ", but its " +
                   std::to_string(dims[i].thread) + " lanes hold " +
                   std::to_string(period) + " elements at a time"};
    if (auto error = resize(dims[i], sizes[i], i, "cut"))
      return *error;
  }
  return NestedLayout::ofDims(std::move(dims));
}

Result<NestedLayout> extend(const NestedLayout &layout,
                            std::span<const int64_t> shape) {
  Ints old = layout.shape();
  if (shape.size() != old.size())
    return Error{"a layout of rank " + std::to_string(old.size()) +
                 " cannot be extended to " + shapeText(shape)};
  std::vector<DimTiles> dims = layout.dims();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (shape[i] < old[i])
      return Error{"dimension " + std::to_string(i) + " has " +
                   std::to_string(old[i]) + " elements, more than " +
                   std::to_string(shape[i])};
    if (shape[i] == old[i])
      continue;
    if (auto error = resize(dims[i], shape[i], i, "extended"))
      return *error;
  }
  return NestedLayout::ofDims(std::move(dims));
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

namespace {
/// In a layout, the row-major index of an element is a mixed-radix number: each
/// tile is a digit whose value comes from the subgroup id, the lane or the
/// register. A reshape moves the boundaries between dimensions in that number.
struct Digit {
  enum Kind { Subgroup, Register, Thread };
  Kind kind;
  int64_t size;
  int64_t stride; ///< For a subgroup or thread digit.
};
} // namespace

/// Returns the digits of a layout, innermost first.
static std::vector<Digit> digitsOf(const NestedLayout &layout) {
  std::vector<Digit> digits;
  auto add = [&](Digit::Kind kind, int64_t size, int64_t stride) {
    if (size > 1)
      digits.push_back({kind, size, stride});
  };
  for (int64_t i = layout.rank(); i-- > 0;) {
    const DimTiles &dim = layout.dim(i);
    add(Digit::Register, dim.element, 0);
    add(Digit::Thread, dim.thread, dim.threadStride);
    add(Digit::Register, dim.batch * dim.outer, 0);
    add(Digit::Subgroup, dim.subgroup, dim.subgroupStride);
    add(Digit::Register, dim.cycles, 0);
  }
  return digits;
}

/// Joins adjacent digits (innermost first) that form one digit: always for
/// registers, and for ids if the stride of the outer digit continues that of
/// the inner one.
static std::vector<Digit> joinDigits(const std::vector<Digit> &digits) {
  std::vector<Digit> joined;
  for (const Digit &digit : digits) {
    if (!joined.empty()) {
      Digit &inner = joined.back();
      if (inner.kind == digit.kind &&
          (digit.kind == Digit::Register ||
           digit.stride == inner.stride * inner.size)) {
        inner.size *= digit.size;
        continue;
      }
    }
    joined.push_back(digit);
  }
  return joined;
}

/// Makes a dimension of these digits. From the inside out, it can have
/// registers (element), threads, registers (batch), subgroups, and registers
/// (cycles).
static std::optional<DimTiles> dimOf(const std::vector<Digit> &digits) {
  DimTiles dim;
  size_t next = 0;
  auto take = [&](Digit::Kind kind, int64_t &size, int64_t *stride) {
    if (next == digits.size() || digits[next].kind != kind)
      return;
    size = digits[next].size;
    if (stride)
      *stride = digits[next].stride;
    ++next;
  };
  take(Digit::Register, dim.element, nullptr);
  take(Digit::Thread, dim.thread, &dim.threadStride);
  take(Digit::Register, dim.batch, nullptr);
  take(Digit::Subgroup, dim.subgroup, &dim.subgroupStride);
  take(Digit::Register, dim.cycles, nullptr);
  if (next != digits.size())
    return std::nullopt;
  return dim;
}

std::optional<NestedLayout> reshape(const NestedLayout &layout,
                                    std::span<const int64_t> shape) {
  if (std::any_of(shape.begin(), shape.end(), [](int64_t s) { return s < 1; }))
    return std::nullopt;
  // Adjacent digits of the same kind are joined before they are split: 12
  // registers can become 4x3, but the factor 4 of 3x4 cannot be split at 3.
  std::vector<Digit> rest = joinDigits(digitsOf(layout));
  // Put the innermost digit last, so that it is popped first.
  std::reverse(rest.begin(), rest.end());
  std::vector<DimTiles> dims(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    std::vector<Digit> inside;
    int64_t room = shape[i];
    while (room > 1) {
      if (rest.empty())
        return std::nullopt;
      Digit digit = rest.back();
      rest.pop_back();
      if (digit.size > room) {
        // The boundary splits the digit: the inner part varies fastest, and the
        // outer part counts how often the inner part wraps around.
        if (digit.size % room != 0)
          return std::nullopt;
        rest.push_back({digit.kind, digit.size / room, digit.stride * room});
        digit.size = room;
      }
      if (room % digit.size != 0)
        return std::nullopt;
      room /= digit.size;
      inside.push_back(digit);
    }
    std::optional<DimTiles> dim = dimOf(joinDigits(inside));
    if (!dim)
      return std::nullopt;
    dims[i] = *dim;
  }
  if (!rest.empty())
    return std::nullopt;
  Result<NestedLayout> result = NestedLayout::ofDims(std::move(dims));
  if (!result)
    return std::nullopt;
  return *result;
}

} // namespace aircc::layout
