//===- BlockSize.h - How many threads a workgroup gets ----------*- C++ -*-===//
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

/// What the target allows, and what a PE is on it.
struct BlockLimits {
  /// Lanes of a wave.
  int64_t waveSize = 0;
  /// A PE is a lane, not a wave.
  bool peIsLane = false;
  /// Threads of a workgroup, and waves of a compute unit (0: not stated).
  int64_t maxThreads = 0, maxWaves = 0;
};

/// `value`, which code in or before `launch` computes, computed by the host
/// where `b` stands; null where only the kernel can know it.
mlir::Value getHostValue(mlir::Value value, mlir::gpu::LaunchOp launch,
                         mlir::OpBuilder &b);

/// Gives `launch` the block that holds each of `herds`, or one for code without
/// herds. An error at a herd that has no size that the host knows or can limit,
/// or that needs more than `limits` allow.
mlir::LogicalResult setBlockSize(mlir::gpu::LaunchOp launch,
                                 llvm::ArrayRef<air::HerdOp> herds,
                                 const BlockLimits &limits);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_BLOCKSIZE_H
