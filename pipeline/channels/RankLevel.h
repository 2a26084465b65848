//===- RankLevel.h - What is code of the host in a program of ranks -*- C++
//-*-===//
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

/// True if the memref lies in #air.symmetric_heap by its type.
bool isSymmetric(mlir::Type type);

/// True for an allocation in the symmetric heap: by its type, or by the older
/// attribute `air.symmetric`.
bool isSymmetricAllocation(mlir::Operation *op);

/// True if `op` is code of a kernel: in an air.launch, air.segment, air.herd, a
/// gpu.launch or a gpu.func.
bool isInKernel(mlir::Operation *op);

/// How many messages of a rank may be on the way through an element of the
/// channel: its `depth`, or 4 where it does not say.
int64_t getChannelDepth(air::ChannelOp channel);

/// Hands `value`, which dominates the outermost kernel op around `op`, to the
/// place of `op` through the args of air.launch, air.segment and air.herd.
mlir::Value bringIntoKernel(mlir::Operation *op, mlir::Value value);

/// What addresses of peers are computed from.
struct RankContext {
  mlir::Value rank;      ///< This process's rank in the world: index.
  mlir::Value heapBases; ///< memref<?xindex>.
};

/// Makes both available at `op`, on the host or in a kernel.
mlir::FailureOr<RankContext> getRankContext(mlir::Operation *op,
                                            RuntimeCalls &runtime);

/// The outermost op around `op` that is a kernel; `op` itself if it is code of
/// the host.
mlir::Operation *getOutermostKernel(mlir::Operation *op);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RANKLEVEL_H
