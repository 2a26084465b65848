//===- Exchange.cpp - Move elements between lanes -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/exchange/Exchange.h"

#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

//===----------------------------------------------------------------------===//
// Arithmetic on coordinates
//===----------------------------------------------------------------------===//

Value expandUnsigned(OpBuilder &b, Location loc, AffineExpr expr,
                     ValueRange dims, ValueRange symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(b, loc, constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = expandUnsigned(b, loc, binary.getLHS(), dims, symbols);
  Value rhs = expandUnsigned(b, loc, binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs,
                                         arith::IntegerOverflowFlags::nsw);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs,
                                         arith::IntegerOverflowFlags::nsw);
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
  case AffineExprKind::Mod:
    return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  default:
    llvm_unreachable("coordinates are never rounded up");
  }
}

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims);
  int64_t rhs = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return lhs / rhs;
  case AffineExprKind::Mod:
    return lhs % rhs;
  default:
    llvm_unreachable("coordinates are never rounded up");
  }
}

static Value divide(OpBuilder &b, Location loc, Value value, int64_t by) {
  if (by == 1)
    return value;
  return b.createOrFold<arith::DivUIOp>(
      loc, value, arith::ConstantIndexOp::create(b, loc, by));
}

static Value remainder(OpBuilder &b, Location loc, Value value, int64_t by) {
  Value divisor = arith::ConstantIndexOp::create(b, loc, by);
  return b.createOrFold<arith::RemUIOp>(loc, value, divisor);
}

Value multiplyAdd(OpBuilder &b, Location loc, Value sum, Value value,
                  int64_t factor) {
  if (factor != 1)
    value = b.createOrFold<arith::MulIOp>(
        loc, value, arith::ConstantIndexOp::create(b, loc, factor));
  return LaneIds::sum(b, loc, sum, value);
}

SmallVector<Value>
createResultCoordinates(Distributor &d, const Exchange &exchange, int64_t reg) {
  SmallVector<Value> own;
  Ints position = layout::delinearize(reg, exchange.to.distributedShape());
  for (int64_t i = 0; i < exchange.to.rank(); ++i) {
    Value x = d.coordinate(exchange.to.dim(i), position[i]);
    own.push_back(x ? x : d.ids.constant(0));
  }
  return own;
}

SmallVector<Value>
createSourceCoordinates(Distributor &d, const Exchange &exchange, int64_t reg) {
  SmallVector<Value> own = createResultCoordinates(d, exchange, reg);
  return llvm::map_to_vector(exchange.map.getResults(), [&](AffineExpr expr) {
    return expandUnsigned(d.b, exchange.op->getLoc(), expr, own,
                          exchange.symbols);
  });
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

Value createShuffle(Distributor &d, Location loc, Value value, Value offset,
                    gpu::ShuffleMode mode) {
  OpBuilder &b = d.b;
  Type type = value.getType();
  auto width = arith::ConstantIntOp::create(b, loc, d.target.waveSize, 32);
  Value moved = value;
  bool isIndex = type.isIndex();
  if (isIndex)
    moved = arith::IndexCastOp::create(b, loc, b.getI64Type(), moved);
  else
    moved = LdsExchangeBuffer::toStored(b, loc, moved);
  // Xe can shuffle f16, f32, f64 and integers.
  Type movedType = moved.getType();
  if (d.target.isXe() && isa<FloatType>(movedType) && !movedType.isF16() &&
      !movedType.isF32() && !movedType.isF64())
    moved = arith::BitcastOp::create(
        b, loc, b.getIntegerType(movedType.getIntOrFloatBitWidth()), moved);
  moved = gpu::ShuffleOp::create(b, loc, moved, offset, width, mode)
              .getShuffleResult();
  if (moved.getType() != movedType)
    moved = arith::BitcastOp::create(b, loc, movedType, moved);
  if (isIndex)
    return arith::IndexCastOp::create(b, loc, type, moved);
  return LdsExchangeBuffer::fromStored(b, loc, moved, type);
}

namespace {

/// The sources of one register of the result, over all lanes.
struct Move {
  std::set<int64_t> registers;
  bool ownLane = true;
  /// The source lane xor the own lane, if it is the same in all lanes.
  std::optional<int64_t> xorMask;
  bool isXor = true;
};

class ExchangeBuilder {
public:
  ExchangeBuilder(Distributor &d, const Exchange &exchange)
      : d(d), b(d.b), ex(exchange), loc(exchange.op->getLoc()),
        waves(d.getNumWaves(exchange.op)), lanes(d.target.waveSize),
        sourceType(getElementTypeOrSelf(exchange.source.getType())) {}

  FailureOr<SmallVector<Value>> create();

private:
  /// Fills `moves`. Returns false if a value has to move to another wave.
  bool findMoves();
  int64_t shuffleCost() const;
  int64_t ldsCost();
  SmallVector<Value> shuffle();

  Distributor &d;
  OpBuilder &b;
  Exchange ex;
  Location loc;
  int64_t waves, lanes;
  Type sourceType;
  std::vector<Move> moves;
  /// The wave size is a multiple of the lane period, so the source lane can be
  /// chosen in the same period.
  bool keepsPeriod = false;
};

} // namespace

bool ExchangeBuilder::findMoves() {
  int64_t registers = ex.to.numRegisters();
  moves.assign(registers, Move());
  keepsPeriod = lanes % ex.from.lanePeriod() == 0;
  Ints element(ex.to.rank()), source(ex.from.rank());
  SmallVector<int64_t> fromLane(ex.from.rank()), fromWave(ex.from.rank());
  for (int64_t wave = 0; wave < waves; ++wave)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t rest = lane;
      for (int64_t i = 0; i < ex.from.rank(); ++i) {
        const DimTiles &dim = ex.from.dim(i);
        fromLane[i] = dim.virtualThread(lane);
        fromWave[i] = dim.virtualSubgroup(wave);
        rest -= fromLane[i] * dim.threadStride;
      }
      for (int64_t reg = 0; reg < registers; ++reg) {
        ex.to.elementAt(wave, lane, reg, element);
        int64_t sourceRegister = 0, holder = 0;
        bool own = true;
        for (int64_t i = 0; i < ex.from.rank(); ++i) {
          const DimTiles &dim = ex.from.dim(i);
          int64_t x = evaluate(ex.map.getResult(i), element);
          assert(x >= 0 && x < dim.size() &&
                 "an element outside of the vector");
          DimTiles::Place place = dim.place(x);
          if (place.virtualSubgroup != fromWave[i])
            return false;
          own &= place.virtualThread == fromLane[i];
          holder += place.virtualThread * dim.threadStride;
          sourceRegister = sourceRegister * dim.values() + place.k;
        }
        if (own)
          holder = lane;
        else if (keepsPeriod)
          holder += rest;
        Move &move = moves[reg];
        move.registers.insert(sourceRegister);
        move.ownLane &= own;
        if (!move.xorMask)
          move.xorMask = holder ^ lane;
        move.isXor &= *move.xorMask == (holder ^ lane);
      }
    }
  return true;
}

/// Returns the cost in 32-bit moves. A shuffle costs about as much as an LDS
/// access, because it uses the same hardware. DPP, which can perform some xors,
/// is cheaper.
int64_t ExchangeBuilder::shuffleCost() const {
  int64_t words =
      llvm::divideCeil(LdsExchangeBuffer::storedBytes(sourceType), int64_t(4));
  int64_t cost = 0;
  for (const Move &move : moves)
    if (!move.ownLane)
      cost += words * move.registers.size() * (move.isXor ? 2 : 3);
  return cost;
}

int64_t ExchangeBuilder::ldsCost() {
  auto accesses = [&](const NestedLayout &layout) {
    int64_t run = layout.rank() ? layout.dim(layout.rank() - 1).element : 1;
    int64_t bytes = run * LdsExchangeBuffer::storedBytes(sourceType);
    return layout.numRegisters() / run * llvm::divideCeil(bytes, int64_t(16)) *
           (bytes >= 8 ? 4 : 3);
  };
  int64_t chunks = countLdsChunks(d, ex);
  return accesses(ex.from) + chunks * (accesses(ex.to) + (waves > 1 ? 40 : 8));
}

SmallVector<Value> ExchangeBuilder::shuffle() {
  SmallVector<Value> source = d.getElements(ex.source);
  SmallVector<Value> result;
  for (auto [reg, move] : llvm::enumerate(moves)) {
    if (move.ownLane && move.registers.size() == 1) {
      result.push_back(source[*move.registers.begin()]);
      continue;
    }
    // The source differs between lanes, so each lane computes it.
    Value lane, sourceReg;
    if (!move.isXor || move.registers.size() > 1) {
      SmallVector<Value> coordinates = createSourceCoordinates(d, ex, reg);
      Value rest = keepsPeriod ? d.ids.lane() : Value();
      int64_t stride = 1;
      for (int64_t i = ex.from.rank() - 1; i >= 0; --i) {
        const DimTiles &dim = ex.from.dim(i);
        Value tile = divide(b, loc, coordinates[i], dim.element);
        if (dim.thread > 1) {
          lane = multiplyAdd(b, loc, lane, remainder(b, loc, tile, dim.thread),
                             dim.threadStride);
          if (keepsPeriod)
            rest = b.createOrFold<arith::SubIOp>(
                loc, rest,
                multiplyAdd(b, loc, {}, d.ids.virtualThread(dim),
                            dim.threadStride));
        }
        if (dim.values() > 1) {
          Value k;
          int64_t batches = dim.batch * dim.outer;
          Value block = divide(b, loc, tile, dim.thread);
          if (dim.cycles > 1)
            k = multiplyAdd(b, loc, {},
                            divide(b, loc, block, batches * dim.subgroup),
                            batches * dim.element);
          if (batches > 1)
            k = multiplyAdd(b, loc, k, remainder(b, loc, block, batches),
                            dim.element);
          if (dim.element > 1)
            k = LaneIds::sum(b, loc, k,
                             remainder(b, loc, coordinates[i], dim.element));
          sourceReg = multiplyAdd(b, loc, sourceReg, k, stride);
        }
        stride *= dim.values();
      }
      lane = LaneIds::sum(b, loc, lane, rest);
    }
    Value offset;
    auto mode = move.isXor ? gpu::ShuffleMode::XOR : gpu::ShuffleMode::IDX;
    if (!move.ownLane) {
      if (move.isXor)
        offset = arith::ConstantIntOp::create(b, loc, *move.xorMask, 32);
      else
        offset = arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                            lane ? lane : d.ids.constant(0));
    }
    Value value;
    for (int64_t from : move.registers) {
      Value moved = source[from];
      if (!move.ownLane)
        moved = createShuffle(d, loc, moved, offset, mode);
      if (!value) {
        value = moved;
        continue;
      }
      Value isSource =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, sourceReg,
                                arith::ConstantIndexOp::create(b, loc, from));
      value = arith::SelectOp::create(b, loc, isSource, moved, value);
    }
    result.push_back(value);
  }
  return result;
}

FailureOr<SmallVector<Value>> ExchangeBuilder::create() {
  if (ex.from.rank() == 0)
    return SmallVector<Value>(ex.to.numRegisters(),
                              d.getElements(ex.source).front());
  if (ex.throughLds || !ex.symbols.empty())
    return exchangeThroughLds(d, ex);
  if (!findMoves())
    return exchangeThroughLds(d, ex);
  bool isLaneLocal = llvm::all_of(moves, [](const Move &move) {
    return move.ownLane && move.registers.size() == 1;
  });
  if (!isLaneLocal && d.ids.getNumWaves() > 0 && ldsCost() < shuffleCost())
    return exchangeThroughLds(d, ex);
  return shuffle();
}

FailureOr<SmallVector<Value>> createExchange(Distributor &d,
                                             const Exchange &exchange) {
  assert(exchange.map.getNumDims() == exchange.to.rank() &&
         exchange.map.getNumResults() == exchange.from.rank() &&
         "the map takes elements of the result to those of the source");
  return ExchangeBuilder(d, exchange).create();
}

LogicalResult distributeByExchange(Distributor &d, Operation *op, Value source,
                                   AffineMap map, ValueRange symbols) {
  FailureOr<SmallVector<Value>> elements = createExchange(
      d, {op, d.getDistributed(source), layoutOrScalar(d, source),
          layoutOrScalar(d, op->getResult(0)), map, llvm::to_vector(symbols)});
  if (failed(elements))
    return failure();
  d.replace(op, d.assembleDistributed(op->getResult(0), *elements));
  return success();
}

} // namespace aircc::distribution
