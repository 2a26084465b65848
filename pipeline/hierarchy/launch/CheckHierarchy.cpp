//===- CheckHierarchy.cpp - Reject unsupported ops ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"

#include "pipeline/analysis/OverlappingRows.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_CHECKHIERARCHY
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;

namespace {

/// Checks a channel access. hierarchy-lower-channels lowers channels within a
/// launch.
LogicalResult checkChannelAccess(air::ChannelAccessInterface access) {
  Operation *op = access;
  air::ChannelOp channel = air::lookupChannel(op, access.getChanNameAttr());
  if (channel && !channel.isNpu())
    return op->emitOpError("uses channel @")
           << channel.getSymName()
           << " in the symmetric heap, which stage 'channels' must lower "
              "before stage 'hierarchy'";
  if (auto put = dyn_cast<air::ChannelPutOp>(op); put && put.getDest())
    return op->emitOpError("has a 'dest' operand, which is only supported on "
                           "packet channels of NPUs; use an array of channels");
  if (auto get = dyn_cast<air::ChannelGetOp>(op);
      get && cast<air::TransferInterface>(op).hasPadding())
    return op->emitOpError("cannot pad the data that it gets; set pad_before "
                           "and pad_after on the put instead");
  if (isa<UnrankedMemRefType>(access.getMemref().getType()))
    return op->emitOpError("has an unranked memref; cast it to a ranked one "
                           "with memref.cast");
  return success();
}

bool isSymmetric(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref &&
         isa_and_nonnull<air::SymmetricHeapAttr>(memref.getMemorySpace());
}

/// Memory spaces must be one of the three levels, or an attribute of another
/// dialect, such as #gpu.address_space.
LogicalResult checkType(Operation *op, Type type) {
  if (isa<TensorType>(type) && isa<air::HierarchyInterface>(op))
    return op->emitOpError(
        "takes a tensor; bufferize the program before stage 'hierarchy'");
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref || !memref.getMemorySpace() || air::getMemorySpace(memref) ||
      !isa<BuiltinDialect>(memref.getMemorySpace().getDialect()))
    return success();
  InFlightDiagnostic diag = op->emitOpError("uses memory space ");
  if (auto number = dyn_cast<IntegerAttr>(memref.getMemorySpace()))
    diag << number.getValue().getLimitedValue();
  else
    diag << memref.getMemorySpace();
  return diag << ", which is not a level of the hierarchy; use 0 for L3, 1 for "
                 "L2, or 2 for L1";
}

LogicalResult checkTypes(Operation *op) {
  if (!isa<air::HierarchyInterface>(op) &&
      !op->getParentOfType<air::HierarchyInterface>())
    return success();
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  return success();
}

LogicalResult check(Operation *op) {
  if (failed(checkTypes(op)))
    return failure();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<air::ChannelPutOp, air::ChannelGetOp>([](auto access) {
        return checkChannelAccess(
            cast<air::ChannelAccessInterface>(access.getOperation()));
      })
      .Case<air::RankOp, air::TranslateOp, air::UniverseAllocOp>(
          [](Operation *op) {
            return op->emitOpError(
                "must be lowered by stage 'channels' before stage 'hierarchy'");
          })
      .Case<air::CustomOp>([](Operation *op) {
        return op->emitOpError(
            "represents work that the compiler cannot analyze; call a function "
            "instead");
      })
      .Case<air::DmaMemcpyNdOp>([](air::DmaMemcpyNdOp dma) -> LogicalResult {
        if (dma.isCrossRank())
          return dma.emitOpError("copies between ranks, which stage 'channels' "
                                 "must lower before stage 'hierarchy'");
        if (dma.getDest())
          return dma.emitOpError(
              "has a 'dest' operand, which is only supported on packet "
              "channels of NPUs; on a GPU, select the memref instead");
        if (FlatSymbolRefAttr name = dma.getChannelAttr()) {
          air::ChannelOp channel = air::lookupChannel(dma, name);
          if (channel && !channel.isNpu())
            return dma.emitOpError("names channel ")
                   << name << " of type \"" << channel.getChannelType()
                   << "\"; to transfer data between GPUs, use air.channel.put "
                      "and air.channel.get";
        }
        if (isa<UnrankedMemRefType>(dma.getDst().getType()) ||
            isa<UnrankedMemRefType>(dma.getSrc().getType()))
          return dma.emitOpError("copies an unranked memref; cast it to a "
                                 "ranked one with memref.cast");
        return success();
      })
      .Case<memref::AllocOp, memref::AllocaOp>([](auto alloc) -> LogicalResult {
        if (isSymmetric(alloc.getType()))
          return alloc.emitOpError(
              "allocates in the symmetric heap, which stage 'channels' must "
              "lower before stage 'hierarchy'");
        return success();
      })
      .Case<air::LaunchOp, air::SegmentOp, air::HerdOp>(
          [](Operation *op) -> LogicalResult {
            if (llvm::any_of(op->getOperandTypes(), isSymmetric))
              return op->emitOpError(
                  "takes a memref in #air.symmetric_heap, which stage "
                  "'channels' must lower before stage 'hierarchy'; run it, or "
                  "use a memref without a memory space");
            return success();
          })
      .Default([](Operation *) { return success(); });
}

struct CheckHierarchyPass
    : hierarchy::impl::CheckHierarchyBase<CheckHierarchyPass> {
  void runOnOperation() override {
    bool ok = true;
    getOperation().walk([&](Operation *op) { ok &= succeeded(check(op)); });
    if (!ok)
      return signalPassFailure();
    getOperation().walk(warnOfOverlappingRows);
    // The NPU channel that a copy would use is irrelevant on a GPU.
    getOperation().walk([](air::DmaMemcpyNdOp dma) {
      dma.removeChannelAttr();
      dma.removeChannelIndicesAttr();
    });
    eraseUnusedChannels();
  }

  void eraseUnusedChannels() {
    // Unknown ops may use any symbol.
    auto uses = SymbolTable::getSymbolUses(&getOperation().getBodyRegion());
    if (!uses)
      return;
    DenseSet<StringAttr> used;
    for (SymbolTable::SymbolUse use : *uses)
      used.insert(use.getSymbolRef().getRootReference());
    for (auto channel :
         llvm::make_early_inc_range(getOperation().getOps<air::ChannelOp>()))
      if (!used.contains(channel.getSymNameAttr()))
        channel.erase();
  }
};

} // namespace
