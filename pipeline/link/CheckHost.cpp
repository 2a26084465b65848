//===- CheckHost.cpp - Check that host code is in the LLVM dialect --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CHECKHOST
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

struct CheckHost : aircc::impl::CheckHostBase<CheckHost> {
  using CheckHostBase::CheckHostBase;

  void runOnOperation() override {
    bool failedAny = false;
    SmallVector<Operation *> casts;
    getOperation().getBodyRegion().walk<WalkOrder::PreOrder>(
        [&](Operation *op) {
          if (isa<LLVM::LLVMDialect>(op->getDialect()) ||
              isa<gpu::BinaryOp, gpu::LaunchFuncOp>(op))
            return WalkResult::advance();
          // A remaining cast is a consequence of an adjacent op that was not
          // lowered.
          if (isa<UnrealizedConversionCastOp>(op)) {
            casts.push_back(op);
            return WalkResult::advance();
          }
          failedAny = true;
          if (isa<gpu::GPUModuleOp>(op)) {
            op->emitOpError(
                "is not compiled; run stage 'codegen' before stage 'link'");
            return WalkResult::skip();
          }
          op->emitOpError("cannot be lowered to host code: no lowering to the "
                          "LLVM dialect exists for it outside of a gpu.module");
          return WalkResult::advance();
        });
    // Report only the adjacent op, if there is one.
    if (!failedAny)
      for (Operation *op : casts) {
        op->emitError("a value of type ")
            << op->getOperandTypes() << " could not be converted to "
            << op->getResultTypes() << " for the host";
        failedAny = true;
      }
    if (failedAny)
      signalPassFailure();
  }
};

} // namespace
