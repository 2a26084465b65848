//===- ExpandFloatAtomics.cpp - Atomic operations on bf16 -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDFLOATATOMICS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct ExpandFloatAtomics
    : aircc::impl::ExpandFloatAtomicsBase<ExpandFloatAtomics> {
  void runOnOperation() override {
    getOperation()->walk([](memref::AtomicRMWOp atomic) {
      // An exchange moves bits, whatever they are.
      if (atomic.getType().isBF16() &&
          atomic.getKind() != arith::AtomicRMWKind::assign)
        expand(atomic);
    });
  }

  static void expand(memref::AtomicRMWOp atomic) {
    OpBuilder b(atomic);
    Location loc = atomic.getLoc();
    auto generic = memref::GenericAtomicRMWOp::create(
        b, loc, atomic.getMemref(), atomic.getIndices());
    b.setInsertionPointToStart(generic.getBody());
    Value result = arith::getReductionOp(
        atomic.getKind(), b, loc, generic.getCurrentValue(), atomic.getValue());
    memref::AtomicYieldOp::create(b, loc, result);
    atomic.replaceAllUsesWith(generic.getResult());
    atomic.erase();
  }
};

} // namespace
