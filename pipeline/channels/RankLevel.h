//===- RankLevel.h - Rank-level host code and kernels -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_RANKLEVEL_H
#define AIRCC_PIPELINE_CHANNELS_RANKLEVEL_H

#include "pipeline/channels/Runtime.h"

#include "dialects/air/AIROps.h"

namespace aircc::channels {

/// Returns true if the type of the memref is in #air.symmetric_heap.
bool isSymmetric(mlir::Type type);

/// Returns true if `op` allocates in the symmetric heap, according to its type
/// or to the older attribute `air.symmetric`.
bool isSymmetricAllocation(mlir::Operation *op);

/// Returns true if `op` is in a kernel, that is, in an air.launch, air.segment,
/// air.herd, gpu.launch or gpu.func.
bool isInKernel(mlir::Operation *op);

/// Returns how many messages may be in flight through one element of the
/// channel: its `depth`, or 4 by default.
int64_t getChannelDepth(air::ChannelOp channel);

/// Passes `value`, which dominates the outermost kernel op around `op`, to `op`
/// through the args of air.launch, air.segment and air.herd.
mlir::Value bringIntoKernel(mlir::Operation *op, mlir::Value value);

/// The values from which addresses in other ranks' heaps are computed.
struct RankContext {
  mlir::Value rank;      ///< This process's rank in the world, an index.
  mlir::Value heapBases; ///< memref<?xindex>.
};

/// Makes both values available at `op`, in host code or in a kernel.
mlir::FailureOr<RankContext> getRankContext(mlir::Operation *op,
                                            RuntimeCalls &runtime);

/// Returns the outermost kernel op around `op`, or `op` itself in host code.
mlir::Operation *getOutermostKernel(mlir::Operation *op);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RANKLEVEL_H
