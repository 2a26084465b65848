//===- XeGPUBarriers.cpp - Named barriers of XeGPU ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A named barrier is a barrier of some subgroups of a workgroup, in two steps:
// a subgroup arrives, and later waits until all participants have arrived.
// SPIR-V for OpenCL only has barriers of the whole workgroup. Such a barrier is
// a correct implementation if all subgroups participate and each waits in the
// block in which it arrives, because it then waits at least as long.
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/XeGPUForms.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;

namespace aircc::layout {

bool hasNamedBarriers(gpu::GPUFuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<xegpu::AllocNbarrierOp, xegpu::InitNbarrierOp,
                   xegpu::NbarrierArriveOp, xegpu::NbarrierWaitOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether an op of `ops` on the same barrier is in the block of `op`,
/// before or after it.
template <typename Partner, typename Op>
static bool hasPartner(Op op, bool before) {
  return llvm::any_of(op.getNbarrier().getUsers(), [&](Operation *user) {
    return isa<Partner>(user) && user->getBlock() == op->getBlock() &&
           user->isBeforeInBlock(op) == before;
  });
}

/// Checks that all subgroups of the workgroup participate in the barrier.
static LogicalResult checkParticipants(xegpu::InitNbarrierOp init,
                                       std::optional<int64_t> subgroups) {
  bool isUsed = !init.getResult().use_empty();
  if (!isUsed)
    return success();
  if (!subgroups)
    return init.emitOpError("requires a known number of subgroups in the "
                            "workgroup; set known_block_size on the kernel");
  std::optional<int64_t> participants =
      getConstantIntValue(init.getParticipantThreadNum());
  if (participants == subgroups)
    return success();
  InFlightDiagnostic diag = init.emitOpError("creates a barrier for ");
  if (participants)
    diag << *participants;
  else
    diag << "a non-constant number";
  return diag << " subgroups, but the workgroup has " << *subgroups
              << "; only barriers for all subgroups are supported, so use "
              << *subgroups;
}

LogicalResult lowerNamedBarriers(gpu::GPUFuncOp function, unsigned lanes) {
  std::optional<int64_t> subgroups;
  if (auto size = function.getKnownBlockSizeAttr()) {
    int64_t threads = 1;
    for (int32_t extent : size.asArrayRef())
      threads *= extent;
    subgroups = llvm::divideCeil(threads, static_cast<int64_t>(lanes));
  }
  SmallVector<Operation *> ops;
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (isa<xegpu::AllocNbarrierOp>(op)) {
      ops.push_back(op);
    } else if (auto init = dyn_cast<xegpu::InitNbarrierOp>(op)) {
      ops.push_back(op);
      return checkParticipants(init, subgroups);
    } else if (auto arrive = dyn_cast<xegpu::NbarrierArriveOp>(op)) {
      if (!arrive.getNbarrier().getDefiningOp<xegpu::InitNbarrierOp>())
        return op->emitOpError("has a barrier that is not created by an "
                               "xegpu.init_nbarrier in the kernel");
      if (!hasPartner<xegpu::NbarrierWaitOp>(arrive, /*before=*/false))
        return op->emitOpError(
            "must be followed by an xegpu.nbarrier_wait in the same block; "
            "arriving without waiting is not supported");
      ops.push_back(op);
    } else if (auto wait = dyn_cast<xegpu::NbarrierWaitOp>(op)) {
      if (!wait.getNbarrier().getDefiningOp<xegpu::InitNbarrierOp>())
        return op->emitOpError("has a barrier that is not created by an "
                               "xegpu.init_nbarrier in the kernel");
      if (!hasPartner<xegpu::NbarrierArriveOp>(wait, /*before=*/true))
        return op->emitOpError(
            "must be preceded by an xegpu.nbarrier_arrive in the same block; "
            "waiting without arriving is not supported");
      ops.push_back(op);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // Uses come after definitions in the walk, so iterate backward.
  for (Operation *op : llvm::reverse(ops)) {
    if (isa<xegpu::NbarrierWaitOp>(op)) {
      OpBuilder b(op);
      gpu::BarrierOp::create(b, op->getLoc());
    }
    op->erase();
  }
  return success();
}

} // namespace aircc::layout
