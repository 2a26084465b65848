//===- Transfer.h - The addresses of a transfer -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A transfer copies a sequence of elements; each side determines their
// addresses. This is the simplest form of that description: a base and, for
// each dimension, a size and a stride, in elements of the buffer that the
// memref views. It is derived by the rules of air.dma_memcpy_nd.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_TRANSFER_H
#define AIRCC_PIPELINE_COMMON_TRANSFER_H

#include "dialects/air/AIROps.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace aircc {

/// One dimension of a side. Coordinates in [before, before + size) are elements
/// in memory; the `before` and `after` coordinates around them are zeros.
struct TransferDim {
  mlir::OpFoldResult size;
  mlir::OpFoldResult stride;
  int64_t before = 0;
  int64_t after = 0;

  bool isPadded() const { return before || after; }
};

/// One side of a transfer.
struct TransferSide {
  /// The buffer as a one-dimensional memref that begins at its first element.
  mlir::Value flat;
  /// The index of the element at coordinates (0, 0, …).
  mlir::Value base;
  /// Outermost first; never empty.
  llvm::SmallVector<TransferDim> dims;

  /// Returns the size of a dimension including its padding, if it is constant.
  static std::optional<int64_t> getExtent(const TransferDim &dim);
  /// Returns the number of elements of the whole sequence, if it is constant.
  std::optional<int64_t> getCount() const;
  /// Returns the number of contiguous elements starting at coordinate 0 of the
  /// last dimension. Groups whose size divides this number can be transferred
  /// together.
  int64_t getContiguousCount() const;
};

struct Transfer {
  TransferSide dst, src;
  mlir::Type elementType;
};

/// Describes `op`, which has two sides, and creates the required ops at the
/// insertion point of `b`. Emits an error at `op` if the sides do not match.
mlir::FailureOr<Transfer> createTransfer(mlir::OpBuilder &b,
                                         air::TransferInterface op);

/// Describes one side of an op whose other side is a channel.
mlir::FailureOr<TransferSide> createTransferSide(mlir::OpBuilder &b,
                                                 air::TransferInterface op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_TRANSFER_H
