//===- BufferAccesses.cpp - Reads and writes of buffers in a launch -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/analysis/BufferLevels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc::hierarchy {

ProgramOrder getProgramOrder(Operation *a, Operation *b) {
  // Find the innermost block around both.
  Operation *first = a;
  Block *common = nullptr;
  for (; first; first = first->getParentOp())
    if (first->getBlock() && first->getBlock()->findAncestorOpInBlock(*b)) {
      common = first->getBlock();
      break;
    }
  if (!common)
    return ProgramOrder::Interleaved;
  Operation *second = common->findAncestorOpInBlock(*b);
  if (first == second)
    return ProgramOrder::Interleaved;
  for (Operation *parent = common->getParentOp();
       parent && !isa<air::LaunchOp>(parent); parent = parent->getParentOp()) {
    auto level = dyn_cast<air::HierarchyInterface>(parent);
    if (isa<LoopLikeOpInterface>(parent) || (level && level.getNumDims()))
      return ProgramOrder::Interleaved;
  }
  return first->isBeforeInBlock(second) ? ProgramOrder::Before
                                        : ProgramOrder::After;
}

Value getRootBuffer(Value memref) {
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(memref)) {
      auto level =
          dyn_cast<air::HierarchyInterface>(arg.getOwner()->getParentOp());
      Value outside = level ? level.getTiedKernelOperand(arg) : Value();
      if (!outside)
        return memref;
      memref = outside;
      continue;
    }
    auto view = memref.getDefiningOp<ViewLikeOpInterface>();
    if (!view)
      return memref;
    memref = view.getViewSource();
  }
}

BufferAccesses::BufferAccesses(air::LaunchOp launch) {
  launch.walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface, air::HierarchyInterface, memref::DeallocOp>(
            op) ||
        isAllocation(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      // The ops in the regions are also visited, but a loop that carries a
      // memref, or a branch that yields one, hides which buffer they access.
      Entry entry{op, /*reads=*/true, /*writes=*/true};
      auto interface = dyn_cast<MemoryEffectOpInterface>(op);
      if (interface && !op->hasTrait<OpTrait::IsTerminator>()) {
        SmallVector<MemoryEffects::EffectInstance> effects, all;
        interface.getEffectsOnValue(operand.get(), effects);
        interface.getEffects(all);
        // Effects without a value may concern any memref.
        auto isUnknown = [](const MemoryEffects::EffectInstance &effect) {
          return !effect.getValue();
        };
        bool unknown = llvm::any_of(all, isUnknown) &&
                       !isa<air::AIRDialect>(op->getDialect());
        if (!unknown) {
          auto has = [&]<typename Effect>() {
            return llvm::any_of(effects, [](const auto &effect) {
              return isa<Effect>(effect.getEffect());
            });
          };
          entry.reads = has.template operator()<MemoryEffects::Read>();
          entry.writes = has.template operator()<MemoryEffects::Write>();
        }
      }
      if (entry.reads || entry.writes)
        entries[getRootBuffer(operand.get())].push_back(entry);
    }
  });
}

ArrayRef<BufferAccesses::Entry> BufferAccesses::lookup(Value root) const {
  auto it = entries.find(root);
  return it == entries.end() ? ArrayRef<Entry>() : ArrayRef<Entry>(it->second);
}

} // namespace aircc::hierarchy
