//===- Transfer.h - The addresses of a transfer -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer moves a sequence of elements; each side says at which addresses
// they lie. This is that description in its simplest form: a base and, for each
// dimension, a size and a stride, in elements of the buffer that the memref is
// (a view of). The rules that lead there are those of air.dma_memcpy_nd.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_TRANSFER_H
#define AIRCC_PIPELINE_COMMON_TRANSFER_H

#include "dialects/air/AIROps.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace aircc {

/// One dimension of a side. Coordinates in [before, before + size) are elements
/// of memory, the others, `before` and `after` many, are zeros.
struct TransferDim {
  mlir::OpFoldResult size;
  mlir::OpFoldResult stride;
  int64_t before = 0;
  int64_t after = 0;

  bool isPadded() const { return before || after; }
};

/// One side of a transfer.
struct TransferSide {
  /// The buffer as one row of elements, from its first.
  mlir::Value flat;
  /// Index of the element with the coordinates (0, 0, …).
  mlir::Value base;
  /// Outermost first; never empty.
  llvm::SmallVector<TransferDim> dims;

  /// Size of a dimension with its padding, if it is constant.
  static std::optional<int64_t> getExtent(const TransferDim &dim);
  /// Elements of the whole sequence, if the number is constant.
  std::optional<int64_t> getCount() const;
  /// How many elements, from coordinate 0 of the last dimension on, lie next to
  /// each other and can be moved in groups whose size divides this number.
  int64_t getRun() const;
};

struct Transfer {
  TransferSide dst, src;
  mlir::Type elementType;
};

/// Describes `op`, which has two sides, and builds what is needed for it at the
/// builder's place. Errors at the op if the sides cannot belong together.
mlir::FailureOr<Transfer> createTransfer(mlir::OpBuilder &b,
                                         air::TransferInterface op);

/// Describes the one side of an op whose other is a channel.
mlir::FailureOr<TransferSide> createTransferSide(mlir::OpBuilder &b,
                                                 air::TransferInterface op);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_TRANSFER_H
