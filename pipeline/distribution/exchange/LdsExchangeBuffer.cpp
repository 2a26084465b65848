//===- LdsExchangeBuffer.cpp - LDS for exchanges --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/exchange/LdsExchangeBuffer.h"

#include "dialects/kernel/Attributions.h"
#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc::distribution {

/// The alignment that the widest LDS access requires.
static constexpr int64_t kAlignment = 16;

Type LdsExchangeBuffer::storedType(Type type) {
  if (type.isIndex())
    return type;
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned stored = std::max<unsigned>(8, llvm::PowerOf2Ceil(width));
  return width == stored ? type : IntegerType::get(type.getContext(), stored);
}

int64_t LdsExchangeBuffer::storedBytes(Type type) {
  return type.isIndex() ? 8 : storedType(type).getIntOrFloatBitWidth() / 8;
}

Value LdsExchangeBuffer::toStored(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), stored = storedType(type);
  if (type == stored)
    return value;
  if (!isa<IntegerType>(type))
    value = arith::BitcastOp::create(
        b, loc, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
  return arith::ExtUIOp::create(b, loc, stored, value);
}

Value LdsExchangeBuffer::fromStored(OpBuilder &b, Location loc, Value value,
                                    Type type) {
  if (value.getType() == type)
    return value;
  auto bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  value = arith::TruncIOp::create(b, loc, bits, value);
  return type == bits
             ? value
             : arith::BitcastOp::create(b, loc, type, value).getResult();
}

static int64_t bytesOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return 0;
  Type element = memref.getElementType();
  int64_t bytes = 0;
  if (element.isIndex())
    bytes = 8;
  else if (element.isIntOrFloat())
    bytes = llvm::PowerOf2Ceil(llvm::divideCeil(
        static_cast<uint64_t>(element.getIntOrFloatBitWidth()), 8));
  else if (auto vector = dyn_cast<VectorType>(element))
    bytes = llvm::divideCeil(
        vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  return llvm::alignTo(memref.getNumElements() * bytes, kAlignment);
}

int64_t LdsExchangeBuffer::getOtherBytes() {
  if (other)
    return *other;
  int64_t bytes = 0;
  for (BlockArgument buffer : func.getWorkgroupAttributions())
    if (buffer != groupBuffer && buffer != waveBuffer)
      bytes += bytesOf(buffer.getType());
  // Globals in workgroup memory that the kernel uses.
  llvm::SmallPtrSet<Operation *, 4> seen;
  func.walk([&](memref::GetGlobalOp op) {
    auto type = op.getType();
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    if (!space || space.getValue() != gpu::AddressSpace::Workgroup)
      return;
    Operation *global =
        SymbolTable::lookupNearestSymbolFrom(op, op.getNameAttr());
    if (global && seen.insert(global).second)
      bytes += bytesOf(type);
  });
  other = bytes;
  return bytes;
}

Value LdsExchangeBuffer::buffer(Value &attribution) {
  if (attribution)
    return attribution;
  MLIRContext *context = func.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({1}, IntegerType::get(context, 8),
                              MemRefLayoutAttrInterface(), space);
  attribution =
      kernel::addWorkgroupBuffer(func, type, func.getLoc(), kAlignment);
  return attribution;
}

int64_t LdsExchangeBuffer::getCapacity(bool withinWave) {
  int64_t waves = std::max<int64_t>(ids.getNumWaves(), 1);
  int64_t left = ldsBytes - getOtherBytes();
  left = withinWave ? (left - groupBytes) / waves : left - sliceBytes * waves;
  return std::max<int64_t>(left, 0) / kAlignment * kAlignment;
}

FailureOr<Value> LdsExchangeBuffer::allocate(OpBuilder &b, Operation *op,
                                             Type type, int64_t count,
                                             bool withinWave) {
  if (ids.getNumWaves() == 0) {
    op->emitOpError(
        "requires LDS to exchange values between lanes, but the number of "
        "waves is unknown; give the kernel a 'known_block_size' that is a "
        "multiple of the wave size of ")
        << ids.waveSize() << " lanes";
    return failure();
  }
  int64_t bytes = llvm::alignTo(count * storedBytes(type), kAlignment);
  int64_t group = groupBytes, slice = sliceBytes;
  (withinWave ? slice : group) = std::max(withinWave ? slice : group, bytes);
  int64_t total = group + slice * ids.getNumWaves() + getOtherBytes();
  if (total > ldsBytes) {
    InFlightDiagnostic diag =
        op->emitOpError("requires ")
        << bytes << " bytes of LDS "
        << (withinWave ? "in each of " : "to exchange values");
    if (withinWave)
      diag << ids.getNumWaves() << " waves to exchange values";
    diag << ", for a total of " << total
         << " in the kernel, but the target has only " << ldsBytes
         << "; use smaller tiles, or layouts that need no exchange";
    return failure();
  }
  groupBytes = group;
  sliceBytes = slice;

  Location loc = op->getLoc();
  Value bufferValue = buffer(withinWave ? waveBuffer : groupBuffer);
  Value offset;
  if (withinWave && ids.getNumWaves() > 1) {
    // finish() sets the size.
    auto size = arith::ConstantIndexOp::create(b, loc, 0);
    sliceSizes.push_back(size);
    offset = arith::MulIOp::create(b, loc, ids.wave(), size);
  } else {
    offset = arith::ConstantIndexOp::create(b, loc, 0);
  }
  auto space = cast<MemRefType>(bufferValue.getType()).getMemorySpace();
  auto viewType = MemRefType::get({count}, storedType(type),
                                  MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(b, loc, viewType, bufferValue, offset,
                                ValueRange())
      .getResult();
}

void LdsExchangeBuffer::declareAccess(OpBuilder &b, Location loc, Value buffer,
                                      bool writes, bool withinWave) {
  using gpu::AddressSpace;
  ValueRange accessed(buffer), none;
  ValueRange written = writes ? accessed : none,
             read = writes ? none : accessed;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      cast<BaseMemRefType>(buffer.getType()).getMemorySpace());
  if (!withinWave)
    kernel::AccessOp::create(b, loc, kernel::Scope::Workgroup, written, read);
  else if (!onXe)
    kernel::AccessOp::create(b, loc, kernel::Scope::Wave, written, read);
  else if (space && space.getValue() == AddressSpace::Workgroup)
    kernel::AccessOp::create(b, loc, kernel::Scope::Wave, written, read,
                             AddressSpace::Workgroup);
  else
    kernel::AccessOp::create(b, loc, kernel::Scope::Wave, written, read,
                             {AddressSpace::Global, AddressSpace::Workgroup});
}

void LdsExchangeBuffer::finish() {
  auto resize = [](Value buffer, int64_t bytes) {
    if (buffer)
      buffer.setType(MemRefType::Builder(cast<MemRefType>(buffer.getType()))
                         .setShape({bytes}));
  };
  resize(groupBuffer, groupBytes);
  resize(waveBuffer, sliceBytes * ids.getNumWaves());
  for (arith::ConstantIndexOp size : sliceSizes)
    size->setAttr("value", IntegerAttr::get(size.getType(), sliceBytes));
}

} // namespace aircc::distribution
