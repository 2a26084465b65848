//===- ExpandFloatAtomics.cpp - Atomic operations on floats ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A compare-and-swap loop compares integers, so memref.generic_atomic_rmw on
// floats is rewritten to operate on integers with the same bits. Operations
// without an instruction are first expanded to such loops.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_EXPANDFLOATATOMICS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// Replaces `atomic` with a generic one that has the operation in its body.
void makeGeneric(memref::AtomicRMWOp atomic) {
  OpBuilder b(atomic);
  Location loc = atomic.getLoc();
  auto generic = memref::GenericAtomicRMWOp::create(b, loc, atomic.getMemref(),
                                                    atomic.getIndices());
  b.setInsertionPointToStart(generic.getBody());
  Value result = arith::getReductionOp(
      atomic.getKind(), b, loc, generic.getCurrentValue(), atomic.getValue());
  memref::AtomicYieldOp::create(b, loc, result);
  atomic.replaceAllUsesWith(generic.getResult());
  atomic.erase();
}

/// Rewrites `atomic`, on floats, to use integers of the same size. A memref of
/// integers has the same descriptor as one of floats, so the cast between the
/// two disappears when memrefs are lowered.
void useIntegers(memref::GenericAtomicRMWOp atomic) {
  OpBuilder b(atomic);
  Location loc = atomic.getLoc();
  Type type = atomic.getResult().getType();
  auto bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  MemRefType floats = atomic.getMemRefType();
  MemRefType integers = MemRefType::Builder(floats).setElementType(bits);
  Value memory =
      UnrealizedConversionCastOp::create(b, loc, integers, atomic.getMemref())
          .getResult(0);
  auto generic =
      memref::GenericAtomicRMWOp::create(b, loc, memory, atomic.getIndices());
  Block *body = generic.getBody();
  Block *old = atomic.getBody();
  b.setInsertionPointToStart(body);
  Value current =
      arith::BitcastOp::create(b, loc, type, generic.getCurrentValue());
  old->getArgument(0).replaceAllUsesWith(current);
  body->getOperations().splice(body->end(), old->getOperations());
  auto yield = cast<memref::AtomicYieldOp>(body->getTerminator());
  b.setInsertionPoint(yield);
  yield.getResultMutable().assign(
      arith::BitcastOp::create(b, loc, bits, yield.getResult()));
  b.setInsertionPoint(atomic);
  atomic.replaceAllUsesWith(
      arith::BitcastOp::create(b, loc, type, generic.getResult()).getResult());
  atomic.erase();
}

struct ExpandFloatAtomics
    : aircc::impl::ExpandFloatAtomicsBase<ExpandFloatAtomics> {
  using ExpandFloatAtomicsBase::ExpandFloatAtomicsBase;

  void runOnOperation() override {
    getOperation()->walk([&](memref::AtomicRMWOp atomic) {
      bool isProduct = atomic.getKind() == arith::AtomicRMWKind::mulf ||
                       atomic.getKind() == arith::AtomicRMWKind::muli;
      // An exchange moves bits without interpreting them.
      bool isBf16 = expandBf16 && atomic.getType().isBF16() &&
                    atomic.getKind() != arith::AtomicRMWKind::assign;
      if (isProduct || isBf16)
        makeGeneric(atomic);
    });
    getOperation()->walk([](memref::GenericAtomicRMWOp atomic) {
      if (isa<FloatType>(atomic.getResult().getType()))
        useIntegers(atomic);
    });
  }
};

} // namespace
