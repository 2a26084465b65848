//===- LowerDeviceMemory.cpp - Lower stack buffers and copies in kernels --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERDEVICEMEMORY
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Moves the buffer to the private memory space, where the stack is, and casts
/// it back for its users, which expect a generic pointer.
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

bool isOnStack(Type type) { return isa<BaseMemRefType>(type); }

/// Finds the innermost loop around `op`, within its allocation scope, in which
/// each iteration would allocate again. This is a loop op, or a block in a
/// cycle. Sets `passesOn` if an iteration may pass its buffer to the next.
Operation *findGrowingLoop(Operation *op, Operation *scope, bool &passesOn) {
  for (; op != scope; op = op->getParentOp()) {
    Block *block = op->getBlock();
    if (block->isReachable(block)) {
      passesOn = llvm::any_of(*block->getParent(), [](Block &other) {
        return !other.isEntryBlock() &&
               llvm::any_of(other.getArgumentTypes(), isOnStack);
      });
      return op->getParentOp();
    }
    Operation *parent = op->getParentOp();
    if (parent != scope && isa<LoopLikeOpInterface>(parent)) {
      passesOn = llvm::any_of(parent->getResultTypes(), isOnStack) ||
                 llvm::any_of(parent->getRegions(), [](Region &region) {
                   return llvm::any_of(region.getArgumentTypes(), isOnStack);
                 });
      return parent;
    }
  }
  return nullptr;
}

/// Prevents a stack that grows in a loop. Moves an alloca of constant size to
/// the entry block, so that all iterations share its memory. This is valid
/// because the buffer's lifetime ends with the iteration, or because iterations
/// cannot distinguish their buffers.
LogicalResult placeInEntry(memref::AllocaOp alloca) {
  auto function = alloca->getParentOfType<FunctionOpInterface>();
  Operation *scope =
      alloca->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  bool isConstant =
      alloca.getType().hasStaticShape() && alloca.getSymbolOperands().empty();
  bool passesOn = false;
  Operation *loop = findGrowingLoop(alloca, scope, passesOn);
  if (!loop && !isConstant)
    // Other scopes do not free stack memory when lowered.
    for (Operation *op = scope; op != function.getOperation() && !loop &&
                                !isa<memref::AllocaScopeOp>(op);
         op = op->getParentOp()) {
      bool ignored = false;
      loop = isa<LoopLikeOpInterface>(op)
                 ? op
                 : findGrowingLoop(op, op->getParentOp(), ignored);
    }
  if (loop && !isConstant) {
    InFlightDiagnostic diag = alloca.emitOpError(
        "allocates stack memory of dynamic size in each iteration of a loop, "
        "which could exceed the lane's memory; give it a constant size, move "
        "it out of the loop, or enclose it in memref.alloca_scope");
    diag.attachNote(loop->getLoc()) << "the loop is here";
    return diag;
  }
  if (loop && passesOn) {
    InFlightDiagnostic diag =
        alloca.emitOpError("allocates stack memory in a loop that passes "
                           "memrefs to its next iteration, which could exceed "
                           "the lane's memory; move it out of the loop");
    diag.attachNote(loop->getLoc()) << "the loop is here";
    return diag;
  }
  if (isConstant)
    alloca->moveBefore(&function.getFunctionBody().front().front());
  return success();
}

struct LowerDeviceMemory
    : aircc::impl::LowerDeviceMemoryBase<LowerDeviceMemory> {
  void runOnOperation() override {
    SmallVector<memref::AllocaOp> allocas;
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](amdgpu::FatRawBufferCastOp op) { countBytes(op); });
    getOperation().walk([&](Operation *op) {
      if (auto alloca = dyn_cast<memref::AllocaOp>(op))
        allocas.push_back(alloca);
      else if (auto copy = dyn_cast<memref::CopyOp>(op))
        copies.push_back(copy);
    });
    for (memref::AllocaOp alloca : allocas) {
      if (failed(placeInEntry(alloca)))
        return signalPassFailure();
      if (!alloca.getType().getMemorySpace())
        moveToPrivateSpace(alloca);
    }
    for (memref::CopyOp copy : copies)
      if (failed(lowerCopy(copy)))
        return signalPassFailure();
  }

  /// Fixes the size of a buffer descriptor. The descriptor starts at the
  /// memref's base, but if the memref's indices include the offset, MLIR's
  /// lowering does not count it in the size, so the last elements would be out
  /// of bounds.
  static void countBytes(amdgpu::FatRawBufferCastOp cast) {
    auto type = cast.getSource().getType();
    SmallVector<int64_t> strides;
    int64_t offset;
    if (cast.getValidBytes() || cast.getResetOffset() ||
        failed(type.getStridesAndOffset(strides, offset)) || offset == 0 ||
        !type.getElementType().isIntOrFloat())
      return;
    OpBuilder b(cast);
    Location loc = cast.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(b, loc, cast.getSource());
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    Value end = metadata.getOffset();
    for (auto [size, stride] :
         llvm::zip_equal(metadata.getSizes(), metadata.getStrides())) {
      Value last = b.createOrFold<arith::SubIOp>(loc, size, constant(1));
      Value reach = b.createOrFold<arith::MulIOp>(loc, last, stride);
      end = b.createOrFold<arith::AddIOp>(loc, end, reach);
    }
    end = b.createOrFold<arith::AddIOp>(loc, end, constant(1));
    int64_t bytes =
        llvm::PowerOf2Ceil(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
    end = b.createOrFold<arith::MulIOp>(loc, end, constant(bytes));
    end = arith::IndexCastOp::create(b, loc, b.getI64Type(), end);
    cast.getValidBytesMutable().assign(end);
  }

  static LogicalResult lowerCopy(memref::CopyOp copy) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return copy.emitOpError("copies unranked memrefs, which is not supported "
                              "in kernels; cast them to a ranked type first");
    OpBuilder b(copy);
    linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
    return success();
  }
};

} // namespace
