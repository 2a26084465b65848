//===- Swizzle.h - Swizzled offsets as code ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_ASYNC_SWIZZLE_H
#define AIRCC_PIPELINE_DISTRIBUTION_ASYNC_SWIZZLE_H

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "mlir/IR/Builders.h"

namespace aircc::distribution {

/// The hint that `memory` is a view of, or null. `views` becomes the ops from
/// the hint to `memory`, the last first.
layout::SwizzleHintOp
findSwizzleHint(mlir::Value memory,
                llvm::SmallVectorImpl<mlir::Operation *> *views = nullptr);

/// A place in a row-major buffer, in elements: `row` counts the swizzle's rows,
/// `column` the elements in one. Any parts of the sum may be null, for 0.
struct RowAndColumn {
  mlir::Value row, column;
};

/// Splits the place that `indices` name in a buffer of `shape` into the rows
/// and columns of a swizzle. Divides as little as it can: not at all where the
/// buffer's own rows are the swizzle's.
RowAndColumn splitIntoRows(mlir::OpBuilder &b, mlir::Location loc,
                           const layout::XorShuffle &swizzle,
                           mlir::ValueRange indices,
                           llvm::ArrayRef<int64_t> shape);

/// The column where the element in column `place.column` of row `place.row` is
/// stored; the row stays. `XorShuffle::apply` as code.
mlir::Value swizzleColumn(mlir::OpBuilder &b, mlir::Location loc,
                          const layout::XorShuffle &swizzle,
                          RowAndColumn position);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_SWIZZLE_H
