//===- WaveDistribution.cpp - Contractions over waves ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/WaveDistribution.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>

using namespace llvm;
using namespace aircc::layout;

namespace aircc::strategy {

/// A stride that is not known yet.
static constexpr int64_t kOpen = -1;

int64_t countTiles(const ContractionShape &shape,
                   const MatrixInstruction &instruction, int64_t d) {
  int64_t tile = d == shape.m   ? instruction.m
                 : d == shape.n ? instruction.n
                 : d == shape.k ? instruction.k
                                : 1;
  return shape.bounds[d] % tile == 0 ? shape.bounds[d] / tile : 0;
}

int64_t getTraffic(const ContractionShape &shape, ArrayRef<int64_t> waves) {
  int64_t sum = 0;
  for (unsigned number : {0u, 1u}) {
    int64_t elements = 1;
    for (int64_t d : shape.dims[number])
      elements *= shape.bounds[d] / waves[d];
    sum += elements;
  }
  return sum;
}

/// Returns the wave strides in the order of the dimensions, the last one
/// fastest.
static SmallVector<int64_t> getStrides(const ContractionShape &shape,
                                       ArrayRef<int64_t> waves) {
  SmallVector<int64_t> strides(waves.size(), 0);
  int64_t stride = 1;
  for (int64_t d : reverse(shape.parallel)) {
    strides[d] = stride;
    stride *= waves[d];
  }
  return strides;
}

Result<WaveDistribution>
getUserDistribution(const ContractionShape &shape,
                    const OperandConstraints &constraints) {
  static const char *const names[] = {"lhs", "rhs", "acc"};
  SmallVector<int64_t> zeros(shape.bounds.size(), 0);
  WaveDistribution fixed{zeros, zeros, zeros, {}};
  SmallVector<unsigned> by(shape.bounds.size(), 0);
  for (auto [number, constraint] : enumerate(constraints)) {
    if (!constraint || !constraint->hasSubgroups())
      continue;
    for (auto [i, d] : enumerate(shape.dims[number])) {
      const DimTiles &dim = constraint->dim(i);
      int64_t cycles = dim.subgroup > 1 ? dim.cycles : 1;
      int64_t stride = dim.subgroup == 1          ? 0
                       : constraint->hasStrides() ? dim.subgroupStride
                                                  : kOpen;
      std::string where = "dimension " + std::to_string(i) + " of its " +
                          names[number] + " is distributed over " +
                          std::to_string(dim.subgroup) + " subgroups";
      if (!is_contained(shape.parallel, d) && dim.subgroup > 1)
        return Error{where +
                     ", but a matrix instruction cannot reduce across "
                     "subgroups; each subgroup must hold all of the dimension"};
      if (fixed.waves[d] != 0 && fixed.strides[d] == kOpen)
        fixed.strides[d] = stride;
      if (fixed.waves[d] != 0 &&
          (fixed.waves[d] != dim.subgroup || fixed.cycles[d] != cycles ||
           (stride != kOpen && fixed.strides[d] != stride)))
        return Error{where + " differently from the same dimension of its " +
                     names[by[d]]};
      if (fixed.waves[d] != 0)
        continue;
      fixed.waves[d] = dim.subgroup;
      fixed.strides[d] = stride;
      fixed.cycles[d] = cycles;
      by[d] = number;
    }
  }
  return fixed;
}

std::optional<WaveDistribution>
completeDistribution(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     WaveDistribution fixed, int64_t numWaves) {
  SmallVector<int64_t> taken, open;
  for (int64_t d : reverse(shape.parallel)) {
    bool isOpen = fixed.waves[d] == 0 || fixed.strides[d] == kOpen;
    (isOpen ? open : taken).push_back(d);
  }
  for (int64_t &cycles : fixed.cycles)
    cycles = std::max<int64_t>(cycles, 1);
  // Dimensions with equal strides keep their order, which is the reverse of
  // their numbers.
  llvm::sort(taken, [&](int64_t a, int64_t b) {
    return std::pair(fixed.strides[a], -a) < std::pair(fixed.strides[b], -b);
  });
  int64_t next = 1;
  auto fill = [&](int64_t end) {
    for (int64_t &d : open) {
      if (d < 0 || next >= end || end % next != 0)
        continue;
      int64_t count = fixed.waves[d];
      if (count == 0)
        count =
            std::gcd(std::max<int64_t>(countTiles(shape, instruction, d), 1),
                     end / next);
      else if (end / next % count != 0)
        continue;
      fixed.waves[d] = count;
      fixed.strides[d] = count == 1 ? 0 : next;
      next *= count;
      d = -1;
    }
  };
  for (int64_t d : taken) {
    if (fixed.waves[d] == 1)
      continue;
    fill(fixed.strides[d]);
    next = fixed.strides[d] * fixed.waves[d];
  }
  fill(numWaves);
  for (size_t d = 0; d < fixed.waves.size(); ++d) {
    if (fixed.strides[d] == kOpen)
      return std::nullopt;
    fixed.waves[d] = std::max<int64_t>(fixed.waves[d], 1);
  }
  fixed.contiguous.assign(fixed.waves.size(), 1);
  return fixed;
}

void forEachDistribution(const ContractionShape &shape,
                         const MatrixInstruction &instruction, int64_t numWaves,
                         function_ref<void(const WaveDistribution &)> visit) {
  SmallVector<int64_t> waves(shape.bounds.size(), 1);
  std::function<void(size_t, int64_t)> distribute = [&](size_t index,
                                                        int64_t left) {
    if (index == shape.parallel.size()) {
      SmallVector<int64_t> ones(waves.size(), 1);
      return visit({waves, getStrides(shape, waves), ones, ones});
    }
    int64_t d = shape.parallel[index];
    int64_t tiles = countTiles(shape, instruction, d);
    for (int64_t count = 1; count <= std::min(left, tiles); ++count)
      if (left % count == 0 && tiles % count == 0) {
        waves[d] = count;
        distribute(index + 1, left / count);
      }
    waves[d] = 1;
  };
  distribute(0, numWaves);
}

} // namespace aircc::strategy
