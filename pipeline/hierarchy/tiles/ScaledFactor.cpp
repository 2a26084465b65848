//===- ScaledFactor.cpp - Factors of small floats and scales --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/ScaledFactor.h"

#include "pipeline/common/kernels/PackedElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <numeric>

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Returns the operand that corresponds to `value`, an argument of the body of
/// `op`.
OpOperand *getOperand(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBody()
             ? op.getMatchingOpOperand(argument)
             : nullptr;
}

/// Returns the loops of the producer in the order of the dimensions of
/// `matrix`: those of the outer dimensions and of the rows, then those along K.
SmallVector<unsigned> getLoops(const MatmulMatrix &matrix) {
  SmallVector<unsigned> loops;
  for (ArrayRef<unsigned> dim : matrix.producerLoops)
    loops.append(dim.begin(), dim.end());
  return loops;
}

/// Returns whether the operand is indexed by the first of `loops`, in this
/// order, and its last `numMerged` dimensions, those along K, can be merged.
bool isIndexedByFirst(linalg::GenericOp op, OpOperand *operand,
                      ArrayRef<unsigned> loops, size_t numMerged) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!map.isProjectedPermutation() || map.getNumResults() > loops.size())
    return false;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    if (map.getDimPosition(i) != loops[i])
      return false;
  MemRefType type = getMemRefType(operand->get());
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (size_t i = 0; i < numMerged; ++i) {
    size_t dim = type.getRank() - 1 - i;
    if (strides[dim] != expected)
      return false;
    // The outermost of these dimensions may have any size.
    if (i + 1 < numMerged && type.isDynamicDim(dim))
      return false;
    expected *= type.getDimSize(dim);
  }
  return true;
}

/// Returns `memref` with its dimensions from `first` on merged.
Value mergeDims(OpBuilder &b, Location loc, Value memref, int64_t first) {
  int64_t rank = getMemRefType(memref).getRank();
  if (rank == first + 1)
    return memref;
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < first; ++dim)
    groups.push_back({dim});
  groups.emplace_back(rank - first);
  std::iota(groups.back().begin(), groups.back().end(), first);
  return memref::CollapseShapeOp::create(b, loc, memref, groups);
}

} // namespace

std::optional<ScaledProducer>
hierarchy::matchScaledProducer(const MatmulMatrix &matrix) {
  linalg::GenericOp op = matrix.producer;
  // The rows and K are the last dimensions, and the rows are a single loop.
  size_t rank = matrix.producerLoops.size();
  if (!op || matrix.last + 1 != rank || matrix.first + 2 != rank ||
      matrix.producerLoops[matrix.first].size() != 1)
    return std::nullopt;
  auto scaling = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::ScalingExtFOp>();
  // Results in other types are not exact.
  if (!scaling ||
      !isa<Float32Type, BFloat16Type>(scaling.getResult().getType()) ||
      !isa<Float8E8M0FNUType>(scaling.getScale().getType()))
    return std::nullopt;
  SmallVector<unsigned> loops = getLoops(matrix);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  ScaledProducer result;
  result.type = cast<FloatType>(scaling.getIn().getType());
  result.scales = getOperand(op, scaling.getScale());
  if (std::optional<PackedElement> packed =
          matchPackedElement(scaling.getIn(), loops.back())) {
    if (sizes[loops.back()] != packed->count)
      return std::nullopt;
    result.elements = getOperand(op, packed->storage);
    result.packing = packed->count;
  } else if (result.type.getWidth() == 8) {
    result.elements = getOperand(op, scaling.getIn());
  }
  if (!result.elements || !result.scales)
    return std::nullopt;
  size_t outer = loops.size() - matrix.producerLoops[matrix.last].size();
  auto countAlongK = [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand).getNumResults() - outer;
  };
  size_t along =
      matrix.producerLoops[matrix.last].size() - (result.packing > 1 ? 1 : 0);
  if (!isIndexedByFirst(op, result.elements, loops, along) ||
      countAlongK(result.elements) != along)
    return std::nullopt;
  size_t scaled = countAlongK(result.scales);
  if (scaled == 0 || scaled >= loops.size() - outer ||
      !isIndexedByFirst(op, result.scales, loops, scaled))
    return std::nullopt;
  result.block = 1;
  for (unsigned loop : ArrayRef(loops).drop_front(outer + scaled)) {
    if (ShapedType::isDynamic(sizes[loop]))
      return std::nullopt;
    result.block *= sizes[loop];
  }
  return result;
}

ScaledFactor hierarchy::createScaledFactor(OpBuilder &b, Location loc,
                                           const MatmulMatrix &matrix,
                                           const ScaledProducer &producer) {
  auto view = [&](OpOperand *operand) {
    MatmulMatrix result = matrix;
    result.producer = nullptr;
    result.producerLoops.clear();
    result.memref = mergeDims(b, loc, operand->get(), matrix.last);
    return result;
  };
  return {view(producer.elements), view(producer.scales), producer.type,
          producer.block};
}
