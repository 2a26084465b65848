//===- LaunchableOps.cpp - Which host code a launch can run ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/LaunchableOps.h"

#include "dialects/air/AIROps.h"
#include "pipeline/analysis/BufferLevels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc::hierarchy {

bool isOnChip(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return false;
  std::optional<air::MemorySpace> space = air::getMemorySpace(memref);
  return space == air::MemorySpace::L1 || space == air::MemorySpace::L2;
}

bool needsLaunch(Operation *op) {
  if (isa<air::SegmentOp, air::HerdOp>(op))
    return true;
  if (isAllocation(op))
    return isOnChip(op->getResult(0).getType());
  if (auto dma = dyn_cast<air::DmaMemcpyNdOp>(op))
    return !dma.isCrossRank();
  auto access = dyn_cast<air::ChannelAccessInterface>(op);
  if (!access)
    return false;
  air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
  return !channel || channel.isNpu();
}

bool containsLaunchableWork(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([](Operation *inner) {
        if (isa<air::LaunchOp, air::RankOp, gpu::LaunchOp>(inner))
          return WalkResult::skip();
        return needsLaunch(inner) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true for ops that compute a value or access memory, like any other
/// code of a segment.
static bool isPlainDeviceOp(Operation *op) {
  if (isa<linalg::LinalgDialect>(op->getDialect()))
    return true;
  if (isa<memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::AtomicRMWOp,
          memref::GenericAtomicRMWOp, affine::AffineReadOpInterface,
          affine::AffineWriteOpInterface>(op))
    return true;
  if (isa<vector::VectorDialect>(op->getDialect()))
    return !isa<vector::PrintOp>(op);
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         isa<affine::AffineDialect, arith::ArithDialect,
             complex::ComplexDialect, index::IndexDialect, math::MathDialect,
             memref::MemRefDialect, ub::UBDialect>(op->getDialect());
}

/// Returns true for ops whose regions a launch runs if it can run the ops in
/// them.
static bool isLaunchableStructure(Operation *op) {
  if (isa<air::ExecuteOp>(op))
    return true;
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp,
             scf::ForOp, scf::ForallOp, scf::IfOp, scf::IndexSwitchOp,
             scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>(op) &&
         llvm::all_of(op->getRegions(), [](Region &region) {
           return region.empty() || region.hasOneBlock();
         });
}

static Operation *findHostOp(Operation *op, SmallPtrSetImpl<Operation *> &seen);

static Operation *findHostOpIn(Region &region,
                               SmallPtrSetImpl<Operation *> &seen) {
  for (Block &block : region)
    for (Operation &op : block)
      if (Operation *found = findHostOp(&op, seen))
        return found;
  return nullptr;
}

static Operation *findHostOp(Operation *op,
                             SmallPtrSetImpl<Operation *> &seen) {
  if (needsLaunch(op) || isa<air::WaitAllOp>(op) || isPlainDeviceOp(op))
    return nullptr;
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return isOnChip(dealloc.getMemref().getType()) ? nullptr : op;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return isa<FunctionOpInterface>(op->getParentOp()) ? op : nullptr;
  if (isLaunchableStructure(op)) {
    for (Region &region : op->getRegions())
      if (Operation *found = findHostOpIn(region, seen))
        return found;
    return nullptr;
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, call.getCalleeAttr());
    if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock() ||
        !seen.insert(callee).second)
      return op;
    for (Operation &inner : callee.getBody().front().without_terminator())
      if (findHostOp(&inner, seen))
        return op;
    seen.erase(callee);
    return nullptr;
  }
  return op;
}

Operation *findHostOp(Operation *op) {
  SmallPtrSet<Operation *, 4> seen;
  return findHostOp(op, seen);
}

/// Returns the value that `memref` is a view of.
static Value getViewed(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

bool accessesHostMemory(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return true;
  SmallPtrSet<Value, 8> onDevice;
  function->walk<WalkOrder::PreOrder>([&](Operation *user) {
    if (!needsLaunch(user) && !isa<air::LaunchOp, gpu::LaunchOp>(user))
      return WalkResult::advance();
    for (Value operand : user->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        onDevice.insert(getViewed(operand));
    return WalkResult::skip();
  });
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        if (needsLaunch(inner))
          return WalkResult::skip();
        if (!isPlainDeviceOp(inner) || isMemoryEffectFree(inner))
          return WalkResult::advance();
        for (Value operand : inner->getOperands())
          if (isa<BaseMemRefType>(operand.getType()) &&
              !isOnChip(operand.getType()) &&
              !onDevice.contains(getViewed(operand)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool isSimpleExecute(Operation *op, bool allocates, bool frees) {
  auto execute = dyn_cast<air::ExecuteOp>(op);
  if (!execute)
    return false;
  for (Operation &inner : execute.getRegion().front().without_terminator()) {
    bool isAlloc =
        isAllocation(&inner) && !isOnChip(inner.getResult(0).getType());
    auto dealloc = dyn_cast<memref::DeallocOp>(inner);
    bool isFree = dealloc && !isOnChip(dealloc.getMemref().getType());
    if (!(isAlloc && allocates) && !(isFree && frees) &&
        (inner.getNumRegions() || !isMemoryEffectFree(&inner)))
      return false;
  }
  return true;
}

bool hasLaunchSizes(Operation *op) {
  return !op->walk([&](air::HierarchyInterface inner) {
              for (Value size : inner.getSizeOperands()) {
                Operation *owner = size.getParentRegion()->getParentOp();
                // Sizes inside a segment are operands of the segment, which is
                // isolated; their values are traced when it is lowered.
                if (!matchPattern(size, m_Constant()) &&
                    !inner->getParentOfType<air::HierarchyInterface>() &&
                    op->isAncestor(owner))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
}

bool blocks(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([](Operation *inner) {
        if (auto async = dyn_cast<air::AsyncOpInterface>(inner))
          return async.isAsync() ? WalkResult::skip() : WalkResult::interrupt();
        // Regions are walked separately, and buffers on the chip vanish with
        // the launch.
        if (inner->getNumRegions() && isLaunchableStructure(inner))
          return WalkResult::advance();
        if (isMemoryEffectFree(inner) || isAllocation(inner) ||
            isa<memref::DeallocOp>(inner))
          return WalkResult::advance();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

} // namespace aircc::hierarchy
