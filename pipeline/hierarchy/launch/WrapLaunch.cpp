//===- WrapLaunch.cpp - Wrap and unwrap launches --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/WrapLaunch.h"

#include "pipeline/hierarchy/channels/BufferAccesses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace aircc;

air::LaunchOp hierarchy::wrapInLaunch(OpBuilder &b, ArrayRef<Operation *> ops,
                                      ValueRange grid) {
  // A launch is isolated from above.
  SetVector<Value> operands;
  for (Operation *op : ops) {
    operands.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
  }
  auto launch = air::LaunchOp::create(b, ops.front()->getLoc(), grid,
                                      operands.getArrayRef());
  IRMapping mapping;
  mapping.map(operands.getArrayRef(), ValueRange(launch.getKernelArguments()));
  OpBuilder inner = OpBuilder::atBlockTerminator(launch.getBodyBlock());
  for (Operation *op : ops) {
    inner.clone(*op, mapping);
    op->erase();
  }
  return launch;
}

SmallVector<air::LaunchOp>
hierarchy::getSingleWorkgroupLaunches(ModuleOp module) {
  SmallVector<air::LaunchOp> launches;
  module.walk([&](air::LaunchOp launch) {
    if (launch.getNumDims() == 0 && !launch.getAsyncToken() &&
        launch.getAsyncDependencies().empty())
      launches.push_back(launch);
  });
  return launches;
}

void hierarchy::createNonEmptyGuard(OpBuilder &b, Location loc,
                                    ArrayRef<OpFoldResult> sizes) {
  Value nonEmpty;
  for (OpFoldResult size : sizes) {
    auto value = dyn_cast<Value>(size);
    if (!value)
      continue;
    Value isNonZero =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                              arith::ConstantIndexOp::create(b, loc, 0));
    nonEmpty = nonEmpty ? arith::AndIOp::create(b, loc, nonEmpty, isNonZero)
                        : isNonZero;
  }
  if (!nonEmpty)
    return;
  auto guard = scf::IfOp::create(b, loc, nonEmpty);
  b.setInsertionPoint(guard.thenBlock()->getTerminator());
}

bool hierarchy::isHostComputable(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                         index::IndexDialect, math::MathDialect,
                         memref::MemRefDialect>(op->getDialect());
}

void hierarchy::unwrapLaunch(air::LaunchOp launch) {
  assert(launch.getNumDims() == 0 && "the body must run once");
  for (auto [arg, operand] :
       llvm::zip_equal(launch.getKernelArguments(), launch.getKernelOperands()))
    arg.replaceAllUsesWith(operand);
  for (Operation &op :
       llvm::make_early_inc_range(launch.getBodyBlock()->without_terminator()))
    op.moveBefore(launch);
  launch.erase();
}

bool hierarchy::isSeparateBuffer(Value written, Value used) {
  auto isAllocation = [](Operation *op) {
    return isa_and_nonnull<memref::AllocOp, gpu::AllocOp>(op);
  };
  auto isArgument = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  // These are constant data of the program, such as weights.
  auto isConstant = [](Operation *op) {
    auto global = dyn_cast_or_null<memref::GetGlobalOp>(op);
    auto definition =
        global ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                     global, global.getNameAttr())
               : memref::GlobalOp();
    return definition && definition.getConstant();
  };
  if (isArgument(written)) {
    auto argument = cast<BlockArgument>(written);
    auto function =
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function.getArgAttr(
               argument.getArgNumber(),
               air::AIRDialect::SeparateAttrHelper::getNameStr()) &&
           used != written &&
           (isAllocation(used.getDefiningOp()) || isArgument(used) ||
            isConstant(used.getDefiningOp()));
  }
  Operation *alloc = written.getDefiningOp();
  return isAllocation(alloc) && used != written &&
         (isAllocation(used.getDefiningOp()) ||
          DominanceInfo().properlyDominates(used, alloc));
}

bool hierarchy::isResultSeparate(air::LaunchOp launch, Value result,
                                 ArrayRef<Operation *> ops) {
  Value written = getRootBuffer(result);
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()) || operand == result)
        continue;
      Value used = getRootBuffer(operand);
      Operation *definition = used.getDefiningOp();
      if (definition && launch->isProperAncestor(definition))
        continue;
      if (!isSeparateBuffer(written, used))
        return false;
    }
  return true;
}

/// Replaces `buffer` with a buffer in another memory, including in the types of
/// its views.
static void replaceBuffer(Value buffer, Value by) {
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (auto view = dyn_cast<memref::CollapseShapeOp>(user)) {
      OpBuilder b(view);
      replaceBuffer(view,
                    memref::CollapseShapeOp::create(
                        b, view.getLoc(), by, view.getReassociationIndices()));
      view.erase();
    }
  buffer.replaceAllUsesWith(by);
}

void hierarchy::splitLaunch(air::LaunchOp launch) {
  SmallVector<Operation *> ops, frees;
  SmallVector<memref::AllocOp> buffers;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      buffers.push_back(alloc);
    else if (isa<memref::DeallocOp>(op))
      frees.push_back(&op);
    else if (!isHostComputable(&op))
      ops.push_back(&op);
  }
  unwrapLaunch(launch);
  for (Operation *op : frees)
    op->erase();
  for (memref::AllocOp buffer : buffers) {
    OpBuilder b(buffer);
    Location loc = buffer.getLoc();
    MemRefType type = buffer.getType();
    auto shared = gpu::AllocOp::create(
        b, loc, MemRefType::get(type.getShape(), type.getElementType()),
        /*asyncToken=*/Type(), /*asyncDependencies=*/ValueRange(),
        buffer.getDynamicSizes(), /*symbolOperands=*/ValueRange(),
        /*hostShared=*/true);
    b.setInsertionPointAfter(ops.back());
    gpu::DeallocOp::create(b, loc, /*asyncToken=*/Type(),
                           /*asyncDependencies=*/ValueRange(),
                           shared.getMemref());
    replaceBuffer(buffer, shared.getMemref());
    buffer.erase();
  }
  for (Operation *op : ops) {
    OpBuilder b(op);
    wrapInLaunch(b, op, ValueRange());
  }
}
