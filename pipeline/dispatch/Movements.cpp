//===- Movements.cpp - Fold data movement into its users ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Movements.h"

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/dispatch/Relayouts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace aircc;

bool dispatch::isPermutation(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() != 0)
    return false;
  Value yielded = generic.getBody()->getTerminator()->getOperand(0);
  return yielded == generic.getRegionInputArgs()[0] &&
         llvm::all_of(generic.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

namespace {

/// Lets a contraction read the source of a permutation instead of its result,
/// unless matrices would be interleaved there.
struct FoldPermutationIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const final {
    if (!op.hasPureTensorSemantics() || !isMatrixProduct(op))
      return failure();
    for (unsigned number = 0; number < 2; ++number)
      if (auto map = getSourceMap(op, number))
        return fold(op, number, *map, rewriter);
    return failure();
  }

private:
  static linalg::GenericOp getPermutation(linalg::LinalgOp op,
                                          unsigned number) {
    auto producer =
        op.getDpsInputOperand(number)->get().getDefiningOp<linalg::GenericOp>();
    return producer && dispatch::isPermutation(producer) ? producer : nullptr;
  }

  /// Returns the indexing map with which `op` can read the source of the
  /// permutation.
  static std::optional<AffineMap> getSourceMap(linalg::LinalgOp op,
                                               unsigned number) {
    linalg::GenericOp producer = getPermutation(op, number);
    if (!producer)
      return std::nullopt;
    // Replaces the loops of the producer with those of the contraction.
    AffineMap read =
        producer.getMatchingIndexingMap(producer.getDpsInputOperand(0));
    AffineMap written =
        producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
    AffineMap used = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
    AffineMap map = read.compose(inversePermutation(written).compose(used));
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (map.getNumResults() == 0)
      return std::nullopt;
    auto last = cast<AffineDimExpr>(map.getResults().back());
    if (llvm::is_contained(dims->batch, last.getPosition()))
      return std::nullopt;
    return map;
  }

  static LogicalResult fold(linalg::LinalgOp op, unsigned number, AffineMap map,
                            PatternRewriter &rewriter) {
    linalg::GenericOp producer = getPermutation(op, number);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> named =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(named))
        return failure();
      generic = *named;
    }
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    maps[number] = map;
    rewriter.modifyOpInPlace(generic, [&] {
      generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      generic->setOperand(number, producer.getDpsInputs()[0]);
    });
    return success();
  }
};

/// Extracts from the source of a slice.
struct ExtractFromSlice : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const final {
    auto slice = op.getTensor().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice)
      return failure();
    Location loc = op.getLoc();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> indices;
    unsigned next = 0;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
      Value start = getValueOrCreateConstantIndexOp(rewriter, loc, offset);
      if (dropped.test(dim)) {
        indices.push_back(start);
        continue;
      }
      Value by = getValueOrCreateConstantIndexOp(rewriter, loc, stride);
      Value step = rewriter.createOrFold<arith::MulIOp>(
          loc, op.getIndices()[next++], by);
      indices.push_back(rewriter.createOrFold<arith::AddIOp>(loc, step, start));
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, slice.getSource(),
                                                   indices);
    return success();
  }
};

/// Computes an extracted element from elements of the operands.
struct ExtractFromElementwise : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const final {
    auto producer = op.getTensor().getDefiningOp<linalg::GenericOp>();
    // Do this only in the code of structured ops; on the host, computing a
    // single element is not worthwhile.
    if (!producer || !op->getParentOfType<linalg::LinalgOp>() ||
        !producer.hasPureTensorSemantics() || !isElementwiseOnTiles(producer) ||
        (!producer->hasOneUse() && !dispatch::isPermutation(producer)))
      return failure();
    Location loc = op.getLoc();
    AffineMap written =
        producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
    SmallVector<Value> loops(producer.getNumLoops());
    for (auto [loop, index] : llvm::zip(written.getResults(), op.getIndices()))
      loops[cast<AffineDimExpr>(loop).getPosition()] = index;
    IRMapping mapping;
    for (OpOperand *input : producer.getDpsInputOperands()) {
      Value value = input->get();
      SmallVector<Value> indices;
      for (AffineExpr loop :
           producer.getMatchingIndexingMap(input).getResults())
        indices.push_back(loops[cast<AffineDimExpr>(loop).getPosition()]);
      if (isa<RankedTensorType>(value.getType()))
        value = tensor::ExtractOp::create(rewriter, loc, value, indices);
      mapping.map(producer.getMatchingBlockArgument(input), value);
    }
    for (Operation &scalar : producer.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(scalar))
        mapping.map(index.getResult(), loops[index.getDim()]);
      else
        rewriter.clone(scalar, mapping);
    }
    rewriter.replaceOp(op,
                       mapping.lookupOrDefault(
                           producer.getBody()->getTerminator()->getOperand(0)));
    return success();
  }
};

/// Returns the element of a concatenation, which is an element of the operand
/// that contains it.
Value createElement(OpBuilder &b, Location loc, tensor::ConcatOp op,
                    ValueRange indices, ArrayRef<Value> starts,
                    unsigned number) {
  auto extract = [&](OpBuilder &inner) -> Value {
    SmallVector<Value> at(indices);
    at[op.getDim()] =
        inner.createOrFold<arith::SubIOp>(loc, at[op.getDim()], starts[number]);
    return tensor::ExtractOp::create(inner, loc, op.getInputs()[number], at);
  };
  if (number + 1 == op.getInputs().size())
    return extract(b);
  Value isHere =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                            indices[op.getDim()], starts[number + 1]);
  return scf::IfOp::create(
             b, loc, isHere,
             [&](OpBuilder &then, Location) {
               scf::YieldOp::create(then, loc, extract(then));
             },
             [&](OpBuilder &otherwise, Location) {
               scf::YieldOp::create(otherwise, loc,
                                    createElement(otherwise, loc, op, indices,
                                                  starts, number + 1));
             })
      .getResult(0);
}

/// Limit the number of operands, because more would need too many branches.
constexpr unsigned kMaxConcatenated = 4;

bool isUsedElementwise(tensor::ConcatOp op) {
  return op.getInputs().size() <= kMaxConcatenated &&
         op.getResultType().getRank() > 0 && !op->use_empty() &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
           return user && user.isDpsInput(&use) && isElementwiseOnTiles(user) &&
                  user.getMatchingIndexingMap(&use).isPermutation();
         });
}

void convertToGeneric(IRRewriter &rewriter, tensor::ConcatOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  SmallVector<Value> starts;
  Value start = arith::ConstantIndexOp::create(rewriter, loc, 0);
  for (Value input : op.getInputs()) {
    starts.push_back(start);
    Value size = getValueOrCreateConstantIndexOp(
        rewriter, loc, tensor::getMixedSize(rewriter, loc, input, op.getDim()));
    start = rewriter.createOrFold<arith::AddIOp>(loc, start, size);
  }
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getInputs()[0]);
  sizes[op.getDim()] = getAsOpFoldResult(start);
  Value dest =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  if (dest.getType() != type)
    dest = tensor::CastOp::create(rewriter, loc, type, dest);
  rewriter.replaceOp(op,
                     dispatch::createGenerated(
                         rewriter, loc, dest,
                         [&](OpBuilder &b, Location loc, ValueRange indices) {
                           return createElement(b, loc, op, indices, starts, 0);
                         }));
}

} // namespace

void dispatch::populateMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldPermutationIntoContraction, ExtractFromSlice,
               ExtractFromElementwise>(patterns.getContext());
}

void dispatch::lowerConcatenations(Operation *function, bool fuse) {
  IRRewriter rewriter(function->getContext());
  SmallVector<tensor::ConcatOp> ops;
  function->walk([&](tensor::ConcatOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  for (tensor::ConcatOp op : ops)
    if (fuse && isUsedElementwise(op))
      convertToGeneric(rewriter, op);
  RewritePatternSet patterns(function->getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
