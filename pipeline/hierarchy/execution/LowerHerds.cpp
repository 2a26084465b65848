//===- LowerHerds.cpp - Inline herds into kernels -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/Uniformity.h"
#include "pipeline/analysis/VendorBarriers.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/tiles/HoistAccumulators.h"

#include "dialects/air/AIROps.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_LOWERHERDS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Returns true for workgroup barriers of any dialect.
bool isAnyWorkgroupBarrier(Operation *op) {
  return kernel::isWorkgroupBarrier(op) || isa<amdgpu::LDSBarrierOp>(op) ||
         isVendorWorkgroupBarrier(op);
}

bool holdsBarrier(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isAnyWorkgroupBarrier(inner) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns an op below `root` that all waves of the workgroup must execute and
/// that cannot be hoisted out of the condition that selects the waves of a
/// herd; null if there is none.
Operation *findInseparable(Operation *root, SmallPtrSetImpl<Operation *> &seen,
                           bool inCallee = false) {
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    bool isSplit = isa<gpu::AllReduceOp>(op) || isVendorNamedBarrier(op) ||
                   (inCallee && isAnyWorkgroupBarrier(op));
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallable();
      isSplit = callee && seen.insert(callee).second &&
                findInseparable(callee, seen, /*inCallee=*/true);
    }
    if (!isSplit)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Moves the ops of a block into an scf.if, except for barriers.
class Predication {
public:
  Predication(Operation *herd, Value condition, const Uniformity &uniformity)
      : herd(herd), condition(condition), uniformity(uniformity) {}

  LogicalResult apply(Block &block);

private:
  bool canRunInAllWaves(Operation *op);
  bool isHerdOnly(Value value, SmallPtrSetImpl<Value> &seen);
  bool isHerdOnly(Value value) {
    SmallPtrSet<Value, 8> seen;
    return isHerdOnly(value, seen);
  }
  void wrap(ArrayRef<Operation *> ops);

  Operation *herd;
  Value condition;
  const Uniformity &uniformity;
};

/// Returns true if waves outside the herd may execute `op`, and get the same
/// result as the herd if the control flow around a barrier depends on it.
bool Predication::canRunInAllWaves(Operation *op) {
  if (isPure(op) && op->getNumRegions() == 0)
    return true;
  // A read is safe if its address is uniform, because the herd reads there as
  // well. The same holds for ops that are undefined for some operands, such as
  // a division.
  if (op->getNumRegions() ||
      !(hasSingleEffect<MemoryEffects::Read>(op) || isMemoryEffectFree(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return uniformity.getUniformScope(operand) >= Scope::Workgroup &&
           !isHerdOnly(operand);
  });
}

/// Returns true if `value` depends on a value that only the waves of the herd
/// compute, so that it is poison in other waves. `seen` contains the values
/// that are being examined, because loops carry values.
bool Predication::isHerdOnly(Value value, SmallPtrSetImpl<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  auto any = [&](ValueRange values) {
    return llvm::any_of(values,
                        [&](Value other) { return isHerdOnly(other, seen); });
  };
  Operation *def = value.getDefiningOp();
  Operation *owner =
      def ? def : cast<BlockArgument>(value).getOwner()->getParentOp();
  if (!herd->isProperAncestor(owner))
    return false;
  if (auto loop = dyn_cast<scf::ForOp>(owner); loop && holdsBarrier(loop)) {
    if (value == loop.getInductionVar())
      return any({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    return any(loop->getOperands()) || any(loop.getYieldedValues());
  }
  if (auto branch = dyn_cast<scf::IfOp>(owner);
      branch && holdsBarrier(branch) && branch.elseBlock()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return any({branch.getCondition(), branch.thenYield().getOperand(number),
                branch.elseYield().getOperand(number)});
  }
  if (!def)
    return true;
  if (isPure(def) && def->getNumRegions() == 0)
    return any(def->getOperands());
  return !canRunInAllWaves(def);
}

/// Moves `ops`, which are in program order in one block, under the condition.
/// Yields results that have uses outside; they are poison in other waves, which
/// do not use them.
void Predication::wrap(ArrayRef<Operation *> ops) {
  if (ops.empty())
    return;
  SmallVector<Value> results;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return llvm::none_of(ops, [&](Operation *inside) {
              return inside->isAncestor(user);
            });
          }))
        results.push_back(result);
  OpBuilder b(ops.back()->getNextNode());
  Location loc = ops.front()->getLoc();
  auto branch = scf::IfOp::create(b, loc, TypeRange(ValueRange(results)),
                                  condition, !results.empty());
  for (auto [result, outside] : llvm::zip_equal(results, branch.getResults()))
    result.replaceUsesWithIf(outside, [&](OpOperand &use) {
      return llvm::none_of(ops, [&](Operation *inside) {
        return inside->isAncestor(use.getOwner());
      });
    });
  if (!results.empty()) {
    OpBuilder inner = OpBuilder::atBlockEnd(branch.thenBlock());
    scf::YieldOp::create(inner, loc, results);
    inner.setInsertionPointToEnd(branch.elseBlock());
    SmallVector<Value> undefined;
    for (Value result : results)
      undefined.push_back(ub::PoisonOp::create(inner, loc, result.getType()));
    scf::YieldOp::create(inner, loc, undefined);
  }
  for (Operation *op : ops)
    op->moveBefore(branch.thenBlock()->getTerminator());
}

LogicalResult Predication::apply(Block &block) {
  SmallVector<Operation *> group;
  SmallVector<SmallVector<Operation *>> groups;
  auto finish = [&] {
    if (!group.empty())
      groups.push_back(std::exchange(group, {}));
  };
  for (Operation &op : block.without_terminator()) {
    if (isAnyWorkgroupBarrier(&op)) {
      finish();
      continue;
    }
    if (holdsBarrier(&op)) {
      finish();
      if (!isa<scf::ForOp, scf::IfOp, scf::ExecuteRegionOp>(op) ||
          llvm::any_of(op.getRegions(), [&](Region &region) {
            return !region.empty() &&
                   uniformity.getControlScope(&region.front().front()) <
                       Scope::Workgroup;
          }))
        return op.emitOpError(
            "contains a barrier, which all waves of the workgroup must reach, "
            "but its herd is smaller than the workgroup and its control flow "
            "may differ between waves; make the control flow the same for all "
            "waves, or the herd as large as the largest of its launch");
      // Bounds and conditions decide which waves reach the barrier.
      OperandRange controlOperands = op.getOperands();
      if (isa<scf::ForOp>(op))
        controlOperands = controlOperands.take_front(3);
      for (Value value : controlOperands)
        if (isHerdOnly(value))
          return op.emitOpError(
              "contains a barrier, which all waves of the workgroup must "
              "reach, but is controlled by a value that only the waves of its "
              "herd compute; compute the value before the herd and pass it in, "
              "or make the herd as large as the largest of its launch");
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (failed(apply(inner)))
            return failure();
      continue;
    }
    if (canRunInAllWaves(&op)) {
      // End the group before an op that depends on it.
      bool dependsOnGroup = llvm::any_of(op.getOperands(), [&](Value operand) {
        return llvm::is_contained(group, operand.getDefiningOp());
      });
      if (dependsOnGroup || !isPure(&op))
        finish();
      continue;
    }
    group.push_back(&op);
  }
  finish();
  for (ArrayRef<Operation *> ops : groups) {
    // Pure ops between the ops of a group that do not depend on the group.
    SmallVector<Operation *> between;
    for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode())
      if (!llvm::is_contained(ops, op))
        between.push_back(op);
    for (Operation *op : between)
      op->moveBefore(ops.front());
    wrap(ops);
  }
  return success();
}

struct LowerHerdsPass : hierarchy::impl::LowerHerdsBase<LowerHerdsPass> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : getUnfinishedKernels(getOperation()))
      if (failed(lower(kernel)))
        return signalPassFailure();
  }

  LogicalResult lower(gpu::GPUFuncOp kernel) {
    SmallVector<air::HerdOp> herds;
    kernel.walk([&](air::HerdOp herd) { herds.push_back(herd); });
    for (air::HerdOp herd : herds)
      if (failed(inlineHerd(herd)))
        return failure();
    inlineSegments(kernel);
    hoistAccumulators(kernel);
    int64_t wave = getWaveSize(kernel);
    kernel.walk([&](gpu::SubgroupSizeOp size) {
      OpBuilder b(size);
      Value constant = arith::ConstantIndexOp::create(b, size.getLoc(), wave);
      size.replaceAllUsesWith(constant);
      size.erase();
    });
    WalkResult left = kernel.walk([](Operation *op) {
      if (isa_and_nonnull<air::AIRDialect>(op->getDialect())) {
        op->emitOpError(
            "must be lowered before herds; run hierarchy-lower-herds after the "
            "other passes of the stage");
        return WalkResult::interrupt();
      }
      kernel::dropKernelAttrs(op);
      return WalkResult::advance();
    });
    return failure(left.wasInterrupted());
  }

  /// Returns whether the herd is as large as the block in dimension `dim`.
  bool fillsBlock(air::HerdOp herd, unsigned dim) {
    std::optional<int64_t> size =
        dim < herd.getNumDims()
            ? getConstantIntValue(herd.getSizeOperands()[dim])
            : 1;
    std::optional<int64_t> block = getKnownBlockDim(herd, dim);
    if (!size || !block)
      return false;
    bool inWaves = dim == 0 &&
                   !getKernel(herd)->hasAttr(
                       kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
    return *block == *size * (inWaves ? getWaveSize(herd) : 1);
  }

  /// Replaces the ids and sizes of a herd that has the dimensions of the block.
  /// Returns an i1 that specifies whether the PE belongs to the herd, or null
  /// if all PEs do.
  Value replaceIds(air::HerdOp herd, OpBuilder &b) {
    Location loc = herd.getLoc();
    Value inside;
    for (unsigned dim = 0; dim < 3; ++dim) {
      bool hasDim = dim < herd.getNumDims();
      bool fills = fillsBlock(herd, dim);
      if (!hasDim && fills)
        continue;
      Value id = createPeId(b, loc, dim);
      Value size = hasDim ? herd.getSizeOperands()[dim]
                          : arith::ConstantIndexOp::create(b, loc, 1);
      if (!fills) {
        Value isIn =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, id, size);
        inside = inside ? arith::AndIOp::create(b, loc, inside, isIn) : isIn;
      }
      if (hasDim) {
        herd.getIds()[dim].replaceAllUsesWith(id);
        herd.getSizes()[dim].replaceAllUsesWith(size);
      }
    }
    return inside;
  }

  /// Does the same for PEs that are linearized into one row.
  Value replaceIdsInRow(air::HerdOp herd, OpBuilder &b) {
    Location loc = herd.getLoc();
    Value pe = createPeId(b, loc, 0);
    Value rest = pe, total;
    for (unsigned dim = 0; dim < herd.getNumDims(); ++dim) {
      Value size = herd.getSizeOperands()[dim];
      Value id = rest;
      if (dim + 1 < herd.getNumDims()) {
        // This code also runs for an empty herd, so avoid a division by zero.
        Value divisor = size;
        if (!getConstantIntValue(size) || getConstantIntValue(size) == 0)
          divisor = b.createOrFold<arith::MaxUIOp>(
              loc, size, arith::ConstantIndexOp::create(b, loc, 1));
        id = b.createOrFold<arith::RemUIOp>(loc, rest, divisor);
        rest = b.createOrFold<arith::DivUIOp>(loc, rest, divisor);
      }
      herd.getIds()[dim].replaceAllUsesWith(id);
      herd.getSizes()[dim].replaceAllUsesWith(size);
      total = total ? b.createOrFold<arith::MulIOp>(loc, total, size) : size;
    }
    if (!total)
      total = arith::ConstantIndexOp::create(b, loc, 1);
    std::optional<int64_t> points = getConstantIntValue(total);
    std::optional<int64_t> threads = getKnownBlockDim(herd, 0);
    bool peIsLane = getKernel(herd)->hasAttr(
        kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
    if (points && threads == *points * (peIsLane ? 1 : getWaveSize(herd)))
      return {};
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, pe, total);
  }

  LogicalResult inlineHerd(air::HerdOp herd) {
    OpBuilder b(herd);
    Location loc = herd.getLoc();
    Value inside = getKernel(herd)->hasAttr(
                       kernel::KernelDialect::PesInRowAttrHelper::getNameStr())
                       ? replaceIdsInRow(herd, b)
                       : replaceIds(herd, b);
    for (auto [arg, operand] :
         llvm::zip_equal(herd.getKernelArguments(), herd.getKernelOperands()))
      arg.replaceAllUsesWith(operand);
    Block *body = herd.getBodyBlock();
    if (inside) {
      SmallPtrSet<Operation *, 8> seen;
      if (Operation *op = findInseparable(herd, seen))
        return op->emitOpError(
            "must be executed by all waves of the workgroup, but its herd has "
            "fewer; make the herd as large as the largest of its launch");
      if (!holdsBarrier(herd)) {
        auto branch = scf::IfOp::create(b, loc, inside);
        branch.thenBlock()->getOperations().splice(
            branch.thenBlock()->begin(), body->getOperations(), body->begin(),
            std::prev(body->end()));
      } else {
        // Repeat the analysis to include the values that replaced the ids.
        Uniformity current(getKernel(herd));
        if (failed(Predication(herd, inside, current).apply(*body)))
          return failure();
      }
    }
    body->getTerminator()->erase();
    herd->getBlock()->getOperations().splice(Block::iterator(herd),
                                             body->getOperations());
    herd.erase();
    return success();
  }

  /// Dissolves the regions that only carried the scope of a segment.
  void inlineSegments(gpu::GPUFuncOp kernel) {
    SmallVector<scf::ExecuteRegionOp> regions;
    kernel.walk([&](scf::ExecuteRegionOp region) {
      if (region->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()))
        regions.push_back(region);
    });
    for (scf::ExecuteRegionOp region : regions) {
      Block &body = region.getRegion().front();
      body.getTerminator()->erase();
      region->getBlock()->getOperations().splice(Block::iterator(region),
                                                 body.getOperations());
      region.erase();
    }
  }
};

} // namespace
