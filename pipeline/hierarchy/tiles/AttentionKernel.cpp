//===- AttentionKernel.cpp - Build attention kernels ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/AttentionKernel.h"

#include "pipeline/hierarchy/tiles/TileEvaluator.h"
#include "pipeline/hierarchy/tiles/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The tile of a workgroup.
struct Tile {
  int64_t waves, rows, keys;
  /// The sizes of a head, rounded up to what matrix instructions multiply.
  int64_t depth, features;
};

constexpr int64_t kDepthMultiple = 32, kMaxWaves = 4;

MemRefType getType(OpOperand *operand) {
  return cast<MemRefType>(operand->get().getType());
}

unsigned getPosition(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

/// The registers of a lane hold the rows of a wave: a row of accumulators, of
/// queries and of scores.
Tile chooseTile(const Attention &attention, const TargetProfile &profile) {
  Tile tile;
  auto getSize = [](OpOperand *operand, AffineMap map, unsigned dim) {
    return getType(operand).getDimSize(getPosition(map, dim));
  };
  tile.depth = llvm::alignTo(
      getSize(attention.q, attention.mapOfQ, attention.getDepthDim()),
      kDepthMultiple);
  tile.features = llvm::alignTo(
      getSize(attention.v, attention.mapOfV, attention.getFeatureDim()),
      kDepthMultiple);
  int64_t head = std::max(tile.depth, tile.features);
  // Waves of 64 lanes have twice the registers for a row.
  int64_t rows = profile.waveSize == 64 && head <= 128 ? 32
                 : profile.waveSize >= 32              ? 16
                                                       : 8;
  tile.waves = kMaxWaves;
  int64_t queries = getSize(attention.q, attention.mapOfQ, attention.queryDim);
  if (!ShapedType::isDynamic(queries))
    while (tile.waves > 1 && (tile.waves / 2) * rows >= queries)
      tile.waves /= 2;
  tile.rows = tile.waves * rows;
  // A wave has a tile of keys or values in registers. Larger waves have more
  // registers for each of their lanes.
  int64_t words = head * getType(attention.k).getElementTypeBitWidth() / 32;
  tile.keys = std::clamp<int64_t>(
      llvm::bit_floor<uint64_t>(profile.waveSize * profile.waveSize / words),
      16, 64);
  return tile;
}

class AttentionKernelBuilder {
public:
  AttentionKernelBuilder(OpBuilder &b, const AttentionProblem &problem,
                         const TargetProfile &profile)
      : b(b), problem(problem), attention(problem.attention), profile(profile),
        tile(chooseTile(problem.attention, profile)),
        loc(attention.result->getLoc()) {}

  gpu::LaunchOp create();

private:
  /// What the loop along the keys carries.
  struct State {
    Value sums, max, weights;
  };

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value splat(ArrayRef<int64_t> shape, double value) {
    auto type = VectorType::get(shape, b.getF32Type());
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, b.getF32FloatAttr(value).getValue()));
  }
  Value getSize(OpOperand *operand, AffineMap map, unsigned dim) {
    return b.createOrFold<memref::DimOp>(loc, operand->get(),
                                         getPosition(map, dim));
  }
  Value convert(Value value, Type element) {
    return convertElements(b, loc, value, element);
  }
  TileEvaluator getEvaluator(int64_t rows, int64_t columns,
                             SmallVector<TileLoop> loops) {
    return TileEvaluator(b, loc, rows, columns, std::move(loops));
  }
  SmallVector<TileLoop> getLoops(unsigned rowDim, TileLoop row,
                                 unsigned columnDim, TileLoop column);
  Factor readOperand(OpOperand *operand, AffineMap map, unsigned rowDim,
                     TileLoop row, int64_t rows, unsigned headDim,
                     int64_t head);
  Value computeLogits(Value scores, Value key);
  State createStep(const Factor &queries, Value key, const State &state);
  void createBody();
  void store(Value result);

  OpBuilder &b;
  const AttentionProblem &problem;
  const Attention &attention;
  const TargetProfile &profile;
  Tile tile;
  Location loc;
  gpu::LaunchOp launch;
  /// The first query of the workgroup, the number of keys, and the indices of
  /// the workgroup in the other dimensions of the scores.
  TileLoop query;
  Value numKeys;
  bool areKeysFull = false;
  SmallVector<Value> outerIds;
};

/// The dimensions of the scores, the depth and the columns of V, as loops.
SmallVector<TileLoop> AttentionKernelBuilder::getLoops(unsigned rowDim,
                                                       TileLoop row,
                                                       unsigned columnDim,
                                                       TileLoop column) {
  SmallVector<TileLoop> loops(attention.rank + 2);
  for (unsigned dim = 0; dim < attention.rank; ++dim)
    loops[dim].index = outerIds[dim];
  loops[rowDim] = row;
  loops[rowDim].kind = TileLoop::Rows;
  loops[columnDim] = column;
  loops[columnDim].kind = TileLoop::Columns;
  return loops;
}

/// Reads a tile with all of a head. The products reduce along the head, but for
/// the values, of which they reduce along the rows.
Factor AttentionKernelBuilder::readOperand(OpOperand *operand, AffineMap map,
                                           unsigned rowDim, TileLoop row,
                                           int64_t rows, unsigned headDim,
                                           int64_t head) {
  bool isFull = getType(operand).getDimSize(getPosition(map, headDim)) == head;
  TileLoop column{TileLoop::Columns, constant(0), isFull};
  bool isRowMajor = getPosition(map, rowDim) < getPosition(map, headDim);
  TileEvaluator evaluator =
      isRowMajor
          ? getEvaluator(rows, head, getLoops(rowDim, row, headDim, column))
          : getEvaluator(head, rows, getLoops(headDim, column, rowDim, row));
  bool isDepth = headDim == attention.getDepthDim();
  return {evaluator.read(operand->get(), map), isRowMajor == isDepth};
}

/// The logits of a tile in f32. Keys outside of the matrix have -inf.
Value AttentionKernelBuilder::computeLogits(Value scores, Value key) {
  TileLoop keys{TileLoop::Columns, key, areKeysFull};
  SmallVector<TileLoop> loops =
      getLoops(attention.queryDim, query, attention.keyDim, keys);
  loops.truncate(attention.rank);
  TileEvaluator evaluator = getEvaluator(tile.rows, tile.keys, loops);
  linalg::LinalgOp contraction = attention.scores;
  Value known = contraction.getDpsInits()[0];
  Value values = convert(scores, getElementTypeOrSelf(known.getType()));
  for (linalg::GenericOp op : attention.logits) {
    values = evaluator.evaluate(op, [&](OpOperand &input) {
      return input.get() == known ? values : Value();
    });
    known = op.getDpsInits()[0];
  }
  values = convert(values, b.getF32Type());
  if (areKeysFull)
    return values;
  Value left = arith::SubIOp::create(b, loc, numKeys, key);
  auto type = VectorType::get(tile.keys, b.getIndexType());
  Value isKey = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::slt, vector::StepOp::create(b, loc, type),
      vector::BroadcastOp::create(b, loc, type, left));
  Value none =
      splat({tile.rows, tile.keys}, -std::numeric_limits<double>::infinity());
  return arith::SelectOp::create(b, loc, evaluator.broadcast(isKey), values,
                                 none);
}

/// Adds the weighted values of the keys from `key`.
AttentionKernelBuilder::State
AttentionKernelBuilder::createStep(const Factor &queries, Value key,
                                   const State &state) {
  TileLoop keys{TileLoop::Rows, key, areKeysFull};
  Factor k = readOperand(attention.k, attention.mapOfK, attention.keyDim, keys,
                         tile.keys, attention.getDepthDim(), tile.depth);
  Value scores =
      createProduct(b, loc, queries, k, splat({tile.rows, tile.keys}, 0));
  Value logits = computeLogits(scores, key);
  // A NaN among the logits makes the sum of the weights NaN.
  State next;
  next.max = vector::MultiDimReductionOp::create(
      b, loc, logits, state.max, SmallVector<bool>{false, true},
      vector::CombiningKind::MAXNUMF);
  TileEvaluator scoreTile = getEvaluator(tile.rows, tile.keys, {});
  TileEvaluator resultTile = getEvaluator(tile.rows, tile.features, {});
  Type element = getType(attention.v).getElementType();
  // Weights that are rounded to narrow elements need no exact function.
  auto flags = element.getIntOrFloatBitWidth() < 32
                   ? arith::FastMathFlags::afn
                   : arith::FastMathFlags::none;
  auto exp = [&](Value a, Value minus) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, a, minus),
                               flags);
  };
  Value weights = exp(logits, scoreTile.broadcastColumn(next.max));
  Value scale = exp(state.max, next.max);
  next.weights = vector::MultiDimReductionOp::create(
      b, loc, weights, arith::MulFOp::create(b, loc, state.weights, scale),
      SmallVector<bool>{false, true}, vector::CombiningKind::ADD);
  Value sums = arith::MulFOp::create(b, loc, state.sums,
                                     resultTile.broadcastColumn(scale));
  Factor v = readOperand(attention.v, attention.mapOfV, attention.keyDim, keys,
                         tile.keys, attention.getFeatureDim(), tile.features);
  next.sums = createProduct(
      b, loc, {convert(weights, element), /*isAlongK=*/true}, v, sums);
  return next;
}

/// Stores the rows of the workgroup, after the epilogue.
void AttentionKernelBuilder::store(Value result) {
  linalg::LinalgOp contraction = attention.result;
  OpOperand *stored = contraction.getDpsInitOperand(0);
  MemRefType type = getType(stored);
  result = convert(result, type.getElementType());
  AffineMap map = attention.mapOfResult;
  bool isFull = type.getDimSize(getPosition(map, attention.getFeatureDim())) ==
                tile.features;
  SmallVector<TileLoop> loops =
      getLoops(attention.queryDim, query, attention.getFeatureDim(),
               {TileLoop::Columns, constant(0), isFull});
  linalg::GenericOp epilogue = problem.epilogue;
  if (!epilogue)
    return getEvaluator(tile.rows, tile.features, loops)
        .write(result, stored->get(), map);
  OpOperand *use = findInput(epilogue, stored->get());
  // The loops of the epilogue in terms of those above.
  AffineMap used = epilogue.getMatchingIndexingMap(use);
  SmallVector<TileLoop> own(epilogue.getNumLoops());
  for (auto [dim, loop] : llvm::enumerate(used.getResults()))
    own[cast<AffineDimExpr>(loop).getPosition()] =
        loops[cast<AffineDimExpr>(map.getResult(dim)).getPosition()];
  TileEvaluator evaluator = getEvaluator(tile.rows, tile.features, own);
  result = evaluator.evaluate(epilogue, [&](OpOperand &input) {
    return &input == use ? result : Value();
  });
  OpOperand *out = epilogue.getDpsInitOperand(0);
  evaluator.write(result, out->get(), epilogue.getMatchingIndexingMap(out));
}

void AttentionKernelBuilder::createBody() {
  // Workgroups are numbered by their rows first.
  Value rest = launch.getBlockIds().x;
  outerIds.assign(attention.rank, Value());
  auto split = [&](Value count) {
    Value id = b.createOrFold<arith::RemUIOp>(loc, rest, count);
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, count);
    return id;
  };
  int64_t queries =
      getType(attention.q)
          .getDimSize(getPosition(attention.mapOfQ, attention.queryDim));
  Value count = b.createOrFold<arith::CeilDivUIOp>(
      loc, getSize(attention.q, attention.mapOfQ, attention.queryDim),
      constant(tile.rows));
  query = {
      TileLoop::Rows,
      b.createOrFold<arith::MulIOp>(loc, split(count), constant(tile.rows)),
      !ShapedType::isDynamic(queries) && queries % tile.rows == 0};
  for (unsigned dim = attention.rank; dim-- > 0;)
    if (dim != attention.queryDim && dim != attention.keyDim)
      outerIds[dim] = split(getSize(attention.q, attention.mapOfQ, dim));
  int64_t keys =
      getType(attention.k)
          .getDimSize(getPosition(attention.mapOfK, attention.keyDim));
  areKeysFull = !ShapedType::isDynamic(keys) && keys % tile.keys == 0;
  numKeys = getSize(attention.k, attention.mapOfK, attention.keyDim);

  Factor q = readOperand(attention.q, attention.mapOfQ, attention.queryDim,
                         query, tile.rows, attention.getDepthDim(), tile.depth);
  // A maximum below all finite logits: differences to it are no NaN.
  double lowest = -std::numeric_limits<float>::max();
  State start{splat({tile.rows, tile.features}, 0), splat(tile.rows, lowest),
              splat(tile.rows, 0)};
  auto loop =
      scf::ForOp::create(b, loc, constant(0), numKeys, constant(tile.keys),
                         ValueRange{start.sums, start.max, start.weights});
  {
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(loop.getBody());
    auto args = loop.getRegionIterArgs();
    State next =
        createStep(q, loop.getInductionVar(), {args[0], args[1], args[2]});
    scf::YieldOp::create(b, loc, ValueRange{next.sums, next.max, next.weights});
  }
  Value weights = getEvaluator(tile.rows, tile.features, {})
                      .broadcastColumn(loop.getResult(2));
  store(arith::DivFOp::create(b, loc, loop.getResult(0), weights));
}

gpu::LaunchOp AttentionKernelBuilder::create() {
  Value one = constant(1);
  Value grid = b.createOrFold<arith::CeilDivUIOp>(
      loc, getSize(attention.q, attention.mapOfQ, attention.queryDim),
      constant(tile.rows));
  for (unsigned dim = 0; dim < attention.rank; ++dim)
    if (dim != attention.queryDim && dim != attention.keyDim)
      grid = b.createOrFold<arith::MulIOp>(
          loc, grid, getSize(attention.q, attention.mapOfQ, dim));
  return createWorkgroupLaunch(b, loc, {grid, one, one},
                               tile.waves * profile.waveSize, "attention",
                               /*buffers=*/{}, [&](gpu::LaunchOp created) {
                                 launch = created;
                                 createBody();
                               });
}

} // namespace

gpu::LaunchOp
aircc::hierarchy::createAttentionKernel(OpBuilder &b,
                                        const AttentionProblem &problem,
                                        const TargetProfile &profile) {
  return AttentionKernelBuilder(b, problem, profile).create();
}
