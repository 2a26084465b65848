//===- SplitContractions.cpp - Split long sums over workgroups ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"
#include "pipeline/dispatch/contractions/FactorProducers.h"
#include "pipeline/dispatch/contractions/PartialSums.h"
#include "pipeline/dispatch/contractions/TensorProduct.h"

#include "pipeline/common/PassTarget.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_SPLITCONTRACTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the tensor with dimension `dim` divided into `parts`.
Value divideDim(OpBuilder &b, Location loc, Value tensor, unsigned dim,
                int64_t parts) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= parts;
  shape.insert(shape.begin() + dim, parts);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, rank = type.getRank(); i < rank; ++i) {
    int64_t first = i + (i > dim);
    groups.push_back({first});
    if (i == dim)
      groups.back().push_back(first + 1);
  }
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), tensor,
                                       groups);
}

/// Returns the indexing map of a factor after splitting. The new outermost
/// loop, over the products, indexes the dimension before that of the reduced
/// loop `depth`.
AffineMap addLoop(AffineMap map, unsigned depth) {
  SmallVector<AffineExpr> indices;
  MLIRContext *context = map.getContext();
  for (AffineExpr index : map.shiftDims(1).getResults()) {
    if (index == getAffineDimExpr(depth + 1, context))
      indices.push_back(getAffineDimExpr(0, context));
    indices.push_back(index);
  }
  return AffineMap::get(map.getNumDims() + 1, 0, indices, context);
}

/// Returns the products of all parts of the loop `depth`, in a new dimension
/// before those of the result.
linalg::GenericOp createParts(OpBuilder &b, linalg::LinalgOp op, unsigned depth,
                              int64_t parts, Type sums) {
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps;
  SmallVector<Value> factors;
  for (OpOperand *factor : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(factor);
    unsigned dim = *map.getResultPosition(b.getAffineDimExpr(depth));
    factors.push_back(divideDim(b, loc, factor->get(), dim, parts));
    maps.push_back(addLoop(map, depth));
  }
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  maps.push_back(result.shiftDims(1).insertResult(b.getAffineDimExpr(0), 0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape{parts};
  shape.append(type.getShape().begin(), type.getShape().end());
  linalg::GenericOp products = dispatch::createProducts(
      b, loc, factors, maps, RankedTensorType::get(shape, sums), depth + 1);
  if (!getWorks(op).empty())
    setWork(products);
  return products;
}

class SplitContractions
    : public dispatch::impl::SplitContractionsBase<SplitContractions> {
public:
  using SplitContractionsBase::SplitContractionsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (failed(split(function)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp function);
  /// Splits `op` if that is faster. Returns the op that adds the products.
  linalg::GenericOp split(IRRewriter &b, linalg::LinalgOp op,
                          const TargetProfile &profile);

  PassTarget passTarget;
};

linalg::GenericOp SplitContractions::split(IRRewriter &b, linalg::LinalgOp op,
                                           const TargetProfile &profile) {
  auto isComputed = [&](OpOperand *factor) {
    return !dispatch::findFactorProducers(op, factor).empty();
  };
  if (!op.hasPureTensorSemantics() || !isMatrixProduct(op) ||
      dispatch::isInKernel(op) ||
      llvm::any_of(op.getDpsInputOperands(), isComputed))
    return nullptr;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, ShapedType::kDynamic) ||
      llvm::is_contained(sizes, 0))
    return nullptr;
  std::optional<dispatch::TensorProduct> product =
      dispatch::describeProduct(op, profile);
  if (!product)
    return nullptr;
  layout::Result<strategy::MatmulTiling> tiling =
      strategy::chooseMatmulTiling(product->problem, profile, {});
  if (!tiling)
    return nullptr;
  int64_t parts = strategy::chooseSplits(product->problem, *product->matrices,
                                         *tiling, profile);
  if (parts == 1)
    return nullptr;
  b.setInsertionPoint(op);
  linalg::GenericOp products = createParts(
      b, op, product->depth, parts, dispatch::getSumType(op, product->problem));
  return dispatch::replaceBySum(b, op, products.getResult(0));
}

LogicalResult SplitContractions::split(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> contractions;
  function.walk([&](linalg::LinalgOp op) {
    if (linalg::isaContractionOpInterface(op))
      contractions.push_back(op);
  });
  if (contractions.empty())
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  dispatch::resolveSizes(function);
  IRRewriter b(function.getContext());
  bool changed = false;
  // If several contractions have the same user, the last one is fused with it.
  for (linalg::LinalgOp op : llvm::reverse(contractions))
    if (linalg::GenericOp sum = split(b, op, *profile))
      changed |= dispatch::tileSum(b, sum, profile->limits.cus);
  if (changed)
    dispatch::finishWorkgroupLoops(function);
  return success();
}

} // namespace

std::unique_ptr<Pass> aircc::dispatch::createSplitContractions(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<SplitContractions>();
  pass->setTarget(std::move(profile));
  return pass;
}
