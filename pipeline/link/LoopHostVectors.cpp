//===- LoopHostVectors.cpp - Large vectors of host code as loops ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A workgroup-level vector may have thousands of elements. In a host thread,
// where each element would otherwise become separate instructions, such a
// vector is in memory, and its ops are loops over its elements.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"
#include "pipeline/link/HostVectorElements.h"
#include "pipeline/link/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOOPHOSTVECTORS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace aircc {

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool HostVectors::isLarge(Type type) const {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getNumElements() > most;
}

/// Returns the type of an element in memory; null if it cannot be stored.
static Type storedType(Type type) {
  if (type.isIndex())
    return type;
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits >= 8 && llvm::isPowerOf2_32(bits) ? type : Type();
}

static Value toStored(OpBuilder &b, Location loc, Value value) {
  if (!getElementTypeOrSelf(value.getType()).isInteger(1))
    return value;
  Type type = b.getI8Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  return arith::ExtUIOp::create(b, loc, type, value);
}

static Value fromStored(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::TruncIOp::create(b, loc, type, value).getResult();
}

Value HostVectors::newBuffer(OpBuilder &b, Location loc, VectorType type) {
  auto buffer = memref::AllocOp::create(
      b, loc,
      MemRefType::get(type.getShape(), storedType(type.getElementType())));
  allocated.push_back(buffer);
  return buffer;
}

/// Calls `body` for each element of `shape`.
static void forEach(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                    function_ref<void(OpBuilder &, ValueRange)> body) {
  auto constants = [&](auto &&values) {
    return llvm::map_to_vector(values, [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    });
  };
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  scf::buildLoopNest(
      b, loc, constants(zeros), constants(shape), constants(ones),
      [&](OpBuilder &inner, Location, ValueRange at) { body(inner, at); });
}

void HostVectors::fill(OpBuilder &b, Location loc, Value buffer,
                       const ElementMaker &make) {
  forEach(b, loc, cast<MemRefType>(buffer.getType()).getShape(),
          [&](OpBuilder &inner, ValueRange at) {
            Value value = toStored(inner, loc, make(inner, at));
            memref::StoreOp::create(inner, loc, value, buffer, at);
          });
}

Value HostVectors::load(OpBuilder &b, Location loc, Value buffer, ValueRange at,
                        Type type) {
  return fromStored(b, loc, memref::LoadOp::create(b, loc, buffer, at), type);
}

Value HostVectors::bufferOf(Value vector) {
  if (Value known = buffers.lookup(vector))
    return known;
  Location loc = vector.getLoc();
  OpBuilder b(vector.getContext());
  b.setInsertionPointAfterValue(vector);
  auto type = cast<VectorType>(vector.getType());
  Value buffer = newBuffer(b, loc, type);
  if (isView(vector.getDefiningOp())) {
    fill(b, loc, buffer, [&](OpBuilder &inner, ValueRange at) {
      return elementOfView(inner, vector, at);
    });
  } else {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> first(type.getRank(), zero);
    vector::TransferWriteOp::create(b, loc, toStored(b, loc, vector), buffer,
                                    first,
                                    SmallVector<bool>(type.getRank(), true));
  }
  buffers[vector] = buffer;
  return buffer;
}

/// This is for an op that still operates on vectors.
Value HostVectors::readWhole(OpBuilder &b, Value vector) {
  Location loc = vector.getLoc();
  Value buffer = bufferOf(vector);
  auto type = cast<VectorType>(vector.getType());
  auto stored = type.clone(storedType(type.getElementType()));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> first(type.getRank(), zero);
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(stored.getElementType()));
  Value read =
      vector::TransferReadOp::create(b, loc, stored, buffer, first, padding,
                                     SmallVector<bool>(type.getRank(), true));
  return fromStored(b, loc, read, type);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool HostVectors::concerns(Operation *op) {
  auto large = [&](Type type) { return isLarge(type); };
  if (llvm::none_of(op->getOperandTypes(), large) &&
      llvm::none_of(op->getResultTypes(), large))
    return false;
  // It must be possible to store all of them.
  auto fits = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector ||
           (!vector.isScalable() && storedType(vector.getElementType()));
  };
  return llvm::all_of(op->getOperandTypes(), fits) &&
         llvm::all_of(op->getResultTypes(), fits);
}

bool HostVectors::rewrite(Operation *op) {
  if (!concerns(op))
    return false;
  if (isView(op)) {
    dead.insert(op);
    return true;
  }
  Location loc = op->getLoc();
  OpBuilder b(op);
  if (std::optional<Writing> writing = writingOf(op)) {
    forEach(b, loc, writing->shape, writing->write);
    dead.insert(op);
    return true;
  }
  if (op->getNumResults() != 1)
    return false;
  ElementMaker make = computationOf(op);
  if (!make)
    return false;
  if (auto type = dyn_cast<VectorType>(op->getResult(0).getType())) {
    Value buffer = newBuffer(b, loc, type);
    fill(b, loc, buffer, make);
    buffers[op->getResult(0)] = buffer;
  } else {
    op->getResult(0).replaceAllUsesWith(make(b, {}));
  }
  dead.insert(op);
  return true;
}

/// Rewrites a loop to carry large vectors in memory, where the values that the
/// body yields are stored at its end.
void HostVectors::rewriteLoop(scf::ForOp loop) {
  SmallVector<unsigned> large, small;
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs()))
    (isLarge(init.getType()) && storedType(getElementTypeOrSelf(init.getType()))
         ? large
         : small)
        .push_back(i);
  if (large.empty()) {
    replaceOperands(loop);
    processBlock(*loop.getBody());
    return;
  }
  Location loc = loop.getLoc();
  OpBuilder b(loop);
  auto copy = [&](OpBuilder &at, Value from, Value to) {
    fill(at, loc, to, [&](OpBuilder &inner, ValueRange place) {
      return element(inner, from, place);
    });
  };
  for (unsigned i : large) {
    Value init = loop.getInitArgs()[i];
    Value buffer = newBuffer(b, loc, cast<VectorType>(init.getType()));
    copy(b, init, buffer);
    buffers[loop.getRegionIterArg(i)] = buffer;
    buffers[loop.getResult(i)] = buffer;
  }
  processBlock(*loop.getBody());

  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  b.setInsertionPoint(yield);
  // A value may be computed from the old contents of another value's memory.
  SmallVector<Value> next;
  for (unsigned i : large) {
    Value value = yield.getOperand(i);
    Value fresh = newBuffer(b, loc, cast<VectorType>(value.getType()));
    copy(b, value, fresh);
    next.push_back(fresh);
  }
  for (auto [i, fresh] : llvm::zip_equal(large, next)) {
    Value buffer = buffers[loop.getRegionIterArg(i)];
    memref::CopyOp::create(b, loc, fresh, buffer);
  }

  b.setInsertionPoint(loop);
  SmallVector<Value> inits;
  for (unsigned i : small)
    inits.push_back(loop.getInitArgs()[i]);
  auto reduced =
      scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                         loop.getStep(), inits);
  reduced->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = reduced.getBody();
  body->clear();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(reduced.getInductionVar());
  for (auto [to, i] : llvm::enumerate(small)) {
    loop.getRegionIterArg(i).replaceAllUsesWith(reduced.getRegionIterArg(to));
    loop.getResult(i).replaceAllUsesWith(reduced.getResult(to));
  }
  llvm::BitVector erased(yield->getNumOperands());
  for (unsigned i : large)
    erased.set(i);
  yield->eraseOperands(erased);
  replaceOperands(reduced);
  dead.insert(loop);
}

/// Makes an op that is not replaced load its vectors from memory.
void HostVectors::replaceOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!buffers.contains(value) && !dead.contains(value.getDefiningOp()))
      continue;
    OpBuilder b(op);
    Operation *outer = op;
    // A masked op must stay alone in its mask.
    if (auto mask = dyn_cast<vector::MaskOp>(op->getParentOp()))
      b.setInsertionPoint(outer = mask);
    operand.set(readWhole(b, value));
  }
}

void HostVectors::processBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      rewriteLoop(loop);
      continue;
    }
    if (rewrite(&op))
      continue;
    // The vectors that loops carry are stored at the end of the loop.
    if (isa<scf::YieldOp>(op) && isa<scf::ForOp>(op.getParentOp())) {
      for (OpOperand &operand : op.getOpOperands())
        if (!isLarge(operand.get().getType()) &&
            buffers.contains(operand.get())) {
          OpBuilder b(&op);
          operand.set(readWhole(b, operand.get()));
        }
      continue;
    }
    replaceOperands(&op);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (isa<vector::MaskOp>(op)) {
          // The masked op is not converted to loops on its own.
          for (Operation &masked : inner)
            replaceOperands(&masked);
        } else {
          processBlock(inner);
        }
  }
}

void HostVectors::run() {
  processBlock(function.getBody().front());
  // They use each other's results, including loop arguments.
  for (Operation *op : dead)
    op->dropAllReferences();
  for (Operation *op : dead)
    op->erase();
  for (memref::AllocOp buffer : allocated) {
    OpBuilder b(buffer->getBlock()->getTerminator());
    memref::DeallocOp::create(b, buffer.getLoc(), buffer);
  }
}

namespace {

struct LoopHostVectors : impl::LoopHostVectorsBase<LoopHostVectors> {
  using LoopHostVectorsBase::LoopHostVectorsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      HostVectors vectors(function, most);
      bool any = false, structured = true;
      function.walk([&](Operation *op) {
        any |= llvm::any_of(op->getResultTypes(),
                            [&](Type type) { return vectors.isLarge(type); });
        for (Region &region : op->getRegions())
          structured &= region.empty() || region.hasOneBlock();
      });
      if (any && structured)
        vectors.run();
    }
  }
};

} // namespace

} // namespace aircc
