//===- SeparateFactors.cpp - Compute factors before contractions ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

#include <array>

namespace aircc::dispatch {
#define GEN_PASS_DEF_SEPARATEFACTORS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// A factor of the product that a contraction sums.
struct Factor {
  /// The value in the body, before the extension to the type of the sum.
  Value value;
  /// The op that performs this extension; null if there is none.
  Operation *extension = nullptr;
  /// The ops of the body that compute the value, in order; empty if the value
  /// is an element of an operand.
  SetVector<Operation *> ops;
  /// The operands from which it is computed, and the loops that index them.
  SmallVector<OpOperand *> inputs;
  SmallVector<unsigned> loops;
};

/// Returns the op that multiplies the factors of `op`, whose body adds the
/// product to the result and does nothing else with it; null if there is none.
Operation *findProduct(linalg::GenericOp op) {
  Operation *sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum))
    return nullptr;
  BlockArgument result = op.getRegionOutputArgs().front();
  unsigned own = sum->getOperand(0) == result ? 0 : 1;
  if (sum->getOperand(own) != result || !result.hasOneUse())
    return nullptr;
  Operation *product = sum->getOperand(1 - own).getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) &&
                 product->getBlock() == op.getBody()
             ? product
             : nullptr;
}

/// Adds the ops that compute `value`, and the operands they use, to `factor`.
/// Fails if one of them cannot be computed elementwise.
LogicalResult collect(linalg::GenericOp op, Value value, Factor &factor) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBody()) {
    OpOperand *input = op.getMatchingOpOperand(argument);
    if (op.isDpsInit(input))
      return failure();
    if (!llvm::is_contained(factor.inputs, input))
      factor.inputs.push_back(input);
    return success();
  }
  Operation *definer = value.getDefiningOp();
  if (!definer || definer->getBlock() != op.getBody() ||
      factor.ops.contains(definer))
    return success();
  if (definer->getNumRegions() || !isPure(definer))
    return failure();
  for (Value operand : definer->getOperands())
    if (failed(collect(op, operand, factor)))
      return failure();
  factor.ops.insert(definer);
  return success();
}

std::optional<Factor> getFactor(linalg::GenericOp op, Value value) {
  Factor factor;
  factor.value = value;
  Operation *definer = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(definer) &&
      definer->getBlock() == op.getBody()) {
    factor.extension = definer;
    factor.value = definer->getOperand(0);
  }
  if (failed(collect(op, factor.value, factor)) || factor.inputs.empty())
    return std::nullopt;
  llvm::SmallBitVector used(op.getNumLoops());
  for (OpOperand *input : factor.inputs) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isProjectedPermutation())
      return std::nullopt;
    for (AffineExpr loop : map.getResults())
      used.set(cast<AffineDimExpr>(loop).getPosition());
  }
  for (Operation *own : factor.ops)
    if (auto index = dyn_cast<linalg::IndexOp>(own);
        index && !used.test(index.getDim()))
      return std::nullopt;
  llvm::append_range(factor.loops, used.set_bits());
  return factor;
}

/// Returns whether the product of the factors is one of matrices with several
/// rows and columns. Only then is it worthwhile to store or stage computed
/// factors.
bool isProductOfMatrices(linalg::GenericOp op, const Factor &a,
                         const Factor &b) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool hasRows = false, hasColumns = false, isSummed = false;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool inA = llvm::is_contained(a.loops, loop),
         inB = llvm::is_contained(b.loops, loop);
    if (linalg::isReductionIterator(iterators[loop])) {
      if (!inA || !inB)
        return false;
      isSummed = true;
      continue;
    }
    if (!inA && !inB)
      return false;
    hasRows |= inA && !inB && sizes[loop] != 1;
    hasColumns |= inB && !inA && sizes[loop] != 1;
  }
  return hasRows && hasColumns && isSummed;
}

class Separator {
public:
  Separator(IRRewriter &b, linalg::GenericOp op)
      : b(b), op(op), loc(op.getLoc()) {}

  void run(const Factor &lhs, const Factor &rhs, Operation *product);

private:
  OpFoldResult getSize(unsigned loop);
  AffineMap getMap(ArrayRef<unsigned> loops, unsigned numLoops);
  Value createFactor(const Factor &factor);
  void sumAlongOneLoop(linalg::GenericOp contraction);

  IRRewriter &b;
  linalg::GenericOp op;
  Location loc;
};

OpFoldResult Separator::getSize(unsigned loop) {
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dim =
            op.getMatchingIndexingMap(&operand).getResultPosition(
                b.getAffineDimExpr(loop)))
      return tensor::getMixedSize(b, loc, operand.get(), *dim);
  llvm_unreachable("an operand of a linalg op has each of its loops");
}

AffineMap Separator::getMap(ArrayRef<unsigned> loops, unsigned numLoops) {
  SmallVector<AffineExpr> results;
  for (unsigned loop : loops)
    results.push_back(b.getAffineDimExpr(loop));
  return AffineMap::get(numLoops, 0, results, b.getContext());
}

/// Returns an elementwise op that computes the factor, or the operand of a
/// factor that is not computed.
Value Separator::createFactor(const Factor &factor) {
  if (factor.ops.empty())
    return factor.inputs.front()->get();
  unsigned numLoops = factor.loops.size();
  auto getOwnLoop = [&](unsigned loop) -> unsigned {
    return llvm::find(factor.loops, loop) - factor.loops.begin();
  };
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : factor.loops)
    sizes.push_back(getSize(loop));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, factor.value.getType());
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (OpOperand *input : factor.inputs) {
    SmallVector<unsigned> loops;
    for (AffineExpr loop : op.getMatchingIndexingMap(input).getResults())
      loops.push_back(getOwnLoop(cast<AffineDimExpr>(loop).getPosition()));
    maps.push_back(getMap(loops, numLoops));
    inputs.push_back(input->get());
  }
  maps.push_back(b.getMultiDimIdentityMap(numLoops));
  return linalg::GenericOp::create(
             b, loc, empty.getType(), inputs, empty, maps,
             SmallVector<utils::IteratorType>(numLoops,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location, ValueRange arguments) {
               IRMapping mapping;
               for (auto [input, argument] :
                    llvm::zip(factor.inputs, arguments))
                 mapping.map(op.getMatchingBlockArgument(input), argument);
               for (Operation *own : factor.ops)
                 if (auto index = dyn_cast<linalg::IndexOp>(own))
                   mapping.map(
                       index.getResult(),
                       linalg::IndexOp::create(nested, own->getLoc(),
                                               getOwnLoop(index.getDim())));
                 else
                   nested.clone(*own, mapping);
               linalg::YieldOp::create(nested, loc,
                                       mapping.lookup(factor.value));
             })
      .getResult(0);
}

/// Collapses several reduced loops, such as those over groups and within
/// groups, into one if the factors have them in the same order.
void Separator::sumAlongOneLoop(linalg::GenericOp contraction) {
  SmallVector<unsigned> reduced;
  contraction.getReductionDims(reduced);
  ReassociationIndices group(reduced.begin(), reduced.end());
  if (group.size() < 2 || !linalg::areDimSequencesPreserved(
                              contraction.getIndexingMapsArray(), {group}))
    return;
  b.setInsertionPoint(contraction);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(contraction, {group}, b);
  if (succeeded(collapsed))
    b.replaceOp(contraction, collapsed->results);
}

void Separator::run(const Factor &lhs, const Factor &rhs, Operation *product) {
  b.setInsertionPoint(op);
  SmallVector<Value> inputs{createFactor(lhs), createFactor(rhs)};
  std::array<const Factor *, 2> factors{&lhs, &rhs};
  SmallVector<AffineMap> maps;
  for (const Factor *factor : factors)
    maps.push_back(factor->ops.empty()
                       ? op.getMatchingIndexingMap(factor->inputs.front())
                       : getMap(factor->loops, op.getNumLoops()));
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  Operation *sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  auto contraction = linalg::GenericOp::create(
      b, loc, op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [factor, argument] : llvm::zip(factors, arguments)) {
          mapping.map(factor->value, argument);
          if (factor->extension)
            nested.clone(*factor->extension, mapping);
        }
        mapping.map(op.getRegionOutputArgs().front(), arguments.back());
        nested.clone(*product, mapping);
        nested.clone(*sum, mapping);
        linalg::YieldOp::create(nested, loc, mapping.lookup(sum->getResult(0)));
      });
  b.replaceOp(op, contraction.getResults());
  sumAlongOneLoop(contraction);
}

class SeparateFactors
    : public dispatch::impl::SeparateFactorsBase<SeparateFactors> {
public:
  void runOnOperation() final {
    SmallVector<linalg::GenericOp> ops;
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      function.walk([&](linalg::GenericOp op) {
        if (op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
            op.getNumReductionLoops())
          ops.push_back(op);
      });
    for (linalg::GenericOp op : ops)
      separate(op);
  }

private:
  static void separate(linalg::GenericOp op) {
    Operation *product = findProduct(op);
    if (!product || !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                         .isProjectedPermutation())
      return;
    std::optional<Factor> lhs = getFactor(op, product->getOperand(0)),
                          rhs = getFactor(op, product->getOperand(1));
    if (!lhs || !rhs || (lhs->ops.empty() && rhs->ops.empty()) ||
        lhs->value == rhs->value || !isProductOfMatrices(op, *lhs, *rhs))
      return;
    IRRewriter rewriter(op.getContext());
    Separator(rewriter, op).run(*lhs, *rhs, product);
  }
};

} // namespace
