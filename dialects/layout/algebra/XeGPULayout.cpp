//===- XeGPULayout.cpp - XeGPU's layout parameters as nested layouts ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/XeGPULayout.h"
#include "dialects/layout/algebra/Transforms.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace aircc::layout {

static std::string at(const char *name, size_t dim) {
  return std::string(name) + "[" + std::to_string(dim) + "]";
}

static std::optional<Error> checkLists(const XeGPUParams &params, size_t rank) {
  const std::pair<const char *, const Ints *> lists[] = {
      {"sg_layout", &params.sgLayout},
      {"sg_data", &params.sgData},
      {"inst_data", &params.instData},
      {"lane_layout", &params.laneLayout},
      {"lane_data", &params.laneData}};
  if (params.sgLayout.empty() && !params.sgData.empty())
    return Error{"the XeGPU layout has sg_data, but no sg_layout"};
  if (params.laneLayout.empty() && !params.laneData.empty())
    return Error{"the XeGPU layout has lane_data, but no lane_layout"};
  for (auto [name, list] : lists) {
    if (list->empty())
      continue;
    if (list->size() != rank)
      return Error{std::string(name) + " has " + std::to_string(list->size()) +
                   " entries, but the value has rank " + std::to_string(rank)};
    for (size_t i = 0; i < rank; ++i)
      if ((*list)[i] < 1)
        return Error{at(name, i) + " is " + std::to_string((*list)[i]) +
                     ", but must be at least 1"};
    // Strides and blocks are products of the entries of one or two lists.
    int64_t all = 1;
    for (int64_t entry : *list)
      if (__builtin_mul_overflow(all, entry, &all) ||
          all > std::numeric_limits<int32_t>::max())
        return Error{std::string(name) + " = " + listText(*list) +
                     " does not fit in 32 bits"};
  }
  if (params.order.empty())
    return std::nullopt;
  Ints sorted = params.order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted.size() != rank || sorted[i] != static_cast<int64_t>(i))
      return Error{"order " + listText(params.order) +
                   " is not a permutation of the " + std::to_string(rank) +
                   " dimensions"};
  return std::nullopt;
}

/// Returns the distance in the id between adjacent positions along each
/// dimension.
static Ints stridesOf(const Ints &layout, const Ints &order) {
  Ints strides(layout.size());
  int64_t stride = 1;
  for (size_t n = 0; n < layout.size(); ++n) {
    size_t d = order.empty() ? layout.size() - 1 - n : order[n];
    strides[d] = stride;
    stride *= layout[d];
  }
  return strides;
}

static Error uneven(const std::string &what, int64_t size,
                    const std::string &by, int64_t divisor) {
  return Error{what + " = " + std::to_string(size) + " is not a multiple of " +
               by + " = " + std::to_string(divisor)};
}

//===----------------------------------------------------------------------===//
// The meaning of parameters
//===----------------------------------------------------------------------===//

/// Sets the subgroup part of dimension `i`: cycles, subgroup and its stride.
/// Returns the size of the contiguous part of a subgroup.
static Result<int64_t> distributeToSubgroups(const XeGPUParams &params,
                                             size_t i, int64_t stride,
                                             int64_t size, DimTiles &dim) {
  int64_t count = params.sgLayout[i], block = size;
  if (!params.sgData.empty())
    block = std::min(params.sgData[i], size);
  else if (size % count != 0)
    return uneven(at("shape", i), size, at("sg_layout", i), count);
  else
    block = size / count;
  if (size % block != 0)
    return uneven(at("shape", i), size, at("sg_data", i), block);
  int64_t blocks = size / block;
  dim.subgroup = std::min(blocks, count);
  dim.subgroupStride = stride;
  dim.cycles = blocks / dim.subgroup;
  if (blocks > count && blocks % count != 0)
    return uneven(at("shape", i) + " / " + at("sg_data", i), blocks,
                  at("sg_layout", i), count);
  if (count % dim.subgroup != 0)
    return uneven(at("sg_layout", i), count,
                  at("shape", i) + " / " + at("sg_data", i), blocks);
  return block;
}

/// Sets the lane part: thread, its stride and element. `unit` is the size of an
/// instruction, and `name` is its name in errors.
static std::optional<Error> distributeToLanes(const XeGPUParams &params,
                                              size_t i, int64_t stride,
                                              int64_t unit, const char *name,
                                              DimTiles &dim) {
  int64_t count = params.laneLayout[i];
  dim.element = params.laneData.empty() ? 1 : params.laneData[i];
  dim.thread = count;
  dim.threadStride = stride;
  if (unit % (count * dim.element) == 0)
    return std::nullopt;
  // If there are more lanes than data, the surplus lanes hold copies.
  if (unit < count * dim.element && unit % dim.element == 0 &&
      count % (unit / dim.element) == 0) {
    dim.thread = unit / dim.element;
    return std::nullopt;
  }
  return uneven(at(name, i), unit,
                at("lane_layout", i) + " * " + at("lane_data", i),
                count * dim.element);
}

Result<PartialLayout> PartialLayout::get(const XeGPUParams &params,
                                         std::span<const int64_t> shape) {
  size_t rank = shape.size();
  if (auto error = checkLists(params, rank))
    return *error;
  PartialLayout result;
  result.dims.resize(rank);
  result.sizes.assign(shape.begin(), shape.end());
  result.hasInst = !params.instData.empty();
  result.named = product(params.sgLayout);
  result.subgroups = !params.sgLayout.empty();
  result.lanes = !params.laneLayout.empty();
  Ints sgStrides = stridesOf(params.sgLayout, params.order);
  Ints laneStrides = stridesOf(params.laneLayout, params.order);
  for (size_t i = 0; i < rank; ++i) {
    int64_t share = shape[i];
    if (share < 1)
      return Error{at("shape", i) + " is " + std::to_string(share) +
                   ", but must be at least 1"};
    if (result.subgroups) {
      auto block =
          distributeToSubgroups(params, i, sgStrides[i], share, result.dims[i]);
      if (!block)
        return Error{block.message()};
      share = *block;
    }
    const char *name = result.subgroups ? "sg_data" : "shape";
    if (!params.instData.empty()) {
      int64_t inst = std::min(params.instData[i], share);
      if (share % inst != 0)
        return uneven(at(name, i), share, at("inst_data", i), inst);
      share = inst;
      name = "inst_data";
    }
    if (result.lanes)
      if (auto error = distributeToLanes(params, i, laneStrides[i], share, name,
                                         result.dims[i]))
        return *error;
    result.units.push_back(share);
  }
  return result;
}

Result<PartialLayout> PartialLayout::getSlice(const XeGPUParams &params,
                                              std::span<const int64_t> dims,
                                              std::span<const int64_t> shape) {
  size_t rank = shape.size() + dims.size();
  if (auto error = checkLists(params, rank))
    return *error;
  std::vector<bool> sliced(rank);
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(rank) || sliced[d])
      return Error{"slice dims " + listText(dims) +
                   " are not distinct dimensions of a layout of rank " +
                   std::to_string(rank)};
    sliced[d] = true;
  }
  // The size of the parent along a sliced dimension determines only how often
  // each value is copied. Use one distribution unit, without its registers.
  XeGPUParams parent = params;
  Ints parentShape(rank);
  for (size_t i = 0, next = 0; i < rank; ++i) {
    if (!sliced[i]) {
      parentShape[i] = shape[next++];
      continue;
    }
    if (!parent.laneData.empty())
      parent.laneData[i] = 1;
    int64_t lanes = parent.laneLayout.empty() ? 1 : parent.laneLayout[i];
    if (!parent.instData.empty())
      parent.instData[i] = lanes;
    if (!parent.sgData.empty())
      parent.sgData[i] = lanes;
    parentShape[i] = lanes * (parent.sgLayout.empty() ? 1 : parent.sgLayout[i]);
  }
  auto result = get(parent, parentShape);
  if (!result)
    return result;
  for (size_t i = rank; i-- > 0;)
    if (sliced[i]) {
      result->dims.erase(result->dims.begin() + i);
      result->sizes.erase(result->sizes.begin() + i);
      result->units.erase(result->units.begin() + i);
    }
  return result;
}

void PartialLayout::prependDim(int64_t size) {
  dims.insert(dims.begin(), DimTiles());
  sizes.insert(sizes.begin(), size);
  units.insert(units.begin(), size);
}

PartialLayout PartialLayout::getSubgroups() const {
  PartialLayout result = *this;
  result.lanes = result.hasInst = false;
  for (size_t i = 0; i < dims.size(); ++i)
    result.units[i] = sizes[i] / (dims[i].cycles * dims[i].subgroup);
  return result;
}

bool PartialLayout::allows(const NestedLayout &layout) const {
  if (layout.shape() != sizes)
    return false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const DimTiles &required = dims[i], &dim = layout.dim(i);
    if (subgroups &&
        (dim.subgroup != required.subgroup ||
         (dim.subgroup > 1 &&
          ((strides && dim.subgroupStride != required.subgroupStride) ||
           dim.cycles != required.cycles))))
      return false;
    if (lanes &&
        (dim.blockSize() % (required.thread * required.element) != 0 ||
         dim.thread != required.thread ||
         (dim.thread > 1 && (dim.threadStride != required.threadStride ||
                             dim.element != required.element))))
      return false;
    if ((hasInst && dim.blockSize() % units[i] != 0) ||
        (dim.thread > 1 && units[i] % (dim.thread * dim.element) != 0))
      return false;
  }
  return true;
}

Result<NestedLayout>
PartialLayout::complete(const NestedLayout &preference) const {
  if (preference.shape() != sizes)
    return Error{"a value of shape " + shapeText(sizes) +
                 " cannot be laid out like one of shape " +
                 shapeText(preference.shape())};
  std::vector<DimTiles> result(dims.size());
  bool takesStrides = !strides;
  for (size_t i = 0; i < dims.size(); ++i)
    takesStrides &= preference.dim(i).subgroup == dims[i].subgroup;
  for (size_t i = 0; i < dims.size(); ++i) {
    const DimTiles &required = dims[i], &preferred = preference.dim(i);
    DimTiles &dim = result[i];
    dim.thread = lanes ? required.thread : preferred.thread;
    dim.threadStride = lanes ? required.threadStride : preferred.threadStride;
    dim.element = lanes ? required.element : preferred.element;
    if (subgroups) {
      dim.cycles = required.cycles;
      dim.subgroup = required.subgroup;
      dim.subgroupStride =
          takesStrides ? preferred.subgroupStride : required.subgroupStride;
    } else {
      // Limit the number of subgroups so that every lane still has data.
      int64_t unit = hasInst ? units[i] : lanes ? dim.thread * dim.element : 1;
      dim.subgroup = std::gcd(preferred.subgroup, sizes[i] / unit);
      dim.subgroupStride = preferred.subgroupStride;
      if (sizes[i] % (dim.subgroup * preferred.cycles * unit) == 0)
        dim.cycles = preferred.cycles;
    }
    int64_t share = sizes[i] / (dim.cycles * dim.subgroup);
    if (!lanes) {
      int64_t unit = hasInst ? units[i] : share;
      dim.thread = std::gcd(dim.thread, unit);
      dim.element = std::gcd(dim.element, unit / dim.thread);
    }
    dim.batch = share / (dim.thread * dim.element);
  }
  return NestedLayout::ofDims(std::move(result));
}

/// Requires lanes, and uses one subgroup if subgroups are unconstrained.
static Result<NestedLayout> complete(const Result<PartialLayout> &partial) {
  if (!partial)
    return Error{partial.message()};
  if (!partial->hasLanes() && !partial->shape().empty())
    return Error{"the XeGPU layout has no lane_layout, so it does not "
                 "determine which lane holds which element"};
  std::vector<DimTiles> whole;
  for (int64_t size : partial->shape())
    whole.emplace_back().element = size;
  auto undistributed = NestedLayout::ofDims(std::move(whole));
  if (!undistributed)
    return undistributed;
  return partial->complete(*undistributed);
}

Result<NestedLayout> fromXeGPU(const XeGPUParams &params,
                               std::span<const int64_t> shape) {
  return complete(PartialLayout::get(params, shape));
}

Result<NestedLayout> fromXeGPUSlice(const XeGPUParams &params,
                                    std::span<const int64_t> dims,
                                    std::span<const int64_t> shape) {
  return complete(PartialLayout::getSlice(params, dims, shape));
}

//===----------------------------------------------------------------------===//
// Parameters for a layout
//===----------------------------------------------------------------------===//

/// Returns the number of ids along each dimension if they are numbered in
/// `order`. Ids that the tiles skip are included, for copies. Returns nullopt
/// if the strides are not those of the order.
static std::optional<Ints> arrange(const NestedLayout &layout,
                                   int64_t DimTiles::*tile,
                                   int64_t DimTiles::*stride, const Ints &order,
                                   int64_t numIds) {
  Ints counts(layout.rank(), 1);
  int64_t next = 1;
  for (size_t n = 0; n <= order.size(); ++n) {
    bool end = n == order.size();
    int64_t count = end ? 1 : layout.dim(order[n]).*tile;
    if (!end && count == 1)
      continue;
    int64_t here = end ? numIds : layout.dim(order[n]).*stride;
    if (here % next != 0 || (here != next && n == 0))
      return std::nullopt;
    if (here != next)
      counts[order[n - 1]] *= here / next;
    if (!end)
      counts[order[n]] = count;
    next = here * count;
  }
  return counts;
}

std::optional<XeGPUParams> toXeGPU(const NestedLayout &layout,
                                   int64_t numSubgroups, int64_t numLanes) {
  int64_t rank = layout.rank();
  if (rank == 0 || (numSubgroups == 0 && layout.distinctSubgroups() != 1))
    return std::nullopt;
  // Try orders, starting with the default, in which the last dimension is
  // first.
  Ints order(rank);
  std::iota(order.begin(), order.end(), 0);
  do {
    Ints ids(order.rbegin(), order.rend());
    auto lanes = arrange(layout, &DimTiles::thread, &DimTiles::threadStride,
                         ids, numLanes);
    auto subgroups = numSubgroups == 0 ? Ints()
                                       : arrange(layout, &DimTiles::subgroup,
                                                 &DimTiles::subgroupStride, ids,
                                                 numSubgroups);
    if (!lanes || !subgroups)
      continue;
    XeGPUParams params;
    params.sgLayout = *subgroups;
    params.laneLayout = *lanes;
    for (const DimTiles &dim : layout.dims()) {
      if (numSubgroups != 0)
        params.sgData.push_back(dim.blockSize());
      params.laneData.push_back(dim.thread == 1 ? 1 : dim.element);
    }
    if (!std::is_sorted(order.begin(), order.end()))
      params.order = ids;
    auto meant = fromXeGPU(params, layout.shape());
    if (meant && *meant == layout)
      return params;
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

} // namespace aircc::layout
