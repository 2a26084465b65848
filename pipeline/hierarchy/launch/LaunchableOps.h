//===- LaunchableOps.h - Which host code a launch can run -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHABLEOPS_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHABLEOPS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace aircc::hierarchy {

/// Returns true for memrefs in L1 or L2, which exist only inside a launch.
bool isOnChip(mlir::Type type);

/// Returns true for ops that need a launch around them: segments, herds, DMAs,
/// puts and gets of channels within a device, and allocations in L1 and L2.
bool needsLaunch(mlir::Operation *op);

/// Returns true if `op`, or an op in a region of it, needs a launch. Launches
/// and their bodies are not searched.
bool containsLaunchableWork(mlir::Operation *op);

/// Returns the first op in `op` (or `op` itself) that must remain on the host;
/// null if a launch can run all of them.
mlir::Operation *findHostOp(mlir::Operation *op);

/// Returns true if `op`, outside segments and herds, accesses an L3 buffer that
/// no kernel accesses otherwise, so that it may be memory that only the host
/// can access.
bool accessesHostMemory(mlir::Operation *op);

/// Returns true for an `air.execute` that only computes values, or also
/// allocates or frees buffers in L3 if `allocates` or `frees` is set.
bool isSimpleExecute(mlir::Operation *op, bool allocates, bool frees);

/// Returns true if the size of each segment and herd in `op` is constant or
/// computed outside `op`, because the host needs the sizes for the launch.
bool hasLaunchSizes(mlir::Operation *op);

/// Returns true if `op` has effects that later code relies on without waiting
/// for a token of `op`.
bool blocks(mlir::Operation *op);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHABLEOPS_H
