//===- HostValues.cpp - Values of kernels that the host knows -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/HostValues.h"

#include "pipeline/analysis/ExecutionModel.h"

#include "dialects/air/AIROps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

/// If `value` is a block argument of a herd, returns the value outside all
/// herds that is passed for it; otherwise, returns `value`.
static Value getOutsideHerds(Value value) {
  while (auto arg = dyn_cast<BlockArgument>(value)) {
    auto herd = dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp());
    Value operand = herd ? herd.getTiedKernelOperand(arg) : Value();
    if (!operand && herd && llvm::is_contained(herd.getSizes(), arg))
      operand = herd.getSizeOperands()[llvm::find(herd.getSizes(), arg) -
                                       herd.getSizes().begin()];
    if (!operand)
      return value;
    value = operand;
  }
  return value;
}

bool isKnownToHost(Value value) {
  value = getOutsideHerds(value);
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(arg.getOwner()->getParentOp());
    return kernel && arg.getOwner()->isEntryBlock() &&
           arg.getArgNumber() < kernel.getNumArguments();
  }
  Operation *def = value.getDefiningOp();
  if (isa<gpu::GridDimOp, gpu::BlockDimOp>(def))
    return true;
  return isMemoryEffectFree(def) && !def->getNumRegions() && !namesLanes(def) &&
         !isa<gpu::BlockIdOp, gpu::ClusterIdOp, gpu::ClusterBlockIdOp>(def) &&
         llvm::all_of(def->getOperands(), isKnownToHost);
}

Value computeInKernel(Value value, OpBuilder &b, IRMapping &mapping) {
  value = getOutsideHerds(value);
  if (mapping.contains(value))
    return mapping.lookup(value);
  Operation *def = value.getDefiningOp();
  if (!def)
    return value;
  for (Value operand : def->getOperands())
    mapping.map(operand, computeInKernel(operand, b, mapping));
  Operation *clone = b.clone(*def, mapping);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

static Value computeOnHost(Value value, gpu::LaunchFuncOp launch, OpBuilder &b,
                           IRMapping &mapping) {
  if (mapping.contains(value))
    return mapping.lookup(value);
  if (auto arg = dyn_cast<BlockArgument>(value))
    return launch.getKernelOperand(arg.getArgNumber());
  auto select = [](gpu::KernelDim3 sizes, gpu::Dimension dim) {
    return dim == gpu::Dimension::x   ? sizes.x
           : dim == gpu::Dimension::y ? sizes.y
                                      : sizes.z;
  };
  Operation *def = value.getDefiningOp();
  if (auto grid = dyn_cast<gpu::GridDimOp>(def))
    return select(launch.getGridSizeOperandValues(), grid.getDimension());
  if (auto block = dyn_cast<gpu::BlockDimOp>(def))
    return select(launch.getBlockSizeOperandValues(), block.getDimension());
  for (Value operand : def->getOperands())
    mapping.map(operand, computeOnHost(operand, launch, b, mapping));
  Operation *clone = b.clone(*def, mapping);
  mapping.map(def->getResults(), clone->getResults());
  return mapping.lookup(value);
}

Value computeOnHost(Value value, gpu::LaunchFuncOp launch, OpBuilder &b) {
  IRMapping mapping;
  return computeOnHost(value, launch, b, mapping);
}

} // namespace aircc::hierarchy
