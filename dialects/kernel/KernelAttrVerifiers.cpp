//===- KernelAttrVerifiers.cpp - Verifiers of discardable attributes ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/common/DiscardableAttrs.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::kernel;

static bool isKernel(Operation *op) {
  return isa<gpu::LaunchOp, FunctionOpInterface>(op);
}

static LogicalResult verifyKernelUnit(Operation *op, NamedAttribute attribute) {
  if (!isKernel(op))
    return refuseOp(op, attribute.getName(), "a gpu.launch or a function");
  return verifyUnit(op, attribute);
}

static LogicalResult verifyScope(Operation *op, NamedAttribute attribute) {
  if (op->getNumRegions() == 0)
    return refuseOp(op, attribute.getName(), "kernels and ops with regions");
  auto scope = dyn_cast<ScopeAttr>(attribute.getValue());
  if (!scope || scope.getValue() > Scope::Workgroup)
    return refuseValue(op, attribute,
                       "#kernel.scope<lane>, #kernel.scope<wave> or "
                       "#kernel.scope<workgroup>");
  return success();
}

static LogicalResult verifyPeIsLane(Operation *op, NamedAttribute attribute) {
  if (!isKernel(op) && op->getName().getStringRef() != "air.launch")
    return refuseOp(op, attribute.getName(),
                    "air.launch, gpu.launch or a function");
  return verifyUnit(op, attribute);
}

static LogicalResult verifyWaveSize(Operation *op, NamedAttribute attribute) {
  if (!isKernel(op))
    return refuseOp(op, attribute.getName(), "a gpu.launch or a function");
  auto size = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!size || !size.getType().isInteger(64) || size.getInt() <= 0 ||
      !llvm::isPowerOf2_64(size.getInt()))
    return refuseValue(op, attribute, "an i64 that is a power of two");
  return success();
}

static LogicalResult verifyName(Operation *op, NamedAttribute attribute) {
  if (!isa<gpu::LaunchOp>(op) && op->getName().getStringRef() != "air.launch")
    return refuseOp(op, attribute.getName(), "gpu.launch and air.launch");
  auto name = dyn_cast<StringAttr>(attribute.getValue());
  if (!name || name.getValue().empty())
    return refuseValue(op, attribute, "a nonempty string");
  return success();
}

/// Returns true if `op` has a single result that is a memref.
static bool isView(Operation *op) {
  return op->getNumResults() == 1 &&
         isa<BaseMemRefType>(op->getResult(0).getType());
}

static LogicalResult verifyLDSRange(Operation *op, NamedAttribute attribute) {
  if (!isView(op))
    return refuseOp(op, attribute.getName(), "ops with a single memref result");
  auto range = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!range || range.size() != 2 || range[0] < 0 || range[1] < range[0])
    return refuseValue(op, attribute,
                       "array<i64: first, end> with 0 <= first <= end");
  return success();
}

static LogicalResult verifyPerWave(Operation *op, NamedAttribute attribute) {
  if (!op->hasAttr(KernelDialect::LdsRangeAttrHelper::getNameStr()))
    return refuseOp(op, attribute.getName(),
                    "views of LDS buffers with 'kernel.lds_range'");
  return verifyUnit(op, attribute);
}

static LogicalResult verifyOwnBuffers(Operation *op, NamedAttribute attribute) {
  if (op->getNumRegions() == 0)
    return refuseOp(op, attribute.getName(), "ops with regions");
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  llvm::SmallSet<int64_t, 8> seen;
  auto isNew = [&](int64_t number) {
    return number >= 0 && seen.insert(number).second;
  };
  if (!numbers || !llvm::all_of(numbers.asArrayRef(), isNew))
    return refuseValue(
        op, attribute,
        "array<i64: ...> of distinct indices of private attributions");
  return success();
}

static LogicalResult verifyPrefetch(Operation *op, NamedAttribute attribute) {
  if (op->getName().getStringRef() != "air.dma_memcpy_nd")
    return refuseOp(op, attribute.getName(), "air.dma_memcpy_nd");
  return verifyUnit(op, attribute);
}

static LogicalResult verifyDeviceLibraries(Operation *op,
                                           NamedAttribute attribute) {
  if (!isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
    return refuseOp(op, attribute.getName(), "gpu.module and gpu.binary");
  auto files = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!files || !llvm::all_of(files, llvm::IsaPred<StringAttr>))
    return refuseValue(op, attribute, "a list of strings");
  return success();
}

/// Each attribute of the dialect, with its verifier.
static constexpr AttrVerifier kVerifiers[] = {
    {KernelDialect::ScopeAttrHelper::getNameStr(), verifyScope},
    {KernelDialect::WaveSizeAttrHelper::getNameStr(), verifyWaveSize},
    {KernelDialect::PeIsLaneAttrHelper::getNameStr(), verifyPeIsLane},
    {KernelDialect::HasWaveIdsAttrHelper::getNameStr(), verifyKernelUnit},
    {KernelDialect::PesInRowAttrHelper::getNameStr(), verifyKernelUnit},
    {KernelDialect::NameAttrHelper::getNameStr(), verifyName},
    {KernelDialect::EveryLaneAttrHelper::getNameStr(), verifyUnit},
    {KernelDialect::LdsRangeAttrHelper::getNameStr(), verifyLDSRange},
    {KernelDialect::PerWaveAttrHelper::getNameStr(), verifyPerWave},
    {KernelDialect::OwnBuffersAttrHelper::getNameStr(), verifyOwnBuffers},
    {KernelDialect::PrefetchAttrHelper::getNameStr(), verifyPrefetch},
    {KernelDialect::DeviceLibrariesAttrHelper::getNameStr(),
     verifyDeviceLibraries},
};

LogicalResult
KernelDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  return verifyDiscardableAttr(
      op, attribute, kVerifiers, [&](ArrayRef<StringRef> known) {
        return refuseUnknownAttribute(op, attribute.getName(), known);
      });
}

void aircc::kernel::dropKernelAttrs(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (isa_and_nonnull<KernelDialect>(attribute.getNameDialect()))
      op->removeDiscardableAttr(attribute.getName());
}
