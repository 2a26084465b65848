//===- PlaceBarriers.cpp - Order the accesses of workers ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/MemoryAccess.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/common/BarrierPlacement.h"
#include "pipeline/common/Passes.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc {
#define GEN_PASS_DEF_PLACEBARRIERS
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

using namespace mlir;
using namespace aircc;

namespace {

//===----------------------------------------------------------------------===//
// Programs of workgroups and waves
//===----------------------------------------------------------------------===//

void appendAccesses(Operation *op, AccessAgent agent,
                    SmallVectorImpl<Access> &into) {
  SmallVector<MemoryAccess> accesses;
  collectAccesses(op, agent, accesses);
  for (const MemoryAccess &access : accesses)
    into.push_back(Access(access));
}

/// Places barriers in a program of the workgroup or of each wave, based on the
/// roles of its ops.
class ProgramPlacement : public BarrierPlacement {
public:
  ProgramPlacement(const Uniformity &uniformity, Scope scope)
      : uniformity(uniformity), scope(scope) {}

private:
  void visit(Operation *op, Pending &pending) override;
  void visitHerd(air::HerdOp herd, Pending &pending);
  bool visitBarriers(Region &region, air::HerdOp herd,
                     SmallVectorImpl<Access> &before,
                     SmallVectorImpl<Access> &after);
  AccessAgent getAgent(Operation *op, Role role) const {
    return getAccessAgent(op, role, scope, uniformity);
  }

  const Uniformity &uniformity;
  const Scope scope;
};

/// Returns true if `op` stores a value that one worker has just computed for
/// the others, in which case no barrier may separate the two ops.
bool isStoreOfSingleWorker(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  Operation *producer = store ? store.getValue().getDefiningOp() : nullptr;
  if (!producer || getScope(op) == Scope::Lane ||
      producer->getBlock() != op->getBlock() ||
      getRole(producer) != Role::SingleWorker)
    return false;
  for (Operation *between = producer->getNextNode(); between != op;
       between = between->getNextNode())
    if (!isa<memref::StoreOp>(between))
      return false;
  return true;
}

void ProgramPlacement::visit(Operation *op, Pending &pending) {
  Role role = getRole(op);
  if (role == Role::Nothing || isStoreOfSingleWorker(op))
    return;
  if (role == Role::Barrier)
    return pending.clear();
  if (role == Role::ControlFlow)
    return visitStructure(op, pending);
  if (auto herd = dyn_cast<air::HerdOp>(op))
    return visitHerd(herd, pending);
  SmallVector<Access> accesses;
  appendAccesses(op, getAgent(op, role), accesses);
  if (role == Role::SingleWorker)
    for (Operation *store = op->getNextNode();
         store && isStoreOfSingleWorker(store); store = store->getNextNode())
      appendAccesses(store, getAgent(store, Role::SingleWorker), accesses);
  add(op, accesses, pending);
}

void ProgramPlacement::visitHerd(air::HerdOp herd, Pending &pending) {
  SmallVector<Access> before, after;
  bool isOrdered = visitBarriers(herd.getRegion(), herd, before, after);
  add(herd, before, pending);
  if (isOrdered)
    pending.clear();
  pending.add(after);
}

/// Returns true if the loop is known to execute at least once.
bool runsAtLeastOnce(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

/// Visits the barriers in a herd's lane code. Adds the accesses before the
/// first barrier on any path, and sets the accesses after the last one. Returns
/// true if there is a barrier on every path.
bool ProgramPlacement::visitBarriers(Region &region, air::HerdOp herd,
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
      if (loop && runsAtLeastOnce(loop) && getRole(&op) == Role::ControlFlow) {
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

//===----------------------------------------------------------------------===//
// Lane code
//===----------------------------------------------------------------------===//

/// Places barriers before `kernel.access` ops in lane code, which otherwise
/// orders its own accesses.
class StatedPlacement : public BarrierPlacement {
public:
  explicit StatedPlacement(kernel::Scope scope) : scope(scope) {}

private:
  void visit(Operation *op, Pending &pending) override;
  void record(Operation *op, Pending &pending);
  bool isTraced(Value buffer);

  const kernel::Scope scope;
  /// Caches the results of isTraced().
  DenseMap<Value, bool> traced;
};

/// Returns true if `buffer` and its views are accessed only by ops with known
/// effects on it.
bool isOnlyAccessed(Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<ViewLikeOpInterface>(user))
      return llvm::all_of(user->getResults(), isOnlyAccessed);
    auto interface = dyn_cast<MemoryEffectOpInterface>(user);
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffectsOnValue(use.get(), effects);
    return !effects.empty();
  });
}

/// Returns true if `buffer` is a variable in LDS that only visible ops access.
bool StatedPlacement::isTraced(Value buffer) {
  if (!buffer)
    return false;
  auto [it, isNew] = traced.try_emplace(buffer, false);
  if (isNew)
    it->second = isVariable(buffer) && isOnlyAccessed(buffer);
  return it->second;
}

/// Adds the accesses of the lane's own ops.
void StatedPlacement::record(Operation *op, Pending &pending) {
  SmallVector<Access> accesses;
  appendAccesses(op, AccessAgent::LaneCode, accesses);
  pending.add(accesses);
}

void StatedPlacement::visit(Operation *op, Pending &pending) {
  if (auto barrier = dyn_cast<kernel::BarrierOp>(op)) {
    if (barrier.getScope() >= scope)
      pending.order(barrier.orders(gpu::AddressSpace::Workgroup),
                    barrier.orders(gpu::AddressSpace::Global));
    return;
  }
  if (isa<gpu::BarrierOp>(op))
    return pending.clear();
  if (isa<amdgpu::LDSBarrierOp>(op))
    return pending.order(/*lds=*/true, /*global=*/false);
  auto stated = dyn_cast<kernel::AccessOp>(op);
  if (!stated) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      record(op, pending);
    if (op->getNumRegions())
      visitStructure(op, pending);
    return;
  }
  if (stated.getScope() != scope)
    return;
  SmallVector<Access> accesses;
  appendAccesses(op, AccessAgent::AllWorkers, accesses);
  for (Access &access : accesses)
    access.isTraced = isTraced(access.buffer);
  add(op, accesses, pending);
}

/// Accesses to a function's buffers may be pending when it is called.
void addUnknownAccess(Pending &pending) {
  MemoryAccess access;
  access.writes = true;
  pending.add(Access(access));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct PlaceBarriers : aircc::impl::PlaceBarriersBase<PlaceBarriers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!function->hasAttr(
              kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
        placeStated(function);
      else if (failed(placeInProgram(cast<gpu::GPUFuncOp>(function))))
        return signalPassFailure();
      expandPublications(function);
    }
  }

  LogicalResult placeInProgram(gpu::GPUFuncOp kernel) {
    Uniformity uniformity(kernel);
    if (failed(checkControl(kernel, uniformity)))
      return failure();
    ProgramPlacement workgroup(uniformity, Scope::Workgroup);
    Pending none;
    workgroup.walk(kernel.getBody(), none);
    for (Operation *op : workgroup.getPlaces()) {
      if (uniformity.getControlScope(op) < Scope::Workgroup)
        return op->emitOpError(
            "reads data that other threads of the workgroup wrote, but is "
            "under a condition that is not true for all of them; move it out "
            "of the condition");
      createBarrier(op, Scope::Workgroup);
    }
    kernel.walk([&](air::HerdOp herd) {
      if (getScope(&herd.getBodyBlock()->front()) != Scope::Wave)
        return;
      ProgramPlacement wave(uniformity, Scope::Wave);
      Pending none;
      wave.walk(herd.getRegion(), none);
      for (Operation *op : wave.getPlaces())
        createBarrier(op, Scope::Wave);
    });
    kernel.walk([](kernel::AccessOp op) { op.erase(); });
    return success();
  }

  void placeStated(FunctionOpInterface function) {
    SmallVector<kernel::AccessOp> stated;
    function.walk([&](kernel::AccessOp op) { stated.push_back(op); });
    if (stated.empty())
      return;
    auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
    // A workgroup barrier also orders the accesses within its waves.
    for (Scope scope : {Scope::Workgroup, Scope::Wave}) {
      StatedPlacement placement(scope);
      Pending pending;
      if (!kernel || !kernel.isKernel())
        addUnknownAccess(pending);
      placement.walk(function.getFunctionBody(), pending);
      for (Operation *op : placement.getPlaces())
        createBarrier(op, scope);
    }
    for (kernel::AccessOp op : stated)
      op.erase();
  }

  /// Creates a barrier of `scope` before `op`.
  void createBarrier(Operation *op, Scope scope) {
    OpBuilder b(op);
    auto stated = dyn_cast<kernel::AccessOp>(op);
    kernel::BarrierOp::create(b, op->getLoc(),
                              kernel::ScopeAttr::get(&getContext(), scope),
                              stated ? stated.getMemoryAttr() : ArrayAttr());
  }

  void expandPublications(FunctionOpInterface function) {
    function.walk([](kernel::PublishOp op) {
      OpBuilder b(op);
      kernel::FenceOp::create(b, op.getLoc(), op.getObservers(),
                              kernel::Ordering::Release);
      kernel::BarrierOp::create(b, op.getLoc(), op.getScope(),
                                ArrayRef<gpu::AddressSpace>());
      op.erase();
    });
  }

  /// Checks that all workers of a scope take the same path through the control
  /// flow that they execute together.
  LogicalResult checkControl(gpu::GPUFuncOp kernel,
                             const Uniformity &uniformity) {
    LogicalResult ok = success();
    forEachPart(
        kernel.getBody(), /*intoHerds=*/true, [&](Operation *op, Role role) {
          if (failed(ok) || role == Role::Nothing)
            return;
          Scope scope = getScope(op);
          if (scope == Scope::Lane && role != Role::Herd)
            return;
          Scope needed = scope == Scope::Wave ? Scope::Wave : Scope::Workgroup;
          if (uniformity.getControlScope(op) < needed)
            ok = op->emitOpError(
                "must be executed by all threads together, but is under a "
                "condition that depends on values that differ between them "
                "(such as L1 buffers)");
        });
    return ok;
  }
};

} // namespace
