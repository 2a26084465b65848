//===- Convergence.cpp - Which lanes reach an op together -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/Convergence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace aircc {

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

namespace {

/// One question about one op. The answer is a conjunction over all values that
/// it depends on, so that a value met again, around a loop, may be taken for
/// granted.
class Query {
public:
  Query(LaneGroup group, unsigned waveSize)
      : group(group), waveSize(waveSize) {}

  bool isReached(Operation *op) {
    for (;;) {
      Region *region = op->getParentRegion();
      // Branches may have parted the lanes on the way to a later block.
      if (op->getBlock() != &region->front())
        return false;
      Operation *parent = region->getParentOp();
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(parent))
        return kernel.isKernel();
      if (!divides(parent))
        return false;
      op = parent;
    }
  }

private:
  bool areUniform(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return isUniform(value); });
  }

  /// True if the regions of `op` are run alike by all lanes that reach it.
  bool divides(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return areUniform(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return isUniform(branch.getCondition());
    if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
      return isUniform(branch.getArg());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return loop.getBefore().hasOneBlock() && loop.getAfter().hasOneBlock() &&
             isUniform(loop.getConditionOp().getCondition());
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return areUniform(loop->getOperands());
    return isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op);
  }

  bool isUniform(Value value) {
    if (!visited.insert(value).second)
      return true;
    if (auto arg = dyn_cast<BlockArgument>(value))
      return isUniformArgument(arg);
    return isUniformResult(cast<OpResult>(value));
  }

  bool isUniformArgument(BlockArgument arg) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (!arg.getOwner()->isEntryBlock())
      return false;
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(owner))
      return kernel.isKernel() && arg.getArgNumber() < kernel.getNumArguments();
    if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      if (!divides(loop))
        return false;
      if (arg == loop.getInductionVar())
        return true;
      return isUniform(loop.getTiedLoopInit(arg)->get()) &&
             isUniform(loop.getTiedLoopYieldedValue(arg)->get());
    }
    if (auto loop = dyn_cast<scf::ParallelOp>(owner))
      return divides(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
      if (!divides(loop))
        return false;
      unsigned number = arg.getArgNumber();
      if (arg.getOwner()->getParent() == &loop.getBefore())
        return isUniform(loop.getInits()[number]) &&
               isUniform(loop.getYieldOp().getOperand(number));
      return isUniform(loop.getConditionOp().getArgs()[number]);
    }
    return false;
  }

  bool isUniformResult(OpResult result) {
    Operation *op = result.getOwner();
    if (isa<gpu::BlockDimOp, gpu::BlockIdOp, gpu::GridDimOp,
            gpu::NumSubgroupsOp, gpu::SubgroupSizeOp, gpu::AllReduceOp>(op))
      return true;
    if (isa<gpu::SubgroupIdOp, gpu::SubgroupBroadcastOp>(op))
      return group == LaneGroup::Wave;
    if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
      return group == LaneGroup::Wave && !reduce.getClusterSize();
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return group == LaneGroup::Wave &&
             id.getDimension() != gpu::Dimension::x && hasRowsOfWaves(op);
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isUniform(loop.getRegionIterArg(number));
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return divides(branch) &&
             isUniform(branch.thenYield().getOperand(number)) &&
             isUniform(branch.elseYield().getOperand(number));
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return divides(loop) &&
             isUniform(loop.getConditionOp().getArgs()[number]);
    bool computes = isa_and_nonnull<arith::ArithDialect, index::IndexDialect,
                                    math::MathDialect>(op->getDialect()) ||
                    isa<memref::DimOp>(op);
    return computes && op->getNumRegions() == 0 && isPure(op) &&
           areUniform(op->getOperands());
  }

  /// Rows of the workgroup along x that are whole waves.
  bool hasRowsOfWaves(Operation *op) const {
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    return kernel && kernel.getKnownBlockSize() &&
           (*kernel.getKnownBlockSize())[0] % waveSize == 0;
  }

  LaneGroup group;
  unsigned waveSize;
  llvm::SmallPtrSet<Value, 16> visited;
};

} // namespace

bool isReachedTogether(Operation *op, LaneGroup group, unsigned waveSize) {
  return Query(group, waveSize).isReached(op);
}

} // namespace aircc
