//===- Swizzle.h - Code for swizzled offsets --------------------*- C++ -*-===//
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

/// Returns the layout.swizzle_hint that `memory` is a view of, or null. Appends
/// the view ops in between to `views`, starting with the one that defines
/// `memory`.
layout::SwizzleHintOp
findSwizzleHint(mlir::Value memory,
                llvm::SmallVectorImpl<mlir::Operation *> *views = nullptr);

/// A position in a row-major buffer: a row of the swizzle and an element in it.
/// Null means 0.
struct RowAndColumn {
  mlir::Value row, column;
};

/// Converts `indices` in a buffer of shape `shape` to a row and column of the
/// swizzle. Avoids divisions where possible, for example if the rows of the
/// buffer are those of the swizzle.
RowAndColumn splitIntoRows(mlir::OpBuilder &b, mlir::Location loc,
                           const layout::XorShuffle &swizzle,
                           mlir::ValueRange indices,
                           llvm::ArrayRef<int64_t> shape);

/// Returns the column in which the element at `position` is stored; the row is
/// the same. Creates code for `XorShuffle::apply`.
mlir::Value swizzleColumn(mlir::OpBuilder &b, mlir::Location loc,
                          const layout::XorShuffle &swizzle,
                          RowAndColumn position);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_SWIZZLE_H
