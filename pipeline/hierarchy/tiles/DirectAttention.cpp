//===- DirectAttention.cpp - Attention kernels that read from memory ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/AttentionBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class DirectAttention : public AttentionBuilder {
public:
  using AttentionBuilder::AttentionBuilder;

protected:
  State createLoop(const Factor &queries, const State &start, Value end) final;
  Value multiplyKeys(const Factor &queries, const Factor &keys,
                     Value scores) final {
    return createProduct(b, loc, queries, keys, scores);
  }
  Value multiplyValues(Value weights, const Factor &values, Value sums) final {
    return createProduct(b, loc, {weights, /*isAlongK=*/true}, values, sums);
  }
};

AttentionBuilder::State DirectAttention::createLoop(const Factor &queries,
                                                    const State &start,
                                                    Value end) {
  auto loop =
      scf::ForOp::create(b, loc, constant(0), end, constant(tiling.keys),
                         ValueRange{start.sums, start.max, start.weights});
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(loop.getBody());
  Value key = loop.getInductionVar();
  auto carried = loop.getRegionIterArgs();
  Factor keys{readTile(getKeys(), key), hasHeadRows(getKeys())};
  Value weights;
  Value scores = multiplyKeys(queries, keys, createNoScores());
  State next =
      createStep(scores, key, {carried[0], carried[1], carried[2]}, weights);
  Factor values{readTile(getValues(), key), !hasHeadRows(getValues())};
  next.sums = multiplyValues(weights, values, next.sums);
  scf::YieldOp::create(b, loc, ValueRange{next.sums, next.max, next.weights});
  return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
}

} // namespace

std::unique_ptr<AttentionBuilder>
hierarchy::createDirectAttention(OpBuilder &b, const AttentionProblem &problem,
                                 const AttentionTiling &tiling,
                                 const TargetProfile &profile) {
  return std::make_unique<DirectAttention>(b, problem, tiling, profile);
}
