//===- ShimLoops.cpp - Loops around the transfers of shim DMAs ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

void npu::walkShimOps(Region &scope, function_ref<void(Operation *)> visit) {
  for (Operation &op : scope.getOps()) {
    visit(&op);
    if (isa<air::HierarchyInterface>(op))
      continue;
    for (Region &region : op.getRegions())
      walkShimOps(region, visit);
  }
}

SmallVector<scf::ForOp> npu::getOutermostLoops(Region &scope) {
  SmallVector<scf::ForOp> loops;
  walkShimOps(scope, [&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return;
    for (scf::ForOp outer : loops)
      if (outer->isProperAncestor(loop))
        return;
    loops.push_back(loop);
  });
  return loops;
}

SmallVector<scf::ForOp> npu::getShimLoops(Region &scope) {
  SmallVector<scf::ForOp> loops;
  for (auto loop : scope.getOps<scf::ForOp>())
    loops.push_back(loop);
  return loops;
}

std::optional<LoopBounds> npu::getBounds(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step < 1)
    return std::nullopt;
  air::LinearIndex lower = air::LinearIndex::get(loop.getLowerBound());
  air::LinearIndex length =
      air::LinearIndex::get(loop.getUpperBound()) + lower * -1;
  if (!length.isConstant())
    return std::nullopt;
  LoopBounds bounds;
  bounds.lowerBound = lower;
  bounds.step = *step;
  if (length.getConstant() > 0)
    bounds.tripCount = llvm::divideCeil(length.getConstant(), *step);
  return bounds;
}

bool npu::isToken(Value value) {
  return isa<air::AsyncTokenType>(value.getType());
}

bool npu::carriesAtMostOneToken(scf::ForOp loop) {
  return loop.getNumRegionIterArgs() == 0 ||
         (loop.getNumRegionIterArgs() == 1 &&
          isToken(loop.getRegionIterArg(0)));
}

bool npu::isFree(Operation &op) {
  return op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>() &&
         isMemoryEffectFree(&op);
}

bool npu::holdsArrayCode(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isa<air::SegmentOp, air::HerdOp>(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<Value> npu::getUnusedTokens(Block &block) {
  SmallVector<Value> tokens;
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (isToken(result) && result.use_empty())
        tokens.push_back(result);
  return tokens;
}

Value npu::joinTokens(OpBuilder &b, Location loc, ValueRange tokens) {
  if (tokens.size() == 1)
    return tokens.front();
  return air::WaitAllOp::create(b, loc, tokens, /*isAsync=*/true)
      .getAsyncToken();
}

void npu::createGroupEnd(OpBuilder &b, Location loc, ValueRange tokens) {
  auto wait = air::WaitAllOp::create(b, loc, tokens, /*isAsync=*/false);
  wait->setAttr(kLaunchEnd, b.getUnitAttr());
}

ChannelElement npu::getChannelElement(air::ChannelAccessInterface access) {
  std::string indices;
  llvm::raw_string_ostream os(indices);
  for (Value index : access.getIndices()) {
    if (std::optional<int64_t> known = getConstantIntValue(index))
      os << *known;
    else
      os << index.getAsOpaquePointer();
    os << ",";
  }
  return {access.getChanNameAttr().getValue().str(), indices,
          isa<air::ChannelPutOp>(access.getOperation())};
}
