//===- BarrierPlacement.cpp - Find the ops that need a barrier ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/BarrierPlacement.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace aircc {

/// Returns true if `access` is an access by lanes to unknown memory.
static bool isToUnknownMemory(const Access &access) {
  return access.agent == AccessAgent::LaneCode && !access.buffer;
}

/// Returns true if a barrier must separate `a` from the later access `b`.
static bool conflict(const Access &a, const Access &b) {
  if (!(a.writes || b.writes) || !mayOverlap(a, b))
    return false;
  // A kernel.access orders the accesses before it with those after it.
  if (a.buffer && a.buffer == b.buffer && !b.isStated &&
      (a.isStated || a.isPrefetch || b.isPrefetch))
    return false;
  if ((a.isTraced && isToUnknownMemory(b)) ||
      (b.isTraced && isToUnknownMemory(a)))
    return false;
  // Lanes order their accesses within one execution of a herd, but not between
  // executions.
  if (a.agent == AccessAgent::LaneCode && b.agent == AccessAgent::LaneCode &&
      a.herd == b.herd && (!a.herd || a.earlier == b.earlier))
    return false;
  return !(a.agent == AccessAgent::SingleWorker &&
           b.agent == AccessAgent::SingleWorker);
}

void Pending::order(bool lds, bool global) {
  if (lds && global)
    return clear();
  llvm::erase_if(accesses, [&](Access &access) {
    if (access.level != BufferLevel::Unknown)
      return access.isInLDS() ? lds : global;
    // The unordered part of the access is to the other memory.
    if (lds)
      access.level = BufferLevel::Global;
    else if (global)
      access.level = BufferLevel::Workgroup;
    return false;
  });
}

bool Pending::conflictsWith(ArrayRef<Access> others) const {
  return llvm::any_of(others, [&](const Access &other) {
    return llvm::any_of(
        accesses, [&](const Access &own) { return conflict(own, other); });
  });
}

void BarrierPlacement::visitStructure(Operation *op, Pending &pending) {
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Pending entry = pending;
    while (true) {
      Pending state = entry;
      size_t before = places.size();
      walk(loop.getBefore(), state);
      // The loop exits after the before-region.
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
    // Iterate to a fixed point: accesses pending after one iteration may
    // conflict with the next iteration.
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

void BarrierPlacement::walk(Region &region, Pending &pending) {
  if (region.empty() || region.hasOneBlock()) {
    for (Operation &op : region.getOps())
      visit(&op, pending);
    return;
  }
  // Assume that each block may branch to any other.
  Pending entry = pending;
  while (true) {
    size_t before = places.size();
    bool isNew = false;
    for (Block &block : region) {
      Pending state = entry;
      for (Operation &op : block)
        visit(&op, state);
      isNew |= entry.add(state.getForNextIteration());
    }
    if (!isNew && places.size() == before)
      break;
  }
  pending = entry;
}

void BarrierPlacement::add(Operation *op, ArrayRef<Access> accesses,
                           Pending &pending) {
  if (!places.contains(op) && pending.conflictsWith(accesses))
    places.insert(op);
  if (places.contains(op))
    pending.clear();
  pending.add(accesses);
}

} // namespace aircc
