//===- AIRChannelOps.cpp - Channels and their ends ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// ChannelOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ChannelOp::getSizes() {
  return llvm::to_vector(
      llvm::map_range(getSize().getAsRange<IntegerAttr>(),
                      [](IntegerAttr attr) { return attr.getInt(); }));
}

SmallVector<int64_t> ChannelOp::getTargetSizes() {
  ArrayAttr shape = getBroadcastShapeAttr();
  if (!shape)
    return getSizes();
  return llvm::to_vector(
      llvm::map_range(shape.getAsRange<IntegerAttr>(),
                      [](IntegerAttr attr) { return attr.getInt(); }));
}

std::optional<int64_t> ChannelOp::getDepth() {
  auto depth = (*this)->getAttrOfType<IntegerAttr>("depth");
  if (!depth)
    return std::nullopt;
  return depth.getInt();
}

/// Verifies an attribute of a channel that holds a count, if present.
static LogicalResult verifyCount(ChannelOp op, StringRef name) {
  Attribute attr = op->getAttr(name);
  if (!attr)
    return success();
  auto count = dyn_cast<IntegerAttr>(attr);
  if (!count)
    return op.emitOpError("\"") << name << "\" must be an integer attribute";
  APInt value = count.getValue();
  if (value.isNegative() || value.isZero() || value.getActiveBits() > 31)
    return op.emitOpError("\"")
           << name << "\" (" << llvm::toString(value, 10, /*Signed=*/true)
           << ") must be in [1, INT32_MAX]";
  return success();
}

LogicalResult ChannelOp::verify() {
  StringRef type = getChannelType();
  if (!llvm::is_contained({kNpuDmaStream, kNpuDmaPacket, kNpuCascade, kNpuMmio,
                           kGpuSymmetricHeap},
                          type))
    return emitOpError("unsupported channel_type \"")
           << type << "\"; expected one of \"" << kNpuDmaStream << "\", \""
           << kNpuDmaPacket << "\", \"" << kNpuCascade << "\", \"" << kNpuMmio
           << "\", or \"" << kGpuSymmetricHeap << "\"";

  SmallVector<int64_t> sizes = getSizes();
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size < 1)
      return emitOpError("size[")
             << dim << "] (" << size << ") must be at least 1";

  if (ArrayAttr shape = getBroadcastShapeAttr()) {
    for (Attribute extent : shape)
      if (!isa<IntegerAttr>(extent))
        return emitOpError("\"broadcast_shape\" elements must be integer "
                           "attributes");
    SmallVector<int64_t> targets = getTargetSizes();
    if (targets.size() != sizes.size())
      return emitOpError("bundle rank should match broadcast_shape rank (")
             << sizes.size() << " and " << targets.size() << ")";
    for (auto [dim, size, target] : llvm::enumerate(sizes, targets)) {
      if (target < size)
        return emitOpError("broadcast_shape[")
               << dim << "] (" << target << ") must be >= size[" << dim << "] ("
               << size << "): broadcasting cannot shrink a dimension";
      if (size != 1 && size != target)
        return emitOpError("size[")
               << dim << "] (" << size
               << ") is incompatible with broadcast_shape[" << dim << "] ("
               << target
               << "): size must be 1 or equal to broadcast_shape (NumPy "
                  "broadcasting rules)";
    }
  }

  if (ArrayAttr ids = getPacketIdsAttr()) {
    if (type != kNpuDmaPacket)
      return emitOpError("\"packet_ids\" is only valid on a \"")
             << kNpuDmaPacket << "\" channel";
    llvm::SmallSet<int64_t, 8> seen;
    for (Attribute attr : ids) {
      auto id = dyn_cast<IntegerAttr>(attr);
      if (!id)
        return emitOpError("\"packet_ids\" elements must be integer "
                           "attributes");
      if (id.getInt() < 0 || id.getInt() > 31)
        return emitOpError("\"packet_ids\" id (")
               << id.getInt() << ") must be in [0, 31]";
      if (!seen.insert(id.getInt()).second)
        return emitOpError("\"packet_ids\" id (")
               << id.getInt() << ") appears more than once";
    }
  }

  if (failed(verifyCount(*this, "depth")) ||
      failed(
          verifyCount(*this, AIRDialect::RefeedCountAttrHelper::getNameStr())))
    return failure();
  return success();
}

ChannelOp aircc::air::lookupChannel(Operation *from, SymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<ChannelOp>(from, name);
}

//===----------------------------------------------------------------------===//
// ChannelPutOp, ChannelGetOp
//===----------------------------------------------------------------------===//

/// Finds the channel that `op` names. Returns null if it is not declared,
/// because parts of programs are compiled separately from the declaration;
/// passes that need the channel report an error then. Emits an error if the
/// symbol is not a channel.
static FailureOr<ChannelOp> findChannel(Operation *op, FlatSymbolRefAttr name,
                                        SymbolTableCollection &symbolTable) {
  Operation *symbol = symbolTable.lookupNearestSymbolFrom(op, name);
  auto channel = dyn_cast_or_null<ChannelOp>(symbol);
  if (!symbol || channel)
    return channel;
  InFlightDiagnostic diag = op->emitOpError()
                            << name << " is not a channel, but '"
                            << symbol->getName()
                            << "'; declare a channel with 'air.channel'";
  diag.attachNote(symbol->getLoc()) << "the symbol is declared here";
  return diag;
}

/// Verifies what the channel type requires of its ends. `end` is "put source"
/// or "get destination"; `mmioSpace` is the memory space that an npu_mmio
/// channel requires for it.
static LogicalResult verifyChannelUse(ChannelAccessInterface op,
                                      SymbolTableCollection &symbolTable,
                                      StringRef verb, StringRef end,
                                      MemorySpace mmioSpace) {
  FailureOr<ChannelOp> found =
      findChannel(op, op.getChanNameAttr(), symbolTable);
  if (failed(found))
    return failure();
  ChannelOp channel = *found;
  if (!channel)
    return success();

  StringRef type = channel.getChannelType();
  if (type == ChannelOp::kNpuMmio &&
      getMemorySpace(op.getMemref().getType()) != mmioSpace) {
    InFlightDiagnostic diag =
        op->emitOpError("channel_type=\"")
        << type << "\" " << end << " must be in "
        << stringifyMemorySpace(mmioSpace)
        << " (memory_space=" << static_cast<uint32_t>(mmioSpace) << "), got ";
    Attribute space = op.getMemref().getType().getMemorySpace();
    if (auto number = dyn_cast_or_null<IntegerAttr>(space))
      return diag << "memory_space=" << number.getValue().getLimitedValue();
    if (space)
      return diag << "memory_space=" << space;
    return diag << "memory_space=0";
  }
  if (type == ChannelOp::kGpuSymmetricHeap && !op->getParentOfType<RankOp>())
    return op->emitOpError("channel_type=\"")
           << type << "\" " << verb << " requires an enclosing air.rank scope";
  return success();
}

LogicalResult
DmaMemcpyNdOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!getChannelAttr())
    return success();
  FailureOr<ChannelOp> found =
      findChannel(*this, getChannelAttr(), symbolTable);
  if (failed(found))
    return failure();
  ChannelOp channel = *found;
  if (!channel || !getChannelIndices())
    return success();
  ArrayRef<int64_t> indices = *getChannelIndices();
  SmallVector<int64_t> sizes = channel.getSizes();
  if (indices.size() != sizes.size())
    return emitOpError("channel_indices has ")
           << indices.size() << " entries, but " << getChannelAttr()
           << " is declared with " << sizes.size() << " bundle dimensions";
  for (auto [dim, index, size] : llvm::enumerate(indices, sizes))
    if (index < 0 || index >= size)
      return emitOpError("channel_indices[")
             << dim << "] = " << index << " is out of bounds for "
             << getChannelAttr() << " bundle dimension " << dim << " of size "
             << size;
  return success();
}

LogicalResult
ChannelPutOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyChannelUse(*this, symbolTable, "put", "put source",
                          MemorySpace::L3);
}

LogicalResult
ChannelGetOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyChannelUse(*this, symbolTable, "get", "get destination",
                          MemorySpace::L1);
}
