//===- CallerBuffers.cpp - Move buffers of callers to L3 ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/launch/LaunchableOps.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_MOVECALLERBUFFERS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Returns the same type in L3.
Type getL3Type(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::get(memref.getShape(), memref.getElementType(),
                           memref.getLayout(), Attribute());
  return UnrankedMemRefType::get(cast<BaseMemRefType>(type).getElementType(),
                                 Attribute());
}

/// Changes the type of `value` to L3, and those of its views. Fails at an op
/// that would mix L3 and another level.
LogicalResult moveToL3(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!isOnChip(next.getType()))
      continue;
    next.setType(getL3Type(next.getType()));
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (auto hierarchy = dyn_cast<air::HierarchyInterface>(user)) {
        worklist.push_back(hierarchy.getTiedKernelArgument(use));
      } else if (isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(
                     user)) {
        llvm::append_range(
            worklist,
            llvm::make_filter_range(user->getResults(), [](Value result) {
              return isa<BaseMemRefType>(result.getType());
            }));
      } else if (user->getNumRegions() ||
                 user->hasTrait<OpTrait::IsTerminator>() ||
                 llvm::any_of(user->getResultTypes(), isOnChip)) {
        // linalg ops have regions, but no memref arguments.
        if (llvm::none_of(user->getRegions(),
                          [](Region &region) {
                            return llvm::any_of(region.getArgumentTypes(),
                                                isOnChip);
                          }) &&
            llvm::none_of(user->getResultTypes(), isOnChip) &&
            !user->hasTrait<OpTrait::IsTerminator>())
          continue;
        InFlightDiagnostic diag =
            user->emitOpError("passes on an L1 or L2 buffer that belongs to "
                              "the function's caller and is therefore in L3; "
                              "use the argument itself, or a view of it");
        diag.attachNote(value.getLoc()) << "the buffer is defined here";
        return failure();
      }
    }
  }
  return success();
}

/// Returns true if code outside the module calls the function, and it contains
/// launches or work for one.
bool isEntry(func::FuncOp function, ModuleOp module) {
  if (function.isExternal() ||
      !SymbolTable::symbolKnownUseEmpty(function, module))
    return false;
  bool launches =
      function.walk([](air::LaunchOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  return launches || containsLaunchableWork(function);
}

struct MoveCallerBuffersPass
    : hierarchy::impl::MoveCallerBuffersBase<MoveCallerBuffersPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>()) {
      if (llvm::none_of(function.getArgumentTypes(), isOnChip) ||
          !isEntry(function, module))
        continue;
      for (BlockArgument arg : function.getArguments()) {
        if (!isOnChip(arg.getType()))
          continue;
        emitRemark(arg.getLoc())
            << "argument " << arg.getArgNumber() << " of "
            << function.getSymName()
            << " has an L1 or L2 memory space, but these exist only inside a "
               "launch; the caller's memory is in L3 and is accessed there";
        if (failed(moveToL3(arg)))
          return signalPassFailure();
      }
      function.setType(FunctionType::get(&getContext(),
                                         function.getBody().getArgumentTypes(),
                                         function.getResultTypes()));
    }
  }
};

} // namespace
