//===- RankLevel.cpp - Host code and kernels in programs of ranks ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/RankLevel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc::channels {

bool isSymmetric(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && air::isSymmetricHeap(memref);
}

bool isSymmetricAllocation(Operation *op) {
  return isa<memref::AllocOp>(op) &&
         (isSymmetric(op->getResult(0).getType()) ||
          op->hasAttr(air::AIRDialect::SymmetricAttrHelper::getNameStr()));
}

bool isInKernel(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<air::LaunchOp, air::SegmentOp, air::HerdOp, gpu::LaunchOp,
            gpu::GPUFuncOp>(parent))
      return true;
  return false;
}

int64_t getChannelDepth(air::ChannelOp channel) {
  return channel.getDepth().value_or(4);
}

Operation *getOutermostKernel(Operation *op) {
  Operation *outermost = op;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<air::LaunchOp, air::SegmentOp, air::HerdOp, gpu::LaunchOp>(parent))
      outermost = parent;
  return outermost;
}

Value bringIntoKernel(Operation *op, Value value) {
  SmallVector<air::HierarchyInterface> levels;
  for (Operation *parent = op->getParentOp();
       parent && !isa<air::RankOp>(parent); parent = parent->getParentOp())
    if (auto level = dyn_cast<air::HierarchyInterface>(parent))
      levels.push_back(level);
  for (air::HierarchyInterface level : llvm::reverse(levels)) {
    auto operands = level.getKernelOperands();
    auto known = llvm::find(operands, value);
    value = known == operands.end()
                ? Value(level.appendKernelOperands(value).front())
                : Value(level.getKernelArguments()[known - operands.begin()]);
  }
  return value;
}

FailureOr<RankContext> getRankContext(Operation *op, RuntimeCalls &runtime) {
  Operation *outermost = getOutermostKernel(op);
  auto known = runtime.kernelContexts.find(outermost);
  if (known != runtime.kernelContexts.end())
    return RankContext{bringIntoKernel(op, known->second.first),
                       bringIntoKernel(op, known->second.second)};
  OpBuilder b(outermost);
  FailureOr<Value> rank = runtime.getRank(b, op->getLoc());
  FailureOr<Value> bases = runtime.getHeapBases(b, op->getLoc());
  if (failed(rank) || failed(bases))
    return failure();
  if (outermost != op)
    runtime.kernelContexts[outermost] = {*rank, *bases};
  return RankContext{bringIntoKernel(op, *rank), bringIntoKernel(op, *bases)};
}

} // namespace aircc::channels
