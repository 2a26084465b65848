//===- Scans.cpp - Scans of whole vectors ---------------------------------===//
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

/// Sums of floats depend on the order, and are made in that of the elements up
/// to so many values that a lane would have to itself.
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

  /// The layout with another deal of the scanned dimension.
  NestedLayout replaceScanDim(const DimTiles &dim) const {
    std::vector<DimTiles> dims = from.dims();
    dims[scanDim] = dim;
    return *NestedLayout::ofDims(dims);
  }
  bool dependsOnOrder();
  /// The registers of a share of this shape: for each of the others in turn,
  /// those along the scanned dimension.
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

/// What comes first combined with what follows; either may be null.
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

/// Along the dimension within a lane, so that the order of the combinations is
/// that of the elements: what is spread over lanes is brought together.
LogicalResult ScanBuilder::scanInLane(const NestedLayout &local,
                                      const Values &initial) {
  FailureOr<Values> source =
      convertLayout(d, op, d.getDistributed(op.getSource()), from, local);
  if (failed(source))
    return failure();
  int64_t size = tiles.size();
  Values scanned(source->size());
  // An exclusive scan begins with the initial value and leaves out the last
  // element; an inclusive one begins with the first element.
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

/// Of each value of `totals`, one for each lane of the scanned dimension: what
/// the lanes before have together, in `before`, and in its place what all have.
LogicalResult ScanBuilder::scanLanes(Values &totals, Values &before) {
  FailureOr<Value> identity =
      combine.identity(b, loc, totals.front().getType());
  if (failed(identity))
    return op->emitOpError("has a kind that does not go with its type");
  Value lane = d.ids.lane(), position = d.ids.virtualThread(tiles);
  auto toWord = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  };
  // From the lane `distance` places before; where there is none, a lane's own.
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
  // The last lane, of those of the first period: where lanes are no whole
  // periods, the last one is cut off.
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

/// What comes before each of the blocks of a wave, one for each round; `totals`
/// are those of the blocks, for each round the others in turn.
FailureOr<SmallVector<Value>> ScanBuilder::scanWaves(const Values &totals,
                                                     const Values &initial) {
  DimTiles waveDim, own;
  waveDim.rounds = tiles.rounds;
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
    return op->emitOpError("has a kind that does not go with its type");
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

/// Each lane scans its own elements, one run of neighbours after another, from
/// what comes before them: in blocks of waves before its own, in its wave's
/// turns before, and in the lanes before it.
LogicalResult ScanBuilder::scanAcrossLanes(const Values &initial) {
  Values elements = d.getElements(d.getDistributed(op.getSource()));
  Ints registers = getRegistersAlongDim(from.distributedShape());
  int64_t others = rest.numRegisters(), groupSize = tiles.element;
  int64_t numGroups = tiles.values() / groupSize,
          groupsPerRound = numGroups / tiles.rounds;

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

  Values groupsBefore(totals.size()), blocks(tiles.rounds * others);
  for (size_t i = 0; i < totals.size(); ++i) {
    Value &block =
        blocks[i % numGroups / groupsPerRound * others + i / numGroups];
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
        combineInOrder(blocksBefore[i % numGroups / groupsPerRound * others +
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

  // What was accumulated is the last of the scanned elements, which is a lane's
  // last along the dimension.
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
       lastLayout,
       layoutOrScalar(d, op.getAccumulatedValue()),
       AffineMap::get(rest.rank(), 0, position, op.getContext()),
       {},
       false});
  if (failed(accumulated))
    return failure();
  d.replace(op,
            {assembleDistributed(d, op.getDest(), *dest),
             assembleDistributed(d, op.getAccumulatedValue(), *accumulated)});
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
