//===- MemoryAccess.cpp - The memory accesses of a kernel's ops -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/MemoryAccess.h"

#include "pipeline/analysis/VendorBarriers.h"

#include "dialects/kernel/KernelOps.h"
#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc {

/// Returns the identity of a distinct LDS variable: the kernel argument, or the
/// name of the global.
static const void *getVariable(Value buffer) {
  if (!buffer)
    return nullptr;
  if (auto arg = dyn_cast<BlockArgument>(buffer)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(arg.getOwner()->getParentOp());
    return kernel && arg.getArgNumber() >= kernel.getNumArguments()
               ? buffer.getAsOpaquePointer()
               : nullptr;
  }
  auto global = buffer.getDefiningOp<memref::GetGlobalOp>();
  return global ? global.getNameAttr().getAttr().getAsOpaquePointer() : nullptr;
}

bool isVariable(Value buffer) { return getVariable(buffer) != nullptr; }

bool mayOverlap(const MemoryAccess &a, const MemoryAccess &b) {
  if (a.level == BufferLevel::Unknown || b.level == BufferLevel::Unknown)
    return true;
  if (a.isInLDS() != b.isInLDS())
    return false;
  if (!a.isInLDS()) {
    // Two global buffers may alias, because the host may pass the same buffer
    // twice. An arena is a buffer that only this kernel knows.
    if (a.isInArena != b.isInArena)
      return !a.buffer || !b.buffer;
    return !a.isInArena || a.firstByte == a.endByte ||
           b.firstByte == b.endByte ||
           (a.firstByte < b.endByte && b.firstByte < a.endByte);
  }
  const void *variable = getVariable(a.buffer);
  const void *other = getVariable(b.buffer);
  if (variable && other && variable != other)
    return false;
  if (a.firstByte == a.endByte || b.firstByte == b.endByte)
    return true;
  return a.firstByte < b.endByte && b.firstByte < a.endByte;
}

/// Returns true if an operand of `op` may address memory. Such operands are
/// pointers, buffer descriptors, and types of the op's own dialect.
static bool mayAddressMemory(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (vector && vector.getNumElements() == 4 &&
        vector.getElementType().isInteger(32))
      return true;
    Type element = vector ? vector.getElementType() : type;
    return isa<BaseMemRefType, LLVM::LLVMPointerType>(element) ||
           &element.getDialect() == op->getDialect();
  });
}

/// Returns true if `op` only orders accesses.
static bool isOrdering(Operation *op) {
  return isa<kernel::BarrierOp, kernel::FenceOp, kernel::PublishOp,
             layout::AsyncWaitOp>(op) ||
         getVendorFenceScope(op);
}

/// Sets the buffer of the effect on `value`.
static void setBuffer(MemoryAccess &access, Value value) {
  access.level = getBufferLevel(value);
  access.buffer = getBuffer(value);
  access.firstByte = access.endByte = 0;
  access.isInArena = isInArena(value);
  Operation *def = access.buffer ? access.buffer.getDefiningOp() : nullptr;
  DenseI64ArrayAttr range =
      def ? def->getAttrOfType<DenseI64ArrayAttr>(
                kernel::KernelDialect::LdsRangeAttrHelper::getNameStr())
          : DenseI64ArrayAttr();
  if (!range)
    return;
  access.firstByte = range[0];
  access.endByte = range[1];
}

void collectAccesses(Operation *op, AccessAgent agent,
                     SmallVectorImpl<MemoryAccess> &into) {
  if (isAllocation(op) || isOrdering(op))
    return;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<air::HerdOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        collectAccesses(&nested, agent, into);
    return;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  // Instructions without an address operand do not access memory.
  bool isInstruction = isa<LLVM::CallIntrinsicOp>(op) ||
                       (namesLanes(op) && op->getNumRegions() == 0);
  if (!interface && isInstruction && !mayAddressMemory(op))
    return;
  MemoryAccess access;
  access.agent = agent;
  if (auto stated = dyn_cast<kernel::AccessOp>(op)) {
    access.isStated = true;
    for (OpOperand &buffer : op->getOpOperands()) {
      access.writes = buffer.getOperandNumber() < stated.getWritten().size();
      setBuffer(access, buffer.get());
      into.push_back(access);
    }
    return;
  }
  if (!interface) {
    access.writes = true;
    into.push_back(access);
    return;
  }
  bool isAsync = isa<layout::AsyncDmaOp, amdgpu::GatherToLDSOp>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    access.writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (!access.writes && !isa<MemoryEffects::Read>(effect.getEffect()))
      continue;
    access.isAsync = isAsync;
    access.isPrefetch =
        access.writes &&
        op->hasAttr(kernel::KernelDialect::PrefetchAttrHelper::getNameStr());
    access.buffer = Value();
    access.level = BufferLevel::Unknown;
    access.isInArena = false;
    access.firstByte = access.endByte = 0;
    if (Value value = effect.getValue();
        value && isa<BaseMemRefType>(value.getType()))
      setBuffer(access, value);
    if (access.level != BufferLevel::PerLane)
      into.push_back(access);
  }
}

AccessAgent getAccessAgent(Operation *op, Role role, Scope scope,
                           const Uniformity &uniformity) {
  if (isa<kernel::AccessOp>(op))
    return AccessAgent::AllWorkers;
  if (auto transfer = dyn_cast<air::TransferInterface>(op);
      transfer && getScope(op) == Scope::Lane)
    return getTransferScope(transfer, uniformity) == Scope::Workgroup
               ? AccessAgent::AllWorkers
               : AccessAgent::LaneCode;
  if (role == Role::EachLane && getScope(op) == Scope::Lane)
    return AccessAgent::LaneCode;
  if (role == Role::SingleWorker && getWorkScope(op) == scope)
    return AccessAgent::SingleWorker;
  return AccessAgent::AllWorkers;
}

Scope getTransferScope(air::TransferInterface transfer,
                       const Uniformity &uniformity) {
  auto getSideLevel = [](const air::AccessPattern &side) {
    return side.memref ? getBufferLevel(side.memref) : BufferLevel::Global;
  };
  Operation *op = transfer;
  BufferLevel dst = getSideLevel(transfer.getTargetPattern());
  BufferLevel src = getSideLevel(transfer.getSourcePattern());
  if (dst == BufferLevel::PerLane || src == BufferLevel::PerLane)
    return Scope::Lane;
  Scope scope = getScope(op);
  if (scope == Scope::Wave)
    return scope;
  if (scope == Scope::Workgroup)
    return dst == BufferLevel::PerWave || src == BufferLevel::PerWave
               ? Scope::Wave
               : scope;
  Scope uniform = uniformity.getControlScope(op);
  for (Value operand : op->getOperands())
    uniform = std::min(uniform, uniformity.getUniformScope(operand));
  bool inHerd = bool(op->getParentOfType<air::HerdOp>());
  if (uniform >= Scope::Workgroup && !inHerd)
    return Scope::Workgroup;
  // Wave-level synchronization requires whole waves.
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (uniform != Scope::Lane &&
      !kernel->hasAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
    return Scope::Wave;
  return Scope::Lane;
}

} // namespace aircc
