//===- AsyncWaits.cpp - Waits for transfers to LDS ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/async/AsyncWaits.h"

#include "pipeline/analysis/VendorBarriers.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
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
    collectTransfers(op, op->getBlock(), {}, {}, waits.back());
  });
}

/// Collects the last transfers before `before` (null: the end of the block).
/// Where it is not plain which they are, a path ends early: fewer loads are
/// then let be under way.
void AsyncWaits::collectTransfers(Operation *before, Block *block, Path path,
                                  ArrayRef<LoopVisit> loops, Wait &wait) {
  size_t maxTransfers = wait.op.getMaxOutstanding();
  Operation *op = before           ? before->getPrevNode()
                  : block->empty() ? nullptr
                                   : &block->back();
  for (; op && path.size() < maxTransfers; op = op->getPrevNode()) {
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
  if (path.size() == maxTransfers || !block->getParent()->hasOneBlock() ||
      !isa<scf::ForOp, scf::IfOp>(parent)) {
    wait.paths.push_back(path);
    return;
  }
  // Into a loop one comes from before it, or from its last turn. A turn that
  // has no transfers is as good as none.
  if (isa<scf::ForOp>(parent) &&
      !llvm::is_contained(loops, LoopVisit(parent, path.size()))) {
    SmallVector<LoopVisit> seen(loops);
    seen.push_back(LoopVisit(parent, path.size()));
    collectTransfers(nullptr, block, path, seen, wait);
  }
  collectTransfers(parent, parent->getBlock(), path, loops, wait);
}

//===----------------------------------------------------------------------===//
// Waits at barriers
//===----------------------------------------------------------------------===//

static void createWait(OpBuilder &b, Location loc, std::optional<int64_t> loads,
                       bool forLDS) {
  amdgpu::MemoryCounterWaitOp::create(
      b, loc, /*load=*/loads ? b.getI32IntegerAttr(*loads) : IntegerAttr(),
      /*store=*/nullptr,
      /*ds=*/forLDS ? b.getI32IntegerAttr(0) : IntegerAttr(), /*exp=*/nullptr,
      /*tensor=*/nullptr);
}

/// What the wave reads behind it is not read before it.
static void createFence(OpBuilder &b, Location loc) {
  kernel::FenceOp::create(b, loc, kernel::Scope::Wave,
                          kernel::Ordering::AcqRel);
}

/// Makes a barrier one at which no transfer is waited for. The workgroup fence
/// of a barrier that orders memory waits, in LLVM 22.1.8, for all loads to LDS;
/// otherwise it waits, on all chips that have these loads, for LDS alone.
static void removeMemoryOrder(kernel::BarrierOp barrier) {
  OpBuilder b(barrier);
  createFence(b, barrier.getLoc());
  barrier.setMemoryAttr(b.getArrayAttr({}));
  b.setInsertionPointAfter(barrier);
  createFence(b, barrier.getLoc());
}

/// A barrier orders what the waves have done, but does not wait for the loads
/// straight to LDS that are still under way. Puts a wait before each barrier
/// that some may reach, unless the program itself has one since, or counts
/// them.
namespace {
class WaitPlacement {
public:
  /// Loads that may be under way.
  struct Pending {
    /// Ones that the next barrier waits for, and ones that the program counts.
    bool plain = false, counted = false;

    Pending operator|(Pending other) const {
      return {plain || other.plain, counted || other.counted};
    }
    bool operator==(const Pending &) const = default;
  };

  /// What is under way at the end of `region`, where `pending` is at its head.
  Pending walk(Region &region, Pending pending);
  void insert();

private:
  Pending visit(Operation &op, Pending pending);
  /// Barriers that wait for all loads, and those that wait for none of the ones
  /// under way.
  SetVector<Operation *> waiting, counting;
};
} // namespace

/// True if a load to LDS that precedes `op` must be complete after it: for
/// barriers of the workgroup, and for the fences of waves that work alone.
static bool isBarrier(Operation &op) {
  if (auto barrier = dyn_cast<kernel::BarrierOp>(op))
    return barrier.getScope() == kernel::Scope::Workgroup ||
           barrier.ordersMemory();
  return isa<kernel::FenceOp>(op) || getVendorFenceScope(&op) ||
         isVendorWorkgroupBarrier(&op);
}

/// True for a barrier of the workgroup that orders memory.
static bool isFencingBarrier(Operation *op) {
  auto barrier = dyn_cast_or_null<kernel::BarrierOp>(op);
  return barrier && barrier.getScope() == kernel::Scope::Workgroup &&
         barrier.ordersMemory();
}

WaitPlacement::Pending WaitPlacement::visit(Operation &op, Pending pending) {
  if (isa<amdgpu::GatherToLDSOp>(op)) {
    bool counted =
        op.hasAttr(layout::LayoutDialect::CountedAttrHelper::getNameStr());
    return pending | Pending{!counted, counted};
  }
  // The program counts for itself.
  if (auto wait = dyn_cast<amdgpu::MemoryCounterWaitOp>(op)) {
    std::optional<uint32_t> left = wait.getLoad();
    return left ? Pending{false, pending.counted && *left != 0} : pending;
  }
  if (isBarrier(op)) {
    if (pending.plain) {
      waiting.insert(&op);
      return {};
    }
    if (pending.counted && isFencingBarrier(&op))
      counting.insert(&op);
    return pending;
  }
  if (op.getNumRegions() == 0)
    return pending;
  Pending after = pending;
  for (Region &region : op.getRegions())
    after = after | walk(region, pending);
  // What one turn leaves, the next one meets.
  if (isa<LoopLikeOpInterface>(op) && !(after == pending))
    for (Region &region : op.getRegions())
      after = after | walk(region, after);
  return after;
}

WaitPlacement::Pending WaitPlacement::walk(Region &region, Pending pending) {
  // Blocks in any order: what any leaves, any may meet.
  bool several = !region.empty() && !region.hasOneBlock();
  Pending after = pending;
  for (Block &block : region)
    for (Operation &op : block) {
      Pending next = visit(op, after);
      after = several ? after | next : next;
    }
  if (several && !(after == pending))
    return walk(region, after);
  return after;
}

void WaitPlacement::insert() {
  for (Operation *barrier : waiting) {
    OpBuilder b(barrier);
    createWait(b, barrier->getLoc(), 0, /*forLDS=*/false);
  }
  for (Operation *barrier : counting) {
    if (waiting.contains(barrier))
      continue;
    OpBuilder b(barrier);
    createWait(b, barrier->getLoc(), std::nullopt, /*forLDS=*/true);
    removeMemoryOrder(cast<kernel::BarrierOp>(barrier));
  }
}

/// Leaves `loads` under way.
static void lower(layout::AsyncWaitOp op, int64_t loads) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Operation *next = op->getNextNode();
  bool hasBarrier = isFencingBarrier(next);
  createWait(b, loc, loads, /*forLDS=*/hasBarrier);
  if (hasBarrier) {
    removeMemoryOrder(cast<kernel::BarrierOp>(next));
  } else {
    createFence(b, loc);
  }
  op.erase();
}

void AsyncWaits::erase() {
  for (Wait &wait : waits)
    wait.op.erase();
  waits.clear();
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
  placement.walk(kernel.getBody(), {});
  placement.insert();
  kernel.walk([](amdgpu::GatherToLDSOp load) {
    load->removeDiscardableAttr(
        layout::LayoutDialect::CountedAttrHelper::getNameStr());
  });
}

} // namespace aircc::distribution
