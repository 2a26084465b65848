//===- SplitReductions.cpp - Divide long reductions into kernels ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace aircc::dispatch {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The number of elements that a kernel reduces to a partial result: a multiple
/// of `factor` if possible, or else of `unit`.
struct ChunkSizes {
  int64_t smallest, preferred, largest, factor, unit;
};

/// For elements that are adjacent in memory: a workgroup reduces a chunk.
constexpr ChunkSizes kRowChunks = {1024, 4096, dispatch::maxReducedElements,
                                   256, 16};
/// For elements of different rows: a workgroup reduces chunks of many
/// columns, so that it reads whole cache lines. The partial results are a few
/// percent of what it reads.
constexpr ChunkSizes kColumnChunks = {16, 64, 128, 16, 1};

/// Returns the size of the chunks into which `size` elements are divided, if
/// possible a divisor.
int64_t chooseChunk(int64_t size, const ChunkSizes &chunks) {
  auto distance = [&](int64_t chunk) {
    return std::abs(std::log2(double(chunk) / double(chunks.preferred)));
  };
  for (int64_t step : {chunks.factor, chunks.unit}) {
    int64_t best = 0;
    for (int64_t chunk = chunks.smallest; chunk <= chunks.largest;
         chunk += step)
      if (size % chunk == 0 && (!best || distance(chunk) < distance(best)))
        best = chunk;
    if (best)
      return best;
  }
  return chunks.preferred;
}

/// Collapses adjacent reduction loops into one loop, if possible.
linalg::GenericOp collapseReductions(IRRewriter &rewriter,
                                     linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() < 2 || loops.back() - loops.front() + 1 != loops.size())
    return op;
  ReassociationIndices sequence(loops.begin(), loops.end());
  if (!linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {sequence}))
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, {sequence}, rewriter);
  if (failed(collapsed))
    return op;
  rewriter.replaceOp(op, collapsed->results);
  return cast<linalg::GenericOp>(collapsed->collapsedOp);
}

/// Returns whether the pass can divide `op`.
bool isSplittable(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0 && op->getNumResults() == 1 &&
         op.hasPureTensorSemantics() &&
         (!op.hasIndexSemantics() || op.getNumReductionLoops() == 1) &&
         !linalg::isaContractionOpInterface(op) &&
         !linalg::isaConvolutionOpInterface(op) &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         llvm::none_of(op.getStaticLoopRanges(), [](int64_t size) {
           return ShapedType::isDynamic(size) || size == 0;
         });
}

/// Returns the number of rows that `op` reduces.
int64_t countRows(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getParallelDims(loops);
  int64_t rows = 1;
  for (unsigned loop : loops)
    rows *= op.getStaticLoopRanges()[loop];
  return rows;
}

/// Describes `op` for the kernel report if the op that it is a part of was
/// described.
void describe(linalg::LinalgOp op, bool isDescribed) {
  if (isDescribed)
    setWork(op);
}

/// Creates the op that combines the partial results of `op`, which are in the
/// outermost dimension of `partial`, with its initial value.
linalg::GenericOp combineParts(IRRewriter &rewriter, linalg::GenericOp op,
                               Operation *combiner, Value partial) {
  unsigned rank = cast<RankedTensorType>(partial.getType()).getRank();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.front() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), partial, op.getDpsInits(),
      {all, all.dropResult(0)}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        IRMapping mapping;
        for (Value operand : combiner->getOperands())
          mapping.map(operand, operand == op.getRegionOutputArgs()[0]
                                   ? values[1]
                                   : values[0]);
        linalg::YieldOp::create(inner, loc,
                                inner.clone(*combiner, mapping)->getResults());
      });
}

/// Splits a reduction with several loops whose elements are not adjacent in
/// memory: one op reduces all loops except the outermost one, and another op
/// reduces the results. Returns both, or null if `op` remains unchanged.
std::pair<linalg::GenericOp, linalg::GenericOp> separate(IRRewriter &rewriter,
                                                         linalg::GenericOp op,
                                                         int64_t maxRows,
                                                         bool isDescribed) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  int64_t elements = 1;
  for (unsigned loop : loops)
    elements *= op.getStaticLoopRanges()[loop];
  Operation *combiner = findCombiner(op, 0);
  if (loops.size() < 2 || !combiner ||
      elements <= dispatch::maxReducedElements ||
      (maxRows > 0 && countRows(op) > maxRows))
    return {};
  unsigned outer = loops.front();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = maps.back().insertResult(rewriter.getAffineDimExpr(outer), 0);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators[outer] = utils::IteratorType::parallel;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), op.getStaticLoopRanges()[outer]);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value neutral = arith::ConstantOp::create(
      rewriter, loc, *arith::getNeutralElement(combiner));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  Value init =
      linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  auto partial = linalg::GenericOp::create(
      rewriter, loc, init.getType(), op.getDpsInputs(), init, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), partial.getRegion(),
                             partial.getRegion().end());
  linalg::GenericOp combined =
      combineParts(rewriter, op, combiner, partial.getResult(0));
  rewriter.replaceOp(op, combined);
  describe(partial, isDescribed);
  describe(combined, isDescribed);
  return {partial, combined};
}

/// Corrects the loop indices in the body of `op`, which reduces chunks of
/// `chunk` elements of what `loop` used to reduce. The new loop `chunks`
/// iterates over the chunks.
void correctIndices(OpBuilder &b, linalg::LinalgOp op, unsigned loop,
                    unsigned chunks, int64_t chunk) {
  for (auto index :
       llvm::make_early_inc_range(op.getBlock()->getOps<linalg::IndexOp>())) {
    unsigned before = index.getDim();
    index.setDim(before < chunks ? before : before + 1);
    if (before != loop)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(index);
    Location loc = index.getLoc();
    Value size = arith::ConstantIndexOp::create(b, loc, chunk);
    Value start = arith::MulIOp::create(
        b, loc, linalg::IndexOp::create(b, loc, chunks), size);
    auto whole = arith::AddIOp::create(b, loc, index, start);
    index.getResult().replaceAllUsesExcept(whole, whole);
  }
}

/// Expands affine.apply in the body of `op`, because it does not support
/// vectors.
void expandIndices(IRRewriter &rewriter, linalg::GenericOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto apply : llvm::make_early_inc_range(
           op.getBody()->getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    std::optional<SmallVector<Value, 8>> index = affine::expandAffineMap(
        rewriter, apply.getLoc(), apply.getAffineMap(), apply.getOperands());
    assert(index && "the sum of an index and a constant");
    rewriter.replaceOp(apply, *index);
  }
}

/// Splits the reduction of `op`. Returns the op that reduces the partial
/// results, or null if `op` remains unchanged.
linalg::GenericOp split(IRRewriter &rewriter, linalg::GenericOp op,
                        int64_t maxRows, bool isDescribed) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() != 1)
    return nullptr;
  unsigned loop = loops.front();
  int64_t size = op.getStaticLoopRanges()[loop];
  bool isRow = dispatch::visitsAdjacentElements(op, loop);
  if (!dispatch::isReducedInParts(size, isRow))
    return nullptr;
  if (isRow && maxRows > 0 && countRows(op) > maxRows)
    return nullptr;
  int64_t chunk = chooseChunk(size, isRow ? kRowChunks : kColumnChunks);
  rewriter.setInsertionPoint(op);
  if (int64_t whole = size - size % chunk; whole != size) {
    // The op that reduces the rest starts from the result of the first one, but
    // its indices do not.
    auto [first, rest] =
        linalg::splitOp(rewriter, cast<TilingInterface>(op.getOperation()),
                        loop, rewriter.getIndexAttr(whole));
    if (!first || !rest)
      return nullptr;
    op = cast<linalg::GenericOp>(first.getOperation());
    describe(op, isDescribed);
    auto ofRest = cast<linalg::GenericOp>(rest.getOperation());
    expandIndices(rewriter, ofRest);
    describe(ofRest, isDescribed);
  }
  // Partial results are adjacent if the elements are.
  unsigned position =
      isRow ? op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults()
            : 0;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::SplitReductionResult> result = linalg::splitReduction(
      rewriter, op, [&](linalg::LinalgOp) -> linalg::SplitReductionOptions {
        return {size / chunk, position, /*innerParallel=*/false};
      });
  if (failed(result))
    return nullptr;
  correctIndices(rewriter, result->splitLinalgOp, loop, position, chunk);
  describe(result->splitLinalgOp, isDescribed);
  describe(result->resultCombiningLinalgOp, isDescribed);
  return cast<linalg::GenericOp>(
      result->resultCombiningLinalgOp.getOperation());
}

class SplitReductions
    : public dispatch::impl::SplitReductionsBase<SplitReductions> {
public:
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() final;
};

void SplitReductions::runOnOperation() {
  IRRewriter rewriter(&getContext());
  for (func::FuncOp function : dispatch::getTensorFunctions(getOperation())) {
    SmallVector<linalg::GenericOp> ops;
    function.walk([&](linalg::GenericOp op) {
      if (!dispatch::isInKernel(op) && isSplittable(op))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      bool isDescribed = !getWorks(op).empty();
      op = collapseReductions(rewriter, op);
      describe(op, isDescribed);
      SmallVector<linalg::GenericOp> parts{op};
      for (;;) {
        auto [partial, combined] =
            separate(rewriter, parts.back(), maxRows, isDescribed);
        if (!partial)
          break;
        parts.back() = combined;
        parts.push_back(partial);
      }
      for (linalg::GenericOp part : parts)
        while (part)
          part = split(rewriter, part, maxRows, isDescribed);
    }
    // Simplify the parts of a reduction.
    RewritePatternSet patterns(&getContext());
    tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, &getContext());
    if (!ops.empty())
      (void)applyPatternsGreedily(function, std::move(patterns));
  }
}

} // namespace
