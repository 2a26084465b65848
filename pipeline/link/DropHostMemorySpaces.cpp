//===- DropHostMemorySpaces.cpp - The host has one memory space -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A pointer to global memory of the device has the same value on the host, but
// the lowering to LLVM has no address space for it on the host.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_DROPHOSTMEMORYSPACES
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

/// The number of the address space of global memory in LLVM.
constexpr int64_t kGlobalAddressSpace = 1;

bool isGlobal(Attribute space) {
  if (auto number = dyn_cast<IntegerAttr>(space))
    return number.getValue() == kGlobalAddressSpace;
  auto attr = dyn_cast<gpu::AddressSpaceAttr>(space);
  return attr && attr.getValue() == gpu::AddressSpace::Global;
}

/// Returns the memory space of a memref that only device code can access, or
/// null.
Attribute getDeviceSpace(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  auto space =
      memref ? dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace())
             : gpu::AddressSpaceAttr();
  return space && !isGlobal(space) ? space : Attribute();
}

LogicalResult checkSpaces(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (Attribute space = getDeviceSpace(type)) {
        inner->emitOpError(
            "is host code, but produces a memref in memory space ")
            << space
            << ", which only kernels have; use a memref without a memory space";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct DropHostMemorySpaces
    : aircc::impl::DropHostMemorySpacesBase<DropHostMemorySpaces> {
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> Type {
      if (!type.getMemorySpace() || !isGlobal(type.getMemorySpace()))
        return type;
      return MemRefType::Builder(type).setMemorySpace(Attribute());
    });
    replacer.addReplacement([](UnrankedMemRefType type) -> Type {
      if (!type.getMemorySpace() || !isGlobal(type.getMemorySpace()))
        return type;
      return UnrankedMemRefType::get(type.getElementType(), Attribute());
    });
    bool failedAny = false;
    for (Operation &op : *getOperation().getBody()) {
      if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
        continue;
      failedAny |= failed(checkSpaces(&op));
      replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true,
                                            /*replaceLocs=*/false,
                                            /*replaceTypes=*/true);
      op.walk([](memref::MemorySpaceCastOp cast) {
        if (cast.getSource().getType() != cast.getType())
          return;
        cast.replaceAllUsesWith(cast.getSource());
        cast.erase();
      });
    }
    if (failedAny)
      signalPassFailure();
  }
};

} // namespace
