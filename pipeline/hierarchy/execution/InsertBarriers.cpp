//===- InsertBarriers.cpp - Order what workers do -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferPlaces.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// An access that has been made since the last barrier, or that comes next.
struct Access : MemoryAccess {
  explicit Access(const MemoryAccess &access) : MemoryAccess(access) {}

  Operation *herd = nullptr; ///< The herd whose lane code it is in.
  /// Made in an earlier iteration of a loop: by an earlier run of `herd`.
  bool earlier = false;

  bool operator==(const Access &) const = default;
};

bool conflict(const Access &a, const Access &b) {
  if (!(a.writes || b.writes) || !mayOverlap(a, b))
    return false;
  // The loop that fetches ahead has a barrier for that.
  if (a.buffer && a.buffer == b.buffer && (a.isPrefetch || b.isPrefetch))
    return false;
  // Lanes order what they do in one run of a herd, but not its successive runs.
  if (a.agent == AccessAgent::LaneCode && b.agent == AccessAgent::LaneCode &&
      a.herd == b.herd && (!a.herd || a.earlier == b.earlier))
    return false;
  return !(a.agent == AccessAgent::SingleWorker &&
           b.agent == AccessAgent::SingleWorker);
}

/// The accesses that no barrier separates from what comes next.
class Pending {
public:
  void clear() { accesses.clear(); }
  bool conflictsWith(ArrayRef<Access> others) const {
    return llvm::any_of(others, [&](const Access &other) {
      return llvm::any_of(
          accesses, [&](const Access &own) { return conflict(own, other); });
    });
  }
  /// True if something was new.
  bool add(ArrayRef<Access> others) {
    bool isNew = false;
    for (const Access &access : others)
      if (!llvm::is_contained(accesses, access)) {
        accesses.push_back(access);
        isNew = true;
      }
    return isNew;
  }
  ArrayRef<Access> get() const { return accesses; }
  /// The same, seen from the next iteration of a loop.
  SmallVector<Access> getForNextIteration() const {
    SmallVector<Access> earlier(accesses);
    for (Access &access : earlier)
      access.earlier = true;
    return earlier;
  }

private:
  SmallVector<Access> accesses;
};

void appendAccesses(Operation *op, AccessAgent agent,
                    SmallVectorImpl<Access> &into) {
  SmallVector<MemoryAccess> accesses;
  collectAccesses(op, agent, accesses);
  for (const MemoryAccess &access : accesses)
    into.push_back(Access(access));
}

/// Finds the places for barriers in the program of one scope.
class BarrierPlacement {
public:
  BarrierPlacement(const Uniformity &uniformity, Scope scope)
      : uniformity(uniformity), scope(scope) {}

  void walk(Region &region, Pending &pending);
  /// Ops that need a barrier before them, in the order they were found.
  ArrayRef<Operation *> getPlaces() const { return places.getArrayRef(); }

private:
  void visitStructure(Operation *op, Pending &pending);
  bool visitBarriers(Region &region, air::HerdOp herd,
                     SmallVectorImpl<Access> &before,
                     SmallVectorImpl<Access> &after);
  void add(Operation *op, ArrayRef<Access> accesses, Pending &pending);
  AccessAgent getAgent(Operation *op, Role role) const {
    return getAccessAgent(op, role, scope, uniformity);
  }

  const Uniformity &uniformity;
  const Scope scope;
  SetVector<Operation *> places;
};

void BarrierPlacement::visitStructure(Operation *op, Pending &pending) {
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Pending entry = pending;
    while (true) {
      Pending state = entry;
      size_t before = places.size();
      walk(loop.getBefore(), state);
      // The loop is left from here, whatever the other region does.
      Pending exit = state;
      walk(loop.getAfter(), state);
      if (!entry.add(state.getForNextIteration()) && places.size() == before) {
        pending = exit;
        return;
      }
    }
  }
  if (isa<LoopLikeOpInterface>(op)) {
    Pending entry = pending;
    // What an iteration leaves pending, the next one meets.
    while (true) {
      Pending state = entry;
      size_t before = places.size();
      for (Region &region : op->getRegions())
        walk(region, state);
      if (!entry.add(state.getForNextIteration()) && places.size() == before) {
        pending.add(entry.get());
        return;
      }
    }
  }
  if (isa<scf::ExecuteRegionOp>(op)) {
    walk(op->getRegion(0), pending);
    return;
  }
  Pending after;
  bool mayPass = false;
  for (Region &region : op->getRegions()) {
    Pending state = pending;
    mayPass |= region.empty();
    walk(region, state);
    after.add(state.get());
  }
  if (mayPass)
    after.add(pending.get());
  pending = after;
}

/// True if `op` stores what one worker has just computed, for the others: no
/// barrier may come between the two.
bool isStoreOfLeader(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  Operation *leader = store ? store.getValue().getDefiningOp() : nullptr;
  if (!leader || getScope(op) == Scope::Lane ||
      leader->getBlock() != op->getBlock() || getRole(leader) != Role::Leader)
    return false;
  for (Operation *between = leader->getNextNode(); between != op;
       between = between->getNextNode())
    if (!isa<memref::StoreOp>(between))
      return false;
  return true;
}

void BarrierPlacement::walk(Region &region, Pending &pending) {
  for (Block &block : region)
    for (Operation &op : block) {
      Role role = getRole(&op);
      if (role == Role::Nothing)
        continue;
      if (role == Role::Barrier) {
        pending.clear();
        continue;
      }
      if (role == Role::Structure) {
        visitStructure(&op, pending);
        continue;
      }
      if (auto herd = dyn_cast<air::HerdOp>(op)) {
        SmallVector<Access> before, after;
        bool isOrdered = visitBarriers(herd.getRegion(), herd, before, after);
        add(&op, before, pending);
        if (isOrdered)
          pending.clear();
        pending.add(after);
        continue;
      }
      if (isStoreOfLeader(&op))
        continue;
      SmallVector<Access> accesses;
      appendAccesses(&op, getAgent(&op, role), accesses);
      if (role == Role::Leader)
        for (Operation *store = op.getNextNode();
             store && isStoreOfLeader(store); store = store->getNextNode())
          appendAccesses(store, getAgent(store, Role::Leader), accesses);
      add(&op, accesses, pending);
    }
}

void BarrierPlacement::add(Operation *op, ArrayRef<Access> accesses,
                           Pending &pending) {
  if (!places.contains(op) && pending.conflictsWith(accesses))
    places.insert(op);
  if (places.contains(op))
    pending.clear();
  pending.add(accesses);
}

/// True if the loop is known to run at least once.
bool runsAtLeastOnce(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

/// Looks at the barriers that a herd's own code has: what it accesses before
/// the first of them on any path, and what after the last. True if there is one
/// on every path.
bool BarrierPlacement::visitBarriers(Region &region, air::HerdOp herd,
                                     SmallVectorImpl<Access> &before,
                                     SmallVectorImpl<Access> &after) {
  bool isOrdered = false;
  AccessAgent agent = getScope(&region.front().front()) == Scope::Lane
                          ? AccessAgent::LaneCode
                          : AccessAgent::AllWorkers;
  for (Block &block : region)
    for (Operation &op : block) {
      if (kernel::isWorkgroupBarrier(&op)) {
        isOrdered = true;
        after.clear();
        continue;
      }
      SmallVector<Access> early, late;
      bool opIsOrdered = false;
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && runsAtLeastOnce(loop) && getRole(&op) == Role::Structure) {
        opIsOrdered = visitBarriers(loop.getRegion(), herd, early, late);
      } else {
        appendAccesses(&op, agent, early);
        late = early;
      }
      for (SmallVectorImpl<Access> *accesses : {&early, &late})
        for (Access &access : *accesses)
          if (agent == AccessAgent::LaneCode)
            access.herd = herd;
      if (!isOrdered)
        before.append(early.begin(), early.end());
      if (opIsOrdered) {
        isOrdered = true;
        after.clear();
      }
      after.append(late.begin(), late.end());
    }
  return isOrdered;
}

struct InsertBarriersPass
    : hierarchy::impl::InsertBarriersBase<InsertBarriersPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation()))
      if (failed(insert(kernel)))
        return signalPassFailure();
  }

  LogicalResult insert(gpu::GPUFuncOp kernel) {
    Uniformity uniformity(kernel);
    if (failed(checkControl(kernel, uniformity)))
      return failure();
    BarrierPlacement workgroup(uniformity, Scope::Workgroup);
    Pending none;
    workgroup.walk(kernel.getBody(), none);
    for (Operation *op : workgroup.getPlaces()) {
      if (uniformity.getControlExtent(op) > Extent::Workgroup)
        return op->emitOpError(
            "needs what other threads of the workgroup wrote before, but "
            "stands "
            "under a condition that not all of them fulfil; move it out of the "
            "condition");
      OpBuilder b(op);
      kernel::BarrierOp::create(b, op->getLoc(), kernel::Scope::Workgroup);
    }
    WalkResult result = kernel.walk([&](air::HerdOp herd) {
      if (getScope(&herd.getBodyBlock()->front()) != Scope::Wave)
        return WalkResult::advance();
      BarrierPlacement wave(uniformity, Scope::Wave);
      Pending none;
      wave.walk(herd.getRegion(), none);
      for (Operation *op : wave.getPlaces()) {
        OpBuilder b(op);
        kernel::BarrierOp::create(b, op->getLoc(), kernel::Scope::Wave);
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// All workers of a scope must take the same way through the control flow
  /// that they run together.
  LogicalResult checkControl(gpu::GPUFuncOp kernel,
                             const Uniformity &uniformity) {
    LogicalResult ok = success();
    forEachPart(kernel.getBody(), /*intoHerds=*/true,
                [&](Operation *op, Role role) {
                  if (failed(ok) || role == Role::Nothing)
                    return;
                  Scope scope = getScope(op);
                  if (scope == Scope::Lane && role != Role::Herd)
                    return;
                  Extent extent = uniformity.getControlExtent(op);
                  Extent needed =
                      scope == Scope::Wave ? Extent::Wave : Extent::Workgroup;
                  if (extent > needed)
                    ok = op->emitOpError(
                        "is run by all threads together, but stands under a "
                        "condition that is computed from values which differ "
                        "between them (such as L1 buffers)");
                });
    return ok;
  }
};

} // namespace
