//===- LowerDeviceMemory.cpp - Stack and copies inside of kernels ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERDEVICEMEMORY
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The stack lives in the private address space; pointers to it that the rest
/// of the code takes for generic ones are cast.
void moveToPrivateSpace(memref::AllocaOp alloca) {
  MemRefType type = alloca.getType();
  auto space = gpu::AddressSpaceAttr::get(
      alloca.getContext(), gpu::GPUDialect::getPrivateAddressSpace());
  OpBuilder b(alloca);
  MemRefType privateType = MemRefType::get(
      type.getShape(), type.getElementType(), type.getLayout(), space);
  auto moved = memref::AllocaOp::create(
      b, alloca.getLoc(), privateType, alloca.getDynamicSizes(),
      alloca.getSymbolOperands(), alloca.getAlignmentAttr());
  auto cast =
      memref::MemorySpaceCastOp::create(b, alloca.getLoc(), type, moved);
  alloca.replaceAllUsesWith(cast.getResult());
  alloca.erase();
}

/// An alloca in a structured region dies with it, so one slot in the entry
/// block serves all iterations; a stack that grows in a loop would need dynamic
/// stack adjustment on the GPU.
void hoistToEntry(memref::AllocaOp alloca) {
  Operation *parent = alloca->getParentOp();
  if (!alloca.getType().hasStaticShape() ||
      !alloca.getSymbolOperands().empty() || isa<FunctionOpInterface>(parent) ||
      !parent->hasTrait<OpTrait::AutomaticAllocationScope>())
    return;
  auto function = alloca->getParentOfType<FunctionOpInterface>();
  alloca->moveBefore(&function.getFunctionBody().front().front());
}

struct LowerDeviceMemory
    : aircc::impl::LowerDeviceMemoryBase<LowerDeviceMemory> {
  void runOnOperation() override {
    SmallVector<memref::AllocaOp> allocas;
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](Operation *op) {
      if (auto alloca = dyn_cast<memref::AllocaOp>(op))
        allocas.push_back(alloca);
      else if (auto copy = dyn_cast<memref::CopyOp>(op))
        copies.push_back(copy);
    });
    for (memref::AllocaOp alloca : allocas) {
      hoistToEntry(alloca);
      if (!alloca.getType().getMemorySpace())
        moveToPrivateSpace(alloca);
    }
    for (memref::CopyOp copy : copies)
      if (failed(lowerCopy(copy)))
        return signalPassFailure();
  }

  static LogicalResult lowerCopy(memref::CopyOp copy) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return copy.emitOpError("of unranked memrefs cannot be done in a kernel; "
                              "cast them to a ranked type first");
    OpBuilder b(copy);
    linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
    return success();
  }
};

} // namespace
