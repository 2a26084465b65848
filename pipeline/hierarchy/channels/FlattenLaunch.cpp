//===- FlattenLaunch.cpp - Segments and buffers of a launch with channels -===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/ChannelPasses.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

static void inlineSegment(air::SegmentOp segment) {
  for (auto [arg, operand] : llvm::zip_equal(segment.getKernelArguments(),
                                             segment.getKernelOperands()))
    arg.replaceAllUsesWith(operand);
  Block *body = segment.getBodyBlock();
  body->getTerminator()->erase();
  segment->getBlock()->getOperations().splice(Block::iterator(segment),
                                              body->getOperations());
  segment.erase();
}

namespace {
/// Moves allocations to the start of a block, in their order.
class Hoisting {
public:
  explicit Hoisting(Block *block) : block(block) {}

  /// Moves an allocation and the ops that compute its sizes, if these do not
  /// depend on loops.
  void apply(memref::AllocOp alloc);

private:
  void move(Operation *op);

  Block *block;
  Operation *last = nullptr;
  SmallPtrSet<Operation *, 8> moved;
};
} // namespace

void Hoisting::move(Operation *op) {
  if (!moved.insert(op).second)
    return;
  if (last)
    op->moveAfter(last);
  else
    op->moveBefore(&block->front());
  last = op;
}

void Hoisting::apply(memref::AllocOp alloc) {
  auto isVisible = [&](Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && arg.getOwner() == block;
  };
  SmallVector<Operation *> sizes;
  for (Value size : alloc.getDynamicSizes()) {
    Operation *def = size.getDefiningOp();
    if (isVisible(size))
      continue;
    if (!def || !isPure(def) || def->getNumRegions() ||
        !llvm::all_of(def->getOperands(), isVisible))
      return;
    sizes.push_back(def);
  }
  for (Operation *def : sizes)
    move(def);
  move(alloc);
}

void flattenLaunch(air::LaunchOp launch) {
  SmallVector<air::SegmentOp> segments;
  launch.walk([&](air::SegmentOp segment) {
    if (!segment.getNumDims())
      segments.push_back(segment);
  });
  for (air::SegmentOp segment : segments)
    inlineSegment(segment);

  SmallVector<memref::AllocOp> allocs;
  SmallVector<memref::DeallocOp> deallocs;
  auto isInInnerLevel = [&](Operation *op) {
    return op->getParentOfType<air::HierarchyInterface>() != launch;
  };
  launch.walk([&](Operation *op) {
    if (isInInnerLevel(op))
      return;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocs.push_back(alloc);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocs.push_back(dealloc);
  });
  for (memref::DeallocOp dealloc : deallocs)
    dealloc.erase();
  Hoisting hoisting(launch.getBodyBlock());
  for (memref::AllocOp alloc : allocs)
    hoisting.apply(alloc);
}

void eraseDeadCode(air::LaunchOp launch) {
  launch.walk([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

} // namespace aircc::hierarchy
