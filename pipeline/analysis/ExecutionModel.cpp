//===- ExecutionModel.cpp - Which workers execute an op -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/BufferLevels.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/BlockOps.h"
#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc {

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

Scope getScope(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto scope = parent->getAttrOfType<kernel::ScopeAttr>(
            kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
      return scope.getValue();
  return Scope::Lane;
}

void setScope(Operation *op, Scope scope) {
  op->setAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr(),
              kernel::ScopeAttr::get(op->getContext(), scope));
}

bool namesLanes(Operation *op) {
  // The sizes of waves and workgroups are the same for all lanes.
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::GlobalIdOp, gpu::SubgroupIdOp,
          gpu::ShuffleOp, gpu::RotateOp, gpu::AllReduceOp,
          gpu::SubgroupReduceOp, gpu::SubgroupBroadcastOp,
          gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
          gpu::SubgroupMmaComputeOp, gpu::SubgroupMmaConstantMatrixOp,
          gpu::SubgroupMmaElementwiseOp, kernel::BlockLoadOp,
          kernel::BlockStoreOp, kernel::BlockPrefetchOp, kernel::PrefetchOp,
          kernel::DpasOp>(op))
    return true;
  // All ops of a target-specific dialect are lane instructions.
  return llvm::StringSwitch<bool>(op->getName().getDialectNamespace())
      .Cases({"amdgpu", "rocdl", "xegpu", "xevm", "nvgpu", "nvvm"}, true)
      .Default(false);
}

static bool codeHolds(Operation *root, bool intoHerds,
                      function_ref<bool(Operation *)> test,
                      SmallPtrSetImpl<Operation *> &seen) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && !intoHerds && isa<air::HerdOp>(op))
      return WalkResult::skip();
    if (test(op))
      return WalkResult::interrupt();
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallable();
      if (callee && seen.insert(callee).second &&
          codeHolds(callee, intoHerds, test, seen))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool codeHolds(Operation *root, bool intoHerds,
               function_ref<bool(Operation *)> test) {
  SmallPtrSet<Operation *, 8> seen;
  return codeHolds(root, intoHerds, test, seen);
}

bool codeNamesLanes(Operation *root) {
  return codeHolds(root, /*intoHerds=*/false, namesLanes);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

bool isSharedLoop(Operation *op) {
  auto parallel = dyn_cast<scf::ParallelOp>(op);
  return parallel && parallel.getNumResults() == 0 &&
         !op->hasAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr());
}

namespace {
/// The effects of the code in an op's regions on memory that existed before it.
struct Effects {
  bool unknown = false;
  bool reads = false;
  bool writesShared = false;
  bool writesPerWave = false;
  bool writesPerLane = false;
  bool readsPerWave = false;
  bool readsPerLane = false;
};
} // namespace

/// Returns true if `buffer` is allocated below `root`, for `op` or an op around
/// it.
static bool isOwnBuffer(Operation *root, Operation *op, Value buffer) {
  if (Operation *def = buffer.getDefiningOp())
    return root->isProperAncestor(def);
  auto kernel =
      dyn_cast<gpu::GPUFuncOp>(buffer.getParentBlock()->getParentOp());
  if (!kernel)
    return false;
  ArrayRef<BlockArgument> buffers = kernel.getPrivateAttributions();
  int64_t number = llvm::find(buffers, buffer) - buffers.begin();
  for (Operation *parent = op; parent; parent = parent->getParentOp()) {
    if (auto marked = parent->getAttrOfType<DenseI64ArrayAttr>(
            kernel::KernelDialect::OwnBuffersAttrHelper::getNameStr());
        marked && llvm::is_contained(marked.asArrayRef(), number))
      return true;
    if (parent == root)
      break;
  }
  return false;
}

static void collectEffects(Operation *root, Operation *op, Effects &effects) {
  if (isAllocation(op) || isa<memref::DeallocOp>(op))
    return;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<air::HerdOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        collectEffects(root, &nested, effects);
    return;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    effects.unknown = true;
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  interface.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool writes =
        isa<MemoryEffects::Write, MemoryEffects::Free>(instance.getEffect());
    bool reads = isa<MemoryEffects::Read>(instance.getEffect());
    if (!writes && !reads)
      continue;
    BufferLevel level = BufferLevel::Global;
    if (Value value = instance.getValue()) {
      if (!isa<BaseMemRefType>(value.getType())) {
        effects.unknown = true;
        continue;
      }
      // Buffers allocated inside are not visible outside.
      SmallVector<Value> buffers = getBuffers(value);
      llvm::erase_if(buffers, [&](Value buffer) {
        return getBuffer(buffer) == buffer && isOwnBuffer(root, op, buffer);
      });
      if (buffers.empty())
        continue;
      level = joinBufferLevels(buffers);
    }
    if (reads) {
      effects.reads = true;
      effects.readsPerLane |= level == BufferLevel::PerLane;
      effects.readsPerWave |= level == BufferLevel::PerWave;
    }
    if (writes) {
      effects.writesPerLane |= level == BufferLevel::PerLane;
      effects.writesPerWave |= level == BufferLevel::PerWave;
      effects.writesShared |=
          level != BufferLevel::PerLane && level != BufferLevel::PerWave;
    }
  }
}

static Effects getEffects(Operation *op) {
  Effects effects;
  collectEffects(op, op, effects);
  return effects;
}

static int countWrittenKinds(Operation *op, const Effects &effects) {
  return effects.writesShared + effects.writesPerLane +
         (effects.writesPerWave && getScope(op) == Scope::Workgroup);
}

bool writesSeveralKinds(Operation *op) {
  return countWrittenKinds(op, getEffects(op)) > 1;
}

/// Returns true if executing an op requires visiting its regions.
static bool holdsSharedWork(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *nested) {
        if (nested == op)
          return WalkResult::advance();
        if (isa<air::HerdOp, air::TransferInterface, kernel::BarrierOp,
                kernel::FenceOp, kernel::AccessOp, kernel::PublishOp>(nested) ||
            isSharedLoop(nested) ||
            nested->hasAttr(
                kernel::KernelDialect::EveryLaneAttrHelper::getNameStr()) ||
            nested->hasAttr(
                layout::LayoutDialect::ScopeAttrHelper::getNameStr()))
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

Role getRole(Operation *op) {
  if (op->hasAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr()) ||
      isa<layout::AsyncWaitOp>(op))
    return Role::EachLane;
  // All lanes together hold and store an undistributed vector.
  if (op->hasAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr()))
    return hasEffect<MemoryEffects::Write>(op) ? Role::Distributed
                                               : Role::AllWorkers;
  if (isa<air::HerdOp>(op))
    return Role::Herd;
  if (auto barrier = dyn_cast<kernel::BarrierOp>(op))
    return barrier.getScope() == kernel::Scope::Workgroup ? Role::Barrier
                                                          : Role::EachLane;
  if (isa<kernel::FenceOp, kernel::AccessOp, kernel::PublishOp>(op))
    return Role::EachLane;
  if (isAllocation(op) || isa<memref::DeallocOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return Role::Nothing;
  Scope scope = getScope(op);
  if (isa<air::TransferInterface>(op))
    return Role::Distributed;
  if (op->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()) ||
      (op->getNumRegions() && holdsSharedWork(op) && !isSharedLoop(op)))
    return Role::ControlFlow;
  if (scope == Scope::Lane)
    return Role::EachLane;
  if (namesLanes(op))
    return Role::EachLane;

  if (isMemoryEffectFree(op))
    return Role::AllWorkers;
  Effects effects = getEffects(op);
  if (effects.unknown)
    return Role::SingleWorker;
  bool perWave = scope == Scope::Workgroup;
  int kinds = countWrittenKinds(op, effects);
  if (isSharedLoop(op))
    return effects.writesPerLane && kinds == 1 ? Role::EachLane
                                               : Role::Distributed;
  if (effects.writesPerLane && kinds == 1 && !effects.writesPerWave)
    return Role::EachLane;
  if (!effects.writesShared && !effects.writesPerWave && !effects.writesPerLane)
    return Role::AllWorkers;
  // If an op accesses buffers of lanes, of waves and of the workgroup, its
  // parts have different roles.
  bool mixed = kinds > 1 ||
               (effects.writesShared &&
                (effects.readsPerLane || (perWave && effects.readsPerWave))) ||
               (effects.writesPerWave && effects.readsPerLane) ||
               (effects.writesPerWave && effects.writesPerLane);
  // A single worker cannot pass on a yielded buffer, so all workers must
  // compute it.
  bool yieldsBuffer = llvm::any_of(op->getResults(), [](Value result) {
    return !result.use_empty() && isa<BaseMemRefType>(result.getType());
  });
  if ((mixed || yieldsBuffer) && op->getNumRegions())
    return Role::ControlFlow;
  return Role::SingleWorker;
}

void forEachPart(Region &region, bool intoHerds,
                 function_ref<void(Operation *, Role)> visit) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Role role = getRole(&op);
      if (role == Role::ControlFlow || (role == Role::Herd && intoHerds)) {
        visit(&op, role);
        for (Region &inner : op.getRegions())
          forEachPart(inner, intoHerds, visit);
        continue;
      }
      visit(&op, role);
    }
}

SmallVector<gpu::GPUFuncOp> getUnfinishedKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::GPUFuncOp> kernels;
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    if (func->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
      kernels.push_back(func);
  return kernels;
}

std::optional<int64_t> getKnownWorkgroupLanes(Operation *op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> sizes;
  if (kernel)
    sizes = kernel.getKnownBlockSize();
  if (!sizes)
    return std::nullopt;
  int64_t lanes = 1;
  for (int32_t size : *sizes)
    lanes *= size;
  return lanes;
}

bool hasWholeWaves(Operation *op, int64_t waveSize) {
  std::optional<int64_t> lanes = getKnownWorkgroupLanes(op);
  return lanes && *lanes % waveSize == 0;
}

Scope getWorkScope(Operation *op) {
  Scope scope = getScope(op);
  if (scope != Scope::Workgroup)
    return scope;
  if (auto dma = dyn_cast<air::DmaMemcpyNdOp>(op)) {
    BufferLevel dst = getBufferLevel(dma.getDst()),
                src = getBufferLevel(dma.getSrc());
    if (dst == BufferLevel::PerLane || src == BufferLevel::PerLane)
      return Scope::Lane;
    if (dst == BufferLevel::PerWave || src == BufferLevel::PerWave)
      return Scope::Wave;
    return scope;
  }
  // One wave sends or receives a message on behalf of all.
  if (isa<air::TransferInterface>(op))
    return scope;
  Effects effects = getEffects(op);
  if (effects.writesPerLane)
    return Scope::Lane;
  if (effects.writesPerWave)
    return Scope::Wave;
  return scope;
}

} // namespace aircc
