//===- Scans.cpp - Distribute scans ---------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Combine.h"
#include "pipeline/distribution/exchange/Exchange.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

/// Floating-point scans depend on the order. They are computed in element order
/// if each lane would hold at most this many values.
constexpr int64_t kMaxInOrder = 64;

class ScanBuilder {
public:
  ScanBuilder(Distributor &d, vector::ScanOp op)
      : d(d), b(d.b), op(op), loc(op.getLoc()), combine{op.getKind(), nullptr},
        scanDim(op.getReductionDim()), from(*d.getLayout(op.getSource())),
        tiles(from.dim(scanDim)) {
    std::vector<DimTiles> dims = from.dims();
    dims.erase(dims.begin() + scanDim);
    rest = *NestedLayout::ofDims(dims);
  }

  LogicalResult build();

private:
  using Values = SmallVector<Value>;

  /// Returns the layout with these tiles for the scanned dimension.
  NestedLayout replaceScanDim(const DimTiles &dim) const {
    std::vector<DimTiles> dims = from.dims();
    dims[scanDim] = dim;
    return *NestedLayout::ofDims(dims);
  }
  bool dependsOnOrder();
  /// Returns the registers of a distributed vector of this shape, grouped by
  /// the other dimensions, in the order of the scanned dimension.
  Ints getRegistersAlongDim(const Ints &shape) const;

  LogicalResult scanInLane(const NestedLayout &local, const Values &initial);
  LogicalResult scanAcrossLanes(const Values &initial);
  LogicalResult scanLanes(Values &totals, Values &before);
  FailureOr<Values> scanWaves(const Values &totals, const Values &initial);
  Value combineInOrder(Value first, Value second);
  LogicalResult finish(const NestedLayout &layout, ValueRange scanned);

  Distributor &d;
  OpBuilder &b;
  vector::ScanOp op;
  Location loc;
  Combiner combine;
  int64_t scanDim;
  NestedLayout from, rest;
  DimTiles tiles;
};

} // namespace

bool ScanBuilder::dependsOnOrder() {
  using Kind = vector::CombiningKind;
  return isa<FloatType>(op.getDestType().getElementType()) &&
         (op.getKind() == Kind::ADD || op.getKind() == Kind::MUL);
}

Ints ScanBuilder::getRegistersAlongDim(const Ints &shape) const {
  int64_t size = shape[scanDim], inner = 1;
  for (int64_t i = scanDim + 1; i < from.rank(); ++i)
    inner *= shape[i];
  Ints registers;
  for (int64_t other = 0, end = rest.numRegisters(); other < end; ++other)
    for (int64_t k = 0; k < size; ++k)
      registers.push_back((other / inner * size + k) * inner + other % inner);
  return registers;
}

/// Combines `first` with `second`, either of which may be null.
Value ScanBuilder::combineInOrder(Value first, Value second) {
  if (!first || !second)
    return first ? first : second;
  return combine(b, loc, first, second);
}

LogicalResult ScanBuilder::build() {
  DimTiles laneDim;
  laneDim.element = tiles.size();
  NestedLayout local = replaceScanDim(laneDim);
  FailureOr<Values> initial =
      convertLayout(d, op, d.getDistributed(op.getInitialValue()),
                    layoutOrScalar(d, op.getInitialValue()), rest);
  if (failed(initial))
    return failure();
  bool withinLane = from == local;
  if (withinLane || (dependsOnOrder() && local.numRegisters() <= kMaxInOrder))
    return scanInLane(local, *initial);
  return scanAcrossLanes(*initial);
}

/// Moves the scanned dimension into a lane and scans there, in the order of the
/// elements.
LogicalResult ScanBuilder::scanInLane(const NestedLayout &local,
                                      const Values &initial) {
  FailureOr<Values> source =
      convertLayout(d, op, d.getDistributed(op.getSource()), from, local);
  if (failed(source))
    return failure();
  int64_t size = tiles.size();
  Values scanned(source->size());
  // An exclusive scan starts with the initial value and omits the last element;
  // an inclusive scan starts with the first element.
  Value running;
  for (auto [i, reg] :
       llvm::enumerate(getRegistersAlongDim(local.distributedShape()))) {
    int64_t k = i % size;
    if (k == 0)
      running = op.getInclusive() ? Value() : initial[i / size];
    if (op.getInclusive())
      running = combineInOrder(running, (*source)[reg]);
    scanned[reg] = running;
    if (!op.getInclusive() && k + 1 < size)
      running = combineInOrder(running, (*source)[reg]);
  }
  return finish(local, scanned);
}

/// Scans each value of `totals`, of which each lane along the scanned dimension
/// has one. Sets `before` to the combination of all previous lanes, and
/// `totals` to that of all lanes.
LogicalResult ScanBuilder::scanLanes(Values &totals, Values &before) {
  FailureOr<Value> identity =
      combine.identity(b, loc, totals.front().getType());
  if (failed(identity))
    return op->emitOpError(
        "has a combining kind that its type does not support");
  Value lane = d.ids.lane(), position = d.ids.virtualThread(tiles);
  auto toWord = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  };
  // Read from the lane `distance` before this one, or from this lane if there
  // is none.
  auto reaches = [&](int64_t distance) -> Value {
    return arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::uge, position,
        arith::ConstantIndexOp::create(b, loc, distance));
  };
  auto source = [&](int64_t distance, Value reached) -> Value {
    Value other = arith::SubIOp::create(
        b, loc, lane,
        arith::ConstantIndexOp::create(b, loc, distance * tiles.threadStride));
    return toWord(arith::SelectOp::create(b, loc, reached, other, lane));
  };
  for (int64_t distance = 1; distance < tiles.thread; distance *= 2) {
    Value reached = reaches(distance), from = source(distance, reached);
    for (Value &value : totals) {
      Value other = createShuffle(d, loc, value, from, gpu::ShuffleMode::IDX);
      value = arith::SelectOp::create(b, loc, reached,
                                      combine(b, loc, other, value), value);
    }
  }
  Value reached = reaches(1), previous = source(1, reached);
  // This is the last lane along the dimension. If the wave size is not a
  // multiple of the period, use the last lane of the first period, because the
  // last period is incomplete.
  Value first = lane;
  if (int64_t period = from.lanePeriod(); d.target.waveSize % period != 0)
    first = arith::RemUIOp::create(
        b, loc, lane, arith::ConstantIndexOp::create(b, loc, period));
  Value missing = arith::SubIOp::create(
      b, loc, arith::ConstantIndexOp::create(b, loc, tiles.thread - 1),
      position);
  Value last = arith::AddIOp::create(
      b, loc, first,
      arith::MulIOp::create(
          b, loc, missing,
          arith::ConstantIndexOp::create(b, loc, tiles.threadStride)));
  last = toWord(last);
  for (Value &value : totals) {
    Value other = createShuffle(d, loc, value, previous, gpu::ShuffleMode::IDX);
    before.push_back(
        arith::SelectOp::create(b, loc, reached, other, *identity));
    value = createShuffle(d, loc, value, last, gpu::ShuffleMode::IDX);
  }
  return success();
}

/// Returns the combination of all blocks before each block of a wave, which has
/// one block per cycle. `totals` holds the totals of the blocks, grouped by
/// cycle.
FailureOr<SmallVector<Value>> ScanBuilder::scanWaves(const Values &totals,
                                                     const Values &initial) {
  DimTiles waveDim, own;
  waveDim.cycles = tiles.cycles;
  waveDim.subgroup = tiles.subgroup;
  waveDim.subgroupStride = tiles.subgroupStride;
  own.element = waveDim.size();
  NestedLayout waveLayout = withLeadingDims(waveDim, rest);
  Type type = totals.front().getType();
  Value source =
      d.assemble(VectorType::get(waveLayout.distributedShape(), type), totals);
  FailureOr<Values> all =
      convertLayout(d, op, source, waveLayout, withLeadingDims(own, rest));
  if (failed(all))
    return failure();
  FailureOr<Value> identity = combine.identity(b, loc, type);
  if (failed(identity))
    return op->emitOpError(
        "has a combining kind that its type does not support");
  Value wave = d.ids.virtualSubgroup(tiles);
  int64_t others = rest.numRegisters();
  Values before(totals.size());
  for (int64_t other = 0; other < others; ++other) {
    Value running = op.getInclusive() ? *identity : initial[other];
    for (int64_t block = 0; block < own.element; ++block) {
      Value &blockBefore = before[block / tiles.subgroup * others + other];
      Value isOwn = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::eq, wave,
          arith::ConstantIndexOp::create(b, loc, block % tiles.subgroup));
      blockBefore = blockBefore ? arith::SelectOp::create(b, loc, isOwn,
                                                          running, blockBefore)
                                      .getResult()
                                : running;
      running = combine(b, loc, running, (*all)[block * others + other]);
    }
  }
  return before;
}

/// Each lane scans its groups of adjacent elements. A group starts with the
/// combination of all previous blocks of waves, of the previous groups in the
/// block, and of the previous lanes.
LogicalResult ScanBuilder::scanAcrossLanes(const Values &initial) {
  Values elements = d.getDistributedElements(op.getSource());
  Ints registers = getRegistersAlongDim(from.distributedShape());
  int64_t others = rest.numRegisters(), groupSize = tiles.element;
  int64_t numGroups = tiles.values() / groupSize,
          groupsPerCycle = numGroups / tiles.cycles;

  Values totals, lanesBefore(others * numGroups);
  for (size_t i = 0; i < registers.size(); i += groupSize) {
    Value total = elements[registers[i]];
    for (int64_t k = 1; k < groupSize; ++k)
      total = combine(b, loc, total, elements[registers[i + k]]);
    totals.push_back(total);
  }
  if (tiles.thread > 1) {
    lanesBefore.clear();
    if (failed(scanLanes(totals, lanesBefore)))
      return failure();
  }

  Values groupsBefore(totals.size()), blocks(tiles.cycles * others);
  for (size_t i = 0; i < totals.size(); ++i) {
    Value &block =
        blocks[i % numGroups / groupsPerCycle * others + i / numGroups];
    groupsBefore[i] = block;
    block = combineInOrder(block, totals[i]);
  }
  Values blocksBefore = op.getInclusive() ? Values(others) : initial;
  if (tiles.subgroup > 1) {
    FailureOr<Values> before = scanWaves(blocks, initial);
    if (failed(before))
      return failure();
    blocksBefore = *before;
  }

  Values scanned(elements.size());
  for (size_t i = 0; i < totals.size(); ++i) {
    Value running = combineInOrder(
        combineInOrder(blocksBefore[i % numGroups / groupsPerCycle * others +
                                    i / numGroups],
                       groupsBefore[i]),
        lanesBefore[i]);
    for (int64_t k = 0; k < groupSize; ++k) {
      int64_t reg = registers[i * groupSize + k];
      if (op.getInclusive())
        running = combineInOrder(running, elements[reg]);
      scanned[reg] = running;
      if (!op.getInclusive() && k + 1 < groupSize)
        running = combineInOrder(running, elements[reg]);
    }
  }
  return finish(from, scanned);
}

LogicalResult ScanBuilder::finish(const NestedLayout &layout,
                                  ValueRange scanned) {
  Type type = op.getDestType().getElementType();
  Ints shape = layout.distributedShape();
  FailureOr<Values> dest =
      convertLayout(d, op, d.assemble(VectorType::get(shape, type), scanned),
                    layout, *d.getLayout(op.getDest()));
  if (failed(dest))
    return failure();

  // The accumulated value is the last scanned element, which is the last
  // element of a lane along the dimension.
  const DimTiles &dim = layout.dim(scanDim);
  DimTiles lastOnly;
  lastOnly.subgroup = dim.subgroup;
  lastOnly.subgroupStride = dim.subgroupStride;
  lastOnly.thread = dim.thread;
  lastOnly.threadStride = dim.threadStride;
  NestedLayout lastLayout = replaceScanDim(lastOnly);
  Values last;
  Ints registers = getRegistersAlongDim(shape);
  for (size_t i = shape[scanDim] - 1; i < registers.size(); i += shape[scanDim])
    last.push_back(scanned[registers[i]]);
  SmallVector<AffineExpr> position;
  for (int64_t i = 0; i < rest.rank(); ++i)
    position.push_back(b.getAffineDimExpr(i));
  position.insert(position.begin() + scanDim,
                  b.getAffineConstantExpr(lastOnly.size() - 1));
  FailureOr<Values> accumulated = createExchange(
      d,
      {op,
       d.assemble(VectorType::get(lastLayout.distributedShape(), type), last),
       lastLayout, layoutOrScalar(d, op.getAccumulatedValue()),
       AffineMap::get(rest.rank(), 0, position, op.getContext())});
  if (failed(accumulated))
    return failure();
  d.replace(op,
            {d.assembleDistributed(op.getDest(), *dest),
             d.assembleDistributed(op.getAccumulatedValue(), *accumulated)});
  return success();
}

Distributed distributeScan(Distributor &d, Operation *op) {
  auto scan = dyn_cast<vector::ScanOp>(op);
  if (!scan)
    return std::nullopt;
  for (Value value : {scan.getSource(), scan.getDest()})
    if (!d.isUndistributed(value))
      return LogicalResult(scan.emitOpError("has a vector without a layout"));
  return ScanBuilder(d, scan).build();
}

} // namespace aircc::distribution
