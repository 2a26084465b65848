//===- AttentionKernel.cpp - Build attention kernels ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/attention/AttentionBuilder.h"
#include "pipeline/hierarchy/attention/AttentionLogits.h"

#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

Value AttentionBuilder::splat(ArrayRef<int64_t> shape, double value) {
  auto type = VectorType::get(shape, b.getF32Type());
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(type, b.getF32FloatAttr(value).getValue()));
}

/// Returns the dimensions of the scores, the depth and the columns of V, as
/// loops.
SmallVector<TileLoop> AttentionBuilder::getLoops(unsigned rowDim, TileLoop row,
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

SmallVector<TileLoop> AttentionBuilder::getQueryLoops(unsigned dim,
                                                      TileLoop loop) {
  return hasQueryColumns() ? getLoops(dim, loop, attention.queryDim, query)
                           : getLoops(attention.queryDim, query, dim, loop);
}

SmallVector<int64_t> AttentionBuilder::getQueryShape(int64_t size) {
  if (hasQueryColumns())
    return {size, tiling.queries};
  return {tiling.queries, size};
}

TileEvaluator AttentionBuilder::getQueryEvaluator(int64_t size,
                                                  SmallVector<TileLoop> loops) {
  SmallVector<int64_t> shape = getQueryShape(size);
  return getEvaluator(shape[0], shape[1], std::move(loops));
}

Value AttentionBuilder::broadcastQueries(Value vector, int64_t size) {
  TileEvaluator evaluator = getQueryEvaluator(size);
  return hasQueryColumns() ? evaluator.broadcast(vector)
                           : evaluator.broadcastColumn(vector);
}

Value AttentionBuilder::reduceQueries(Value tile, Value init,
                                      vector::CombiningKind kind) {
  SmallVector<bool> reduced{hasQueryColumns(), !hasQueryColumns()};
  return vector::MultiDimReductionOp::create(b, loc, tile, init, reduced, kind);
}

static bool hasWholeHeads(MemRefType type, unsigned headPosition,
                          int64_t head) {
  return type.getDimSize(headPosition) == head;
}

/// Returns the evaluator for a tile with `size` elements along `dim`, in memory
/// order.
TileEvaluator AttentionBuilder::getOperandEvaluator(const Operand &operand,
                                                    unsigned dim, TileLoop loop,
                                                    int64_t size) {
  AffineMap map = operand.map;
  unsigned headDim = operand.headDim;
  int64_t part = operand.partSize ? operand.partSize : operand.head;
  TileLoop heads{TileLoop::Columns, constant(operand.partStart),
                 hasWholeHeads(getType(operand.operand),
                               getPosition(map, headDim), operand.head)};
  bool hasHeadRows = getPosition(map, dim) < getPosition(map, headDim);
  return hasHeadRows
             ? getEvaluator(size, part, getLoops(dim, loop, headDim, heads))
             : getEvaluator(part, size, getLoops(headDim, heads, dim, loop));
}

TileEvaluator AttentionBuilder::getTileEvaluator(const Operand &operand,
                                                 Value key, int64_t keys) {
  return getOperandEvaluator(operand, attention.keyDim,
                             {TileLoop::Rows, key, areKeysFull}, keys);
}

bool AttentionBuilder::hasFullRows(const Operand &operand) {
  if (!hasHeadRows(operand))
    return areKeysFull;
  return hasWholeHeads(getType(operand.operand),
                       getPosition(operand.map, operand.headDim), operand.head);
}

Factor AttentionBuilder::readQueries(const Operand &queries) {
  bool isAlongK = getPosition(queries.map, attention.queryDim) <
                  getPosition(queries.map, queries.headDim);
  TileEvaluator evaluator =
      getOperandEvaluator(queries, attention.queryDim, query, tiling.queries);
  return {evaluator.read(queries.operand->get(), queries.map), isAlongK};
}

/// Returns whether indices of tiles of this many elements have at most 31 bits.
static bool isShort(int64_t size) {
  return !ShapedType::isDynamic(size) &&
         size < std::numeric_limits<int32_t>::max() / 2;
}

/// Returns whether keys of the tile that starts at `key` are not before `end`.
Value AttentionBuilder::isAfter(Value key, Value end) {
  Value next = b.createOrFold<arith::AddIOp>(loc, key, constant(tiling.keys));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, next, end);
}

/// Returns the result of `change` if `condition` is true, and `values`
/// otherwise. Waves of large tiles branch, because few tiles are at the end or
/// on the diagonal.
Value AttentionBuilder::changeWhere(Value condition, Value values,
                                    function_ref<Value()> change) {
  if (!hasQueryColumns())
    return change();
  auto branch = scf::IfOp::create(
      b, loc, condition,
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, change()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, values); });
  return branch.getResult(0);
}

/// Returns the logits of a tile in f32. Keys outside the matrix have the logit
/// -inf.
Value AttentionBuilder::computeLogits(Value scores, Value key) {
  SmallVector<TileLoop> loops =
      getQueryLoops(attention.keyDim,
                    {TileLoop::Outer, key, areKeysFull,
                     isShort(getType(attention.k)
                                 .getDimSize(getPosition(attention.mapOfK,
                                                         attention.keyDim)))});
  loops.truncate(attention.rank);
  TileEvaluator evaluator = getQueryEvaluator(tiling.keys, loops);
  linalg::LinalgOp contraction = attention.scores;
  Value known = contraction.getDpsInits()[0];
  Value values = convert(scores, getElementTypeOrSelf(known.getType()));
  auto evaluate = [&](linalg::GenericOp op) {
    return evaluator.evaluate(op, [&](OpOperand &input) {
      return input.get() == known ? values : Value();
    });
  };
  for (linalg::GenericOp op : attention.logits) {
    if (isCausal) {
      linalg::GenericOp unmasked = removeMask(b, op);
      values = changeWhere(isAfter(key, nextQuery), evaluate(unmasked),
                           [&] { return evaluate(op); });
      unmasked.erase();
    } else {
      values = evaluate(op);
    }
    known = op.getDpsInits()[0];
  }
  values = convert(values, b.getF32Type());
  if (areKeysFull)
    return values;
  return changeWhere(isAfter(key, numKeys), values, [&] {
    Value left = arith::SubIOp::create(b, loc, numKeys, key);
    auto type = VectorType::get(tiling.keys, b.getIndexType());
    Value isKey = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::slt, vector::StepOp::create(b, loc, type),
        vector::BroadcastOp::create(b, loc, type, left));
    isKey = hasQueryColumns() ? evaluator.broadcastColumn(isKey)
                              : evaluator.broadcast(isKey);
    Value none = splat(getQueryShape(tiling.keys),
                       -std::numeric_limits<double>::infinity());
    return arith::SelectOp::create(b, loc, isKey, values, none);
  });
}

/// Rounds weights to the element type of the values. NaN becomes an arbitrary
/// number, but then the sum of the weights, in f32, is NaN.
Value AttentionBuilder::roundWeights(Value weights) {
  Type element = getType(attention.v).getElementType();
  if (!element.isBF16() || profile.bf16Conversion)
    return convert(weights, element);
  auto type = cast<VectorType>(weights.getType());
  VectorType words = type.clone(b.getI32Type());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(words, b.getI32IntegerAttr(value)));
  };
  Value bits = arith::BitcastOp::create(b, loc, words, weights);
  Value half = number(16);
  // Rounds to nearest, ties to even.
  Value odd = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, half), number(1));
  bits = arith::AddIOp::create(b, loc, bits, number(0x7fff));
  bits = arith::AddIOp::create(b, loc, bits, odd);
  bits = arith::ShRUIOp::create(b, loc, bits, half);
  bits = arith::TruncIOp::create(b, loc, type.clone(b.getI16Type()), bits);
  return arith::BitcastOp::create(b, loc, type.clone(element), bits);
}

/// Returns the previous maximum, unless the new one is so much larger that
/// weights could become too large. Sums then rarely have to be rescaled.
Value AttentionBuilder::keepMax(Value before, Value now) {
  constexpr double kLargestExponent = 8;
  double factor = logitFactor.value_or(llvm::numbers::log2e);
  Value growth = arith::SubFOp::create(b, loc, now, before);
  Value isLarger =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, growth,
                            splat(tiling.queries, kLargestExponent / factor));
  return arith::SelectOp::create(b, loc, isLarger, now, before);
}

Value AttentionBuilder::scaleWeights(Value sums, Value scale) {
  return arith::MulFOp::create(b, loc, sums, scale);
}

Value AttentionBuilder::addWeights(Value sums, Value weights) {
  return reduceQueries(weights, sums, vector::CombiningKind::ADD);
}

Value AttentionBuilder::getColumns(Value tile, int64_t start, int64_t count) {
  auto type = cast<VectorType>(tile.getType());
  if (count == type.getDimSize(1))
    return tile;
  return vector::ExtractStridedSliceOp::create(
      b, loc, tile, ArrayRef<int64_t>{0, start},
      ArrayRef<int64_t>{type.getDimSize(0), count}, ArrayRef<int64_t>{1, 1});
}

/// Returns the exponentials of the differences between logits and their
/// maximum. If the logits have a factor, `max` includes it, and so does the
/// factor of powers of two.
Value AttentionBuilder::computeWeights(Value logits, Value max) {
  auto type = cast<VectorType>(logits.getType());
  int64_t keys = type.getDimSize(hasQueryColumns() ? 0 : 1);
  if (!logitFactor)
    return exponentiate(logits, broadcastQueries(max, keys));
  Value products = arith::MulFOp::create(b, loc, logits,
                                         splat(type.getShape(), *logitFactor),
                                         arith::FastMathFlags::contract);
  Value differences =
      arith::SubFOp::create(b, loc, products, broadcastQueries(max, keys),
                            arith::FastMathFlags::contract);
  return math::Exp2Op::create(b, loc, differences, arith::FastMathFlags::afn);
}

/// Returns e to the power of `a` - `minus`.
Value AttentionBuilder::exponentiate(Value a, Value minus) {
  auto flags =
      isNarrow() ? arith::FastMathFlags::afn : arith::FastMathFlags::none;
  return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, a, minus),
                             flags);
}

AttentionBuilder::State
AttentionBuilder::createStep(Value scores, Value key, const State &state,
                             SmallVectorImpl<Value> &weights) {
  Value logits = computeLogits(scores, key);
  // The maximum may ignore a NaN, because it makes the sum of the weights NaN.
  State next;
  next.max = reduceQueries(logits, state.max, vector::CombiningKind::MAXNUMF);
  if (isMaxKept())
    next.max = keepMax(state.max, next.max);
  Value scale, max = next.max;
  if (logitFactor) {
    Value factor = splat(tiling.queries, *logitFactor);
    Value before = arith::MulFOp::create(b, loc, state.max, factor);
    max = arith::MulFOp::create(b, loc, next.max, factor);
    scale =
        math::Exp2Op::create(b, loc, arith::SubFOp::create(b, loc, before, max),
                             arith::FastMathFlags::afn);
  } else {
    scale = exponentiate(state.max, next.max);
  }
  // Round the weights of each part at once, so that few are live in f32.
  int64_t part = tiling.keyPart ? tiling.keyPart : tiling.keys;
  bool hasParts = part < tiling.keys;
  for (int64_t start = 0; start < tiling.keys; start += part) {
    Value values = computeWeights(
        hasParts ? getColumns(logits, start, part) : logits, max);
    if (start == 0)
      next.weights = scaleWeights(state.weights, scale);
    next.weights = addWeights(next.weights, values);
    weights.push_back(hasParts ? roundWeights(values) : values);
  }
  Value scales = broadcastQueries(scale, tiling.features);
  if (isMaxKept())
    next.sums = kernel::RescaleOp::create(b, loc, state.sums, scales);
  else
    next.sums = arith::MulFOp::create(b, loc, state.sums, scales);
  if (!hasParts)
    weights.front() = roundWeights(weights.front());
  return next;
}

void AttentionBuilder::findFactor() {
  linalg::LinalgOp contraction = attention.scores;
  if (!isNarrow() || attention.logits.size() != 1)
    return;
  std::optional<double> factor =
      takeFactor(attention.logits.front(), contraction.getDpsInits()[0]);
  if (factor)
    logitFactor = *factor * llvm::numbers::log2e;
}

/// Stores the rows of the workgroup, after the epilogue.
void AttentionBuilder::store(Value result) {
  linalg::LinalgOp contraction = attention.result;
  OpOperand *stored = contraction.getDpsInitOperand(0);
  MemRefType type = getType(stored);
  result = convert(result, type.getElementType());
  AffineMap map = attention.mapOfResult;
  bool isFull = type.getDimSize(getPosition(map, attention.getFeatureDim())) ==
                tiling.features;
  SmallVector<TileLoop> loops = getQueryLoops(
      attention.getFeatureDim(), {TileLoop::Outer, constant(0), isFull});
  linalg::GenericOp epilogue = problem.epilogue;
  if (!epilogue)
    return getQueryEvaluator(tiling.features, loops)
        .write(result, stored->get(), map);
  OpOperand *use = findInput(epilogue, stored->get());
  // Maps the loops of the epilogue to those of the result.
  AffineMap used = epilogue.getMatchingIndexingMap(use);
  SmallVector<TileLoop> own(epilogue.getNumLoops());
  for (auto [dim, loop] : llvm::enumerate(used.getResults()))
    own[cast<AffineDimExpr>(loop).getPosition()] =
        loops[cast<AffineDimExpr>(map.getResult(dim)).getPosition()];
  TileEvaluator evaluator = getQueryEvaluator(tiling.features, own);
  result = evaluator.evaluate(epilogue, [&](OpOperand &input) {
    return &input == use ? result : Value();
  });
  OpOperand *out = epilogue.getDpsInitOperand(0);
  evaluator.write(result, out->get(), epilogue.getMatchingIndexingMap(out));
}

void AttentionBuilder::createBody() {
  // The index along the rows varies fastest in the number of a workgroup.
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
      constant(tiling.queries));
  Value tile = split(count);
  findFactor();
  isCausal = attention.logits.size() == 1 &&
             hasCausalMask(attention.logits.front(), attention.queryDim,
                           attention.keyDim);
  // The last queries have the most keys, so they start first.
  if (isCausal) {
    Value last = b.createOrFold<arith::SubIOp>(loc, count, constant(1));
    tile = b.createOrFold<arith::SubIOp>(loc, last, tile);
  }
  query = {TileLoop::Rows,
           b.createOrFold<arith::MulIOp>(loc, tile, constant(tiling.queries)),
           !ShapedType::isDynamic(queries) && queries % tiling.queries == 0,
           isShort(queries)};
  nextQuery = b.createOrFold<arith::AddIOp>(loc, query.index, constant(1));
  for (unsigned dim = attention.rank; dim-- > 0;)
    if (dim != attention.queryDim && dim != attention.keyDim)
      outerIds[dim] = split(getSize(attention.q, attention.mapOfQ, dim));
  int64_t keys =
      getType(attention.k)
          .getDimSize(getPosition(attention.mapOfK, attention.keyDim));
  areKeysFull = !ShapedType::isDynamic(keys) && keys % tiling.keys == 0;
  numKeys = getSize(attention.k, attention.mapOfK, attention.keyDim);

  // The initial maximum is below all finite logits, but finite itself, so that
  // its difference from a logit of -inf is not NaN.
  double lowest = -std::numeric_limits<float>::max();
  State start{splat(getQueryShape(tiling.features), 0),
              splat(tiling.queries, lowest), splat(tiling.queries, 0)};
  // Keys after all queries of the tile have no weight.
  Value end = numKeys;
  if (isCausal)
    end = b.createOrFold<arith::MinUIOp>(
        loc, numKeys,
        b.createOrFold<arith::AddIOp>(loc, query.index,
                                      constant(tiling.queries)));
  State sums = createLoop(start, end);
  store(arith::DivFOp::create(b, loc, sums.sums,
                              broadcastQueries(sums.weights, tiling.features)));
}

gpu::LaunchOp AttentionBuilder::create() {
  Value one = constant(1);
  Value grid = b.createOrFold<arith::CeilDivUIOp>(
      loc, getSize(attention.q, attention.mapOfQ, attention.queryDim),
      constant(tiling.queries));
  for (unsigned dim = 0; dim < attention.rank; ++dim)
    if (dim != attention.queryDim && dim != attention.keyDim)
      grid = b.createOrFold<arith::MulIOp>(
          loc, grid, getSize(attention.q, attention.mapOfQ, dim));
  return createWorkgroupLaunch(b, loc, {grid, one, one},
                               tiling.waves * profile.waveSize, "attention",
                               getBufferTypes(), [&](gpu::LaunchOp created) {
                                 launch = created;
                                 createBody();
                               });
}

/// Returns whether `op` reads memory other than the result of the previous op.
static bool readsOthers(linalg::GenericOp op, Value before) {
  return op && llvm::any_of(op.getDpsInputs(), [&](Value input) {
           return input != before && isa<MemRefType>(input.getType());
         });
}

static bool readsOthers(const AttentionProblem &problem) {
  linalg::LinalgOp scores = problem.attention.scores,
                   result = problem.attention.result;
  Value before = scores.getDpsInits()[0];
  for (linalg::GenericOp op : problem.attention.logits) {
    if (readsOthers(op, before))
      return true;
    before = op.getDpsInits()[0];
  }
  return readsOthers(problem.epilogue, result.getDpsInits()[0]);
}

static strategy::AttentionSizes getSizes(const AttentionProblem &problem) {
  const Attention &attention = problem.attention;
  auto getSize = [](OpOperand *operand, AffineMap map, unsigned dim) {
    auto type = cast<MemRefType>(operand->get().getType());
    return type.getDimSize(
        *map.getResultPosition(getAffineDimExpr(dim, map.getContext())));
  };
  auto getTypeName = [](OpOperand *operand) {
    std::string name;
    llvm::raw_string_ostream(name)
        << getElementTypeOrSelf(operand->get().getType());
    return name;
  };
  auto describe = [&](OpOperand *operand, AffineMap map, unsigned headDim) {
    MLIRContext *context = map.getContext();
    return strategy::AttentionOperand{
        getTypeName(operand),
        getElementTypeOrSelf(operand->get().getType()).getIntOrFloatBitWidth(),
        getSize(operand, map, headDim),
        map.getResultPosition(getAffineDimExpr(attention.keyDim, context)) <
            map.getResultPosition(getAffineDimExpr(headDim, context))};
  };
  strategy::AttentionSizes sizes;
  int64_t queries = getSize(attention.q, attention.mapOfQ, attention.queryDim);
  if (!ShapedType::isDynamic(queries))
    sizes.queries = queries;
  int64_t keys = getSize(attention.k, attention.mapOfK, attention.keyDim);
  if (!ShapedType::isDynamic(keys))
    sizes.keys = keys;
  sizes.heads = 1;
  for (unsigned dim = 0; dim < attention.rank; ++dim) {
    if (dim == attention.queryDim || dim == attention.keyDim)
      continue;
    int64_t size = getSize(attention.q, attention.mapOfQ, dim);
    if (ShapedType::isDynamic(size))
      sizes.heads = std::nullopt;
    else if (sizes.heads)
      *sizes.heads *= size;
  }
  sizes.queryType = getTypeName(attention.q);
  sizes.k = describe(attention.k, attention.mapOfK, attention.getDepthDim());
  sizes.v = describe(attention.v, attention.mapOfV, attention.getFeatureDim());
  sizes.hasOthers = readsOthers(problem);
  sizes.isMasked = attention.logits.size() > 1 ||
                   (attention.logits.size() == 1 &&
                    hasCausalMask(attention.logits.front(), attention.queryDim,
                                  attention.keyDim));
  return sizes;
}

gpu::LaunchOp
aircc::hierarchy::createAttentionKernel(OpBuilder &b,
                                        const AttentionProblem &problem,
                                        const TargetProfile &profile) {
  AttentionTiling tiling =
      strategy::chooseAttentionTiling(getSizes(problem), profile);
  auto build = tiling.buffers ? createStagedAttention : createDirectAttention;
  return build(b, problem, tiling, profile)->create();
}
