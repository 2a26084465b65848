//===- Windows.h - Windows of images --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A convolution is the product of a matrix whose rows are the windows of an
// image and a matrix whose columns are filters. A generic op copies the
// windows, and another one may add zeros around the image. A matmul kernel
// computes tiles of the window matrix from these ops, which then store nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_WINDOWS_H
#define AIRCC_PIPELINE_COMMON_KERNELS_WINDOWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

/// The maximum number of bytes between the first and the last element that a
/// tile of windows reads. An offset of this size is therefore outside the tile,
/// and the sum of two offsets has at most 31 bits.
inline constexpr int64_t kMaxWindowBytes = int64_t(1) << 30;

/// Returns whether `op` copies elements of its only input, whose strides are
/// known, such that each index is a sum of a constant and of loops times
/// constants, none of them negative.
bool isWindowCopy(mlir::linalg::GenericOp op);

/// Returns whether the image elements that a tile of windows reads are less
/// than kMaxWindowBytes apart. `map` maps the loops, whose sizes are `sizes`,
/// to indices of `image`. `rows` and `columns` are the loops of the rows and
/// columns of the window matrix; a tile has all columns and some rows.
bool isWithinReach(mlir::ShapedType image, mlir::AffineMap map,
                   llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<unsigned> rows,
                   llvm::ArrayRef<unsigned> columns);

/// A tensor or memref with zeros around it.
struct Padding {
  mlir::Value source;
  /// The number of zeros at the start of each dimension.
  llvm::SmallVector<int64_t> low;
};

/// Matches `op` as the padding of a tensor or memref of constant size.
std::optional<Padding> matchPadding(mlir::linalg::GenericOp op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_WINDOWS_H
