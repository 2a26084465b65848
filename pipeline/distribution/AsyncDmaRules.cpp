//===- AsyncDmaRules.cpp - Which loads a transfer to LDS fits -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/AsyncDma.h"
#include "pipeline/distribution/Divisibility.h"

using namespace mlir;

namespace aircc::distribution {

using layout::AsyncDmaPlan;
using layout::AsyncDmaRequest;

/// What does not depend on how the tile is dealt out.
LogicalResult AsyncDma::inspect() {
  if (elementBits == 0 || elementBits % 8)
    return op.emitOpError("moves elements of type ")
           << tile.getElementType()
           << ", which are not a whole number of bytes; copy them with "
              "vector.transfer_read and vector.transfer_write";
  dest = op.getDest();
  if (auto hint = dest.getDefiningOp<layout::SwizzleHintOp>()) {
    dest = hint.getSource();
    swizzle = hint.getSwizzle().getShuffle();
  }
  if (op.getSource().getDefiningOp<layout::SwizzleHintOp>())
    return op.emitOpError("reads from a swizzled buffer; only the destination "
                          "of a transfer to LDS can be one");
  if (failed(
          op.getSourceType().getStridesAndOffset(sourceStrides, sourceOffset)))
    return op.emitOpError("needs a source with strides");
  if (failed(op.getDestType().getStridesAndOffset(destStrides, destOffset)) ||
      llvm::is_contained(destStrides, ShapedType::kDynamic))
    return op.emitOpError("needs a destination of constant strides");
  return success();
}

std::string AsyncDma::findSwizzleObstacle() {
  if (!swizzle)
    return {};
  // Whole rows, next to each other.
  bool partial = false;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    if (partial && tile.getDimSize(d) != 1)
      return "swizzle: a tile of " + layout::shapeText(tile.getShape()) +
             " is not one run of rows of its buffer of " +
             layout::shapeText(op.getDestType().getShape());
    partial |= tile.getDimSize(d) != op.getDestType().getDimSize(d);
  }
  int64_t row = swizzle->rowWidth();
  int64_t first = 0;
  for (auto [index, stride] : llvm::zip_equal(op.getDestIndices(), destStrides))
    first = std::gcd(first, getKnownDivisor(index) * stride);
  if (first % row || tile.getNumElements() % row)
    return "swizzle: the tile does not surely consist of whole rows of " +
           std::to_string(row) + " elements";
  return {};
}

std::string AsyncDma::findObstacle(const AsyncDmaPlan &plan) {
  auto text = [](int64_t n) { return std::to_string(n); };
  // A lane's piece is one run of the source.
  int64_t run = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t elements = plan.params.elementTile[d];
    if (elements == 1)
      continue;
    unsigned dim = op.getSourceDim(d);
    if (isGathered(dim))
      return "source: dimension " + text(dim) +
             " is gathered, but a lane's piece has " + text(elements) +
             " elements along it";
    if (sourceStrides[dim] != run)
      return "source: a lane's piece has " + text(elements) +
             " elements along dimension " + text(dim) + ", whose stride is " +
             (ShapedType::isDynamic(sourceStrides[dim])
                  ? std::string("not known")
                  : text(sourceStrides[dim])) +
             ", not " + text(run);
    if (!op.isInBounds(d)) {
      int64_t size = op.getSourceType().getDimSize(dim);
      if (ShapedType::isDynamic(size) || size % elements ||
          !isKnownMultiple(op.getSourceIndices()[dim], elements))
        return "bounds: along dimension " + text(dim) +
               " the source may end within a lane's piece of " +
               text(elements) + " elements";
    }
    run *= elements;
  }
  // A wave's load is one run of the destination.
  run = 1;
  for (int64_t d = tile.getRank() - 1; d >= 0; --d) {
    int64_t block = plan.params.threadTile[d] * plan.params.elementTile[d];
    if (block == 1)
      continue;
    if (destStrides[d] != run)
      return "destination: a load of " + text(lanes.getWaveSize()) +
             " lanes covers " + text(block) + " elements along dimension " +
             text(d) + ", whose stride is " + text(destStrides[d]) + ", not " +
             text(run);
    run *= block;
  }
  return {};
}

FailureOr<AsyncDmaPlan> AsyncDma::choosePlan(std::string &reasons) {
  AsyncDmaRequest request;
  request.shape.assign(tile.getShape().begin(), tile.getShape().end());
  request.elementBits = elementBits;
  request.waveSize = lanes.getWaveSize();
  request.waves = lanes.getNumWaves();
  request.widths.assign(widths.begin(), widths.end());
  if (swizzle)
    request.accessWidth = swizzle->accessWidth();
  reasons = findSwizzleObstacle();
  if (!reasons.empty())
    return failure();
  std::string obstacles;
  while (true) {
    layout::Result<AsyncDmaPlan> plan = planAsyncDma(request);
    if (!plan) {
      reasons = (request.widths.empty() && !obstacles.empty()
                     ? "no direct-to-LDS width moves a tile of " +
                           layout::shapeText(request.shape) + " elements of " +
                           std::to_string(elementBits) + " bits"
                     : plan.message()) +
                obstacles;
      return failure();
    }
    std::string obstacle = findObstacle(*plan);
    if (obstacle.empty())
      return *plan;
    obstacles +=
        (obstacles.empty() && request.widths.size() == 1 ? ": " : "; ") +
        std::to_string(plan->width) + " bits: " + obstacle;
    std::erase(request.widths, plan->width);
  }
}

} // namespace aircc::distribution
