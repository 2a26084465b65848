//===- CompleteHierarchy.cpp - Inline functions into kernels --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/launch/FuseNestedHerds.h"
#include "pipeline/hierarchy/launch/LaunchableOps.h"
#include "pipeline/hierarchy/launch/UnrankedMemrefs.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"
#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_COMPLETEHIERARCHY
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;

namespace {

/// Returns true for structured ops that become transfers or parallel loops.
bool isDistributedOp(Operation *op) {
  return isa<memref::CopyOp, scf::ForallOp, affine::AffineForOp,
             affine::AffineParallelOp>(op) ||
         isa<linalg::LinalgDialect>(op->getDialect());
}

/// Returns true if the function must be inlined into the launch that calls it.
/// This is so if it, or a function that it calls, has AIR ops, barriers or
/// allocations, or if it takes L1 buffers, whose owner depends on the caller.
/// Functions with work that can be distributed over workers are also inlined.
bool belongsInline(func::FuncOp func, SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(func).second)
    return false;
  // A function with several blocks cannot be inlined.
  // BroadcastSingleWorkerResults emits an error where that matters.
  bool canInline = func.getBody().hasOneBlock();
  if (canInline && llvm::any_of(func.getArgumentTypes(), [](Type type) {
        auto memref = dyn_cast<BaseMemRefType>(type);
        auto level =
            memref ? dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace())
                   : IntegerAttr();
        return level && level.getInt() == int64_t(air::MemorySpace::L1);
      }))
    return true;
  return func
      .walk([&](Operation *op) {
        if (isa<air::AIRDialect>(op->getDialect()) || isAllocation(op) ||
            isa<scf::ParallelOp, kernel::BarrierOp>(op) ||
            (canInline && isDistributedOp(op)))
          return WalkResult::interrupt();
        if (auto call = dyn_cast<func::CallOp>(op))
          if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                  op, call.getCalleeAttr());
              callee && belongsInline(callee, seen))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult inlineCall(func::CallOp call, func::FuncOp callee) {
  for (Operation *parent = call->getParentOp(); parent;
       parent = parent->getParentOp())
    if (parent == callee)
      return call.emitOpError(
          "cannot recursively call the function that contains its launch");
  if (!callee.getBody().hasOneBlock())
    return call.emitOpError(
        "calls a function that must be inlined because of its AIR ops, "
        "barriers, allocations or L1 buffers, but has several blocks; use "
        "structured control flow (scf) in it");
  OpBuilder b(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping)->walk([&](Operation *inlined) {
      inlined->setLoc(CallSiteLoc::get(inlined->getLoc(), call.getLoc()));
    });
  for (auto [result, returned] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(returned));
  call.erase();
  return success();
}

/// Inlines the functions for which belongsInline returns true.
LogicalResult inlineCalls(Operation *launch) {
  // Calls that remain after many rounds must be recursive.
  for (unsigned round = 0; round < 64; ++round) {
    SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
    launch->walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      SmallPtrSet<Operation *, 8> seen;
      if (callee && !callee.isDeclaration() && belongsInline(callee, seen))
        calls.push_back({call, callee});
    });
    if (calls.empty())
      return success();
    for (auto [call, callee] : calls)
      if (failed(inlineCall(call, callee)))
        return failure();
  }
  return launch->emitOpError(
      "recursively calls functions that must be inlined because of their AIR "
      "ops, barriers, allocations or L1 buffers; use a loop instead");
}

/// Inlines calls in host code that pass or return buffers in L1 or L2, because
/// such calls become part of a launch.
LogicalResult inlineHostCalls(ModuleOp module) {
  auto isInlined = [](func::CallOp call) {
    if (llvm::none_of(call->getOperandTypes(), hierarchy::isOnChip) &&
        llvm::none_of(call->getResultTypes(), hierarchy::isOnChip))
      return false;
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee && callee.getBody().hasOneBlock() &&
           !callee->isAncestor(call) &&
           !call->getParentOfType<air::HierarchyInterface>() &&
           !call->getParentOfType<gpu::GPUModuleOp>();
  };
  // Calls that remain after many rounds must be recursive.
  for (unsigned round = 0; round < 64; ++round) {
    SmallVector<func::CallOp> calls;
    module.walk([&](func::CallOp call) {
      if (isInlined(call))
        calls.push_back(call);
    });
    if (calls.empty())
      break;
    for (func::CallOp call : calls)
      if (failed(inlineCall(call,
                            SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                                call, call.getCalleeAttr()))))
        return failure();
  }
  return success();
}

/// Checks the nesting of hierarchy ops: a PE has no herds (fuseNestedHerds has
/// replaced nests of herds), and a kernel cannot launch a grid.
LogicalResult checkNesting(Operation *op) {
  if (op->getParentOfType<air::HerdOp>())
    return op->emitOpError(
        "cannot be nested in an air.herd that does other work, each point of "
        "which is a single PE; use one herd with all the points, or a loop in "
        "the herd");
  if (op->getParentOfType<gpu::LaunchOp>() ||
      op->getParentOfType<gpu::GPUModuleOp>())
    return op->emitOpError(
        "cannot be in a kernel of the gpu dialect, which is already per-lane "
        "code; write the whole kernel with air.launch, air.segment and "
        "air.herd, or without them");
  if (!isa<air::LaunchOp>(op))
    return success();
  for (Operation *outer = op->getParentOp(); outer;
       outer = outer->getParentOp())
    if (isa<air::LaunchOp, air::SegmentOp>(outer))
      return op->emitOpError("cannot be in an ")
             << outer->getName().getStringRef()
             << ", because a kernel cannot launch a grid; put all the points "
                "in the outer launch, or use an air.segment with a space "
                "(unroll)";
  return success();
}

struct CompleteHierarchyPass
    : hierarchy::impl::CompleteHierarchyBase<CompleteHierarchyPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(inlineHostCalls(module)))
      return signalPassFailure();
    auto isOuter = [](Operation *op) {
      return !op->getParentOfType<air::HierarchyInterface>();
    };
    SmallVector<Operation *> outer;
    module.walk([&](air::HierarchyInterface op) {
      if (isOuter(op))
        outer.push_back(op);
    });
    for (Operation *op : outer)
      if (failed(inlineCalls(op)))
        return signalPassFailure();

    hierarchy::fuseNestedHerds(module);
    // Inlining may have added hierarchy ops from called functions.
    WalkResult nested = module.walk([](air::HierarchyInterface op) {
      return failed(checkNesting(op)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
    });
    if (nested.wasInterrupted())
      return signalPassFailure();
    // Visit inner ops first, because their casts move to the op around them.
    module.walk<WalkOrder::PostOrder>(
        [](air::HierarchyInterface op) { hierarchy::passRankedMemrefs(op); });

    // Erase functions that were only called from launches.
    for (auto func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      SmallPtrSet<Operation *, 8> seen;
      if (func.isPrivate() && !func.isDeclaration() &&
          belongsInline(func, seen) &&
          !llvm::any_of(func.getOps<air::LaunchOp>(),
                        [](auto) { return true; }) &&
          SymbolTable::symbolKnownUseEmpty(func, module))
        func.erase();
    }
  }
};

} // namespace
