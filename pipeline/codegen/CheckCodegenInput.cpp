//===- CheckCodegenInput.cpp - What earlier stages should have lowered ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CHECKCODEGENINPUT
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct CheckCodegenInput
    : aircc::impl::CheckCodegenInputBase<CheckCodegenInput> {
  void runOnOperation() override {
    bool failedAny = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // By name: this stage knows nothing of that dialect.
      if (op->getName().getDialectNamespace() != "air")
        return WalkResult::advance();
      op->emitOpError("is still there: the stage 'hierarchy' comes before "
                      "'codegen'");
      failedAny = true;
      return WalkResult::skip();
    });
    if (failedAny)
      signalPassFailure();
  }
};

} // namespace
