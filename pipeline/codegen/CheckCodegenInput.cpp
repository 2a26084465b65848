//===- CheckCodegenInput.cpp - What earlier stages should have lowered ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CHECKCODEGENINPUT
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Whether some code of the program runs on the device, or will after its
/// mapped loops are outlined.
bool hasKernel(ModuleOp module) {
  auto isKernel = [](Operation *op) {
    return isa<gpu::GPUModuleOp, gpu::BinaryOp, gpu::LaunchOp,
               gpu::LaunchFuncOp>(op) ||
           (isa<scf::ParallelOp>(op) && op->hasAttr("mapping"));
  };
  return module
      .walk([&](Operation *op) {
        return isKernel(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Computations that belong on a device, and run on the host because nothing
/// says so, would be slow without a word.
void warnWithoutKernel(ModuleOp module) {
  if (hasKernel(module))
    return;
  module.walk([](Operation *op) {
    if (isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp, linalg::CopyOp>(op))
      op->emitWarning(
          "this op runs on the host, and the program has no kernel: "
          "to run it on the device, put it into an air.launch, or "
          "give it or its function the attribute 'air.offload'");
    else if (isa<scf::ParallelOp, scf::ForallOp>(op))
      op->emitWarning("this loop runs on the host, and the program has no "
                      "kernel: to run it on the device, put it into an "
                      "air.launch or a gpu.launch");
    else
      return WalkResult::advance();
    // One warning tells enough.
    return WalkResult::interrupt();
  });
}

/// Refuses sizes of groups of operands or results on ops that have no groups:
/// conversions copy them to LLVM ops, which read them as their own and crash.
LogicalResult checkGroupSizes(Operation *op) {
  for (StringRef name : {"operandSegmentSizes", "resultSegmentSizes"})
    if (op->getDiscardableAttr(name))
      return op->emitOpError("cannot have the attribute '")
             << name << "': its operands and results form no groups";
  return success();
}

struct CheckCodegenInput
    : aircc::impl::CheckCodegenInputBase<CheckCodegenInput> {
  void runOnOperation() override {
    bool failedAny = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      failedAny |= failed(checkGroupSizes(op));
      // By name: this stage knows nothing of that dialect.
      if (op->getName().getDialectNamespace() != "air")
        return WalkResult::advance();
      op->emitOpError("is still there: the stage 'hierarchy' comes before "
                      "'codegen'");
      failedAny = true;
      return WalkResult::skip();
    });
    if (failedAny)
      return signalPassFailure();
    warnWithoutKernel(getOperation());
  }
};

} // namespace
