//===- ByteColumns.h - Bytes of several registers in one --------*- C++ -*-===//
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

/// A lane's bytes, of which four lie in a register, and vectors of bytes that
/// lie in different ones, as matrix instructions want them of a factor that was
/// read along its other dimension. Blocks of 4 x 4 bytes are turned around at
/// once: two byte permutations (v_perm_b32) for each register, where one byte
/// after the other would take three times as much.
class ByteColumns {
public:
  /// `elements` of eight bits each, in the order of registers.
  ByteColumns(Distributor &d, llvm::ArrayRef<mlir::Value> elements)
      : d(d), elements(elements.begin(), elements.end()) {}

  /// The vector of the elements at these places; null where they are not such
  /// ones.
  mlir::Value get(llvm::ArrayRef<int64_t> registers);

private:
  /// The four columns of the block of the words at `rows`.
  llvm::ArrayRef<mlir::Value> getBlock(llvm::ArrayRef<int64_t> rows);
  mlir::Value permute(mlir::Value high, mlir::Value low,
                      llvm::ArrayRef<int32_t> bytes);

  Distributor &d;
  llvm::SmallVector<mlir::Value> elements;
  std::map<llvm::SmallVector<int64_t>, llvm::SmallVector<mlir::Value>> blocks;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BYTECOLUMNS_H
