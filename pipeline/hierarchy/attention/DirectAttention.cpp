//===- DirectAttention.cpp - Attention kernels that read from memory ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/attention/AttentionBuilder.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class DirectAttention : public AttentionBuilder {
public:
  using AttentionBuilder::AttentionBuilder;

protected:
  State createLoop(const State &start, Value end) final;
  Value scaleWeights(Value sums, Value scale) final;
  Value addWeights(Value sums, Value weights) final;

private:
  /// Adds the product of two factors to `sums`; each wave has rows of its own.
  Value multiply(const Factor &lhs, const Factor &rhs, Value sums,
                 const MatrixInstruction *instruction) {
    vector::ContractionOp product = createProduct(b, loc, lhs, rhs, sums);
    if (instruction)
      product->setAttr(layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
                       layout::ContractionStrategyAttr::get(
                           b.getContext(), instruction->name, tiling.waves,
                           /*wavesN=*/1, layout::OperandPath::Direct));
    return product;
  }
  /// Returns the number of partial sums of weights for each query: every lane
  /// adds the weights that it computes. Returns 0 if there are no partial sums.
  int64_t getPartialSums() { return tiling.scores ? tiling.scores->n : 0; }

  Value multiplyKeys(Value key);
  Value multiplyValues(ArrayRef<Value> weights, Value key, Value sums);

  /// The whole queries, if they stay in registers.
  std::optional<Factor> allQueries;
};

/// Returns the scores of the keys starting at `key`.
Value DirectAttention::multiplyKeys(Value key) {
  Value scores = createNoScores();
  Operand queries = getQueries(), keys = getKeys();
  for (int64_t start = 0; start < tiling.depth; start += tiling.depthPart) {
    Factor left = allQueries
                      ? *allQueries
                      : readQueries(queries.getPart(start, tiling.depthPart));
    Factor right{readTile(keys.getPart(start, tiling.depthPart), key),
                 hasHeadRows(keys)};
    scores = multiply(left, right, scores, tiling.scores);
  }
  return scores;
}

/// Adds the values starting at `key`, multiplied by their weights, to `sums`.
Value DirectAttention::multiplyValues(ArrayRef<Value> weights, Value key,
                                      Value sums) {
  Operand values = getValues();
  for (auto [i, part] : llvm::enumerate(weights)) {
    Value first =
        b.createOrFold<arith::AddIOp>(loc, key, constant(i * tiling.keyPart));
    for (int64_t start = 0; start < tiling.features;
         start += tiling.featurePart) {
      Factor right{readTile(values.getPart(start, tiling.featurePart), first,
                            tiling.keyPart),
                   !hasHeadRows(values)};
      Value product =
          multiply({part, /*isAlongK=*/true}, right,
                   getColumns(sums, start, tiling.featurePart), tiling.sums);
      sums = tiling.featurePart == tiling.features
                 ? product
                 : vector::InsertStridedSliceOp::create(
                       b, loc, product, sums, ArrayRef<int64_t>{0, start},
                       ArrayRef<int64_t>{1, 1});
    }
  }
  return sums;
}

Value DirectAttention::scaleWeights(Value sums, Value scale) {
  if (int64_t partial = getPartialSums())
    scale = broadcastQueries(scale, partial);
  return AttentionBuilder::scaleWeights(sums, scale);
}

Value DirectAttention::addWeights(Value sums, Value weights) {
  int64_t partial = getPartialSums(),
          count = cast<VectorType>(weights.getType()).getDimSize(1);
  if (!partial)
    return AttentionBuilder::addWeights(sums, weights);
  for (int64_t start = 0; start < count; start += partial)
    sums = arith::AddFOp::create(b, loc, sums,
                                 getColumns(weights, start, partial));
  return sums;
}

AttentionBuilder::State DirectAttention::createLoop(const State &start,
                                                    Value end) {
  if (tiling.depthPart == tiling.depth)
    allQueries = readQueries(getQueries());
  Value weightSums = start.weights;
  if (int64_t partial = getPartialSums())
    weightSums = splat({tiling.queries, partial}, 0);
  auto loop =
      scf::ForOp::create(b, loc, constant(0), end, constant(tiling.keys),
                         ValueRange{start.sums, start.max, weightSums});
  b.setInsertionPointToStart(loop.getBody());
  Value key = loop.getInductionVar();
  auto carried = loop.getRegionIterArgs();
  SmallVector<Value> weights;
  State next = createStep(multiplyKeys(key), key,
                          {carried[0], carried[1], carried[2]}, weights);
  next.sums = multiplyValues(weights, key, next.sums);
  scf::YieldOp::create(b, loc, ValueRange{next.sums, next.max, next.weights});
  b.setInsertionPointAfter(loop);
  weightSums = loop.getResult(2);
  if (getPartialSums())
    weightSums =
        reduceQueries(weightSums, start.weights, vector::CombiningKind::ADD);
  return {loop.getResult(0), loop.getResult(1), weightSums};
}

} // namespace

std::unique_ptr<AttentionBuilder>
hierarchy::createDirectAttention(OpBuilder &b, const AttentionProblem &problem,
                                 const AttentionTiling &tiling,
                                 const TargetProfile &profile) {
  return std::make_unique<DirectAttention>(b, problem, tiling, profile);
}
