//===- AsyncWaits.cpp - Waits for direct transfers ------------------------===//
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
// Explicit waits
//===----------------------------------------------------------------------===//

AsyncWaits::AsyncWaits(gpu::GPUFuncOp kernel) : kernel(kernel) {
  kernel.walk([&](layout::AsyncWaitOp op) {
    waits.push_back({op, {}});
    collectTransfers(op, op->getBlock(), {}, {}, waits.back());
  });
}

/// Collects the last transfers before `before` (null for the end of the block).
/// If they cannot be determined, a path ends early, so that the wait allows
/// fewer outstanding loads.
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
  // The predecessors of a loop body are the code before the loop and the
  // previous iteration. An iteration without transfers needs only one visit.
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

/// Prevents later reads of the wave from being moved before the wait.
static void createFence(OpBuilder &b, Location loc) {
  kernel::FenceOp::create(b, loc, kernel::Scope::Wave,
                          kernel::Ordering::AcqRel);
}

/// Turns a barrier into one that does not wait for transfers. In LLVM 22.1.8,
/// the workgroup fence of a barrier that orders memory waits for all loads to
/// LDS. The replacement waits only for LDS, on all chips that have such loads.
static void removeMemoryOrder(kernel::BarrierOp barrier) {
  OpBuilder b(barrier);
  createFence(b, barrier.getLoc());
  barrier.setMemoryAttr(b.getArrayAttr({}));
  b.setInsertionPointAfter(barrier);
  createFence(b, barrier.getLoc());
}

/// Barriers do not wait for direct loads to LDS. Inserts a wait before each
/// barrier at which they may be outstanding, unless the program has waited for
/// them or counts them.
namespace {
class WaitPlacement {
public:
  /// The kinds of loads that may be outstanding.
  struct Pending {
    /// Whether there are loads that the next barrier waits for, and loads that
    /// the program counts.
    bool plain = false, counted = false;

    Pending operator|(Pending other) const {
      return {plain || other.plain, counted || other.counted};
    }
    bool operator==(const Pending &) const = default;
  };

  /// Returns the pending loads at the end of `region`, given those at its
  /// entry.
  Pending walk(Region &region, Pending pending);
  void insert();

private:
  Pending visit(Operation &op, Pending pending);
  /// Barriers that wait for all outstanding loads, and barriers that wait for
  /// none.
  SetVector<Operation *> waiting, counting;
};
} // namespace

/// Returns true if a load to LDS that precedes `op` must be complete after it.
/// This holds for workgroup barriers, and for fences of single waves.
static bool isBarrier(Operation &op) {
  if (auto barrier = dyn_cast<kernel::BarrierOp>(op))
    return barrier.getScope() == kernel::Scope::Workgroup ||
           barrier.ordersMemory();
  return isa<kernel::FenceOp>(op) || getVendorFenceScope(&op) ||
         isVendorWorkgroupBarrier(&op);
}

/// Returns true for a workgroup barrier that orders memory.
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
  // An explicit wait of the program.
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
  // Loads that are pending at the end of an iteration are pending at the start
  // of the next.
  if (isa<LoopLikeOpInterface>(op) && !(after == pending))
    for (Region &region : op.getRegions())
      after = after | walk(region, after);
  return after;
}

WaitPlacement::Pending WaitPlacement::walk(Region &region, Pending pending) {
  // Blocks may execute in any order, so merge their states.
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

/// Lowers `op` to a wait that leaves `loads` outstanding.
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
