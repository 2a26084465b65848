//===- UnrollLoops.cpp - Replace loops by copies of their bodies ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

/// Returns the value of the loop variable in iteration `iteration`.
static Value createVariable(OpBuilder &b, scf::ForOp loop,
                            const LoopBounds &bounds, int64_t iteration) {
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  air::LinearIndex value =
      bounds.lowerBound + air::LinearIndex(iteration * bounds.step);
  if (value.isConstant())
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(type, value.getConstant()));
  if (iteration == 0)
    return loop.getLowerBound();
  Value distance = arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, iteration * bounds.step));
  return b.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(), distance);
}

//===----------------------------------------------------------------------===//
// Herds of copies
//===----------------------------------------------------------------------===//

/// Returns whether the op of a herd is kept in copies of the herd.
static bool isKept(Operation *op) {
  if (isa<air::ChannelPutOp, air::ChannelGetOp, air::DmaMemcpyNdOp,
          air::WaitAllOp, memref::AllocOp, memref::DeallocOp>(op))
    return true;
  auto execute = dyn_cast<air::ExecuteOp>(op);
  return execute &&
         llvm::all_of(execute.getBody()->without_terminator(),
                      [](Operation &nested) {
                        return isa<memref::AllocOp, memref::DeallocOp>(nested);
                      });
}

/// Erases the compute ops of a herd.
static void reduceHerd(air::HerdOp herd) {
  // Find what the kept ops need: operands other than tokens, and the ops around
  // them with their operands.
  llvm::SetVector<Operation *> kept;
  auto keep = [&](Operation *op) {
    for (; op && op != herd; op = op->getParentOp())
      kept.insert(op);
  };
  herd.getRegion().walk([&](Operation *op) {
    if (isKept(op)) {
      keep(op);
      op->walk([&](Operation *nested) { kept.insert(nested); });
    }
  });
  for (size_t i = 0; i < kept.size(); ++i) {
    Operation *op = kept[i];
    auto keepValues = [&](Operation *user) {
      for (Value operand : user->getOperands())
        if (!isToken(operand) && operand.getDefiningOp() &&
            herd->isProperAncestor(operand.getDefiningOp())) {
          keep(operand.getDefiningOp());
          operand.getDefiningOp()->walk(
              [&](Operation *nested) { kept.insert(nested); });
        }
    };
    keepValues(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
          keepValues(&block.back());
  }

  // Erase the others, starting with the last.
  SmallVector<Operation *> erased;
  herd.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (kept.contains(op) || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    erased.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : llvm::reverse(erased)) {
    OpBuilder b(op);
    for (Value result : op->getResults()) {
      if (!isToken(result) || result.use_empty())
        continue;
      // Ops that wait for the erased op wait for its dependencies instead.
      SmallVector<Value> tokens;
      for (Value operand : op->getOperands())
        if (isToken(operand))
          tokens.push_back(operand);
      result.replaceAllUsesWith(joinTokens(b, op->getLoc(), tokens));
    }
    if (op->use_empty())
      op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

void npu::unrollLoop(scf::ForOp loop, bool reduceHerds,
                     SmallVectorImpl<Operation *> &copies) {
  LoopBounds bounds = *getBounds(loop);
  OpBuilder b(loop);
  SmallVector<Value> carried = llvm::to_vector(loop.getInits());
  for (int64_t i = 0; i < bounds.tripCount; ++i) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), createVariable(b, loop, bounds, i));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      SmallVector<Value> folded;
      if (isFree(*copy) && succeeded(b.tryFold(copy, folded)) &&
          !folded.empty()) {
        mapping.map(op.getResults(), folded);
        copy->erase();
        continue;
      }
      if (reduceHerds && i > 0)
        copy->walk([](air::HerdOp herd) { reduceHerd(herd); });
      copies.push_back(copy);
    }
    carried.clear();
    for (Value yielded : loop.getBody()->getTerminator()->getOperands())
      carried.push_back(mapping.lookupOrDefault(yielded));
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
}
