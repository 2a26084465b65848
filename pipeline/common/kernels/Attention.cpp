//===- Attention.cpp - Match attention ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Attention.h"

#include "pipeline/common/kernels/ElementwiseTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace aircc {

namespace {

/// Looks through conversions between floating-point types.
Value skipCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns the input of `op` whose element is `element` or is converted to it.
OpOperand *getInput(linalg::GenericOp op, Value element) {
  auto argument = dyn_cast<BlockArgument>(skipCasts(element));
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return nullptr;
  return op.getDpsInputOperand(argument.getArgNumber());
}

Value getYielded(linalg::GenericOp op) {
  return skipCasts(op.getBody()->getTerminator()->getOperand(0));
}

/// Returns the dimensions of the scores without the keys.
AffineMap getRowMap(MLIRContext *context, unsigned rank, unsigned keyDim) {
  return AffineMap::getMultiDimIdentityMap(rank, context).dropResult(keyDim);
}

class Matcher {
public:
  Matcher(linalg::LinalgOp result, const ProducerMap &producers)
      : producers(producers), context(result.getContext()) {
    found.result = result;
  }

  /// Matches attention. `weights` is the operand of the result op that holds
  /// the weights.
  std::optional<Attention> match(unsigned weights);

private:
  linalg::GenericOp getGeneric(OpOperand *operand) const {
    return operand ? dyn_cast_or_null<linalg::GenericOp>(
                         producers.getProducer(operand->get()).getOperation())
                   : nullptr;
  }
  bool isIdentity(linalg::GenericOp op, OpOperand *operand) const {
    return op.getMatchingIndexingMap(operand).isIdentity() &&
           op.getNumLoops() == found.rank;
  }
  bool isRow(linalg::GenericOp op, OpOperand *operand) const {
    return op.getMatchingIndexingMap(operand) ==
           getRowMap(context, found.rank, found.keyDim);
  }
  bool isElementwise(linalg::GenericOp op) const {
    return op && isElementwiseOnTiles(op) &&
           isIdentity(op, op.getDpsInitOperand(0));
  }
  bool startsFrom(linalg::LinalgOp op,
                  function_ref<bool(const APFloat &)> isNeutral);
  bool isReduction(linalg::GenericOp op, OpOperand *input);
  bool matchWeights(OpOperand *operand);
  bool matchMax(OpOperand *operand, OpOperand *logits);
  bool findScores(Value value);
  bool matchScores();
  bool matchResult(OpOperand *weights);

  Attention found;
  const ProducerMap &producers;
  MLIRContext *context;
};

bool Matcher::startsFrom(linalg::LinalgOp op,
                         function_ref<bool(const APFloat &)> isNeutral) {
  linalg::FillOp fill = producers.getFill(op);
  APFloat value(0.0);
  return fill && matchPattern(fill.getInputs()[0], m_ConstantFloat(&value)) &&
         isNeutral(value);
}

/// Returns whether `op` reduces each row of `input`, which is its only input.
bool Matcher::isReduction(linalg::GenericOp op, OpOperand *input) {
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 1 ||
      op.getDpsInputOperand(0)->get() != input->get() ||
      !isIdentity(op, op.getDpsInputOperand(0)) ||
      !isRow(op, op.getDpsInitOperand(0)))
    return false;
  Operation *combine = getYielded(op).getDefiningOp();
  if (!combine || combine->getNumOperands() != 2)
    return false;
  // One operand is the element, the other is the intermediate result.
  Value soFar = op.getRegionOutputArgs()[0];
  Value a = skipCasts(combine->getOperand(0)),
        b = skipCasts(combine->getOperand(1));
  Value element = op.getRegionInputArgs()[0];
  return (a == soFar && b == element) || (b == soFar && a == element);
}

/// exp / sum, or exp * (1 / sum).
bool Matcher::matchWeights(OpOperand *operand) {
  linalg::GenericOp op = getGeneric(operand);
  if (!isElementwise(op))
    return false;
  found.weights = op;
  OpOperand *exp = nullptr, *sum = nullptr;
  if (auto divide = getYielded(op).getDefiningOp<arith::DivFOp>()) {
    exp = getInput(op, divide.getLhs());
    sum = getInput(op, divide.getRhs());
  } else if (auto multiply = getYielded(op).getDefiningOp<arith::MulFOp>()) {
    for (auto [x, y] : {std::pair(multiply.getLhs(), multiply.getRhs()),
                        std::pair(multiply.getRhs(), multiply.getLhs())})
      if (auto inverse = skipCasts(y).getDefiningOp<arith::DivFOp>();
          inverse && matchPattern(inverse.getLhs(), m_OneFloat())) {
        exp = getInput(op, x);
        sum = getInput(op, inverse.getRhs());
      }
  }
  if (!exp || !sum || op.getNumDpsInputs() != 2 || !isIdentity(op, exp) ||
      !isRow(op, sum))
    return false;
  found.exp = getGeneric(exp);
  found.sum = getGeneric(sum);
  if (!isReduction(found.sum, exp) ||
      !getYielded(found.sum).getDefiningOp<arith::AddFOp>() ||
      !startsFrom(found.sum,
                  [](const APFloat &value) { return value.isZero(); }))
    return false;
  op = found.exp;
  if (!isElementwise(op) || op.getNumDpsInputs() != 2)
    return false;
  auto power = getYielded(op).getDefiningOp<math::ExpOp>();
  auto difference =
      power ? skipCasts(power.getOperand()).getDefiningOp<arith::SubFOp>()
            : nullptr;
  if (!difference)
    return false;
  OpOperand *logits = getInput(op, difference.getLhs());
  OpOperand *max = getInput(op, difference.getRhs());
  return logits && max && isIdentity(op, logits) && isRow(op, max) &&
         matchMax(max, logits) && findScores(logits->get()) && matchScores();
}

bool Matcher::matchMax(OpOperand *operand, OpOperand *logits) {
  found.max = getGeneric(operand);
  if (!isReduction(found.max, logits))
    return false;
  Operation *combine = getYielded(found.max).getDefiningOp();
  bool ignoresNaN = isa<arith::MaxNumFOp>(combine);
  if (!ignoresNaN && !isa<arith::MaximumFOp>(combine))
    return false;
  // Any initial value below all logits is equivalent.
  return startsFrom(found.max, [&](const APFloat &value) {
    return (ignoresNaN && value.isNaN()) ||
           (value.isNegative() && (value.isInfinity() || value.isLargest()));
  });
}

/// Traces elementwise ops from `value` back to a contraction.
bool Matcher::findScores(Value value) {
  linalg::LinalgOp op = producers.getProducer(value);
  if (!op)
    return false;
  if (isMatrixProduct(op)) {
    found.scores = op;
    return true;
  }
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!isElementwise(generic))
    return false;
  for (OpOperand *input : generic.getDpsInputOperands())
    if (isIdentity(generic, input) && findScores(input->get())) {
      found.logits.push_back(generic);
      return true;
    }
  return false;
}

/// Replaces the loops of a map with dimensions of the scores, the depth and the
/// columns of V.
AffineMap translate(AffineMap map, ArrayRef<unsigned> dims, unsigned rank) {
  SmallVector<AffineExpr> results;
  for (AffineExpr index : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    results.push_back(
        loop ? getAffineDimExpr(dims[loop.getPosition()], map.getContext())
             : index);
  }
  return AffineMap::get(rank + 2, 0, results, map.getContext());
}

bool Matcher::matchScores() {
  linalg::LinalgOp op = found.scores;
  if (!startsFrom(op, [](const APFloat &value) { return value.isZero(); }))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[2].getNumResults() != found.rank)
    return false;
  SmallVector<unsigned> dims(op.getNumLoops(), found.getDepthDim());
  for (auto [dim, loop] : llvm::enumerate(maps[2].getResults()))
    dims[cast<AffineDimExpr>(loop).getPosition()] = dim;
  auto usesDim = [&](unsigned operand, unsigned dim) {
    return llvm::is_contained(
        translate(maps[operand], dims, found.rank).getResults(),
        getAffineDimExpr(dim, context));
  };
  bool first = usesDim(0, found.keyDim);
  if (first == usesDim(1, found.keyDim))
    return false;
  unsigned keys = first ? 0 : 1, queries = 1 - keys;
  found.q = op.getDpsInputOperand(queries);
  found.k = op.getDpsInputOperand(keys);
  found.mapOfQ = translate(maps[queries], dims, found.rank);
  found.mapOfK = translate(maps[keys], dims, found.rank);
  // Of the dimensions that the keys lack, the innermost is the queries; the
  // others are groups of heads.
  std::optional<unsigned> queryDim;
  for (unsigned dim = 0; dim < found.rank; ++dim) {
    if (dim != found.keyDim && !usesDim(queries, dim))
      return false;
    if (dim != found.keyDim && !usesDim(keys, dim))
      queryDim = dim;
  }
  found.queryDim = queryDim.value_or(0);
  return queryDim.has_value();
}

/// Returns whether the values have no dimension of the queries, and which
/// dimensions they and the result have.
bool Matcher::matchResult(OpOperand *weights) {
  linalg::LinalgOp op = found.result;
  if (!startsFrom(op, [](const APFloat &value) { return value.isZero(); }))
    return false;
  SmallVector<unsigned> dims(op.getNumLoops(), found.getFeatureDim());
  for (auto [dim, loop] :
       llvm::enumerate(op.getMatchingIndexingMap(weights).getResults()))
    dims[cast<AffineDimExpr>(loop).getPosition()] = dim;
  if (llvm::count(dims, found.getFeatureDim()) != 1)
    return false;
  found.v = op.getDpsInputOperand(1 - weights->getOperandNumber());
  found.mapOfV =
      translate(op.getMatchingIndexingMap(found.v), dims, found.rank);
  found.mapOfResult = translate(
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)), dims, found.rank);
  auto usesDim = [&](AffineMap map, unsigned dim) {
    return map.getResultPosition(getAffineDimExpr(dim, context)).has_value();
  };
  return usesDim(found.mapOfV, found.keyDim) &&
         usesDim(found.mapOfV, found.getFeatureDim()) &&
         usesDim(found.mapOfResult, found.getFeatureDim()) &&
         usesDim(found.mapOfResult, found.queryDim) &&
         !usesDim(found.mapOfV, found.queryDim);
}

std::optional<Attention> Matcher::match(unsigned weights) {
  OpOperand *operand = found.result.getDpsInputOperand(weights);
  AffineMap map = found.result.getMatchingIndexingMap(operand);
  found.rank = map.getNumResults();
  SmallVector<unsigned> reductions;
  found.result.getReductionDims(reductions);
  std::optional<unsigned> keyDim =
      map.getResultPosition(getAffineDimExpr(reductions.front(), context));
  if (!keyDim)
    return std::nullopt;
  found.keyDim = *keyDim;
  if (!matchWeights(operand) || !matchResult(operand))
    return std::nullopt;
  return found;
}

} // namespace

SmallVector<Operation *> Attention::getOps() const {
  SmallVector<Operation *> ops{scores};
  ops.append(logits.begin(), logits.end());
  ops.append({max, exp, sum, weights, result});
  return ops;
}

std::optional<Attention> matchAttention(linalg::LinalgOp result,
                                        const ProducerMap &producers) {
  if (!isMatrixProduct(result))
    return std::nullopt;
  for (unsigned weights : {0, 1})
    if (auto found = Matcher(result, producers).match(weights))
      return found;
  return std::nullopt;
}

} // namespace aircc
