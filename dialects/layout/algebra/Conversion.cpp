//===- Conversion.cpp - From one layout of a vector to another ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/Conversion.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace aircc::layout {

const char *conversionKindText(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Identity:
    return "identity";
  case ConversionKind::WithinLane:
    return "within a lane";
  case ConversionKind::WithinWave:
    return "within a wave";
  case ConversionKind::AcrossWaves:
    return "across waves";
  }
  return "";
}

Result<ConversionKind> conversionKind(const NestedLayout &from,
                                      const NestedLayout &to,
                                      int64_t numSubgroups, int64_t numLanes) {
  if (from.shape() != to.shape())
    return Error{"a layout of shape " + shapeText(from.shape()) +
                 " cannot be converted to one of shape " +
                 shapeText(to.shape())};
  for (const NestedLayout *layout : {&from, &to})
    if (auto error = layout->misfit(numSubgroups, numLanes))
      return *error;
  if (from == to)
    return ConversionKind::Identity;

  // A lane (a subgroup) holds an element if it does so in each dimension, and
  // the elements that it needs are all combinations of those that it needs in
  // each dimension. It is therefore sufficient to check each dimension
  // separately. Because the layout fits, a subgroup with the right position
  // always has a lane with the right position.
  auto kind = ConversionKind::WithinLane;
  for (int64_t i = 0; i < from.rank(); ++i) {
    const DimTiles &source = from.dim(i), &target = to.dim(i);
    // The positions of an id in the tiles of the target and of the source.
    std::set<std::pair<int64_t, int64_t>> subgroupPositions, threadPositions;
    for (int64_t id = 0; id < numSubgroups; ++id)
      subgroupPositions.emplace(target.virtualSubgroup(id),
                                source.virtualSubgroup(id));
    for (int64_t lane = 0; lane < numLanes; ++lane)
      threadPositions.emplace(target.virtualThread(lane),
                              source.virtualThread(lane));
    for (auto [s, ownS] : subgroupPositions)
      for (auto [t, ownT] : threadPositions)
        for (int64_t k = 0; k < target.values(); ++k) {
          DimTiles::Place place = source.place(target.coordinate(s, t, k));
          if (place.virtualSubgroup != ownS)
            return ConversionKind::AcrossWaves;
          if (place.virtualThread != ownT)
            kind = ConversionKind::WithinWave;
        }
  }
  return kind;
}

/// Returns the number below `count` that matches and has the smallest xor with
/// `id`. There is at least one, because the layout fits.
template <typename Matches>
static int32_t nearest(int64_t id, int64_t count, Matches matches) {
  if (matches(id))
    return static_cast<int32_t>(id);
  int64_t best = -1;
  for (int64_t other = 0; other < count; ++other)
    if (matches(other) && (best < 0 || (other ^ id) < (best ^ id)))
      best = other;
  return static_cast<int32_t>(best);
}

Result<Conversion> Conversion::get(const NestedLayout &from,
                                   const NestedLayout &to, int64_t numSubgroups,
                                   int64_t numLanes) {
  Result<ConversionKind> kind =
      layout::conversionKind(from, to, numSubgroups, numLanes);
  if (!kind)
    return Error{kind.message()};
  Conversion conversion;
  conversion.theKind = *kind;
  conversion.subgroups = numSubgroups;
  conversion.lanes = numLanes;
  conversion.registers = to.numRegisters();
  conversion.sourceRegisters = from.numRegisters();
  int64_t entries;
  if (__builtin_mul_overflow(numSubgroups, numLanes, &entries) ||
      __builtin_mul_overflow(entries, conversion.registers, &entries) ||
      entries > std::numeric_limits<int32_t>::max() ||
      conversion.sourceRegisters > std::numeric_limits<int32_t>::max())
    return Error{"a conversion of " + std::to_string(numSubgroups) +
                 " subgroups x " + std::to_string(numLanes) + " lanes x " +
                 std::to_string(conversion.registers) +
                 " registers is too large to list"};
  conversion.sources.reserve(entries);

  Ints element(to.rank());
  std::vector<DimTiles::Place> places(to.rank());
  auto subgroupMatches = [&](int64_t subgroup) {
    for (int64_t i = 0; i < from.rank(); ++i)
      if (from.dim(i).virtualSubgroup(subgroup) != places[i].virtualSubgroup)
        return false;
    return true;
  };
  auto laneMatches = [&](int64_t lane) {
    for (int64_t i = 0; i < from.rank(); ++i)
      if (from.dim(i).virtualThread(lane) != places[i].virtualThread)
        return false;
    return true;
  };
  for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < numLanes; ++lane)
      for (int64_t reg = 0; reg < conversion.registers; ++reg) {
        to.elementAt(subgroup, lane, reg, element);
        int64_t sourceReg = 0;
        for (int64_t i = 0; i < from.rank(); ++i) {
          places[i] = from.dim(i).place(element[i]);
          sourceReg = sourceReg * from.dim(i).values() + places[i].k;
        }
        conversion.sources.push_back(
            {nearest(subgroup, numSubgroups, subgroupMatches),
             nearest(lane, numLanes, laneMatches),
             static_cast<int32_t>(sourceReg)});
      }
  return conversion;
}

RegisterMove Conversion::move(int64_t reg) const {
  RegisterMove result;
  std::set<int32_t> registersSeen;
  result.ownLane = result.ownSubgroup = true;
  result.xorMask = source(0, 0, reg).lane;
  result.laneTable.emplace(lanes);
  for (int64_t lane = 0; lane < lanes; ++lane)
    (*result.laneTable)[lane] = source(0, lane, reg).lane;
  for (int64_t subgroup = 0; subgroup < subgroups; ++subgroup)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const Source &from = source(subgroup, lane, reg);
      registersSeen.insert(from.reg);
      result.ownSubgroup &= from.subgroup == subgroup;
      result.ownLane &= from.subgroup == subgroup && from.lane == lane;
      if (result.xorMask && (from.lane ^ lane) != *result.xorMask)
        result.xorMask.reset();
      if (result.laneTable && from.lane != (*result.laneTable)[lane])
        result.laneTable.reset();
    }
  result.sourceRegisters.assign(registersSeen.begin(), registersSeen.end());
  return result;
}

std::optional<std::vector<int32_t>> Conversion::registerTable() const {
  std::vector<int32_t> table(registers);
  for (int64_t reg = 0; reg < registers; ++reg) {
    table[reg] = source(0, 0, reg).reg;
    for (int64_t subgroup = 0; subgroup < subgroups; ++subgroup)
      for (int64_t lane = 0; lane < lanes; ++lane)
        if (source(subgroup, lane, reg).reg != table[reg])
          return std::nullopt;
  }
  return table;
}

int64_t Conversion::numShuffles() const {
  int64_t count = 0;
  for (int64_t reg = 0; reg < registers; ++reg) {
    std::set<int32_t> foreign;
    for (int64_t subgroup = 0; subgroup < subgroups; ++subgroup)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const Source &from = source(subgroup, lane, reg);
        if (from.lane != lane)
          foreign.insert(from.reg);
      }
    count += static_cast<int64_t>(foreign.size());
  }
  return count;
}

} // namespace aircc::layout
