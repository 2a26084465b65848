//===- FuseContractions.cpp - Fuse elementwise ops with contractions ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/contractions/FactorProducers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSECONTRACTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the elementwise op that computes the contraction's initial value in
/// the kernel; null if the initial value is a fill or in memory.
linalg::GenericOp findInit(linalg::LinalgOp contraction) {
  auto init = contraction.getDpsInits()[0].getDefiningOp<linalg::GenericOp>();
  return init && init->hasOneUse() && isElementwiseOnTiles(init) ? init
                                                                 : nullptr;
}

/// Gives a contraction its own fill, so that its kernel computes the fill. The
/// result of a shared fill would be stored and copied.
void separateFill(linalg::LinalgOp contraction) {
  OpOperand *init = contraction.getDpsInitOperand(0);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  if (!fill || fill->hasOneUse())
    return;
  OpBuilder b(contraction);
  Value empty = tensor::EmptyOp::create(
      b, fill.getLoc(), tensor::getMixedSizes(b, fill.getLoc(), init->get()),
      getElementTypeOrSelf(init->get()));
  init->set(linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), empty)
                .getResult(0));
}

class FuseContractions
    : public dispatch::impl::FuseContractionsBase<FuseContractions> {
public:
  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      fuse(function);
  }

private:
  void fuse(func::FuncOp function) {
    dispatch::resolveSizes(function);
    SmallVector<linalg::LinalgOp> contractions;
    function.walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isMatrixProduct(op) &&
          !dispatch::isInKernel(op))
        contractions.push_back(op);
    });
    // If several contractions have the same user, the last one, which runs
    // after the others, is fused with it.
    bool changed = false;
    for (linalg::LinalgOp op : llvm::reverse(contractions)) {
      linalg::GenericOp epilogue = dispatch::findEpilogue(op);
      SmallVector<Operation *> ops;
      for (OpOperand *factor : op.getDpsInputOperands())
        ops.append(dispatch::findFactorProducers(op, factor));
      if (!epilogue && ops.empty()) {
        separateFill(op);
        continue;
      }
      ops.append({findInit(op), op, epilogue});
      llvm::erase(ops, nullptr);
      dispatch::createKernelRegion(ops);
      changed = true;
    }
    if (changed)
      dispatch::resolveSizes(function);
  }
};

} // namespace
