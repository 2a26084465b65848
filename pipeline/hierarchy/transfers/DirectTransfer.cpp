//===- DirectTransfer.cpp - Transfers by direct LDS loads -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/transfers/DirectTransfer.h"
#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/hierarchy/execution/Workers.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "dialects/layout/algebra/AsyncDma.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The largest offset of a direct load, in bytes.
constexpr int64_t kReach = (int64_t(1) << 31) - 1;
/// Direct loads are unrolled, so a loop is better if there are more than this.
constexpr int64_t kMaxLoads = 32;
/// The alignment in LDS of a wave's load, in bytes.
constexpr int64_t kAlignment = 16;

/// Returns the number of contiguous elements, from the innermost dimension
/// outward.
int64_t getContiguousElements(const TransferSide &side) {
  int64_t count = 1;
  for (const TransferDim &dim : llvm::reverse(side.dims)) {
    if (getConstantIntValue(dim.stride) != count)
      break;
    count *= *TransferSide::getExtent(dim);
  }
  return count;
}

/// Returns whether all lanes of the workers of `scope` execute `op`.
bool isRunByAllLanes(Operation *op, Scope scope) {
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(getKernel(op));
  if (!kernel || !kernel.getKnownBlockSize() ||
      kernel->hasAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr()))
    return false;
  return getScope(op) == scope;
}

/// Returns whether the transfer is from global memory to LDS that the workers
/// of `scope` share. Buffers in an arena are in global memory.
bool isToLds(air::DmaMemcpyNdOp op, Scope scope) {
  Value source = op.getSourcePattern().memref;
  Value target = op.getTargetPattern().memref;
  return (getBufferLevel(source) == BufferLevel::Global || isInArena(source)) &&
         !isInArena(target) &&
         getBufferLevel(target) == (scope == Scope::Wave
                                        ? BufferLevel::PerWave
                                        : BufferLevel::Workgroup);
}

/// Returns the shape of the source; nullopt if it is dynamic, empty or padded.
std::optional<SmallVector<int64_t>> getShape(const Transfer &transfer) {
  SmallVector<int64_t> shape;
  for (const TransferDim &dim : transfer.src.dims) {
    std::optional<int64_t> extent = TransferSide::getExtent(dim);
    if (!extent || *extent <= 0 || dim.isPadded())
      return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

/// Returns whether the tile is contiguous in LDS and aligned.
bool isContiguousInLds(const Transfer &transfer, int64_t bits) {
  for (const TransferDim &dim : transfer.dst.dims)
    if (!TransferSide::getExtent(dim))
      return false;
  std::optional<int64_t> count = transfer.dst.getCount();
  std::optional<int64_t> first = getConstantIntValue(transfer.dst.base);
  return count && count == transfer.src.getCount() &&
         getContiguousElements(transfer.dst) == count && first &&
         *first * bits / 8 % kAlignment == 0;
}

/// Returns whether the workers can load a tile of this shape with a few loads
/// of one of the widths. The elements of a lane must be contiguous in the
/// source.
bool hasLoads(air::DmaMemcpyNdOp op, const Transfer &transfer,
              const DirectTransfer &direct, ArrayRef<int64_t> widths,
              int64_t bits) {
  std::optional<int64_t> workers = getWorkerCount(op, direct.scope);
  int64_t waveSize = getWaveSize(op);
  if (!workers || *workers % waveSize)
    return false;
  layout::AsyncDmaRequest request;
  request.shape.assign(direct.shape.begin(), direct.shape.end());
  request.elementBits = bits;
  request.waveSize = waveSize;
  request.waves = *workers / waveSize;
  int64_t contiguous = getContiguousElements(transfer.src);
  for (int64_t width : widths)
    if (width % bits == 0 && contiguous % (width / bits) == 0)
      request.widths.push_back(width);
  if (request.widths.empty())
    return false;
  layout::Result<layout::AsyncDmaPlan> plan = planAsyncDma(request);
  return plan && plan->loads <= kMaxLoads;
}

/// Checks that offsets in the source are small enough for direct loads. Sets
/// `direct.fits` to a condition on dynamic strides.
bool checkReach(OpBuilder &b, Location loc, const Transfer &transfer,
                int64_t bits, DirectTransfer &direct) {
  const int64_t maxParts = transfer.src.dims.size() + 1;
  int64_t reach = 1;
  Value fits;
  for (const TransferDim &dim : transfer.src.dims) {
    int64_t extent = *TransferSide::getExtent(dim);
    if (std::optional<int64_t> stride = getConstantIntValue(dim.stride)) {
      if (*stride < 0 || *stride > kReach)
        return false;
      reach += extent * *stride;
      continue;
    }
    Value stride = getValueOrCreateConstantIndexOp(b, loc, dim.stride);
    Value most = arith::ConstantIndexOp::create(
        b, loc, (kReach / (bits / 8) - 1) / extent / maxParts);
    // Negative strides are large unsigned numbers.
    Value isShort =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, stride, most);
    fits = fits ? arith::AndIOp::create(b, loc, fits, isShort).getResult()
                : isShort;
  }
  direct.fits = fits;
  // The range is split evenly between the dynamic strides and the sum of the
  // constant ones.
  return reach <= kReach / (bits / 8) / (fits ? maxParts : 1);
}

} // namespace

std::optional<DirectTransfer>
getDirectTransfer(OpBuilder &b, air::DmaMemcpyNdOp op, const Transfer &transfer,
                  Scope scope, ArrayRef<int64_t> widths) {
  if (widths.empty() || scope == Scope::Lane || !isRunByAllLanes(op, scope) ||
      !isToLds(op, scope))
    return std::nullopt;
  Type element = transfer.elementType;
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (bits == 0 || bits % 8)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> shape = getShape(transfer);
  if (!shape || !isContiguousInLds(transfer, bits))
    return std::nullopt;
  DirectTransfer direct{*shape, scope, {}};
  if (!hasLoads(op, transfer, direct, widths, bits) ||
      !checkReach(b, op.getLoc(), transfer, bits, direct))
    return std::nullopt;
  return direct;
}

void emitDirectTransfer(OpBuilder &b, Location loc, const Transfer &transfer,
                        const DirectTransfer &direct, bool counted) {
  auto view = [&](const TransferSide &side,
                  ArrayRef<OpFoldResult> strides) -> Value {
    auto type = cast<MemRefType>(side.flat.getType());
    SmallVector<int64_t> constants;
    SmallVector<Value> unused;
    dispatchIndexOpFoldResults(strides, unused, constants);
    OpFoldResult offset = getAsOpFoldResult(side.base);
    std::optional<int64_t> first = getConstantIntValue(offset);
    auto layout = StridedLayoutAttr::get(
        b.getContext(), first ? *first : ShapedType::kDynamic, constants);
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : direct.shape)
      sizes.push_back(b.getIndexAttr(size));
    return memref::ReinterpretCastOp::create(
        b, loc,
        MemRefType::get(direct.shape, type.getElementType(), layout,
                        type.getMemorySpace()),
        side.flat, offset, sizes, strides);
  };
  SmallVector<OpFoldResult> srcStrides, dstStrides(direct.shape.size());
  for (const TransferDim &dim : transfer.src.dims) {
    std::optional<int64_t> stride = getConstantIntValue(dim.stride);
    srcStrides.push_back(stride ? OpFoldResult(b.getIndexAttr(*stride))
                                : dim.stride);
  }
  int64_t size = 1;
  for (int64_t dim = direct.shape.size() - 1; dim >= 0; --dim) {
    dstStrides[dim] = b.getIndexAttr(size);
    size *= direct.shape[dim];
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> zeros(direct.shape.size(), zero);
  Value src = view(transfer.src, srcStrides),
        dst = view(transfer.dst, dstStrides);
  auto op = layout::AsyncDmaOp::create(
      b, loc, src, zeros, dst, zeros,
      VectorType::get(direct.shape, transfer.elementType),
      /*in_bounds=*/nullptr, /*permutation_map=*/nullptr, counted);
  op->setAttr(
      layout::LayoutDialect::ScopeAttrHelper::getNameStr(),
      layout::ScopeAttr::get(b.getContext(), direct.scope == Scope::Wave
                                                 ? layout::Scope::Wave
                                                 : layout::Scope::Workgroup));
  op->setAttr(kernel::KernelDialect::EveryLaneAttrHelper::getNameStr(),
              b.getUnitAttr());
}

} // namespace aircc::hierarchy
