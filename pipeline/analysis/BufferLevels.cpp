//===- BufferLevels.cpp - The memory levels of a kernel's buffers ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/BufferLevels.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc {

bool isAllocation(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op);
}

bool isInArena(Value memref) {
  return llvm::any_of(getBuffers(memref), [](Value buffer) {
    Operation *def = buffer.getDefiningOp();
    return def &&
           def->hasAttr(
               kernel::KernelDialect::LdsRangeAttrHelper::getNameStr()) &&
           !isa_and_nonnull<gpu::AddressSpaceAttr>(
               cast<BaseMemRefType>(buffer.getType()).getMemorySpace());
  });
}

Value getBuffer(Value memref) {
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(memref)) {
      auto herd = dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp());
      if (!herd)
        // A kernel argument is one buffer; a loop argument may be several.
        return isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) ||
                       isa<gpu::LaunchOp>(arg.getOwner()->getParentOp())
                   ? memref
                   : Value();
      Value operand = herd.getTiedKernelOperand(arg);
      if (!operand)
        return {};
      memref = operand;
      continue;
    }
    Operation *def = memref.getDefiningOp();
    if (def->hasAttr(kernel::KernelDialect::LdsRangeAttrHelper::getNameStr()) ||
        isAllocation(def))
      return memref;
    if (auto view = dyn_cast<ViewLikeOpInterface>(def)) {
      memref = view.getViewSource();
      continue;
    }
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def)) {
      memref = metadata.getSource();
      continue;
    }
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(def)) {
      memref = cast.getSource();
      continue;
    }
    if (isa<memref::GetGlobalOp>(def))
      return memref;
    return {};
  }
}

/// Calls `visit` for each possible source of `value`: a result of a select, or
/// a value that a region op takes or yields.
static void forEachSource(Value value, function_ref<void(Value)> visit) {
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    visit(select.getTrueValue());
    visit(select.getFalseValue());
    return;
  }
  auto arg = dyn_cast<BlockArgument>(value);
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(
      arg ? arg.getOwner()->getParentOp() : value.getDefiningOp());
  if (!branch)
    return;
  auto visitFrom = [&](RegionSuccessor &successor, OperandRange operands) {
    for (auto [input, operand] :
         llvm::zip(successor.getSuccessorInputs(), operands))
      if (input == value)
        visit(operand);
  };
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    visitFrom(successor, branch.getEntrySuccessorOperands(successor));
  for (Region &region : branch->getRegions())
    for (Block &block : region) {
      auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(
          block.mightHaveTerminator() ? block.getTerminator() : nullptr);
      if (!terminator)
        continue;
      successors.clear();
      SmallVector<Attribute> unknown(terminator->getNumOperands());
      terminator.getSuccessorRegions(unknown, successors);
      for (RegionSuccessor &successor : successors)
        visitFrom(successor, terminator.getSuccessorOperands(successor));
    }
}

SmallVector<Value> getBuffers(Value memref) {
  SmallVector<Value> worklist{memref}, buffers;
  SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Value buffer = getBuffer(value)) {
      if (buffer == value || seen.insert(buffer).second)
        buffers.push_back(buffer);
      continue;
    }
    // Looking through views and herds stops at a value that may have several
    // sources.
    size_t before = worklist.size();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (auto herd = dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp()))
        if (Value operand = herd.getTiedKernelOperand(arg))
          worklist.push_back(operand);
    } else if (auto view =
                   dyn_cast<ViewLikeOpInterface>(value.getDefiningOp())) {
      worklist.push_back(view.getViewSource());
    } else if (auto metadata =
                   value.getDefiningOp<memref::ExtractStridedMetadataOp>()) {
      worklist.push_back(metadata.getSource());
    }
    if (worklist.size() == before)
      forEachSource(value, [&](Value source) { worklist.push_back(source); });
    if (worklist.size() == before)
      buffers.push_back(value);
  }
  return buffers;
}

bool reachesHerd(Value value, Scope scope) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    for (OpOperand &use : v.getUses()) {
      Operation *user = use.getOwner();
      if (auto herd = dyn_cast<air::HerdOp>(user)) {
        if (auto own = herd->getAttrOfType<kernel::ScopeAttr>(
                kernel::KernelDialect::ScopeAttrHelper::getNameStr());
            own && own.getValue() == scope)
          return true;
        continue;
      }
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          worklist.push_back(result);
      // A value that enters or leaves a region may become any value there.
      if (user->hasTrait<OpTrait::IsTerminator>() || user->getNumRegions()) {
        Operation *owner = user->getNumRegions() ? user : user->getParentOp();
        for (Value result : owner->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            worklist.push_back(result);
        for (Region &region : owner->getRegions())
          for (Block &block : region)
            for (BlockArgument arg : block.getArguments())
              if (isa<BaseMemRefType>(arg.getType()))
                worklist.push_back(arg);
      }
    }
  }
  return false;
}

/// Returns true if an op is in a loop whose iterations are distributed to
/// workers. A buffer allocated there belongs to one iteration, and hence to one
/// lane.
static bool isInSharedLoop(Operation *op) {
  if (getScope(op) == Scope::Lane)
    return false;
  for (Operation *parent = op->getParentOp();
       parent &&
       !parent->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr());
       parent = parent->getParentOp())
    if (isSharedLoop(parent))
      return true;
  return false;
}

/// Returns the level of an L1 buffer without a memory space.
static BufferLevel decideL1Level(Operation *alloc) {
  Scope scope = getScope(alloc);
  if (scope == Scope::Lane) {
    // A segment with lane code may also pass a buffer to PEs.
    Value buffer = alloc->getResult(0);
    return !alloc->getParentOfType<air::HerdOp>() &&
                   reachesHerd(buffer, Scope::Wave) &&
                   !reachesHerd(buffer, Scope::Lane)
               ? BufferLevel::PerWave
               : BufferLevel::PerLane;
  }
  // A buffer allocated in code that lanes execute separately is private to a
  // lane.
  for (Operation *parent = alloc->getParentOp();
       parent &&
       !parent->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr());
       parent = parent->getParentOp())
    // All workers execute an op that yields a buffer.
    if (llvm::none_of(parent->getResults(),
                      [](Value result) {
                        return !result.use_empty() &&
                               isa<BaseMemRefType>(result.getType());
                      }) &&
        getRole(parent) != Role::ControlFlow)
      return BufferLevel::PerLane;
  if (scope == Scope::Wave)
    return BufferLevel::PerWave;
  if (reachesHerd(alloc->getResult(0), Scope::Lane))
    return BufferLevel::PerLane;
  if (reachesHerd(alloc->getResult(0), Scope::Wave))
    return BufferLevel::PerWave;
  return BufferLevel::Workgroup;
}

static BufferLevel getLevelOfBuffer(Value buffer);

BufferLevel joinBufferLevels(ArrayRef<Value> buffers) {
  BufferLevel joined = BufferLevel::Unknown;
  auto rank = [](BufferLevel level) {
    switch (level) {
    case BufferLevel::Unknown:
      return 0;
    case BufferLevel::Global:
      return 1;
    case BufferLevel::Workgroup:
      return 2;
    case BufferLevel::PerWave:
      return 3;
    case BufferLevel::PerLane:
      return 4;
    }
    llvm_unreachable("unknown buffer level");
  };
  for (Value buffer : buffers) {
    BufferLevel level = getLevelOfBuffer(buffer);
    if (rank(level) > rank(joined))
      joined = level;
  }
  return joined;
}

/// Returns the level of `buffer`, a result of getBuffers().
static BufferLevel getLevelOfBuffer(Value buffer) {
  auto type = cast<BaseMemRefType>(buffer.getType());
  if (buffer)
    if (Operation *def = buffer.getDefiningOp()) {
      if (def->hasAttr(kernel::KernelDialect::LdsRangeAttrHelper::getNameStr()))
        return def->hasAttr(
                   kernel::KernelDialect::PerWaveAttrHelper::getNameStr())
                   ? BufferLevel::PerWave
                   : BufferLevel::Workgroup;
      if (isAllocation(def)) {
        Attribute space =
            cast<BaseMemRefType>(buffer.getType()).getMemorySpace();
        if (auto level = dyn_cast_or_null<IntegerAttr>(space))
          return level.getInt() == int64_t(air::MemorySpace::L2)
                     ? (isInSharedLoop(def) ? BufferLevel::PerLane
                                            : BufferLevel::Workgroup)
                 : level.getInt() == int64_t(air::MemorySpace::L1)
                     ? decideL1Level(def)
                     : BufferLevel::Global;
        if (!space)
          return isa<memref::AllocaOp>(def) ? decideL1Level(def)
                                            : BufferLevel::Global;
      }
    }
  Attribute space = type.getMemorySpace();
  if (!space)
    return BufferLevel::Global;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    switch (gpuSpace.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return BufferLevel::Workgroup;
    case gpu::AddressSpace::Private:
      return BufferLevel::PerLane;
    default:
      return BufferLevel::Global;
    }
  if (auto level = dyn_cast<IntegerAttr>(space)) {
    if (level.getInt() == int64_t(air::MemorySpace::L2))
      return BufferLevel::Workgroup;
    if (level.getInt() == int64_t(air::MemorySpace::L1))
      return BufferLevel::Unknown;
  }
  return BufferLevel::Global;
}

BufferLevel getBufferLevel(Value memref) {
  if (!isa<BaseMemRefType>(memref.getType()))
    return BufferLevel::Unknown;
  return joinBufferLevels(getBuffers(memref));
}

} // namespace aircc
