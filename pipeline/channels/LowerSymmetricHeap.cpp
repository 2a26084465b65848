//===- LowerSymmetricHeap.cpp - Allocate in the symmetric heap ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"
#include "pipeline/channels/Runtime.h"

#include "dialects/air/AIROps.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace aircc::channels {
#define GEN_PASS_DEF_LOWERSYMMETRICHEAP
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

/// The heap aligns allocations to this many bytes.
constexpr uint64_t kHeapAlignment = 256;

Value getNullPointer(OpBuilder &b, Location loc) {
  return LLVM::ZeroOp::create(b, loc,
                              LLVM::LLVMPointerType::get(b.getContext()));
}

LogicalResult lowerAlloc(memref::AllocOp alloc, RuntimeCalls &runtime) {
  MemRefType type = alloc.getType();
  if (isInKernel(alloc))
    return alloc.emitOpError(
        "cannot allocate in the symmetric heap in a kernel; allocate on the "
        "host, on every rank, and pass the buffer in with args(...)");
  if (!type.getLayout().isIdentity())
    return alloc.emitOpError("allocates ")
           << type
           << " in the symmetric heap, where buffers must be contiguous and "
              "row-major; allocate a buffer without a layout and use "
              "memref.subview or memref.reinterpret_cast";
  if (!isa<IntegerType, IndexType, FloatType, VectorType, ComplexType>(
          type.getElementType()))
    return alloc.emitOpError("allocates elements of type ")
           << type.getElementType()
           << " in the symmetric heap; other ranks can only read numbers";
  Type stored =
      LLVMTypeConverter(alloc.getContext()).convertType(type.getElementType());
  if (!stored || !LLVM::isCompatibleType(stored))
    return alloc.emitOpError("allocates elements of type ")
           << type.getElementType()
           << ", which have no representation in memory; allocate f32 or "
              "integers and convert";
  if (alloc.getAlignment().value_or(1) > kHeapAlignment)
    return alloc.emitOpError("requires an alignment of ")
           << *alloc.getAlignment()
           << " bytes, but the symmetric heap provides only " << kHeapAlignment;

  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  uint64_t elementBytes =
      DataLayout::closest(alloc).getTypeSize(type.getElementType());
  Value count = arith::ConstantIndexOp::create(b, loc, elementBytes);
  SmallVector<Value> sizes;
  auto dynamicSizes = alloc.getDynamicSizes().begin();
  for (int64_t extent : type.getShape()) {
    sizes.push_back(
        ShapedType::isDynamic(extent)
            ? *dynamicSizes++
            : arith::ConstantIndexOp::create(b, loc, extent).getResult());
    count = b.createOrFold<arith::MulIOp>(loc, count, sizes.back());
  }
  Value bytes = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  FailureOr<Value> pointer = runtime.call(
      b, loc, "mgpuSymmetricAlloc", LLVM::LLVMPointerType::get(b.getContext()),
      {bytes, getNullPointer(b, loc)});
  if (failed(pointer))
    return failure();
  alloc.replaceAllUsesWith(createMemref(b, loc, type, *pointer, sizes));
  alloc.erase();
  return success();
}

/// Returns true if `dealloc` frees memory of the symmetric heap, according to
/// its type or to the allocation of the viewed buffer.
bool freesSymmetric(memref::DeallocOp dealloc) {
  Value memref = dealloc.getMemref();
  if (isSymmetric(memref.getType()))
    return true;
  while (Operation *def = memref.getDefiningOp()) {
    if (isSymmetricAllocation(def))
      return true;
    if (auto view = dyn_cast<ViewLikeOpInterface>(def))
      memref = view.getViewSource();
    else
      return false;
  }
  return false;
}

LogicalResult lowerDealloc(memref::DeallocOp dealloc, RuntimeCalls &runtime) {
  auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
  if (!type)
    return dealloc.emitOpError("frees an unranked memref of the symmetric "
                               "heap; cast it to a ranked one with "
                               "memref.cast");
  if (isInKernel(dealloc))
    return dealloc.emitOpError("cannot free memory of the symmetric heap in a "
                               "kernel; free it on the host, on every rank");
  OpBuilder b(dealloc);
  Location loc = dealloc.getLoc();
  LLVMTypeConverter converter(b.getContext());
  Type descriptorType = converter.convertType(MemRefType::get(
      type.getShape(), type.getElementType(), type.getLayout()));
  if (!descriptorType)
    return dealloc.emitOpError("frees a memref whose layout is not strided");
  MemRefDescriptor descriptor(UnrealizedConversionCastOp::create(
                                  b, loc, descriptorType, dealloc.getMemref())
                                  .getResult(0));
  if (failed(runtime.call(
          b, loc, "mgpuSymmetricFree", {},
          {descriptor.allocatedPtr(b, loc), getNullPointer(b, loc)})))
    return failure();
  dealloc.erase();
  return success();
}

/// Removes the heap's memory space from all types, because the heap is global
/// memory.
void dropTags(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isSymmetric(type))
      return std::nullopt;
    return MemRefType::Builder(type).setMemorySpace({});
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    if (!isSymmetric(type))
      return std::nullopt;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  SmallVector<Operation *> casts;
  module.walk([&](Operation *op) {
    if (isa<memref::MemorySpaceCastOp, UnrealizedConversionCastOp>(op) &&
        op->getNumOperands() == 1 && op->getNumResults() == 1 &&
        op->getOperand(0).getType() == op->getResult(0).getType())
      casts.push_back(op);
  });
  for (Operation *cast : casts) {
    cast->getResult(0).replaceAllUsesWith(cast->getOperand(0));
    cast->erase();
  }
}

struct LowerSymmetricHeapPass
    : channels::impl::LowerSymmetricHeapBase<LowerSymmetricHeapPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<memref::DeallocOp> deallocs;
    SmallVector<memref::AllocOp> allocs;
    WalkResult result = module.walk([&](Operation *op) {
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op);
          dealloc && freesSymmetric(dealloc))
        deallocs.push_back(dealloc);
      if (isSymmetricAllocation(op))
        allocs.push_back(cast<memref::AllocOp>(op));
      if (isa<memref::AllocaOp, memref::ReallocOp, memref::GetGlobalOp>(op) &&
          isSymmetric(op->getResult(0).getType())) {
        op->emitOpError(
            "cannot create a buffer in #air.symmetric_heap; use memref.alloc");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    RuntimeCalls runtime(module);
    for (memref::DeallocOp dealloc : deallocs)
      if (failed(lowerDealloc(dealloc, runtime)))
        return signalPassFailure();
    for (memref::AllocOp alloc : allocs)
      if (failed(lowerAlloc(alloc, runtime)))
        return signalPassFailure();
    dropTags(module);
  }
};

} // namespace
