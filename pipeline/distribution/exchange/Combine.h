//===- Combine.h - Combine over lanes and waves -----------------*- C++ -*-===//
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

/// Combines two elements.
struct Combiner {
  mlir::vector::CombiningKind kind;
  mlir::arith::FastMathFlagsAttr flags;

  mlir::Value operator()(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, mlir::Value rhs) const;
  /// Returns the identity of the combination. Fails if the type does not
  /// support the kind.
  mlir::FailureOr<mlir::Value> identity(mlir::OpBuilder &b, mlir::Location loc,
                                        mlir::Type type) const;
};

/// Returns the layout with `dims` before its dimensions.
layout::NestedLayout withLeadingDims(llvm::ArrayRef<layout::DimTiles> dims,
                                     const layout::NestedLayout &layout);

/// Combines partial results of lanes and waves. `partial` holds the registers
/// of a vector with layout `kept`; `reduced` holds the dimensions over which
/// the partial results are distributed (only their subgroup and thread tiles
/// matter). All lanes get bitwise identical results. The order is fixed: a
/// butterfly over lanes, then waves from first to last.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
combineOverLanes(Distributor &d, mlir::Operation *op, const Combiner &combine,
                 mlir::ValueRange partial, const layout::NestedLayout &kept,
                 llvm::ArrayRef<layout::DimTiles> reduced);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_EXCHANGE_COMBINE_H
