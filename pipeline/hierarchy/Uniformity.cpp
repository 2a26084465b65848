//===- Uniformity.cpp - Which values differ between lanes -----------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Uniformity.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
    return raise(loop.getInductionVar(), bounds) | visitRegions(op, bounds);
  }
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    Extent bounds = join(op->getOperands());
    controls[op] = std::max(controls[op], bounds);
    return raiseAll(loop.getInductionVars(), bounds) |
           raiseAll(op->getResults(),
                    op->getNumResults() ? Extent::Lane : bounds);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitRegions(op, getExtent(loop.getConditionOp().getCondition()));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitRegions(op, getExtent(branch.getCondition()));
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return visitRegions(op, getExtent(branch.getArg()));
  if (isa<scf::ExecuteRegionOp>(op))
    return visitRegions(op, Extent::Workgroup);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;

  Extent extent = join(op->getOperands());
  bool isRead = hasSingleEffect<MemoryEffects::Read>(op);
  if (!isMemoryEffectFree(op) && !isAllocation(op) && !isRead)
    extent = Extent::Lane;
  if (namesLanes(op))
    extent = Extent::Lane;
  if (isRead)
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      Place place = getPlace(operand);
      if (place == Place::PerLane)
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

Scope getTransferScope(air::DmaMemcpyNdOp dma, const Uniformity &uniformity) {
  Place dst = getPlace(dma.getDst()), src = getPlace(dma.getSrc());
  if (dst == Place::PerLane || src == Place::PerLane)
    return Scope::Lane;
  Scope scope = getScope(dma);
  if (scope == Scope::Wave)
    return scope;
  if (scope == Scope::Workgroup)
    return dst == Place::PerWave || src == Place::PerWave ? Scope::Wave : scope;
  Extent extent = uniformity.getControlExtent(dma);
  for (Value operand : dma->getOperands())
    extent = std::max(extent, uniformity.getExtent(operand));
  bool inHerd = bool(dma->getParentOfType<air::HerdOp>());
  Operation *kernel = getKernel(dma);
  if (extent == Extent::Workgroup && !inHerd)
    return Scope::Workgroup;
  // Lanes of a wave can only count on each other where the wave is whole.
  if (extent != Extent::Lane && !kernel->hasAttr(kPeIsLaneAttr))
    return Scope::Wave;
  return Scope::Lane;
}

} // namespace aircc::hierarchy
