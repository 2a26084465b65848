//===- ByteColumns.h - Transpose blocks of bytes ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BYTECOLUMNS_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BYTECOLUMNS_H

#include "pipeline/distribution/Distributor.h"

#include <map>

namespace aircc::distribution {

/// Creates vectors of bytes from different registers of a lane, as matrix
/// instructions need them when a factor was read along its other dimension.
/// Blocks of 4 x 4 bytes are transposed with two byte permutations (v_perm_b32)
/// per register; inserting single bytes would take three times as many
/// instructions.
class ByteColumns {
public:
  /// `elements` are 8-bit values in register order.
  ByteColumns(Distributor &d, llvm::ArrayRef<mlir::Value> elements)
      : d(d), elements(elements.begin(), elements.end()) {}

  /// Returns the vector of these elements; null if they are not a column of
  /// blocks.
  mlir::Value get(llvm::ArrayRef<int64_t> registers);

private:
  /// Returns the four columns of the block with the words at `rows`.
  llvm::ArrayRef<mlir::Value> getBlock(llvm::ArrayRef<int64_t> rows);
  mlir::Value permute(mlir::Value high, mlir::Value low,
                      llvm::ArrayRef<int32_t> bytes);

  Distributor &d;
  llvm::SmallVector<mlir::Value> elements;
  std::map<llvm::SmallVector<int64_t>, llvm::SmallVector<mlir::Value>> blocks;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BYTECOLUMNS_H
