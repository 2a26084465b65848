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
  if (params.laneLayout.empty() && rank != 0)
    return Error{
        "the XeGPU layout has no lane_layout, so it does not say which "
        "lane holds what"};
  if (params.sgLayout.empty() && !params.sgData.empty())
    return Error{"the XeGPU layout has sg_data, but no sg_layout"};
  for (auto [name, list] : lists) {
    if (list->empty())
      continue;
    if (list->size() != rank)
      return Error{std::string(name) + " has " + std::to_string(list->size()) +
                   " entries for a value of rank " + std::to_string(rank)};
    for (size_t i = 0; i < rank; ++i)
      if ((*list)[i] < 1)
        return Error{at(name, i) + " is " + std::to_string((*list)[i]) +
                     ", but is at least 1"};
    // Strides and blocks are products of entries of one or two lists.
    int64_t all = 1;
    for (int64_t entry : *list)
      if (__builtin_mul_overflow(all, entry, &all) ||
          all > std::numeric_limits<int32_t>::max())
        return Error{std::string(name) + " = " + listText(*list) +
                     " is more than 32 bits can count"};
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

/// How far apart neighbours along each dimension are in the id.
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

Result<NestedLayout> fromXeGPU(const XeGPUParams &params,
                               std::span<const int64_t> shape) {
  size_t rank = shape.size();
  if (auto error = checkLists(params, rank))
    return *error;
  Ints ones(rank, 1);
  const Ints &sgLayout = params.sgLayout.empty() ? ones : params.sgLayout;
  const Ints &laneData = params.laneData.empty() ? ones : params.laneData;
  Ints sgStrides = stridesOf(sgLayout, params.order);
  Ints laneStrides = stridesOf(params.laneLayout, params.order);

  auto uneven = [](std::string what, int64_t size, std::string by,
                   int64_t divisor) {
    return Error{what + " = " + std::to_string(size) +
                 " is not a multiple of " + by + " = " +
                 std::to_string(divisor)};
  };
  std::vector<DimTiles> dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    DimTiles &dim = dims[i];
    int64_t n = shape[i];
    std::string size = at("shape", i);
    if (n < 1)
      return Error{size + " is " + std::to_string(n) + ", but is at least 1"};

    int64_t sgData = n;
    if (!params.sgData.empty())
      sgData = params.sgData[i];
    else if (n % sgLayout[i] != 0)
      return uneven(size, n, at("sg_layout", i), sgLayout[i]);
    else
      sgData = n / sgLayout[i];
    if (n % sgData != 0)
      return uneven(size, n, at("sg_data", i), sgData);
    int64_t blocks = n / sgData, turns = 1;
    if (blocks > sgLayout[i]) {
      if (sgLayout[i] != 1)
        return Error{size + " = " + std::to_string(n) + " is more than " +
                     at("sg_layout", i) + " * " + at("sg_data", i) + " = " +
                     std::to_string(sgLayout[i] * sgData) +
                     ", so subgroups take blocks in turns, but in a nested "
                     "layout each has one contiguous part"};
      // One subgroup takes all blocks: that is a batch of them.
      turns = blocks;
      blocks = 1;
    }
    if (sgLayout[i] % blocks != 0)
      return uneven(at("sg_layout", i), sgLayout[i],
                    size + " / " + at("sg_data", i), blocks);
    dim.subgroup = blocks;
    dim.subgroupStride = sgStrides[i];

    int64_t instData = params.instData.empty() ? sgData : params.instData[i];
    if (sgData % instData != 0)
      return uneven(at("sg_data", i), sgData, at("inst_data", i), instData);
    dim.batch = turns * (sgData / instData);

    int64_t unit = params.laneLayout[i] * laneData[i];
    if (instData % unit != 0)
      return uneven(at(params.instData.empty() ? "sg_data" : "inst_data", i),
                    instData, at("lane_layout", i) + " * " + at("lane_data", i),
                    unit);
    dim.outer = instData / unit;
    dim.thread = params.laneLayout[i];
    dim.threadStride = laneStrides[i];
    dim.element = laneData[i];
  }
  return NestedLayout::ofDims(std::move(dims));
}

Result<NestedLayout> fromXeGPUSlice(const XeGPUParams &params,
                                    std::span<const int64_t> dims,
                                    std::span<const int64_t> shape) {
  size_t rank = shape.size() + dims.size();
  if (auto error = checkLists(params, rank))
    return *error;
  std::vector<bool> sliced(rank);
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(rank) || sliced[d])
      return Error{"slice dims " + listText(dims) +
                   " are not different dimensions of a layout of rank " +
                   std::to_string(rank)};
    sliced[d] = true;
  }
  // The size of the parent along a sliced dimension changes nothing but how
  // often each value is copied: take one distribution unit, without its
  // registers.
  XeGPUParams parent = params;
  Ints parentShape(rank);
  for (size_t i = 0, next = 0; i < rank; ++i) {
    if (!sliced[i]) {
      parentShape[i] = shape[next++];
      continue;
    }
    if (!parent.laneData.empty())
      parent.laneData[i] = 1;
    int64_t lanes = parent.laneLayout[i];
    if (!parent.instData.empty())
      parent.instData[i] = lanes;
    if (!parent.sgData.empty())
      parent.sgData[i] = lanes;
    parentShape[i] = lanes * (parent.sgLayout.empty() ? 1 : parent.sgLayout[i]);
  }
  Result<NestedLayout> layout = fromXeGPU(parent, parentShape);
  if (!layout)
    return layout;
  return project(*layout, dims);
}

} // namespace aircc::layout
