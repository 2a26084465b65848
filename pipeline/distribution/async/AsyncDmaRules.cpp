//===- AsyncDmaRules.cpp - Rules of direct loads to LDS -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/async/AsyncDma.h"
#include "pipeline/distribution/async/Swizzle.h"
#include "pipeline/distribution/memory/Divisibility.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace aircc::distribution {

using layout::AsyncDmaPlan;
using layout::AsyncDmaRequest;

/// Checks the rules that do not depend on the plan.
LogicalResult AsyncDma::inspect() {
  if (elementBits == 0 || elementBits % 8)
    return op.emitOpError("copies elements of type ")
           << tile.getElementType()
           << ", whose size is not a whole number of bytes; copy them with "
              "vector.transfer_read and vector.transfer_write";
  if (findSwizzleHint(op.getSource()))
    return op.emitOpError("reads from a swizzled buffer; only the destination "
                          "of a transfer to LDS may be swizzled");
  if (failed(
          op.getSourceType().getStridesAndOffset(sourceStrides, sourceOffset)))
    return op.emitOpError("requires a source with a strided layout");
  if (failed(op.getDestType().getStridesAndOffset(destStrides, destOffset)) ||
      llvm::is_contained(destStrides, ShapedType::kDynamic))
    return op.emitOpError("requires a destination with constant strides");
  findSwizzle();
  return success();
}

/// Returns a known divisor of the offset of a view in its buffer, in elements.
static int64_t getOffsetDivisor(ArrayRef<Operation *> views) {
  int64_t divisor = 0;
  for (Operation *view : views) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            view))
      continue;
    auto part = dyn_cast<memref::SubViewOp>(view);
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!part ||
        failed(part.getSourceType().getStridesAndOffset(strides, offset)))
      return 1;
    for (auto [start, stride] :
         llvm::zip_equal(part.getMixedOffsets(), strides))
      divisor = std::gcd(divisor, ShapedType::isDynamic(stride)
                                      ? getKnownDivisor(start)
                                      : getKnownDivisor(start) * stride);
  }
  return divisor;
}

/// If the destination is a view of a swizzled buffer, sets `dest` to the same
/// view of the buffer without the hint.
void AsyncDma::findSwizzle() {
  dest = op.getDest();
  SmallVector<Operation *> views;
  layout::SwizzleHintOp hint = findSwizzleHint(dest, &views);
  if (!hint)
    return;
  swizzle = hint.getSwizzle().getShuffle();
  firstDivisor = getOffsetDivisor(views);
  for (int64_t d = 0; d < tile.getRank(); ++d) {
    // A tile as large as the buffer has index 0.
    if (tile.getDimSize(d) == op.getDestType().getDimSize(d))
      continue;
    firstDivisor = std::gcd(
        firstDivisor, getKnownDivisor(op.getDestIndices()[d]) * destStrides[d]);
  }
  IRMapping plain;
  plain.map(hint.getResult(), hint.getSource());
  OpBuilder b(op);
  for (Operation *view : llvm::reverse(views))
    b.clone(*view, plain);
  dest = plain.lookup(dest);
}

std::string AsyncDma::findSwizzleObstacle() {
  if (!swizzle)
    return {};
  // The tile must consist of complete, contiguous rows.
  int64_t expectedStride = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    if (tile.getDimSize(d) != 1 && destStrides[d] != expectedStride)
      return "swizzle: a tile of " + layout::shapeText(tile.getShape()) +
             " is not contiguous in its buffer: along dimension " +
             std::to_string(d) + " the stride is " +
             std::to_string(destStrides[d]) + ", not " +
             std::to_string(expectedStride);
    expectedStride *= tile.getDimSize(d);
  }
  int64_t row = swizzle->rowWidth();
  if (firstDivisor % row || tile.getNumElements() % row)
    return "swizzle: the tile cannot be proven to consist of complete rows "
           "of " +
           std::to_string(row) + " elements";
  return {};
}

std::string AsyncDma::findSourceObstacle(const AsyncDmaPlan &plan) {
  auto text = [](int64_t n) { return std::to_string(n); };
  // The elements of a lane must be contiguous in the source.
  int64_t expectedStride = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t elements = plan.params.elementTile[d];
    if (elements == 1)
      continue;
    unsigned dim = op.getSourceDim(d);
    if (isGathered(dim))
      return "source: dimension " + text(dim) +
             " is gathered, but a lane's piece has " + text(elements) +
             " elements along it";
    if (sourceStrides[dim] != expectedStride)
      return "source: a lane's piece has " + text(elements) +
             " elements along dimension " + text(dim) + ", whose stride is " +
             (ShapedType::isDynamic(sourceStrides[dim])
                  ? std::string("unknown")
                  : text(sourceStrides[dim])) +
             ", not " + text(expectedStride);
    if (!op.isInBounds(d)) {
      int64_t size = op.getSourceType().getDimSize(dim);
      if (ShapedType::isDynamic(size) || size % elements ||
          !isKnownMultiple(op.getSourceIndices()[dim], elements))
        return "bounds: along dimension " + text(dim) +
               ", the source may end within a lane's piece of " +
               text(elements) + " elements";
    }
    expectedStride *= elements;
  }
  // A descriptor created by the program may extend beyond the source.
  bool hasBounds =
      op.getInBounds() && llvm::is_contained(*op.getInBounds(), false);
  if (hasBounds && isFatBuffer(op.getSourceType())) {
    if (getOutOfBoundsDim() < 0)
      return "bounds: no known stride of the source can move an address out of "
             "its descriptor's range";
    Value memory = op.getSource();
    while (auto view = memory.getDefiningOp<ViewLikeOpInterface>()) {
      auto cast = dyn_cast<amdgpu::FatRawBufferCastOp>(view.getOperation());
      if (cast && !cast.getBoundsCheck())
        return "bounds: the descriptor of the source does not check bounds";
      memory = view.getViewSource();
    }
  }
  return {};
}

std::string AsyncDma::findDestObstacle(const AsyncDmaPlan &plan) {
  auto text = [](int64_t n) { return std::to_string(n); };
  // The elements of a wave must be contiguous in the destination.
  int64_t expectedStride = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t block = plan.params.threadTile[d] * plan.params.elementTile[d];
    if (block == 1)
      continue;
    if (destStrides[d] != expectedStride)
      return "destination: a load of " + text(lanes.getWaveSize()) +
             " lanes covers " + text(block) + " elements along dimension " +
             text(d) + ", whose stride is " + text(destStrides[d]) + ", not " +
             text(expectedStride);
    expectedStride *= block;
  }
  return {};
}

FailureOr<AsyncDmaPlan> AsyncDma::choosePlan(Reasons &reasons) {
  if (widths.empty()) {
    reasons.text = "the target has no direct loads to LDS";
    reasons.mayCopy = true;
    return failure();
  }
  AsyncDmaRequest request;
  request.shape.assign(tile.getShape().begin(), tile.getShape().end());
  request.elementBits = elementBits;
  request.waveSize = lanes.getWaveSize();
  request.waves = lanes.getNumWaves();
  request.widths.assign(widths.begin(), widths.end());
  if (swizzle)
    request.accessWidth = swizzle->accessWidth();
  reasons.text = findSwizzleObstacle();
  if (!reasons.text.empty())
    return failure();
  std::string obstacles;
  while (true) {
    layout::Result<AsyncDmaPlan> plan = planAsyncDma(request);
    if (!plan) {
      reasons.text =
          (request.widths.empty() && !obstacles.empty()
               ? "no direct-to-LDS load width fits a tile of " +
                     layout::shapeText(request.shape) + " elements of " +
                     std::to_string(elementBits) + " bits"
               : plan.message()) +
          obstacles;
      return failure();
    }
    std::string obstacle = findDestObstacle(*plan);
    if (obstacle.empty()) {
      obstacle = findSourceObstacle(*plan);
      if (obstacle.empty())
        return *plan;
      reasons.mayCopy = true;
    }
    obstacles +=
        (obstacles.empty() && request.widths.size() == 1 ? ": " : "; ") +
        std::to_string(plan->width) + " bits: " + obstacle;
    std::erase(request.widths, plan->width);
  }
}

} // namespace aircc::distribution
