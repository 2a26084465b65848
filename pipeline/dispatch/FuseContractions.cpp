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

/// The elementwise op that computes the initial value of the contraction in the
/// kernel; null if that is filled or in memory.
linalg::GenericOp findInit(linalg::LinalgOp contraction) {
  auto init = contraction.getDpsInits()[0].getDefiningOp<linalg::GenericOp>();
  return init && init->hasOneUse() && isElementwiseOnTiles(init) ? init
                                                                 : nullptr;
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
    // Of several contractions with one user, the last is fused with it, after
    // the others.
    bool changed = false;
    for (linalg::LinalgOp op : llvm::reverse(contractions)) {
      linalg::GenericOp epilogue = dispatch::findEpilogue(op);
      if (!epilogue)
        continue;
      SmallVector<Operation *> ops{findInit(op), op, epilogue};
      llvm::erase(ops, nullptr);
      dispatch::createKernelRegion(ops);
      changed = true;
    }
    if (changed)
      dispatch::resolveSizes(function);
  }
};

} // namespace
