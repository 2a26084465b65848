//===- NestedLayout.cpp - The distribution of a vector --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/NestedLayout.h"

#include <algorithm>

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Lists of integers
//===----------------------------------------------------------------------===//

int64_t product(std::span<const int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

int64_t linearize(std::span<const int64_t> position,
                  std::span<const int64_t> shape) {
  int64_t index = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    index = index * shape[i] + position[i];
  return index;
}

Ints delinearize(int64_t index, std::span<const int64_t> shape) {
  Ints position(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    position[i] = index % shape[i];
    index /= shape[i];
  }
  return position;
}

static std::string joined(std::span<const int64_t> values,
                          const char *separator) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i)
      text += separator;
    text += std::to_string(values[i]);
  }
  return text;
}

std::string listText(std::span<const int64_t> values) {
  return "[" + joined(values, ", ") + "]";
}

std::string shapeText(std::span<const int64_t> shape) {
  return shape.empty() ? "scalar" : joined(shape, "x");
}

//===----------------------------------------------------------------------===//
// NestedParams, DimTiles
//===----------------------------------------------------------------------===//

NestedParams NestedParams::ofInstruction(Ints outerTile, Ints threadTile,
                                         Ints elementTile, Ints threadStrides) {
  Ints ones(threadTile.size(), 1), zeros(threadTile.size(), 0);
  return {ones,
          ones,
          std::move(outerTile),
          std::move(threadTile),
          std::move(elementTile),
          zeros,
          std::move(threadStrides),
          {}};
}

std::string NestedParams::str() const {
  return "#layout.nested<" +
         (cycleTile.empty() ? ""
                            : "cycle_tile = " + listText(cycleTile) + ", ") +
         "subgroup_tile = " + listText(subgroupTile) +
         ", batch_tile = " + listText(batchTile) +
         ", outer_tile = " + listText(outerTile) +
         ", thread_tile = " + listText(threadTile) +
         ", element_tile = " + listText(elementTile) +
         ", subgroup_strides = " + listText(subgroupStrides) +
         ", thread_strides = " + listText(threadStrides) + ">";
}

DimTiles::Place DimTiles::place(int64_t coordinate) const {
  int64_t e = coordinate % element;
  coordinate /= element;
  int64_t t = coordinate % thread;
  coordinate /= thread;
  int64_t bo = coordinate % (batch * outer);
  coordinate /= batch * outer;
  int64_t cycle = coordinate / subgroup;
  return {coordinate % subgroup, t, (cycle * batch * outer + bo) * element + e};
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// A level that is distributed over ids, with its names for errors.
struct Level {
  const char *tileName;
  const char *strideName;
  int64_t DimTiles::*tile;
  int64_t DimTiles::*stride;
};

static constexpr Level subgroupLevel = {"subgroup_tile", "subgroup_strides",
                                        &DimTiles::subgroup,
                                        &DimTiles::subgroupStride};
static constexpr Level threadLevel = {"thread_tile", "thread_strides",
                                      &DimTiles::thread,
                                      &DimTiles::threadStride};

static std::string at(const char *name, size_t dim) {
  return std::string(name) + "[" + std::to_string(dim) + "]";
}

static std::optional<Error> checkTiles(const std::vector<DimTiles> &dims) {
  static constexpr std::pair<const char *, int64_t DimTiles::*> tiles[] = {
      {"cycle_tile", &DimTiles::cycles},
      {"subgroup_tile", &DimTiles::subgroup},
      {"batch_tile", &DimTiles::batch},
      {"outer_tile", &DimTiles::outer},
      {"thread_tile", &DimTiles::thread},
      {"element_tile", &DimTiles::element}};
  int64_t elements = 1;
  for (size_t i = 0; i < dims.size(); ++i)
    for (auto [name, tile] : tiles) {
      if (dims[i].*tile < 1)
        return Error{at(name, i) + " is " + std::to_string(dims[i].*tile) +
                     ", but a tile must be at least 1"};
      if (__builtin_mul_overflow(elements, dims[i].*tile, &elements))
        return Error{"the vector has more elements than 64 bits can count"};
    }
  return std::nullopt;
}

/// Checks the strides of one level: each by itself, then that they do not
/// overlap.
static std::optional<Error> checkStrides(const std::vector<DimTiles> &dims,
                                         const Level &level) {
  std::vector<size_t> order;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t tile = dims[i].*level.tile, stride = dims[i].*level.stride;
    if (stride < 0)
      return Error{at(level.strideName, i) + " is " + std::to_string(stride) +
                   ", but a stride cannot be negative"};
    if (tile == 1)
      continue;
    if (stride == 0)
      return Error{at(level.tileName, i) + " is " + std::to_string(tile) +
                   ", so " + at(level.strideName, i) +
                   " cannot be 0; a stride of 0 is only for a tile of 1, which "
                   "is not distributed"};
    order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(dims[a].*level.stride, a) <
           std::pair(dims[b].*level.stride, b);
  });
  for (size_t n = 0; n < order.size(); ++n) {
    const DimTiles &dim = dims[order[n]];
    int64_t span;
    if (__builtin_mul_overflow(dim.*level.stride, dim.*level.tile, &span))
      return Error{at(level.strideName, order[n]) + " times " +
                   at(level.tileName, order[n]) + " does not fit in 64 bits"};
    if (n + 1 == order.size())
      break;
    int64_t next = dims[order[n + 1]].*level.stride;
    if (next % span != 0)
      return Error{"the strides of dimensions " + std::to_string(order[n]) +
                   " and " + std::to_string(order[n + 1]) +
                   " overlap: " + at(level.strideName, order[n + 1]) + " = " +
                   std::to_string(next) + " is not a multiple of " +
                   at(level.strideName, order[n]) + " * " +
                   at(level.tileName, order[n]) + " = " +
                   std::to_string(dim.*level.stride) + " * " +
                   std::to_string(dim.*level.tile) + " = " +
                   std::to_string(span)};
  }
  return std::nullopt;
}

/// Brings the map of a dimension into canonical form; see the header.
static void canonicalize(DimTiles &dim) {
  if (dim.subgroup == 1) {
    dim.subgroupStride = 0;
    dim.batch *= dim.cycles;
    dim.cycles = 1;
  }
  dim.batch *= dim.outer;
  dim.outer = 1;
  if (dim.thread == 1) {
    dim.threadStride = 0;
    dim.element *= dim.batch;
    dim.batch = 1;
  }
}

Result<NestedLayout> NestedLayout::ofDims(std::vector<DimTiles> dims) {
  if (auto error = checkTiles(dims))
    return *error;
  for (const Level &level : {subgroupLevel, threadLevel})
    if (auto error = checkStrides(dims, level))
      return *error;
  for (DimTiles &dim : dims)
    canonicalize(dim);
  return NestedLayout(std::move(dims));
}

Result<NestedLayout> NestedLayout::get(const NestedParams &params) {
  const std::pair<const char *, const Ints *> lists[] = {
      {"subgroup_tile", &params.subgroupTile},
      {"batch_tile", &params.batchTile},
      {"outer_tile", &params.outerTile},
      {"thread_tile", &params.threadTile},
      {"element_tile", &params.elementTile},
      {"subgroup_strides", &params.subgroupStrides},
      {"thread_strides", &params.threadStrides}};
  size_t rank = params.subgroupTile.size();
  if (!params.cycleTile.empty() && params.cycleTile.size() != rank)
    return Error{"cycle_tile has " + std::to_string(params.cycleTile.size()) +
                 " entries, but subgroup_tile has " + std::to_string(rank) +
                 "; every list must have one entry for each dimension"};
  for (auto [name, list] : lists)
    if (list->size() != rank)
      return Error{std::string(name) + " has " + std::to_string(list->size()) +
                   " entries, but subgroup_tile has " + std::to_string(rank) +
                   "; every list must have one entry for each dimension"};
  std::vector<DimTiles> dims(rank);
  for (size_t i = 0; i < rank; ++i)
    dims[i] = {params.subgroupTile[i], params.batchTile[i],
               params.outerTile[i],    params.threadTile[i],
               params.elementTile[i],  params.subgroupStrides[i],
               params.threadStrides[i]};
  for (size_t i = 0; i < params.cycleTile.size(); ++i)
    dims[i].cycles = params.cycleTile[i];
  return ofDims(std::move(dims));
}

NestedParams NestedLayout::params() const {
  NestedParams params;
  for (const DimTiles &dim : tiles) {
    params.subgroupTile.push_back(dim.subgroup);
    params.batchTile.push_back(dim.batch);
    params.outerTile.push_back(dim.outer);
    params.threadTile.push_back(dim.thread);
    params.elementTile.push_back(dim.element);
    params.subgroupStrides.push_back(dim.subgroupStride);
    params.threadStrides.push_back(dim.threadStride);
    params.cycleTile.push_back(dim.cycles);
  }
  if (product(params.cycleTile) == 1)
    params.cycleTile.clear();
  return params;
}

//===----------------------------------------------------------------------===//
// Shapes and counts
//===----------------------------------------------------------------------===//

Ints NestedLayout::shape() const {
  Ints result;
  for (const DimTiles &dim : tiles)
    result.push_back(dim.size());
  return result;
}

Ints NestedLayout::distributedShape() const {
  Ints result;
  for (const DimTiles &dim : tiles)
    result.push_back(dim.values());
  return result;
}

int64_t NestedLayout::numElements() const { return product(shape()); }

int64_t NestedLayout::numRegisters() const {
  return product(distributedShape());
}

int64_t NestedLayout::distinctSubgroups() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result *= dim.subgroup;
  return result;
}

int64_t NestedLayout::distinctLanes() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result *= dim.thread;
  return result;
}

int64_t NestedLayout::subgroupPeriod() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result = std::max(result, dim.subgroupStride * dim.subgroup);
  return result;
}

int64_t NestedLayout::lanePeriod() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result = std::max(result, dim.threadStride * dim.thread);
  return result;
}

int64_t NestedLayout::minSubgroups() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result += dim.subgroupStride * (dim.subgroup - 1);
  return result;
}

int64_t NestedLayout::minLanes() const {
  int64_t result = 1;
  for (const DimTiles &dim : tiles)
    result += dim.threadStride * (dim.thread - 1);
  return result;
}

std::optional<int64_t>
NestedLayout::subgroupCopies(int64_t numSubgroups) const {
  if (numSubgroups % subgroupPeriod() != 0)
    return std::nullopt;
  return numSubgroups / distinctSubgroups();
}

std::optional<int64_t> NestedLayout::laneCopies(int64_t numLanes) const {
  if (numLanes % lanePeriod() != 0)
    return std::nullopt;
  return numLanes / distinctLanes();
}

std::optional<Error> NestedLayout::misfit(int64_t numSubgroups,
                                          int64_t numLanes) const {
  if (numSubgroups < minSubgroups()) {
    std::string present =
        numSubgroups == 1
            ? "is only one subgroup"
            : "are only " + std::to_string(numSubgroups) + " subgroups";
    return Error{"the layout uses subgroup ids up to " +
                 std::to_string(minSubgroups() - 1) + ", but there " + present};
  }
  if (numLanes < minLanes())
    return Error{"the layout uses lanes up to " +
                 std::to_string(minLanes() - 1) + ", but a subgroup has " +
                 std::to_string(numLanes) + " lanes"};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The map and its inverse
//===----------------------------------------------------------------------===//

void NestedLayout::elementAt(int64_t subgroup, int64_t lane, int64_t reg,
                             std::span<int64_t> element) const {
  for (size_t i = tiles.size(); i-- > 0;) {
    const DimTiles &dim = tiles[i];
    int64_t values = dim.values();
    element[i] = dim.coordinate(dim.virtualSubgroup(subgroup),
                                dim.virtualThread(lane), reg % values);
    reg /= values;
  }
}

Ints NestedLayout::elementAt(int64_t subgroup, int64_t lane,
                             int64_t reg) const {
  Ints element(tiles.size());
  elementAt(subgroup, lane, reg, element);
  return element;
}

int64_t NestedLayout::registerOf(std::span<const int64_t> element) const {
  int64_t reg = 0;
  for (size_t i = 0; i < tiles.size(); ++i)
    reg = reg * tiles[i].values() + tiles[i].place(element[i]).k;
  return reg;
}

int64_t NestedLayout::firstSubgroupOf(std::span<const int64_t> element) const {
  int64_t id = 0;
  for (size_t i = 0; i < tiles.size(); ++i)
    id += tiles[i].subgroupStride * tiles[i].place(element[i]).virtualSubgroup;
  return id;
}

int64_t NestedLayout::firstLaneOf(std::span<const int64_t> element) const {
  int64_t lane = 0;
  for (size_t i = 0; i < tiles.size(); ++i)
    lane += tiles[i].threadStride * tiles[i].place(element[i]).virtualThread;
  return lane;
}

bool NestedLayout::holds(int64_t subgroup, int64_t lane,
                         std::span<const int64_t> element) const {
  for (size_t i = 0; i < tiles.size(); ++i) {
    DimTiles::Place place = tiles[i].place(element[i]);
    if (tiles[i].virtualSubgroup(subgroup) != place.virtualSubgroup ||
        tiles[i].virtualThread(lane) != place.virtualThread)
      return false;
  }
  return true;
}

Holders NestedLayout::holdersOf(std::span<const int64_t> element,
                                int64_t numSubgroups, int64_t numLanes) const {
  // Subgroup and lane are independent, so a subgroup that holds the element in
  // some lane holds it in all of the lanes.
  Holders holders;
  holders.reg = registerOf(element);
  int64_t firstSubgroup = firstSubgroupOf(element);
  int64_t firstLane = firstLaneOf(element);
  for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
    if (holds(subgroup, firstLane, element))
      holders.subgroups.push_back(subgroup);
  for (int64_t lane = 0; lane < numLanes; ++lane)
    if (holds(firstSubgroup, lane, element))
      holders.lanes.push_back(lane);
  return holders;
}

} // namespace aircc::layout
