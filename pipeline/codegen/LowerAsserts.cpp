//===- LowerAsserts.cpp - Assertions inside of kernels --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERASSERTS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct LowerAsserts : aircc::impl::LowerAssertsBase<LowerAsserts> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    for (cf::AssertOp op : asserts) {
      OpBuilder b(op);
      Value yes =
          arith::ConstantOp::create(b, op.getLoc(), b.getBoolAttr(true));
      Value fails = arith::XOrIOp::create(b, op.getLoc(), op.getArg(), yes);
      auto branch =
          scf::IfOp::create(b, op.getLoc(), fails, /*withElseRegion=*/false);
      OpBuilder inside = branch.getThenBodyBuilder();
      LLVM::Trap::create(inside, op.getLoc());
      op.erase();
    }
  }
};

} // namespace
