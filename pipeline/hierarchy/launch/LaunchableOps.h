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

/// True for memrefs in L1 or L2, which exist only inside of a launch.
bool isOnChip(mlir::Type type);

/// True for ops that need a launch around them: segments, herds, DMAs, puts and
/// gets of channels inside of a device, and allocations in L1 and L2.
bool needsLaunch(mlir::Operation *op);

/// True if `op`, or an op in a region of it, needs a launch. Launches and their
/// bodies are not searched.
bool containsLaunchableWork(mlir::Operation *op);

/// Returns the first op in `op` (or `op` itself) that has to stay on the host;
/// null if a launch can run all of them.
mlir::Operation *findHostOp(mlir::Operation *op);

/// True if `op`, outside of segments and herds, accesses a buffer in L3 that no
/// kernel accesses otherwise: it may be memory that only the host can access.
bool accessesHostMemory(mlir::Operation *op);

/// True for an `air.execute` that only computes values, or allocates or frees
/// buffers in L3 if `allocates` or `frees`.
bool isSimpleExecute(mlir::Operation *op, bool allocates, bool frees);

/// True if the size of each segment and herd in `op` is constant or computed
/// outside of `op`: the host needs the sizes for the launch.
bool hasLaunchSizes(mlir::Operation *op);

/// True if `op` has effects that later code relies on without waiting for a
/// token of `op`.
bool blocks(mlir::Operation *op);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_LAUNCHABLEOPS_H
