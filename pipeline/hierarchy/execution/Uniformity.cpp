//===- Uniformity.cpp - Which values differ between lanes -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/execution/Uniformity.h"
#include "pipeline/hierarchy/buffers/BufferPlaces.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace aircc::hierarchy {

Uniformity::Uniformity(Operation *kernel) {
  peIsLane = kernel->hasAttr(kPeIsLaneAttr);
  bool changed = true;
  while (changed) {
    changed = false;
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != kernel)
        changed |= visit(op);
    });
  }
}

bool Uniformity::raise(Value value, Extent extent) {
  Extent &known = extents[value];
  if (extent <= known)
    return false;
  known = extent;
  return true;
}

bool Uniformity::raiseAll(ValueRange values, Extent extent) {
  bool changed = false;
  for (Value value : values)
    changed |= raise(value, extent);
  return changed;
}

Extent Uniformity::join(ValueRange values) const {
  Extent extent = Extent::Workgroup;
  for (Value value : values)
    extent = std::max(extent, getExtent(value));
  return extent;
}

Extent Uniformity::getControlExtent(Operation *op) const {
  Extent extent = Extent::Workgroup;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    extent = std::max(extent, controls.lookup(parent));
  return extent;
}

/// Control flow whose regions run as `control` says: whatever goes in, around
/// or out may be any of what reaches it.
bool Uniformity::visitRegions(Operation *op, Extent control) {
  controls[op] = std::max(controls[op], control);
  bool changed = false;
  auto branch = cast<RegionBranchOpInterface>(op);
  auto forward = [&](OperandRange operands, ValueRange inputs) {
    for (auto [operand, input] : llvm::zip(operands, inputs))
      changed |= raise(input, std::max(control, getExtent(operand)));
  };
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    forward(branch.getEntrySuccessorOperands(successor),
            successor.getSuccessorInputs());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.getTerminator());
      if (!terminator)
        continue;
      SmallVector<Attribute> unknown(terminator->getNumOperands());
      SmallVector<RegionSuccessor> next;
      terminator.getSuccessorRegions(unknown, next);
      for (RegionSuccessor &successor : next)
        forward(terminator.getSuccessorOperands(successor),
                successor.getSuccessorInputs());
    }
  return changed;
}

/// A parallel loop gives results where each of those who run it runs all of its
/// iterations: they are as uniform as what is reduced.
bool Uniformity::visitParallel(scf::ParallelOp loop) {
  Extent bounds = std::max({join(loop.getLowerBound()),
                            join(loop.getUpperBound()), join(loop.getStep())});
  controls[loop] = std::max(controls[loop], bounds);
  bool changed = raiseAll(loop.getInductionVars(), bounds);
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  for (auto [result, init, operand, region] :
       llvm::zip_equal(loop.getResults(), loop.getInitVals(),
                       reduce.getOperands(), reduce.getReductions())) {
    Block &block = region.front();
    Value combined = block.getTerminator()->getOperand(0);
    Extent extent = std::max(
        {bounds, getExtent(init), getExtent(operand), getExtent(combined)});
    changed |= raiseAll(block.getArguments(), extent);
    changed |= raise(result, extent);
  }
  return changed;
}

/// True if it is known of a read's operand whose memory it points into. Of a
/// pointer, that is so where each lane sees the same behind it: in global
/// memory (the device's address spaces 1 and 4), or where it comes from the
/// host.
static bool saysWhereToRead(Value operand) {
  if (isa<BaseMemRefType>(operand.getType()))
    return true;
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType());
  if (!pointer)
    return false;
  auto arg = dyn_cast<BlockArgument>(operand);
  return pointer.getAddressSpace() == 1 || pointer.getAddressSpace() == 4 ||
         (arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()));
}

bool Uniformity::visit(Operation *op) {
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    // Rows of a block are whole waves, unless points of herds are lanes.
    bool isRow = id.getDimension() != gpu::Dimension::x && !peIsLane;
    return raise(id, isRow ? Extent::Wave : Extent::Lane);
  }
  if (isa<gpu::BlockDimOp, gpu::NumSubgroupsOp, gpu::SubgroupSizeOp,
          gpu::BlockIdOp, gpu::GridDimOp>(op))
    return false;
  if (isa<gpu::SubgroupIdOp, gpu::SubgroupReduceOp, gpu::AllReduceOp>(op))
    return raise(op->getResult(0), Extent::Wave);
  if (auto broadcast = dyn_cast<gpu::SubgroupBroadcastOp>(op))
    return raise(broadcast.getResult(),
                 std::min(Extent::Wave, getExtent(broadcast.getSrc())));
  if (auto herd = dyn_cast<air::HerdOp>(op)) {
    bool changed =
        raiseAll(herd.getIds(), peIsLane ? Extent::Lane : Extent::Wave);
    for (auto [arg, operand] :
         llvm::zip_equal(herd.getSizes(), herd.getSizeOperands()))
      changed |= raise(arg, getExtent(operand));
    for (auto [arg, operand] :
         llvm::zip_equal(herd.getKernelArguments(), herd.getKernelOperands()))
      changed |= raise(arg, getExtent(operand));
    return changed;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Extent bounds =
        join({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    bool raised = raise(loop.getInductionVar(), bounds);
    return visitRegions(op, bounds) || raised;
  }
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    return visitParallel(loop);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitRegions(op, getExtent(loop.getConditionOp().getCondition()));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitRegions(op, getExtent(branch.getCondition()));
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return visitRegions(op, getExtent(branch.getArg()));
  if (isa<scf::ExecuteRegionOp>(op) && op->getRegion(0).hasOneBlock())
    return visitRegions(op, Extent::Workgroup);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;

  // Also several blocks with branches between them come here.
  Extent extent =
      isa<scf::ExecuteRegionOp>(op) ? Extent::Lane : join(op->getOperands());
  bool isRead = hasSingleEffect<MemoryEffects::Read>(op);
  if (!isMemoryEffectFree(op) && !isAllocation(op) && !isRead)
    extent = Extent::Lane;
  if (namesLanes(op))
    extent = Extent::Lane;
  if (isRead && llvm::none_of(op->getOperands(), saysWhereToRead))
    extent = Extent::Lane;
  if (isRead)
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      Place place = getPlace(operand);
      if (place == Place::PerLane || place == Place::Unknown)
        extent = Extent::Lane;
      else if (place == Place::PerWave)
        extent = std::max(extent, Extent::Wave);
    }
  bool changed = raiseAll(op->getResults(), extent);
  if (op->getNumRegions()) {
    controls[op] = Extent::Lane;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        changed |= raiseAll(block.getArguments(), Extent::Lane);
  }
  return changed;
}

LogicalResult checkSameForWorkers(Operation *op, Scope scope,
                                  const Uniformity &uniformity, StringRef what,
                                  ArrayRef<Operation *> sameWorker) {
  if (scope == Scope::Lane)
    return success();
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  Extent needed = scope == Scope::Wave ? Extent::Wave : Extent::Workgroup;
  for (Value value : values)
    if (uniformity.getExtent(value) > needed &&
        !llvm::is_contained(sameWorker, value.getDefiningOp())) {
      InFlightDiagnostic diag =
          op->emitOpError(what)
          << ' ' << stringifyScope(scope)
          << ", but with a value that differs between its "
          << (scope == Scope::Wave ? "lanes" : "PEs or lanes")
          << "; do it in a herd, or in code that names the lane";
      diag.attachNote(value.getLoc()) << "the value comes from here";
      return diag;
    }
  return success();
}

Scope getTransferScope(air::TransferInterface transfer,
                       const Uniformity &uniformity) {
  auto getSidePlace = [](const air::AccessPattern &side) {
    return side.memref ? getPlace(side.memref) : Place::Global;
  };
  Operation *op = transfer;
  Place dst = getSidePlace(transfer.getTargetPattern());
  Place src = getSidePlace(transfer.getSourcePattern());
  if (dst == Place::PerLane || src == Place::PerLane)
    return Scope::Lane;
  Scope scope = getScope(op);
  if (scope == Scope::Wave)
    return scope;
  if (scope == Scope::Workgroup)
    return dst == Place::PerWave || src == Place::PerWave ? Scope::Wave : scope;
  Extent extent = uniformity.getControlExtent(op);
  for (Value operand : op->getOperands())
    extent = std::max(extent, uniformity.getExtent(operand));
  bool inHerd = bool(op->getParentOfType<air::HerdOp>());
  Operation *kernel = getKernel(op);
  if (extent == Extent::Workgroup && !inHerd)
    return Scope::Workgroup;
  // Lanes of a wave can only count on each other where the wave is whole.
  if (extent != Extent::Lane && !kernel->hasAttr(kPeIsLaneAttr))
    return Scope::Wave;
  return Scope::Lane;
}

} // namespace aircc::hierarchy
