//===- TransposedReads.cpp - Tiles that reads from LDS transpose ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/MatmulTiling.h"

#include "dialects/layout/algebra/LdsBanks.h"
#include "dialects/layout/algebra/TransposedRead.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>
#include <vector>

using namespace aircc::layout;

namespace aircc::strategy {

/// The largest group of rows to try (LdsSwizzle::group).
static constexpr int64_t kMaxGroup = 16;

bool isReadTransposed(const MatmulOperand &operand,
                      const TargetProfile &profile) {
  return !operand.alongK &&
         llvm::is_contained(profile.ldsTransposeBits, unsigned(operand.bits));
}

/// Returns the cycles that LDS takes to serve a wave's reads of the first rows
/// that each lane holds.
static int64_t countCycles(const XorShuffle &swizzle, int64_t rowSize,
                           const NestedLayout &layout, int64_t bits,
                           const TargetProfile &profile) {
  const TransposedRead read(bits);
  const DimTiles &rows = layout.dim(0), &columns = layout.dim(1);
  int64_t cycles = 0;
  std::vector<int64_t> addresses(profile.waveSize);
  for (int64_t first = 0; first < rows.element; first += read.rows()) {
    for (auto [lane, address] : llvm::enumerate(addresses)) {
      int64_t group = columns.virtualThread(lane) / TransposedRead::kLanes;
      int64_t row =
          rows.coordinate(0, rows.virtualThread(lane), first) + read.row(lane);
      int64_t column = group * TransposedRead::kLanes + read.column(lane);
      address = swizzle.apply(row * rowSize + column) * bits / 8;
    }
    cycles += countBankCycles(addresses, TransposedRead::kBits / 8,
                              profile.limits.ldsBanks);
  }
  return cycles;
}

LdsSwizzle getTransposedReadSwizzle(const MatmulOperand &operand,
                                    const Ints &shape,
                                    const NestedLayout &layout,
                                    const TargetProfile &profile) {
  const int64_t bankLine =
      profile.limits.ldsBanks * kBankBytes * 8 / operand.bits;
  int64_t row = shape[1];
  if (row < bankLine && bankLine % row == 0 && product(shape) % bankLine == 0)
    row = bankLine;
  // What a group of lanes reads from a row, or a lane writes at once, must stay
  // contiguous.
  const int64_t smallest = std::max(
      TransposedRead::kLanes, profile.costModel.accessBits / operand.bits);
  // Prefer few permutations, because they need few addresses.
  using Cost = std::tuple<int64_t, int64_t, int64_t>;
  std::optional<Cost> best;
  LdsSwizzle result{row, row, 0, 0};
  for (int64_t access = row; access >= smallest; access /= 2)
    for (int64_t phases = 1; phases <= row / access; phases *= 2)
      for (int64_t group = 0; group <= kMaxGroup;
           group = std::max<int64_t>(2 * group, 2)) {
        Result<XorShuffle> swizzle =
            XorShuffle::get(row, access, phases, group);
        if (!swizzle || (phases == 1 && (group || access != row)))
          continue;
        Cost cost{
            countCycles(*swizzle, shape[1], layout, operand.bits, profile),
            phases, group};
        if (best && *best <= cost)
          continue;
        best = cost;
        result = {row, access, phases, group};
      }
  return result;
}

} // namespace aircc::strategy
