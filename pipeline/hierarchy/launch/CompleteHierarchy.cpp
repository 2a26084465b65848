//===- CompleteHierarchy.cpp - Add missing launches -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/Passes.h"

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

/// True for structured ops that become transfers or parallel loops.
bool isDistributedOp(Operation *op) {
  return isa<memref::CopyOp, scf::ForallOp, affine::AffineForOp,
             affine::AffineParallelOp>(op) ||
         isa<linalg::LinalgDialect>(op->getDialect());
}

/// True if the function has to be inlined into the launch that calls it: it, or
/// a function that it calls, has AIR ops, barriers or allocations, or it takes
/// L1 buffers, whose owner depends on the caller. Functions with work that can
/// be distributed over workers are inlined too.
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
      return call.emitOpError("calls the function that contains its launch");
  if (!callee.getBody().hasOneBlock())
    return call.emitOpError(
        "calls a function with AIR ops or buffers, which is "
        "inlined and must therefore have a single block");
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

/// Inlines the functions for which belongsInline is true.
LogicalResult inlineCalls(Operation *launch) {
  // Calls that remain after many rounds are recursive.
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
      "calls functions with AIR ops or buffers recursively; such functions are "
      "inlined, so use a loop");
}

/// Wraps a segment or herd in a launch of one point.
void wrapInLaunch(air::HierarchyInterface op) {
  OpBuilder b(op);
  auto launch =
      air::LaunchOp::create(b, op.getLoc(), ValueRange(), op->getOperands());
  IRMapping mapping;
  mapping.map(ValueRange(op->getOperands()),
              ValueRange(launch.getKernelArguments()));
  // An operand that occurs twice has two arguments; either can be used.
  OpBuilder inner = OpBuilder::atBlockTerminator(launch.getBodyBlock());
  inner.clone(*op, mapping);
  op->erase();
}

/// The host has no L1 and L2.
LogicalResult checkHost(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<air::HierarchyInterface, gpu::LaunchOp, gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (!isAllocation(op))
      return WalkResult::advance();
    auto type = cast<MemRefType>(op->getResult(0).getType());
    auto level = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
    if (!level || (level.getInt() != int64_t(air::MemorySpace::L1) &&
                   level.getInt() != int64_t(air::MemorySpace::L2)))
      return WalkResult::advance();
    op->emitOpError("allocates in memory space ")
        << level.getInt()
        << " in host code; 1 (L2) and 2 (L1) are memory of a workgroup: "
           "allocate there in an air.launch, air.segment or air.herd";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Herds do not nest, and a kernel cannot launch a grid.
LogicalResult checkNesting(Operation *op) {
  if (op->getParentOfType<air::HerdOp>())
    return op->emitOpError("is in an air.herd, whose points are single PEs; "
                           "use one herd with all the points, or a loop in the "
                           "herd");
  if (op->getParentOfType<gpu::LaunchOp>() ||
      op->getParentOfType<gpu::GPUModuleOp>())
    return op->emitOpError("is in a kernel of the gpu dialect, which is "
                           "per-lane code already; write the whole kernel with "
                           "air.launch, air.segment and air.herd, or without "
                           "them");
  if (!isa<air::LaunchOp>(op))
    return success();
  for (Operation *outer = op->getParentOp(); outer;
       outer = outer->getParentOp())
    if (isa<air::LaunchOp, air::SegmentOp>(outer))
      return op->emitOpError("is in an ")
             << outer->getName().getStringRef()
             << ", and a kernel cannot launch a grid; give the outer launch "
                "all the points, or use an air.segment with a space (unroll)";
  return success();
}

struct CompleteHierarchyPass
    : hierarchy::impl::CompleteHierarchyBase<CompleteHierarchyPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
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

    // Inlining may have added hierarchy ops from called functions.
    WalkResult nested = module.walk([](air::HierarchyInterface op) {
      return failed(checkNesting(op)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
    });
    if (nested.wasInterrupted())
      return signalPassFailure();

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

    SmallVector<air::HierarchyInterface> lone;
    module.walk([&](air::HierarchyInterface op) {
      if (isOuter(op) && isa<air::SegmentOp, air::HerdOp>(op))
        lone.push_back(op);
    });
    for (air::HierarchyInterface op : lone)
      wrapInLaunch(op);
    if (failed(checkHost(module)))
      return signalPassFailure();
  }
};

} // namespace
