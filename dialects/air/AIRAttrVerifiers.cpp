//===- AIRAttrVerifiers.cpp - Verifiers of discardable attributes ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIRDialect.h"
#include "dialects/air/AIROps.h"
#include "dialects/common/DiscardableAttrs.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::air;

static LogicalResult verifySymmetric(Operation *op, NamedAttribute attribute) {
  if (!isa<memref::AllocOp>(op))
    return refuseOp(op, attribute.getName(), "memref.alloc");
  return verifyUnit(op, attribute);
}

/// Programs for NPUs state how often a message is sent again on the channel,
/// the put, the copy or the buffer. ChannelOp verifies its own count.
static LogicalResult verifyRefeedCount(Operation *op,
                                       NamedAttribute attribute) {
  if (isa<ChannelOp>(op))
    return success();
  if (!isa<ChannelPutOp, DmaMemcpyNdOp>(op) &&
      op->getName().getStringRef() != "memref.alloc")
    return refuseOp(op, attribute.getName(),
                    "air.channel, air.channel.put, air.dma_memcpy_nd and "
                    "memref.alloc");
  auto count = dyn_cast<IntegerAttr>(attribute.getValue());
  if (count && count.getValue().isStrictlyPositive())
    return success();
  return refuseValue(op, attribute, "a positive integer");
}

static LogicalResult verifySupportedRanks(Operation *op,
                                          NamedAttribute attribute) {
  if (!isa<RankOp>(op))
    return refuseOp(op, attribute.getName(), "air.rank");
  auto flags = dyn_cast<StringAttr>(attribute.getValue());
  auto isFlag = [](char c) { return c == '0' || c == '1'; };
  if (flags && llvm::all_of(flags.getValue(), isFlag))
    return success();
  return refuseValue(op, attribute, "a string of '0' and '1'");
}

/// Returns whether `op` is a global of the kind that replaces air.channel ops.
static bool isGlobal(Operation *op) {
  return op->getName().getStringRef() == "llvm.mlir.global";
}

static LogicalResult verifyChannelName(Operation *op,
                                       NamedAttribute attribute) {
  if (!isGlobal(op))
    return refuseOp(op, attribute.getName(), "llvm.mlir.global");
  auto name = dyn_cast<StringAttr>(attribute.getValue());
  if (name && !name.getValue().empty())
    return success();
  return refuseValue(op, attribute, "a nonempty string");
}

static LogicalResult verifyChannelBytes(Operation *op,
                                        NamedAttribute attribute) {
  if (!isGlobal(op))
    return refuseOp(op, attribute.getName(), "llvm.mlir.global");
  auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
  if (bytes && bytes.getType().isInteger(64) && bytes.getInt() >= 0)
    return success();
  return refuseValue(op, attribute, "a non-negative i64");
}

static LogicalResult verifyEntryPoint(Operation *op, NamedAttribute attribute) {
  if (!isa<FunctionOpInterface>(op))
    return refuseOp(op, attribute.getName(), "a function");
  if (isa<EntryPointAttr>(attribute.getValue()))
    return success();
  return refuseValue(op, attribute, "#air.entry_point");
}

static LogicalResult verifySizeChecks(Operation *op, NamedAttribute attribute) {
  if (!isa<FunctionOpInterface>(op))
    return refuseOp(op, attribute.getName(), "a function");
  auto checks = dyn_cast<ArrayAttr>(attribute.getValue());
  if (checks && llvm::all_of(checks, llvm::IsaPred<SizeCheckAttr>))
    return success();
  return refuseValue(op, attribute, "an array of #air.size_check");
}

/// Rejects an attribute that is only allowed on arguments.
static LogicalResult refuseAnyOp(Operation *op, NamedAttribute attribute) {
  return refuseOp(op, attribute.getName(), "an argument of a function");
}

static LogicalResult verifyWork(Operation *op, NamedAttribute attribute) {
  auto works = dyn_cast<ArrayAttr>(attribute.getValue());
  if (isa<WorkAttr>(attribute.getValue()) ||
      (works && llvm::all_of(works, llvm::IsaPred<WorkAttr>)))
    return success();
  return refuseValue(op, attribute, "#air.work, or an array of #air.work");
}

static LogicalResult verifyKernelWork(Operation *op, NamedAttribute attribute) {
  auto work = dyn_cast<KernelWorkAttr>(attribute.getValue());
  if (work && llvm::all_of(work.getWorks(), llvm::IsaPred<WorkAttr>))
    return success();
  return refuseValue(op, attribute, "#air.kernel_work");
}

/// Each attribute of the dialect, with its verifier.
static constexpr AttrVerifier kVerifiers[] = {
    {AIRDialect::OffloadAttrHelper::getNameStr(), verifyUnit},
    {AIRDialect::MergeLaunchesAttrHelper::getNameStr(), verifyUnit},
    {AIRDialect::PlanMemoryAttrHelper::getNameStr(), verifyUnit},
    {AIRDialect::EntryPointAttrHelper::getNameStr(), verifyEntryPoint},
    {AIRDialect::SizeChecksAttrHelper::getNameStr(), verifySizeChecks},
    {AIRDialect::SeparateAttrHelper::getNameStr(), refuseAnyOp},
    {AIRDialect::DonatedAttrHelper::getNameStr(), refuseAnyOp},
    {AIRDialect::WorkAttrHelper::getNameStr(), verifyWork},
    {AIRDialect::KernelWorkAttrHelper::getNameStr(), verifyKernelWork},
    {AIRDialect::SymmetricAttrHelper::getNameStr(), verifySymmetric},
    {AIRDialect::RefeedCountAttrHelper::getNameStr(), verifyRefeedCount},
    {AIRDialect::SupportedRanksAttrHelper::getNameStr(), verifySupportedRanks},
    {AIRDialect::ChannelNameAttrHelper::getNameStr(), verifyChannelName},
    {AIRDialect::ChannelBytesAttrHelper::getNameStr(), verifyChannelBytes},
};

LogicalResult AIRDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  return verifyDiscardableAttr(
      op, attribute, kVerifiers, [&](ArrayRef<StringRef> known) {
        // Other tools may define their own attributes, so only report a
        // misspelled name of an attribute of this dialect.
        if (findSimilarName(attribute.getName(), known).empty())
          return LogicalResult::success();
        return refuseUnknownAttribute(op, attribute.getName(), known);
      });
}

LogicalResult AIRDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned region,
                                                   unsigned index,
                                                   NamedAttribute attribute) {
  StringRef donated = DonatedAttrHelper::getNameStr();
  if (attribute.getName() != donated)
    return success();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !isa<TensorType>(function.getArgumentTypes()[index]))
    return refuseOp(op, donated, "tensor arguments of functions");
  return verifyUnit(op, attribute);
}
