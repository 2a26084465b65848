//===- LaneOps.cpp - Instructions of single lanes -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/LaneOps.h"
#include "dialects/kernel/ScopeSyntax.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace aircc::kernel;

//===----------------------------------------------------------------------===//
// Atomic accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyAtomicScope(Operation *op, Scope scope) {
  if (scope == Scope::Device || scope == Scope::System)
    return success();
  return op->emitOpError("is atomic for the scope ")
         << stringifyScope(scope)
         << ": global memory is shared in scope device or system";
}

/// Other workers access the memory concurrently, so any memory may change.
static void
getAtomicEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult AtomicLoadOp::verify() {
  return verifyAtomicScope(*this, getScope());
}

LogicalResult AtomicStoreOp::verify() {
  return verifyAtomicScope(*this, getScope());
}

LogicalResult AtomicAddOp::verify() {
  return verifyAtomicScope(*this, getScope());
}

void AtomicLoadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getAtomicEffects(effects);
}

void AtomicStoreOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getAtomicEffects(effects);
}

void AtomicAddOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getAtomicEffects(effects);
}

//===----------------------------------------------------------------------===//
// kernel.memref_at
//===----------------------------------------------------------------------===//

LogicalResult MemRefAtOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (!space || space.getValue() != gpu::AddressSpace::Global)
    return emitOpError("has a result of type ")
           << type << ", but an address points to global memory: its memory "
           << "space must be #gpu.address_space<global>";
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return emitOpError("has a result of type ")
           << type << ", whose layout is not strided or has an offset";
  int64_t dynamicStrides = llvm::count(strides, ShapedType::kDynamic);
  // The sizes determine the strides of an identity layout.
  if (type.getLayout().isIdentity())
    dynamicStrides = 0;
  auto verifyCount = [&](StringRef name, int64_t given, int64_t wanted) {
    if (given == wanted)
      return success();
    return LogicalResult(emitOpError("has ")
                         << given << " " << name << ", but its type has "
                         << wanted << " dynamic ones");
  };
  if (failed(verifyCount("sizes", getSizes().size(), type.getNumDynamicDims())))
    return failure();
  return verifyCount("strides", getStrides().size(), dynamicStrides);
}

//===----------------------------------------------------------------------===//
// kernel.offset_memref
//===----------------------------------------------------------------------===//

LogicalResult OffsetMemRefOp::verify() {
  auto type = cast<MemRefType>(getSource().getType());
  if (type.isStrided())
    return success();
  return emitOpError("moves a memref of type ")
         << type << ", whose layout is not strided";
}

//===----------------------------------------------------------------------===//
// kernel.permute_bytes
//===----------------------------------------------------------------------===//

LogicalResult PermuteBytesOp::verify() {
  ArrayRef<int32_t> bytes = getBytes();
  if (bytes.size() != 4)
    return emitOpError("must select 4 bytes, but got ") << bytes.size();
  for (int32_t byte : bytes)
    if (byte < 0 || byte > 7)
      return emitOpError("selects byte ")
             << byte << ", but the bytes of two words are numbered 0 to 7";
  return success();
}

//===----------------------------------------------------------------------===//
// kernel.permute_lanes
//===----------------------------------------------------------------------===//

LogicalResult PermuteLanesOp::verify() {
  ArrayRef<int32_t> lanes = getLanes();
  if (lanes.size() != 16)
    return emitOpError("must have 16 source lanes, one for each lane of a row, "
                       "but got ")
           << lanes.size();
  for (int32_t lane : lanes)
    if (lane < 0 || lane > 15)
      return emitOpError("has the source lane ")
             << lane << ", but the lanes of a row are numbered 0 to 15";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/kernel/LaneOps.cpp.inc"
