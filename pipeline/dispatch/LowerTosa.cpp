//===- LowerTosa.cpp - Lower TOSA to upstream's structured ops ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/Relayouts.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_LOWERTOSA
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

bool containsTosa(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Lowers control flow, innermost ops first: upstream's pass fails on a
/// conditional that contains another one.
void lowerControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  tosa::populateTosaToSCFConversionPatterns(&patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

class LowerTosa : public dispatch::impl::LowerTosaBase<LowerTosa> {
public:
  void runOnOperation() final {
    if (!containsTosa(getOperation()))
      return;
    WalkResult custom = getOperation().walk([](tosa::CustomOp op) {
      op.emitOpError("has no lowering to linalg; rewrite it with ops that do");
      return WalkResult::interrupt();
    });
    if (custom.wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    dispatch::populateTosaRelayoutPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    lowerControlFlow(getOperation());
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createTosaToMLProgram());
    tosa::addTosaToLinalgPasses(pm, {}, {}, std::nullopt);
    pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
    pm.addNestedPass<func::FuncOp>(
        createTosaToArithPass({/*includeApplyRescale=*/true}));
    // If no conversion accepts an op, the last conversion reports an error.
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};

} // namespace
