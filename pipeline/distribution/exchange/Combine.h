//===- Combine.h - Sums and their like over lanes and waves -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_COMBINE_H
#define AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_COMBINE_H

#include "pipeline/distribution/Distributor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::distribution {

/// One combination of two elements.
struct Combiner {
  mlir::vector::CombiningKind kind;
  mlir::arith::FastMathFlagsAttr flags;

  mlir::Value operator()(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, mlir::Value rhs) const;
  /// What changes nothing; fails for a kind and type that do not go together.
  mlir::FailureOr<mlir::Value> identity(mlir::OpBuilder &b, mlir::Location loc,
                                        mlir::Type type) const;
};

/// The layout with `dims` in front of its dimensions.
layout::NestedLayout withLeadingDims(llvm::ArrayRef<layout::DimTiles> dims,
                                     const layout::NestedLayout &layout);

/// Combines partial results that lanes and waves hold. `partial` are the
/// registers of a vector of layout `kept`; `spread` are the dimensions that the
/// parts are spread over, of which only the subgroup and thread tiles count.
/// In the end every lane has the whole results, the same bits in all. The order
/// is fixed: lanes as a butterfly, then waves from the first to the last.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
combineOverLanes(Distributor &d, mlir::Operation *op, const Combiner &combine,
                 mlir::ValueRange partial, const layout::NestedLayout &kept,
                 llvm::ArrayRef<layout::DimTiles> reduced);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_COMBINE_H
