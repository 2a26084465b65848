//===- AsyncWaits.cpp - Waits for transfers to LDS ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/AsyncWaits.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace aircc::distribution {

//===----------------------------------------------------------------------===//
// Waits that the program asks for
//===----------------------------------------------------------------------===//

AsyncWaits::AsyncWaits(gpu::GPUFuncOp kernel) : kernel(kernel) {
  kernel.walk([&](layout::AsyncWaitOp op) {
    waits.push_back({op, {}});
    followBack(op, op->getBlock(), {}, {}, waits.back());
  });
}

/// Collects the last transfers before `before` (null: the end of the block).
/// Where it is not plain which they are, a path ends early: fewer loads are
/// then let be under way.
void AsyncWaits::followBack(Operation *before, Block *block, Path path,
                            ArrayRef<Turn> loops, Wait &wait) {
  size_t wanted = wait.op.getUnderWay();
  Operation *op = before           ? before->getPrevNode()
                  : block->empty() ? nullptr
                                   : &block->back();
  for (; op && path.size() < wanted; op = op->getPrevNode()) {
    if (isa<layout::AsyncDmaOp>(op)) {
      path.push_back(op);
      continue;
    }
    bool hasTransfers = op->walk([](layout::AsyncDmaOp) {
                            return WalkResult::interrupt();
                          }).wasInterrupted();
    if (hasTransfers) {
      wait.paths.push_back(path);
      return;
    }
  }
  Operation *parent = block->getParentOp();
  if (path.size() == wanted || !block->getParent()->hasOneBlock() ||
      !isa<scf::ForOp, scf::IfOp>(parent)) {
    wait.paths.push_back(path);
    return;
  }
  // Into a loop one comes from before it, or from its last turn. A turn that
  // has no transfers is as good as none.
  if (isa<scf::ForOp>(parent) &&
      !llvm::is_contained(loops, Turn(parent, path.size()))) {
    SmallVector<Turn> seen(loops);
    seen.push_back(Turn(parent, path.size()));
    followBack(nullptr, block, path, seen, wait);
  }
  followBack(parent, parent->getBlock(), path, loops, wait);
}

//===----------------------------------------------------------------------===//
// Waits at barriers
//===----------------------------------------------------------------------===//

/// A barrier orders what the waves have done, but does not wait for the loads
/// straight to LDS that are still under way. Puts a wait before each barrier
/// that some may reach, unless the program itself has one since.
namespace {
class WaitPlacement {
public:
  /// Whether loads are under way at the end of `region`, if they are at its
  /// head when `pending`.
  bool walk(Region &region, bool pending);
  void insert();

private:
  bool visit(Operation &op, bool pending);
  SetVector<Operation *> places;
};
} // namespace

/// A fence is what waves that work for themselves have in place of a barrier.
static bool isBarrier(Operation &op) {
  return isa<gpu::BarrierOp, amdgpu::LDSBarrierOp, ROCDL::SBarrierOp,
             LLVM::FenceOp>(op);
}

bool WaitPlacement::visit(Operation &op, bool pending) {
  if (isa<amdgpu::GatherToLDSOp>(op))
    return true;
  // The program counts for itself.
  if (auto wait = dyn_cast<amdgpu::MemoryCounterWaitOp>(op))
    return pending && !wait.getLoad();
  if (isBarrier(op)) {
    if (pending)
      places.insert(&op);
    return false;
  }
  if (op.getNumRegions() == 0)
    return pending;
  bool after = pending;
  bool isLoop = isa<LoopLikeOpInterface>(op);
  for (Region &region : op.getRegions())
    after |= walk(region, pending);
  // What one turn leaves, the next one meets.
  if (isLoop && after && !pending)
    for (Region &region : op.getRegions())
      after |= walk(region, true);
  return after;
}

bool WaitPlacement::walk(Region &region, bool pending) {
  // Blocks in any order: what any leaves, any may meet.
  bool several = !region.empty() && !region.hasOneBlock();
  bool after = pending;
  for (Block &block : region)
    for (Operation &op : block)
      after = visit(op, after) || (several && after);
  if (several && after && !pending)
    return walk(region, true);
  return after;
}

static void createWait(OpBuilder &b, Location loc, int64_t loads,
                       bool forLDS = false) {
  amdgpu::MemoryCounterWaitOp::create(
      b, loc, /*load=*/b.getI32IntegerAttr(loads), /*store=*/nullptr,
      /*ds=*/forLDS ? b.getI32IntegerAttr(0) : IntegerAttr(), /*exp=*/nullptr,
      /*tensor=*/nullptr);
}

void WaitPlacement::insert() {
  for (Operation *barrier : places) {
    OpBuilder b(barrier);
    createWait(b, barrier->getLoc(), 0);
  }
}

/// Leaves `loads` under way. A barrier right behind takes the part of the wait
/// that a fence of the workgroup would, which in LLVM 22.1.8 is one for all
/// loads to LDS; what else it waits for, on all chips that have these, is LDS.
static void lower(layout::AsyncWaitOp op, int64_t loads) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto barrier = dyn_cast_or_null<gpu::BarrierOp>(op->getNextNode());
  createWait(b, loc, loads, /*forLDS=*/barrier != nullptr);
  // What the wave reads behind the wait is not read before it.
  auto createFence = [&] {
    LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "wavefront");
  };
  createFence();
  if (barrier) {
    ROCDL::SBarrierOp::create(b, loc);
    createFence();
    barrier.erase();
  }
  op.erase();
}

void AsyncWaits::lower() {
  for (Wait &wait : waits) {
    int64_t least = INT32_MAX;
    for (const Path &path : wait.paths) {
      int64_t loads = 0;
      for (Operation *transfer : path)
        loads += loadsOf.lookup(transfer);
      least = std::min(least, loads);
    }
    ::aircc::distribution::lower(wait.op, least);
  }
  WaitPlacement placement;
  placement.walk(kernel.getBody(), false);
  placement.insert();
}

} // namespace aircc::distribution
