//===- AddUnitRows.cpp - Vectors as matrices of one row -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/contractions/TensorProduct.h"

#include "pipeline/common/PassTarget.h"
#include "pipeline/common/kernels/Work.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_ADDUNITROWS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the groups for expanding a tensor of `rank` dimensions by one before
/// `dim`.
SmallVector<ReassociationIndices> getGroups(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i) {
    groups.push_back({i + (i > dim)});
    if (i == dim)
      groups.back().push_back(i + 1);
  }
  return groups;
}

/// Returns the tensor with a dimension of size 1 before its last one.
Value addUnitDim(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t dim = type.getRank() - 1;
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim, 1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  sizes.insert(sizes.begin() + dim, b.getIndexAttr(1));
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), tensor,
                                       getGroups(type.getRank(), dim), sizes);
}

/// Rewrites the product of a matrix and the factor `vector`.
void addUnitRow(IRRewriter &b, linalg::LinalgOp op, OpOperand *vector) {
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand).shiftDims(1);
    Value value = operand.get();
    if (&operand == vector || &operand == init) {
      map = map.insertResult(b.getAffineDimExpr(0), map.getNumResults() - 1);
      if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
        Value empty = tensor::EmptyOp::create(
            b, fill.getLoc(), tensor::getMixedSizes(b, fill.getLoc(), value),
            getElementTypeOrSelf(value));
        value = linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(),
                                       addUnitDim(b, loc, empty))
                    .getResult(0);
      } else {
        value = addUnitDim(b, loc, value);
      }
    }
    maps.push_back(map);
    operands.push_back(value);
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin(), utils::IteratorType::parallel);
  auto product = linalg::GenericOp::create(b, loc, operands[2].getType(),
                                           ValueRange(operands).take_front(2),
                                           operands[2], maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&product.getRegion(), mapping);
  if (!getWorks(op).empty())
    setWork(product);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  b.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, type, product.getResult(0),
      getGroups(type.getRank(), type.getRank() - 1));
}

class AddUnitRows : public dispatch::impl::AddUnitRowsBase<AddUnitRows> {
public:
  using AddUnitRowsBase::AddUnitRowsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (failed(rewrite(function)))
        return signalPassFailure();
  }

private:
  LogicalResult rewrite(func::FuncOp function);

  PassTarget passTarget;
};

LogicalResult AddUnitRows::rewrite(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> contractions;
  function.walk([&](linalg::LinalgOp op) {
    if (linalg::isaContractionOpInterface(op) && op.hasPureTensorSemantics() &&
        !dispatch::isInKernel(op))
      contractions.push_back(op);
  });
  if (contractions.empty())
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  IRRewriter b(function.getContext());
  for (linalg::LinalgOp op : contractions) {
    std::optional<dispatch::TensorProduct> product =
        dispatch::describeProduct(op, *profile);
    if (!product || (product->rows && product->columns))
      continue;
    OpOperand *vector = op.getDpsInputOperand(product->rows ? 1 : 0);
    layout::Result<strategy::MatmulTiling> tiling =
        strategy::chooseMatmulTiling(product->problem, *profile, {});
    if (tiling && tiling->spec.isStaged)
      addUnitRow(b, op, vector);
  }
  return success();
}

} // namespace

std::unique_ptr<Pass> aircc::dispatch::createAddUnitRows(
    std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<AddUnitRows>();
  pass->setTarget(std::move(profile));
  return pass;
}
