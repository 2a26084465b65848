//===- MemoryAccess.h - What the ops of a kernel access ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one analysis of memory accesses: which buffer an op accesses, which of
// its bytes as far as that is known, and which workers do so.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_MEMORYACCESS_H
#define AIRCC_PIPELINE_ANALYSIS_MEMORYACCESS_H

#include "pipeline/analysis/BufferLevels.h"
#include "pipeline/analysis/Uniformity.h"

#include "dialects/air/AIROps.h"

#include "llvm/ADT/SmallVector.h"

namespace aircc {

/// Which workers perform an access.
enum class AccessAgent {
  SingleWorker, ///< One worker, the same one each time.
  AllWorkers,   ///< All workers of the scope share it.
  LaneCode      ///< Lanes, as the program says; it synchronizes them itself.
};

/// One access of an op to one buffer.
struct MemoryAccess {
  mlir::Value buffer; ///< Null: any buffer at `level`.
  BufferLevel level = BufferLevel::Unknown;
  /// The bytes of LDS that the buffer occupies; equal where not known.
  int64_t firstByte = 0, endByte = 0;
  bool writes = false;
  /// The op does not wait for the access: it is complete after a barrier or a
  /// `layout.async_wait`.
  bool isAsync = false;
  /// The access is for a later iteration of a loop that states its accesses to
  /// the buffer at the head of each iteration.
  bool isPrefetch = false;
  /// A `kernel.access` states it.
  bool isStated = false;
  AccessAgent agent = AccessAgent::AllWorkers;

  bool isInLDS() const {
    return level == BufferLevel::Workgroup || level == BufferLevel::PerWave;
  }
  bool operator==(const MemoryAccess &) const = default;
};

/// True if `buffer` is a variable of its own in LDS, which other variables do
/// not overlap.
bool isVariable(mlir::Value buffer);

/// True if the two accesses may touch the same memory.
bool mayOverlap(const MemoryAccess &a, const MemoryAccess &b);

/// Appends what `op`, or the ops in its regions, may access of the memory that
/// several lanes share. An op whose effects are not known may access all of it.
void collectAccesses(mlir::Operation *op, AccessAgent agent,
                     llvm::SmallVectorImpl<MemoryAccess> &into);

/// The workers that perform the accesses of `op`, which has `role` in the
/// program of `scope`.
AccessAgent getAccessAgent(mlir::Operation *op, Role role, Scope scope,
                           const Uniformity &uniformity);

/// The scope whose workers share a transfer: the workgroup's threads, the
/// wave's lanes, or none, so that each lane makes its own.
Scope getTransferScope(air::TransferInterface transfer,
                       const Uniformity &uniformity);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_MEMORYACCESS_H
