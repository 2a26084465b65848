//===- AttentionBuilder.h - Build attention kernels -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Builds a kernel that computes attention for a tile of queries with
// workgroup-level vectors. For each query, a loop along the keys carries the
// sums of the weighted values, the largest score and the sum of the weights.
// The sums are rescaled whenever a larger score is found.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONBUILDER_H
#define AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONBUILDER_H

#include "pipeline/hierarchy/attention/AttentionKernel.h"
#include "pipeline/hierarchy/tiles/TileEvaluator.h"
#include "pipeline/hierarchy/tiles/TileOps.h"
#include "pipeline/strategy/AttentionTiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <memory>

namespace aircc::hierarchy {

using strategy::AttentionTiling;

/// Derived classes build the loop along the keys.
class AttentionBuilder {
public:
  AttentionBuilder(mlir::OpBuilder &b, const AttentionProblem &problem,
                   const AttentionTiling &tiling, const TargetProfile &profile)
      : b(b), problem(problem), attention(problem.attention), tiling(tiling),
        profile(profile), loc(attention.result->getLoc()) {}
  virtual ~AttentionBuilder() = default;

  mlir::gpu::LaunchOp create();

protected:
  /// The values that the loop along the keys carries.
  struct State {
    mlir::Value sums, max, weights;
  };
  /// Queries, keys or values.
  struct Operand {
    mlir::OpOperand *operand;
    mlir::AffineMap map;
    unsigned headDim;
    int64_t head; ///< The size of heads in tiles.

    /// The part of the heads that a tile covers; 0 if it covers whole heads.
    int64_t partSize = 0;
    int64_t partStart = 0;

    Operand getPart(int64_t start, int64_t size) const {
      return {operand, map, headDim, head, size, start};
    }
  };

  /// Returns the types of the LDS buffers of the kernel.
  virtual llvm::SmallVector<mlir::Type> getBufferTypes() { return {}; }
  /// Creates the loop along the keys before `end`, and returns its results.
  virtual State createLoop(const State &start, mlir::Value end) = 0;

  /// Returns the sums of weights, multiplied by `scale`.
  virtual mlir::Value scaleWeights(mlir::Value sums, mlir::Value scale);
  /// Returns the sums of weights after adding `weights`.
  virtual mlir::Value addWeights(mlir::Value sums, mlir::Value weights);

  /// Returns whether each column of a tile, rather than each row, is a query.
  bool hasQueryColumns() const { return tiling.buffers != 0; }
  Operand getQueries() {
    return {attention.q, attention.mapOfQ, attention.getDepthDim(),
            tiling.depth};
  }
  Operand getKeys() {
    return {attention.k, attention.mapOfK, attention.getDepthDim(),
            tiling.depth};
  }
  Operand getValues() {
    return {attention.v, attention.mapOfV, attention.getFeatureDim(),
            tiling.features};
  }
  /// Returns whether each row of the operand in memory is a head.
  bool hasHeadRows(const Operand &operand) {
    return getPosition(operand.map, attention.keyDim) <
           getPosition(operand.map, operand.headDim);
  }
  /// Reads the tile that starts at `key` in its memory layout: each row is a
  /// head, unless `hasHeadRows` is false.
  mlir::Value readTile(const Operand &operand, mlir::Value key) {
    return readTile(operand, key, tiling.keys);
  }
  /// The same for a tile of `keys` keys.
  mlir::Value readTile(const Operand &operand, mlir::Value key, int64_t keys) {
    return getTileEvaluator(operand, key, keys)
        .read(operand.operand->get(), operand.map);
  }
  /// Starts to transfer this tile to `lds`.
  void moveTile(const Operand &operand, mlir::Value key, mlir::Value lds,
                mlir::ValueRange indices, bool isCounted) {
    getTileEvaluator(operand, key, tiling.keys)
        .move(operand.operand->get(), operand.map, lds, indices, isCounted);
  }
  /// Returns whether the rows of such tiles are complete rows of the operand.
  bool hasFullRows(const Operand &operand);
  /// Reads the queries of the workgroup, or a part of their heads.
  Factor readQueries(const Operand &queries);
  mlir::Value createNoScores() { return splat(getQueryShape(tiling.keys), 0); }
  /// Computes the weights of the keys starting at `key`, in parts of keyPart
  /// keys, and the state with the sums before the values of these keys are
  /// added.
  State createStep(mlir::Value scores, mlir::Value key, const State &state,
                   llvm::SmallVectorImpl<mlir::Value> &weights);
  /// Returns `count` columns of a tile.
  mlir::Value getColumns(mlir::Value tile, int64_t start, int64_t count);

  static mlir::MemRefType getType(mlir::OpOperand *operand) {
    return mlir::cast<mlir::MemRefType>(operand->get().getType());
  }
  static unsigned getPosition(mlir::AffineMap map, unsigned dim) {
    return *map.getResultPosition(
        mlir::getAffineDimExpr(dim, map.getContext()));
  }
  mlir::Value splat(llvm::ArrayRef<int64_t> shape, double value);
  /// Returns the tile with `size` elements for each query, all equal to its
  /// element of `vector`.
  mlir::Value broadcastQueries(mlir::Value vector, int64_t size);
  /// Reduces the elements for each query.
  mlir::Value reduceQueries(mlir::Value tile, mlir::Value init,
                            mlir::vector::CombiningKind kind);
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }

  mlir::OpBuilder &b;
  const AttentionProblem &problem;
  const Attention &attention;
  const AttentionTiling &tiling;
  const TargetProfile &profile;
  mlir::Location loc;
  mlir::gpu::LaunchOp launch;
  mlir::Value numKeys;

private:
  mlir::Value getSize(mlir::OpOperand *operand, mlir::AffineMap map,
                      unsigned dim) {
    return b.createOrFold<mlir::memref::DimOp>(loc, operand->get(),
                                               getPosition(map, dim));
  }
  mlir::Value convert(mlir::Value value, mlir::Type element) {
    return convertElements(b, loc, value, element);
  }
  TileEvaluator getEvaluator(int64_t rows, int64_t columns,
                             llvm::SmallVector<TileLoop> loops) {
    return TileEvaluator(b, loc, rows, columns, std::move(loops));
  }
  llvm::SmallVector<TileLoop> getLoops(unsigned rowDim, TileLoop row,
                                       unsigned columnDim, TileLoop column);
  TileEvaluator getOperandEvaluator(const Operand &operand, unsigned dim,
                                    TileLoop loop, int64_t size);
  TileEvaluator getTileEvaluator(const Operand &operand, mlir::Value key,
                                 int64_t keys);
  /// Returns the evaluator for tiles with `size` elements for each query, which
  /// are along dimension `dim` of the loops.
  TileEvaluator getQueryEvaluator(int64_t size,
                                  llvm::SmallVector<TileLoop> loops = {});
  llvm::SmallVector<TileLoop> getQueryLoops(unsigned dim, TileLoop loop);
  llvm::SmallVector<int64_t> getQueryShape(int64_t size);
  mlir::Value isAfter(mlir::Value key, mlir::Value end);
  mlir::Value changeWhere(mlir::Value condition, mlir::Value values,
                          llvm::function_ref<mlir::Value()> change);
  mlir::Value computeLogits(mlir::Value scores, mlir::Value key);
  mlir::Value computeWeights(mlir::Value logits, mlir::Value max);
  mlir::Value exponentiate(mlir::Value a, mlir::Value minus);
  mlir::Value roundWeights(mlir::Value weights);
  /// Returns whether the maximum that weights are computed with may lag behind
  /// the largest logit, so that sums are rescaled less often.
  bool isMaxKept() { return hasQueryColumns() && isNarrow(); }
  mlir::Value keepMax(mlir::Value before, mlir::Value now);
  void findFactor();
  /// Returns whether weights are rounded to narrow elements, in which case an
  /// approximate exponential is sufficiently exact.
  bool isNarrow() { return getType(attention.v).getElementTypeBitWidth() < 32; }
  void createBody();
  void store(mlir::Value result);

  /// The first query of the workgroup, and the workgroup's indices in the other
  /// dimensions of the scores.
  TileLoop query;
  /// The query after the first one.
  mlir::Value nextQuery;
  bool areKeysFull = false;
  /// Whether keys after their query have no weight.
  bool isCausal = false;
  /// If the scores are not multiplied beforehand, the weights are 2 to the
  /// power of this factor times the scores.
  std::optional<double> logitFactor;
  llvm::SmallVector<mlir::Value> outerIds;
};

/// Creates a builder of kernels whose waves read keys and values from memory.
std::unique_ptr<AttentionBuilder>
createDirectAttention(mlir::OpBuilder &b, const AttentionProblem &problem,
                      const AttentionTiling &tiling,
                      const TargetProfile &profile);

/// Creates a builder of kernels whose waves stage keys and values in LDS.
std::unique_ptr<AttentionBuilder>
createStagedAttention(mlir::OpBuilder &b, const AttentionProblem &problem,
                      const AttentionTiling &tiling,
                      const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_ATTENTION_ATTENTIONBUILDER_H
