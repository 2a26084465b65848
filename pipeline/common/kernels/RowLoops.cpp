//===- RowLoops.cpp - Long rows of elementwise ops ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/RowLoops.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace aircc;

/// The bytes that a lane reads or writes at once.
static constexpr int64_t kAccessBytes = 16;
/// The number of elements of a row that is not short.
static constexpr int64_t kRowElements = 32;

/// Whether lanes can access rows of `size` elements at full width.
static bool isWideRow(int64_t size, int64_t access) {
  return size >= kRowElements && size % access == 0;
}

/// The innermost loops of an elementwise op that are one loop over consecutive
/// elements of all operands, as few as make wide rows; empty if the innermost
/// loop does, or if there are no such loops.
static ReassociationIndices findRowLoops(linalg::GenericOp op) {
  AffineMap result = op.getIndexingMapsArray().back();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics() ||
      !result.isPermutation() || result.getNumResults() == 0)
    return {};
  // Operands that lack the innermost loop determine tiles as well. Dimensions
  // of size 1 have no loop.
  AffineExpr innermost = result.getResults().back();
  if (!llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return map.isProjectedPermutation() &&
               (map.getNumResults() == 0 ||
                map.getResults().back() == innermost);
      }))
    return {};
  int64_t access = 1;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand);
    if (!element.isIntOrFloat())
      return {};
    access =
        std::max(access, kAccessBytes * 8 / element.getIntOrFloatBitWidth());
  }
  ReassociationIndices loops;
  int64_t size = 1;
  for (AffineExpr index : llvm::reverse(result.getResults())) {
    int64_t loop = cast<AffineDimExpr>(index).getPosition();
    ReassociationIndices more{loop};
    llvm::append_range(more, loops);
    bool isConsecutive = more.size() == 1 || loop + 1 == more[1];
    if (ShapedType::isDynamic(sizes[loop]) || !isConsecutive ||
        !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {more}))
      break;
    loops = std::move(more);
    size *= sizes[loop];
    if (isWideRow(size, access))
      break;
  }
  return loops.size() > 1 ? loops : ReassociationIndices();
}

linalg::GenericOp aircc::joinRowLoops(RewriterBase &b, linalg::GenericOp op) {
  ReassociationIndices loops = findRowLoops(op);
  if (loops.empty())
    return op;
  b.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> joined = linalg::collapseOpIterationDims(
      cast<linalg::LinalgOp>(op.getOperation()), {loops}, b);
  // Buffers are not always contiguous.
  if (failed(joined))
    return op;
  auto generic = cast<linalg::GenericOp>(joined->collapsedOp.getOperation());
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  b.replaceOp(op, joined->results);
  return generic;
}
