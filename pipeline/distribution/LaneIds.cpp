//===- LaneIds.cpp - Lane ids and coordinates -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/LaneIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

LaneIds::LaneIds(gpu::GPUFuncOp func, const DistributionTarget &target)
    : func(func), b(func.getContext()), lanes(target.waveSize),
      usesHardwareIds(target.isXe()) {
  b.setInsertionPointToStart(&func.getBody().front());
  if (std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize()) {
    threads = 1;
    for (int32_t extent : *size) {
      blockSize.push_back(extent);
      threads *= extent;
    }
    // Some lanes that hold elements would be missing from a partial last wave.
    waves = threads % lanes == 0 ? threads / lanes : 0;
  }
}

Value LaneIds::constant(int64_t value) {
  Value &entry = constants[value];
  if (!entry) {
    // Insert at the entry, so that the constant dominates all later uses.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&func.getBody().front());
    entry = arith::ConstantIndexOp::create(b, func.getLoc(), value);
  }
  return entry;
}

Value LaneIds::linear() {
  if (linearId)
    return linearId;
  Location loc = func.getLoc();
  constexpr gpu::Dimension kDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                      gpu::Dimension::z};
  int64_t stride = 1;
  for (auto [dim, extent] : llvm::zip(kDims, blockSize)) {
    if (extent != 1) {
      Value id = gpu::ThreadIdOp::create(b, loc, dim);
      linearId = sum(b, loc, linearId, scale(id, stride));
    }
    stride *= extent;
  }
  if (!linearId)
    linearId = constant(0);
  return linearId;
}

Value LaneIds::lane() {
  if (laneId)
    return laneId;
  // If the block consists of full waves, derive the lane id from the thread id.
  // Xe always uses the hardware's id, on which block accesses and matrix
  // instructions depend.
  if (waves > 0 && !usesHardwareIds)
    laneId = waves == 1 ? linear()
                        : arith::RemUIOp::create(b, func.getLoc(), linear(),
                                                 constant(lanes))
                              .getResult();
  else
    laneId = gpu::LaneIdOp::create(b, func.getLoc(), b.getIndexAttr(lanes));
  return laneId;
}

Value LaneIds::wave() {
  assert(waves > 0 && "the kernel has no known number of waves");
  if (waveId)
    return waveId;
  if (waves > 1 && usesHardwareIds)
    waveId = gpu::SubgroupIdOp::create(b, func.getLoc(), b.getIndexAttr(waves));
  else
    waveId = waves == 1 ? constant(0)
                        : arith::DivUIOp::create(b, func.getLoc(), linear(),
                                                 constant(lanes))
                              .getResult();
  return waveId;
}

Value LaneIds::scale(Value value, int64_t factor) {
  if (factor == 1)
    return value;
  return arith::MulIOp::create(b, func.getLoc(), value, constant(factor),
                               arith::IntegerOverflowFlags::nsw |
                                   arith::IntegerOverflowFlags::nuw);
}

Value LaneIds::digit(Value id, int64_t period, int64_t stride, int64_t tile) {
  Location loc = func.getLoc();
  if (stride != 1)
    id = arith::DivUIOp::create(b, loc, id, constant(stride));
  // The most significant digit needs no remainder.
  if (stride * tile < period)
    id = arith::RemUIOp::create(b, loc, id, constant(tile));
  return id;
}

Value LaneIds::virtualThread(const DimTiles &dim) {
  if (dim.thread == 1)
    return {};
  Value &entry = digits[{false, dim.threadStride, dim.thread}];
  if (!entry)
    entry = digit(lane(), lanes, dim.threadStride, dim.thread);
  return entry;
}

Value LaneIds::virtualSubgroup(const DimTiles &dim) {
  if (dim.subgroup == 1)
    return {};
  Value &entry = digits[{true, dim.subgroupStride, dim.subgroup}];
  if (!entry)
    entry = digit(wave(), waves, dim.subgroupStride, dim.subgroup);
  return entry;
}

Value LaneIds::base(const DimTiles &dim) {
  if (dim.thread == 1 && dim.subgroup == 1)
    return {};
  Value &entry = bases[{dim.subgroup, dim.batch, dim.outer, dim.thread,
                        dim.element, dim.subgroupStride, dim.threadStride}];
  if (entry)
    return entry;
  if (Value s = virtualSubgroup(dim))
    entry = scale(s, dim.blockSize());
  if (Value t = virtualThread(dim))
    entry = sum(b, func.getLoc(), entry, scale(t, dim.element));
  return entry;
}

Value LaneIds::isSmallest(Value id, ArrayRef<std::pair<int64_t, int64_t>> tiles,
                          int64_t numIds) {
  Location loc = func.getLoc();
  // Collect the digits of the id that no tile uses.
  SmallVector<std::pair<int64_t, int64_t>> used(tiles);
  llvm::sort(used);
  int64_t next = 1;
  Value result;
  auto requireZero = [&](int64_t stride, int64_t tile) {
    Value zero =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                              digit(id, numIds, stride, tile), constant(0));
    result =
        result ? arith::AndIOp::create(b, loc, result, zero).getResult() : zero;
  };
  for (auto [stride, tile] : used) {
    if (stride > next)
      requireZero(next, stride / next);
    next = stride * tile;
  }
  if (next < numIds) {
    // The part above all tiles need not divide evenly.
    Value zero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, id,
                                       constant(next));
    result =
        result ? arith::AndIOp::create(b, loc, result, zero).getResult() : zero;
  }
  return result;
}

Value LaneIds::isFirstHolder(const NestedLayout &layout, int64_t numWaves) {
  auto [it, isNew] = holders.try_emplace({layout.str(), numWaves});
  if (!isNew)
    return it->second;
  SmallVector<std::pair<int64_t, int64_t>> threadDigits, waveDigits;
  for (const DimTiles &dim : layout.dims()) {
    if (dim.thread != 1)
      threadDigits.push_back({dim.threadStride, dim.thread});
    if (dim.subgroup != 1)
      waveDigits.push_back({dim.subgroupStride, dim.subgroup});
  }
  Value result;
  if (layout.distinctLanes() < lanes)
    result = isSmallest(lane(), threadDigits, lanes);
  if (layout.distinctSubgroups() < numWaves) {
    Value first = isSmallest(wave(), waveDigits, numWaves);
    result =
        result
            ? arith::AndIOp::create(b, func.getLoc(), result, first).getResult()
            : first;
  }
  return it->second = result;
}

Value LaneIds::add(OpBuilder &b, Location loc, Value lhs, int64_t rhs) {
  if (rhs == 0)
    return lhs;
  Value offset = arith::ConstantIndexOp::create(b, loc, rhs);
  return lhs ? sum(b, loc, lhs, offset) : offset;
}

Value LaneIds::sum(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AddIOp::create(b, loc, lhs, rhs,
                               arith::IntegerOverflowFlags::nsw);
}

} // namespace aircc::distribution
