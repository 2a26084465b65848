//===- LdsExchangePlan.cpp - Plan exchange storage ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/exchange/LdsExchangePlan.h"

#include "dialects/layout/algebra/LdsBanks.h"
#include "pipeline/distribution/LaneIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::kBankBytes;
using aircc::layout::kWidestLdsAccess;
using aircc::layout::LdsPhases;
using aircc::layout::NestedLayout;
using aircc::layout::XorShuffle;

namespace aircc::distribution {

LdsExchangePlan LdsExchangePlan::rowMajor(const Ints &shape, int64_t dim,
                                          int64_t gap) {
  LdsExchangePlan plan;
  plan.strides.assign(shape.size(), 1);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    plan.strides[i] = stride;
    stride *= shape[i];
    if (static_cast<int64_t>(i) == dim)
      stride += gap;
  }
  plan.count = stride;
  return plan;
}

int64_t LdsExchangePlan::offsetOf(const NestedLayout &layout,
                                  int64_t reg) const {
  Ints position = layout::delinearize(reg, layout.distributedShape());
  int64_t offset = 0;
  for (int64_t i = 0; i < layout.rank(); ++i)
    offset += layout.dim(i).coordinate(0, 0, position[i]) * strides[i];
  return offset;
}

bool isBitwise(const NestedLayout &layout) {
  return llvm::all_of(layout.dims(), [](const DimTiles &dim) {
    return llvm::all_of(llvm::ArrayRef<int64_t>{dim.cycles, dim.subgroup,
                                                dim.batch, dim.outer,
                                                dim.thread, dim.element},
                        [](int64_t n) { return llvm::isPowerOf2_64(n); });
  });
}

namespace {

class Planner {
public:
  explicit Planner(const LdsExchangeUse &use) : use(use) {
    writeLength =
        use.from.rank() ? use.from.dim(use.from.rank() - 1).element : 1;
    int64_t widest = std::max<int64_t>(kWidestLdsAccess / use.elementBytes, 1);
    writeWidth = std::min(writeLength, widest);
    readWidth = std::min(use.readLength, widest);
    // A block must not be smaller than an access or a bank.
    block = std::max(
        {writeWidth, readWidth, kBankBytes / use.elementBytes, int64_t(1)});
  }

  LdsExchangePlan plan();

private:
  void consider(const LdsExchangePlan &candidate);
  int64_t countCycles(const LdsExchangePlan &candidate);
  int64_t countAccess(const LdsExchangePlan &candidate, int64_t reg, bool read);

  const LdsExchangeUse &use;
  int64_t writeLength, writeWidth, readWidth, block;
  LdsExchangePlan best;
  int64_t bestCycles = 0;
};

} // namespace

/// Returns the cycles for one contiguous range of registers. Counts reads for
/// both orders in which chips serve lanes.
int64_t Planner::countAccess(const LdsExchangePlan &candidate, int64_t reg,
                             bool read) {
  int64_t length = read ? use.readLength : writeLength;
  int64_t width = read ? readWidth : writeWidth;
  int64_t bytes = width * use.elementBytes;
  bool bothOrders = read && bytes == kWidestLdsAccess && use.lanes % 32 == 0;
  Ints at(use.from.rank());
  std::vector<int64_t> addresses(use.lanes);
  int64_t cycles = 0;
  for (int64_t first = 0; first < length; first += width) {
    for (int64_t lane = 0; lane < use.lanes; ++lane) {
      if (read)
        use.readFrom(lane, reg + first, at);
      else
        use.from.elementAt(0, lane, reg + first, at);
      int64_t offset = 0;
      for (size_t i = 0; i < at.size(); ++i)
        offset += at[i] * candidate.strides[i];
      if (candidate.swizzle)
        offset = candidate.swizzle->apply(offset);
      addresses[lane] = offset * use.elementBytes;
    }
    auto countPhases = [&](LdsPhases phases) {
      return layout::countBankCycles(addresses, bytes, use.banks, phases);
    };
    int64_t adjacentCycles = countPhases(LdsPhases::Adjacent);
    cycles += adjacentCycles + (bothOrders ? countPhases(LdsPhases::PairedQuads)
                                           : adjacentCycles);
  }
  return cycles;
}

int64_t Planner::countCycles(const LdsExchangePlan &candidate) {
  // Most ranges have the same conflicts in other banks, so a few samples are
  // sufficient.
  auto count = [&](int64_t registers, int64_t length, bool read) {
    int64_t runs = registers / length;
    std::set<int64_t> samples = {0, runs / 2, runs - 1};
    int64_t cycles = 0;
    for (int64_t i : samples)
      cycles += countAccess(candidate, i * length, read);
    return cycles * runs / static_cast<int64_t>(samples.size());
  };
  return count(use.from.numRegisters(), writeLength, false) +
         count(use.numRead, use.readLength, true);
}

void Planner::consider(const LdsExchangePlan &candidate) {
  int64_t cycles = countCycles(candidate);
  if (cycles >= bestCycles)
    return;
  best = candidate;
  bestCycles = cycles;
}

LdsExchangePlan Planner::plan() {
  Ints shape = use.from.shape();
  best = LdsExchangePlan::rowMajor(shape);
  if (!use.readFrom || use.banks == 0)
    return best;
  bestCycles = countCycles(best);
  const LdsExchangePlan plain = best;
  int64_t line =
      std::max<int64_t>(use.banks * kBankBytes / use.elementBytes, 1);
  if (use.isBitwise)
    for (int64_t row = 2 * block; row < plain.count; row *= 2)
      for (int64_t phases = 2;
           phases <= std::min(row, line) / block && phases * row <= plain.count;
           phases *= 2)
        if (layout::Result<XorShuffle> swizzle =
                XorShuffle::get(row, block, phases)) {
          LdsExchangePlan candidate = plain;
          candidate.swizzle = *swizzle;
          consider(candidate);
        }
  // Padding makes the buffer larger.
  for (int64_t dim = use.from.rank() - 1; dim > 0; --dim)
    for (int64_t gap = block; gap < line; gap *= 2) {
      LdsExchangePlan candidate = LdsExchangePlan::rowMajor(shape, dim, gap);
      if (use.fits(candidate.count))
        consider(candidate);
    }
  return best;
}

LdsExchangePlan planLdsExchange(const LdsExchangeUse &use) {
  return Planner(use).plan();
}

Value LdsAddresses::at(OpBuilder &b, Location loc, int64_t offset) {
  if (!plan.swizzle)
    return LaneIds::add(b, loc, base, offset);
  const XorShuffle &swizzle = *plan.swizzle;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  if (base && !isSwizzled) {
    Value row =
        b.createOrFold<arith::DivUIOp>(loc, base, constant(swizzle.rowWidth()));
    Value phase =
        b.createOrFold<arith::RemUIOp>(loc, row, constant(swizzle.phases()));
    Value by = b.createOrFold<arith::MulIOp>(loc, phase,
                                             constant(swizzle.accessWidth()));
    base = b.createOrFold<arith::XOrIOp>(loc, base, by);
    isSwizzled = true;
  }
  // swizzle(a xor b) = swizzle(a) xor swizzle(b). The bits of the offset above
  // the permuted blocks are zero in the base, so add them instead, which lets
  // several accesses share an address.
  offset = swizzle.apply(offset);
  int64_t permuted = swizzle.phases() * swizzle.accessWidth();
  int64_t mixed =
      offset % permuted / swizzle.accessWidth() * swizzle.accessWidth();
  Value &value = swizzled[mixed];
  if (!value && mixed)
    value = base ? b.createOrFold<arith::XOrIOp>(loc, base, constant(mixed))
                 : constant(mixed);
  return LaneIds::add(b, loc, mixed ? value : base, offset - mixed);
}

} // namespace aircc::distribution
