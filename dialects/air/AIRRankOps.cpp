//===- AIRRankOps.cpp - Ranks, peers and chiplets -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"

using namespace mlir;
using namespace aircc::air;

LogicalResult UniverseAllocOp::verify() {
  std::optional<int64_t> capacity = getConstantIntValue(getCapacity());
  if (capacity && *capacity < 1)
    return emitOpError("has a capacity of ")
           << *capacity << "; a universe must have at least one device";
  return success();
}

LogicalResult RankOp::verify() {
  // A rank in other hierarchy ops is valid, but the compiler does not support
  // it.
  auto outer = (*this)->getParentOfType<RankOp>();
  if (!outer)
    return success();
  InFlightDiagnostic diag = emitOpError(
      "cannot be nested in another 'air.rank'; a process has exactly one rank");
  diag.attachNote(outer.getLoc()) << "the enclosing op is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// TranslateOp
//===----------------------------------------------------------------------===//

LogicalResult TranslateOp::verify() {
  for (auto [rank, name] :
       {std::pair(getFromRank(), "from"), std::pair(getToRank(), "to")}) {
    std::optional<int64_t> number = getConstantIntValue(rank);
    if (number && *number < 0)
      return emitOpError("translates an address ")
             << name << " rank " << *number << "; ranks are numbered from 0";
  }
  return success();
}

/// Returns whether the two are known to be the same rank.
static bool isSameRank(Value lhs, Value rhs) {
  return isEqualConstantIntOrValue(getAsOpFoldResult(lhs),
                                   getAsOpFoldResult(rhs));
}

OpFoldResult TranslateOp::fold(FoldAdaptor adaptor) {
  if (isSameRank(getFromRank(), getToRank()))
    return getSource();
  return {};
}

LogicalResult TranslateOp::canonicalize(TranslateOp op,
                                        PatternRewriter &rewriter) {
  // Fold a -> b -> c to a -> c if both translations use the same bases.
  auto first = op.getSource().getDefiningOp<TranslateOp>();
  if (!first || first.getHeapBases() != op.getHeapBases() ||
      !isSameRank(first.getToRank(), op.getFromRank()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getSourceMutable().assign(first.getSource());
    op.getFromRankMutable().assign(first.getFromRank());
  });
  return success();
}
