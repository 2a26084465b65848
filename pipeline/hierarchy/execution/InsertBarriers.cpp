//===- InsertBarriers.cpp - Order what workers do -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/buffers/BufferPlaces.h"
#include "pipeline/hierarchy/execution/ExecutionModel.h"
#include "pipeline/hierarchy/execution/Uniformity.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Whose hands are on the memory.
enum class Who {
  Leader, ///< One worker, always the same.
  Team,   ///< All workers.
  User,   ///< Lanes as the program says, who synchronise themselves.
};

/// One op's access to one buffer.
struct Access {
  Value buffer;                ///< Null: any buffer in `place`.
  Place place;                 ///< Unknown: any.
  int64_t first = 0, last = 0; ///< Bytes of LDS; equal where not known.
  bool writes = false;
  Who who = Who::Team;
  Operation *herd = nullptr; ///< The herd whose lanes it is, for Who::User.
  /// Made in an earlier iteration of a loop: by an earlier run of `herd`.
  bool earlier = false;
  /// Made for a later iteration, to a part of the buffer that is free.
  bool ahead = false;

  bool operator==(const Access &) const = default;
};

bool isInLDS(const Access &access) {
  return access.place == Place::Workgroup || access.place == Place::PerWave;
}

bool mayOverlap(const Access &a, const Access &b) {
  if (a.place == Place::Unknown || b.place == Place::Unknown)
    return true;
  if (isInLDS(a) != isInLDS(b))
    return false;
  // Two global buffers may be one that was handed in twice.
  if (!isInLDS(a) || a.first == a.last || b.first == b.last)
    return true;
  return a.first < b.last && b.first < a.last;
}

bool conflict(const Access &a, const Access &b) {
  if (!(a.writes || b.writes) || !mayOverlap(a, b))
    return false;
  // The loop that fetches ahead has a barrier for that.
  if (a.buffer && a.buffer == b.buffer && (a.ahead || b.ahead))
    return false;
  // Lanes order what they do in one run of a herd, but not its successive runs.
  if (a.who == Who::User && b.who == Who::User && a.herd == b.herd &&
      (!a.herd || a.earlier == b.earlier))
    return false;
  return !(a.who == Who::Leader && b.who == Who::Leader);
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

/// True if an operand of `op` may say where in memory something is: an address,
/// the descriptor of a buffer, or whatever type the op's own dialect has for
/// it.
bool mayAddressMemory(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (vector && vector.getNumElements() == 4 &&
        vector.getElementType().isInteger(32))
      return true;
    Type element = vector ? vector.getElementType() : type;
    return isa<BaseMemRefType, LLVM::LLVMPointerType>(element) ||
           &element.getDialect() == op->getDialect();
  });
}

void collectAccesses(Operation *op, Who who, SmallVectorImpl<Access> &into) {
  if (isAllocation(op))
    return;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<air::HerdOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        collectAccesses(&nested, who, into);
    return;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  // A barrier in a herd touches nothing itself.
  if (isa<gpu::BarrierOp, LLVM::FenceOp, layout::AsyncWaitOp>(op))
    return;
  // Nor do instructions that are given no place in memory.
  bool isInstruction = isa<LLVM::CallIntrinsicOp>(op) ||
                       (namesLanes(op) && op->getNumRegions() == 0);
  if (!interface && isInstruction && !mayAddressMemory(op))
    return;
  if (!interface) {
    Access access{Value(), Place::Unknown};
    access.writes = true;
    access.who = who;
    into.push_back(access);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (!writes && !isa<MemoryEffects::Read>(effect.getEffect()))
      continue;
    Access access{Value(), Place::Unknown};
    access.writes = writes;
    access.who = who;
    access.ahead = writes && op->hasAttr(kFetchesAheadAttr);
    Value value = effect.getValue();
    if (value && isa<BaseMemRefType>(value.getType())) {
      access.place = getPlace(value);
      if (access.place == Place::PerLane)
        continue;
      access.buffer = getBuffer(value);
      if (access.buffer)
        if (Operation *def = access.buffer.getDefiningOp())
          if (auto range =
                  def->getAttrOfType<DenseI64ArrayAttr>(kLDSRangeAttr)) {
            access.first = range[0];
            access.last = range[1];
          }
    }
    into.push_back(access);
  }
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
  Who getWho(Operation *op, Role role);

  const Uniformity &uniformity;
  const Scope scope;
  SetVector<Operation *> places;
};

Who BarrierPlacement::getWho(Operation *op, Role role) {
  if (auto transfer = dyn_cast<air::TransferInterface>(op);
      transfer && getScope(op) == Scope::Lane)
    return getTransferScope(transfer, uniformity) == Scope::Workgroup
               ? Who::Team
               : Who::User;
  if (role == Role::EachLane && getScope(op) == Scope::Lane)
    return Who::User;
  if (role == Role::Leader && getWorkScope(op) == scope)
    return Who::Leader;
  return Who::Team;
}

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
      collectAccesses(&op, getWho(&op, role), accesses);
      if (role == Role::Leader)
        for (Operation *store = op.getNextNode();
             store && isStoreOfLeader(store); store = store->getNextNode())
          collectAccesses(store, getWho(store, Role::Leader), accesses);
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
  Who who =
      getScope(&region.front().front()) == Scope::Lane ? Who::User : Who::Team;
  for (Block &block : region)
    for (Operation &op : block) {
      if (isa<gpu::BarrierOp>(op)) {
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
        collectAccesses(&op, who, early);
        late = early;
      }
      for (SmallVectorImpl<Access> *accesses : {&early, &late})
        for (Access &access : *accesses)
          if (who == Who::User)
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
      if (uniformity.getControlExtent(op) != Extent::Workgroup)
        return op->emitOpError(
            "needs what other threads of the workgroup wrote before, but "
            "stands "
            "under a condition that not all of them fulfil; move it out of the "
            "condition");
      OpBuilder b(op);
      gpu::BarrierOp::create(b, op->getLoc());
    }
    WalkResult result = kernel.walk([&](air::HerdOp herd) {
      if (getScope(&herd.getBodyBlock()->front()) != Scope::Wave)
        return WalkResult::advance();
      BarrierPlacement wave(uniformity, Scope::Wave);
      Pending none;
      wave.walk(herd.getRegion(), none);
      for (Operation *op : wave.getPlaces()) {
        OpBuilder b(op);
        createWaveFence(b, op->getLoc());
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
