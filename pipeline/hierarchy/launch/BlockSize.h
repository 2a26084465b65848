//===- BlockSize.h - Choose the block size of a launch ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_BLOCKSIZE_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_BLOCKSIZE_H

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ArrayRef.h"

namespace aircc::hierarchy {

/// The limits of the target, and whether a PE is a wave or a lane.
struct BlockLimits {
  int64_t waveSize = 0;
  /// Whether a PE is a lane instead of a wave.
  bool peIsLane = false;
  /// The maximum numbers of threads in a workgroup and of waves on a compute
  /// unit (0 for no limit).
  int64_t maxThreads = 0, maxWaves = 0;
};

/// Recomputes `value`, which is defined in or before `launch`, on the host at
/// the insertion point of `b`. Returns null if only the kernel can compute it.
mlir::Value getHostValue(mlir::Value value, mlir::gpu::LaunchOp launch,
                         mlir::OpBuilder &b);

/// Sets the block size of `launch` so that each of `herds` fits, or to a
/// default if there are no herds. Emits an error at a herd whose size the host
/// can neither compute nor bound, or that exceeds `limits`.
mlir::LogicalResult setBlockSize(mlir::gpu::LaunchOp launch,
                                 llvm::ArrayRef<air::HerdOp> herds,
                                 const BlockLimits &limits);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_BLOCKSIZE_H
