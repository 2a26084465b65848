//===- MatrixOp.cpp - Contractions, whichever op they are -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/MatrixOp.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"

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

} // namespace aircc::layout
