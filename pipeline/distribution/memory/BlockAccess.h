//===- BlockAccess.h - Two-dimensional block accesses of Xe -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subgroup moves a block of a matrix in memory with one message. The elements
// come to lanes in one of a few ways:
//
//   - rows:       lane l has column l (two neighbours of 8 bits), registers go
//                 down the rows;
//   - packed:     the same, registers of 32 bits hold 2 or 4 rows;
//   - narrow:     blocks of 8 columns of 32 bits, lanes 8 to 15 have the odd
//                 rows;
//   - transposed: lane l has row l, registers of 32 bits go along the columns.
//
// Hardware rules (cl_intel_subgroup_2d_block_io 1.1): the matrix begins at a
// multiple of 64 bytes; its width is at least 64 bytes and a multiple of 4, its
// pitch a multiple of 16; width, pitch and height have 24 bits; a block begins
// in a column that is a multiple of 4 bytes. The hardware does not report an
// access that breaks them. What lies outside is read as 0 and not written.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H

#include "pipeline/distribution/memory/Memory.h"

#include "dialects/kernel/BlockOps.h"

namespace aircc::distribution {

/// Rows and columns of the largest access.
inline constexpr int64_t kMaxBlockRows = 32, kMaxBlockColumns = 64;

/// Where each level of the cache keeps what is accessed; null: it is the
/// hardware's choice.
struct CacheHints {
  mlir::xegpu::CachePolicyAttr l1, l2, l3;
};

struct BlockOptions {
  /// The program asks for a block access: it answers for the rules that cannot
  /// be seen to hold. Those that are seen to be broken are looked at anyway.
  bool isRequested = false;
  /// Elements become factors on the right of a matrix instruction, which wants
  /// them packed.
  bool packed = false;
  /// No instruction may move more rows or columns (inst_data of the program).
  int64_t maxRows = kMaxBlockRows, maxColumns = kMaxBlockColumns;
  CacheHints hints;
};

/// The elements that a lane holds of what is read, as createLoads; nothing,
/// and no code, where block accesses cannot do it. What lies outside is 0, and
/// `others` are not looked at.
std::optional<llvm::SmallVector<mlir::Value>>
createBlockLoads(Distributor &d, const MemoryAccess &access,
                 const BlockOptions &options);

/// Stores a lane's elements, in the wave that is the first to hold them; false
/// where block accesses cannot do it.
bool createBlockStores(Distributor &d, const MemoryAccess &access,
                       mlir::ValueRange elements, const BlockOptions &options);

/// Prefetches the part of each wave; waves share out rows and columns as
/// `access.layout` says, of which only the subgroup tiles count. Where block
/// accesses cannot do it, nothing is prefetched.
void createBlockPrefetches(Distributor &d, const MemoryAccess &access,
                           const BlockOptions &options);

/// Whether `value` goes, as it is, to the right side of a matrix instruction.
bool isRightFactor(mlir::Value value);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H
