//===- BlockAccess.h - 2D block accesses of Xe ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A subgroup loads or stores a block of a matrix in memory with one message.
// There are a few forms of distribution over lanes:
//
//   - rows:       lane l has column l (of 8-bit elements, two), and one
//                 register per row;
//   - packed:     the same, but a register of 32 bits has 2 or 4 rows;
//   - narrow:     blocks of 8 columns of 32 bits; lanes 8 to 15 have the odd
//                 rows;
//   - transposed: lane l has row l, and its 32-bit registers have the columns.
//
// Hardware rules (cl_intel_subgroup_2d_block_io 1.1): the address of the matrix
// is a multiple of 64 bytes; its width is at least 64 bytes and a multiple of
// 4; its pitch is a multiple of 16; width, pitch and height have 24 bits; the
// first column of a block is at a multiple of 4 bytes. The hardware does not
// report violations. Out-of-bounds elements are read as 0 and not written.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H

#include "pipeline/distribution/memory/Memory.h"

#include "dialects/kernel/BlockOps.h"

namespace aircc::distribution {

/// The rows and columns of the largest access.
inline constexpr int64_t kMaxBlockRows = 32, kMaxBlockColumns = 64;

/// The caching policy of each cache level; null for the hardware's default.
struct CacheHints {
  mlir::xegpu::CachePolicyAttr l1, l2, l3;
};

struct BlockOptions {
  /// Whether the program requests a block access, so that hardware rules that
  /// cannot be checked at compile time are assumed to hold. Known violations
  /// are still rejected.
  bool isRequested = false;
  /// Whether the elements become the right factor of a matrix instruction,
  /// which takes them packed.
  bool packed = false;
  /// The maximum numbers of rows and columns of an instruction (inst_data in
  /// the program).
  int64_t maxRows = kMaxBlockRows, maxColumns = kMaxBlockColumns;
  CacheHints hints;
};

/// Like createLoads, but with block accesses. Returns nullopt, without creating
/// code, if block accesses do not support the access. Out-of-bounds elements
/// are 0.
std::optional<llvm::SmallVector<mlir::Value>>
createBlockLoads(Distributor &d, const MemoryAccess &access,
                 const BlockOptions &options);

/// Like createStores, but with block accesses. Returns false if block accesses
/// do not support the access.
bool createBlockStores(Distributor &d, const MemoryAccess &access,
                       mlir::ValueRange elements, const BlockOptions &options);

/// Prefetches the part of each wave according to the subgroup tiles of
/// `access.layout`. Does nothing if block accesses do not support the access.
void createBlockPrefetches(Distributor &d, const MemoryAccess &access,
                           const BlockOptions &options);

/// Returns whether `value` is used unchanged as the right factor of a matrix
/// instruction.
bool isRightFactor(mlir::Value value);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_BLOCKACCESS_H
