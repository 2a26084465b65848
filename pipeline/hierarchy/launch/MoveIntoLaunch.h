//===- MoveIntoLaunch.h - Make launches of host code ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_MOVEINTOLAUNCH_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_MOVEINTOLAUNCH_H

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace aircc::hierarchy {

/// Moves `ops`, which are in program order in one block, into a launch of one
/// point at the position of the last of them. Their results may only be used by
/// each other, except for tokens, which the token of the launch replaces.
air::LaunchOp moveIntoLaunch(llvm::ArrayRef<mlir::Operation *> ops);

/// Returns true for a parallel loop on the host whose iterations can be the
/// points of a launch, because a launch can run its body and it has no results
/// besides tokens.
bool isGridLoop(mlir::Operation *op);

/// Replaces a loop for which isGridLoop() returns true with a launch that has a
/// point for each iteration. `allocs` are on-chip buffers that only the loop
/// uses; each point gets its own copy.
air::LaunchOp convertToGrid(mlir::Operation *loop,
                            llvm::ArrayRef<mlir::Operation *> allocs);

/// Moves allocations whose results are operands of `launch` into it.
void moveBuffersIntoLaunch(air::LaunchOp launch,
                           llvm::ArrayRef<mlir::memref::AllocOp> allocs);

/// Returns true for a launch that has a single point, so that its body may be
/// part of another launch.
bool isSinglePoint(air::LaunchOp launch);

/// Replaces a launch of one point with its body. A join of all tokens of the
/// body replaces its token.
void inlineSinglePoint(air::LaunchOp launch);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_MOVEINTOLAUNCH_H
