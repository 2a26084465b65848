//===- MatrixOp.cpp - A common view of contractions -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/MatrixOp.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace aircc::layout {

static MatrixOp ofContract(vector::ContractionOp op) {
  MatrixOp matrix{op,
                  llvm::to_vector<3>(op.getIndexingMapsArray()),
                  {},
                  {},
                  op.getKind() == vector::CombiningKind::ADD};
  op.getIterationBounds(matrix.bounds);
  for (auto [d, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == vector::IteratorType::parallel)
      matrix.parallel.push_back(d);
  return matrix;
}

std::optional<MatrixOp> MatrixOp::get(Operation *op) {
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return ofContract(contract);
  auto dpas = dyn_cast<xegpu::DpasOp>(op);
  if (!dpas || !dpas.hasAcc() || dpas.getLhsType().getRank() != 2 ||
      dpas.getRhsType().getRank() != 2)
    return std::nullopt;
  MLIRContext *context = op->getContext();
  AffineExpr m, n, k;
  bindDims(context, m, n, k);
  ArrayRef<int64_t> lhs = dpas.getLhsType().getShape();
  return MatrixOp{op,
                  {AffineMap::get(3, 0, {m, k}, context),
                   AffineMap::get(3, 0, {k, n}, context),
                   AffineMap::get(3, 0, {m, n}, context)},
                  {lhs[0], dpas.getRhsType().getShape()[1], lhs[1]},
                  {0, 1},
                  true};
}

std::optional<strategy::ContractionShape>
getContractionShape(const MatrixOp &op) {
  if (!op.adds || !isa<VectorType>(op.getAcc().getType()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op.maps);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return std::nullopt;
  strategy::ContractionShape shape{op.bounds,
                                   static_cast<int64_t>(dims->m.back()),
                                   static_cast<int64_t>(dims->n.back()),
                                   static_cast<int64_t>(dims->k.back()),
                                   op.parallel,
                                   {}};
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned r = 0; r < op.maps[i].getNumResults(); ++r)
      shape.dims[i].push_back(op.maps[i].getDimPosition(r));
  return shape;
}

bool worksOnRows(const MatrixOp &op) {
  std::optional<strategy::ContractionShape> shape = getContractionShape(op);
  if (!shape)
    return false;
  const SmallVector<int64_t> &dims = shape->dims[2];
  int64_t columns = llvm::find(dims, shape->n) - dims.begin();
  // Trace values that are computed elementwise from the result.
  SmallVector<Operation *> pending = {op.op};
  SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val()->getResult(0).getUses()) {
      Operation *user = use.getOwner();
      if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(user))
        if (use.getOperandNumber() == 0 &&
            llvm::is_contained(reduction.getReductionDims(), columns))
          return true;
      if (MatrixOp::get(user) && use.getOperandNumber() == 0)
        return true;
      if (OpTrait::hasElementwiseMappableTraits(user) &&
          user->getNumResults() == 1 && seen.insert(user).second)
        pending.push_back(user);
    }
  // Trace values from which the left factor is computed.
  SmallVector<Value> sources = {op.getLhs()};
  seen.clear();
  while (!sources.empty()) {
    Operation *source = sources.pop_back_val().getDefiningOp();
    if (!source || !seen.insert(source).second)
      continue;
    if (MatrixOp::get(source))
      return true;
    if (OpTrait::hasElementwiseMappableTraits(source))
      llvm::append_range(sources, source->getOperands());
  }
  return false;
}

} // namespace aircc::layout
