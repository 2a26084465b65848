//===- LowerSharedAllocations.cpp - Memory that host and GPU share --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// gpu-async-region makes every allocation asynchronous, but the upstream
// lowering does not support asynchronous allocations of host-shared memory.
// They do not need to be asynchronous, because the host may access the memory
// immediately.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERSHAREDALLOCATIONS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

/// Returns the size in bytes of `count` (an i64) elements of type `element`.
Value computeBytes(ImplicitLocOpBuilder &b, Type element, Value count) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value null = LLVM::ZeroOp::create(b, pointer);
  Value end = LLVM::GEPOp::create(b, pointer, element, null,
                                  ArrayRef<LLVM::GEPArg>{count});
  return LLVM::PtrToIntOp::create(b, b.getI64Type(), end);
}

LogicalResult lower(gpu::AllocOp alloc, const LLVMTypeConverter &converter) {
  MemRefType type = alloc.getType();
  Type element = converter.convertType(type.getElementType());
  if (!type.getLayout().isIdentity() || !element ||
      !alloc.getSymbolOperands().empty())
    return alloc.emitOpError("has the type ")
           << type
           << "; host-shared memory must have numeric or vector elements and "
              "an identity layout";
  ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
  Type i64 = b.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());

  Value count = arith::ConstantIndexOp::create(b, 1);
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    Value extent = ShapedType::isDynamic(size)
                       ? alloc.getDynamicSizes()[next++]
                       : arith::ConstantIndexOp::create(b, size).getResult();
    count = arith::MulIOp::create(b, count, extent);
  }
  Value bytes =
      computeBytes(b, element, arith::IndexCastOp::create(b, i64, count));
  FunctionCallBuilder call("mgpuMemAlloc", pointer,
                           {i64, pointer, b.getI8Type()});
  Value null = LLVM::ZeroOp::create(b, pointer);
  Value shared = LLVM::ConstantOp::create(b, b.getI8Type(), 1);
  Value memory = call.create(b.getLoc(), b, {bytes, null, shared}).getResult();

  // Allocate a memref<?xi8>, and create a view of it.
  auto bytesType =
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  auto descriptor =
      MemRefDescriptor::poison(b, b.getLoc(), converter.convertType(bytesType));
  descriptor.setAllocatedPtr(b, b.getLoc(), memory);
  descriptor.setAlignedPtr(b, b.getLoc(), memory);
  descriptor.setConstantOffset(b, b.getLoc(), 0);
  descriptor.setSize(b, b.getLoc(), 0, bytes);
  descriptor.setConstantStride(b, b.getLoc(), 0, 1);
  Value raw =
      UnrealizedConversionCastOp::create(b, bytesType, Value(descriptor))
          .getResult(0);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value view =
      memref::ViewOp::create(b, type, raw, zero, alloc.getDynamicSizes());
  alloc.getMemref().replaceAllUsesWith(view);
  alloc.erase();
  return success();
}

struct LowerSharedAllocations
    : aircc::impl::LowerSharedAllocationsBase<LowerSharedAllocations> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    SmallVector<gpu::AllocOp> allocations;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto alloc = dyn_cast<gpu::AllocOp>(op);
          alloc && alloc.getHostShared())
        allocations.push_back(alloc);
      return WalkResult::advance();
    });
    bool failedAny = false;
    for (gpu::AllocOp alloc : allocations)
      failedAny |= failed(lower(alloc, converter));
    if (failedAny)
      signalPassFailure();
  }
};

} // namespace
