//===- ElementwiseTile.cpp - Elementwise ops on a tile --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc {

namespace {

/// Returns whether the op performs the same computation on each element of
/// vectors.
bool worksOnVectors(Operation &op) {
  auto isNumber = [](Type type) {
    return isa<FloatType, IntegerType, IndexType>(type);
  };
  if (op.getNumRegions() != 0 || op.getNumResults() != 1 ||
      !llvm::all_of(op.getOperandTypes(), isNumber) ||
      !isNumber(op.getResult(0).getType()))
    return false;
  return op.hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(op) ||
         (OpTrait::hasElementwiseMappableTraits(&op) &&
          isMemoryEffectFree(&op));
}

} // namespace

bool isElementwiseOnTiles(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getRegionOutputArgs().front().use_empty())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.getMatchingIndexingMap(init).isPermutation())
    return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SmallVector<AffineExpr> loops;
    for (AffineExpr index : op.getMatchingIndexingMap(input).getResults()) {
      if (isa<AffineConstantExpr>(index))
        continue;
      // A diagonal is not a tile.
      if (!isa<AffineDimExpr>(index) || llvm::is_contained(loops, index))
        return false;
      loops.push_back(index);
    }
  }
  return llvm::all_of(op.getBody()->without_terminator(), worksOnVectors);
}

bool isProductOfElements(linalg::LinalgOp op) {
  Type sum = op.getBlock()->getTerminator()->getOperand(0).getType();
  return llvm::all_of(op.getBlock()->without_terminator(), [&](Operation &o) {
    return isa<arith::MulFOp, arith::AddFOp, arith::MulIOp, arith::AddIOp,
               arith::ExtFOp, arith::ExtSIOp>(o) &&
           o.getResult(0).getType() == sum;
  });
}

bool isMatrixProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) || !isProductOfElements(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
         dims->k.size() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

Operation *findCombiner(linalg::LinalgOp op, unsigned output) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), output, combiners) ||
      combiners.size() != 1 || !linalg::getCombinerOpKind(combiners.front()) ||
      !arith::getNeutralElement(combiners.front()))
    return nullptr;
  return combiners.front();
}

} // namespace aircc
