//===- PlaceWorkgroupBuffers.cpp - Allocate LDS buffers statically --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"
#include "pipeline/common/WorkgroupMemory.h"

#include "dialects/kernel/Attributions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_PLACEWORKGROUPBUFFERS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

/// The alignment of the widest LDS access.
constexpr int64_t kAlignment = 16;

bool isInLoop(Operation *op) {
  for (; !isa<gpu::GPUFuncOp>(op); op = op->getParentOp())
    if (op->getBlock()->isReachable(op->getBlock()) ||
        isa<LoopLikeOpInterface>(op->getParentOp()))
      return true;
  return false;
}

/// Collects the ops that end the lifetime of the buffer. Returns true if the
/// buffer may escape through a branch or as a result of a region.
bool followBuffer(Value buffer, SmallVectorImpl<memref::DeallocOp> &ends) {
  for (Operation *user : buffer.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>() ||
        isa<LoopLikeOpInterface>(user))
      return true;
    if (auto end = dyn_cast<memref::DeallocOp>(user))
      ends.push_back(end);
    else if (isa<ViewLikeOpInterface>(user))
      for (Value view : user->getResults())
        if (followBuffer(view, ends))
          return true;
  }
  return false;
}

LogicalResult place(memref::AllocOp alloc, gpu::GPUFuncOp kernel) {
  SmallVector<memref::DeallocOp> ends;
  if (followBuffer(alloc, ends) && isInLoop(alloc))
    return alloc.emitOpError("allocates a new buffer in LDS in each iteration "
                             "of a loop that passes it on, but a kernel's LDS "
                             "is allocated only once; move it out of the loop");
  int64_t alignment =
      std::max<int64_t>(kAlignment, alloc.getAlignment().value_or(1));
  BlockArgument buffer = aircc::kernel::addWorkgroupBuffer(
      kernel, alloc.getType(), alloc.getLoc(), alignment);
  for (memref::DeallocOp end : ends)
    end.erase();
  alloc.replaceAllUsesWith(Value(buffer));
  alloc.erase();
  return success();
}

struct PlaceWorkgroupBuffers
    : aircc::impl::PlaceWorkgroupBuffersBase<PlaceWorkgroupBuffers> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](memref::AllocOp alloc) {
      auto kernel = alloc->getParentOfType<gpu::GPUFuncOp>();
      // CheckDeviceCode rejects other allocations, along with all ops that need
      // a heap.
      if (!kernel || !alloc.getType().hasStaticShape() ||
          !alloc.getSymbolOperands().empty() ||
          !aircc::isWorkgroupMemory(alloc.getType()))
        return WalkResult::advance();
      return WalkResult(place(alloc, kernel));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
