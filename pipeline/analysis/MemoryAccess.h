//===- MemoryAccess.h - The memory accesses of a kernel's ops ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The single analysis of memory accesses: which buffer an op accesses, which
// bytes of it if known, and which workers perform the access.
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
  SingleWorker, ///< One worker, always the same.
  AllWorkers,   ///< All workers of the scope share the access.
  LaneCode      ///< Lanes perform it; the program itself synchronizes them.
};

/// One access of an op to one buffer.
struct MemoryAccess {
  mlir::Value buffer; ///< Null for any buffer at `level`.
  BufferLevel level = BufferLevel::Unknown;
  /// Whether the buffer is in global memory, in the arena of the workgroup.
  bool isInArena = false;
  /// The range of bytes that the buffer occupies in LDS or in the arena; empty
  /// if unknown.
  int64_t firstByte = 0, endByte = 0;
  bool writes = false;
  /// Whether the op does not wait for the access, which completes before the
  /// next barrier or `layout.async_wait`.
  bool isAsync = false;
  /// Whether the access is for a later iteration of a loop that declares its
  /// accesses to the buffer at the start of each iteration.
  bool isPrefetch = false;
  /// Whether a `kernel.access` declares the access.
  bool isStated = false;
  AccessAgent agent = AccessAgent::AllWorkers;

  bool isInLDS() const {
    return !isInArena &&
           (level == BufferLevel::Workgroup || level == BufferLevel::PerWave);
  }
  bool operator==(const MemoryAccess &) const = default;
};

/// Returns true if `buffer` is a distinct variable in LDS, which does not
/// overlap other variables.
bool isVariable(mlir::Value buffer);

/// Returns true if the two accesses may touch the same memory.
bool mayOverlap(const MemoryAccess &a, const MemoryAccess &b);

/// Appends the accesses that `op` and the ops in its regions may make to memory
/// shared by several lanes. An op with unknown effects may access all of it.
void collectAccesses(mlir::Operation *op, AccessAgent agent,
                     llvm::SmallVectorImpl<MemoryAccess> &into);

/// Returns the workers that perform the accesses of `op`, which has `role` in
/// the program of `scope`.
AccessAgent getAccessAgent(mlir::Operation *op, Role role, Scope scope,
                           const Uniformity &uniformity);

/// Returns the scope whose workers share a transfer: the threads of the
/// workgroup or the lanes of the wave; Lane if each lane executes its own.
Scope getTransferScope(air::TransferInterface transfer,
                       const Uniformity &uniformity);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_MEMORYACCESS_H
