//===- WrapLaunch.h - Wrap and unwrap launches ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_WRAPLAUNCH_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_WRAPLAUNCH_H

#include "dialects/air/AIROps.h"

namespace aircc::hierarchy {

/// Moves `ops`, which are in program order and have no results, into a launch
/// over `grid` at the insertion point. The values that they and their regions
/// use become arguments of the launch.
air::LaunchOp wrapInLaunch(mlir::OpBuilder &b,
                           llvm::ArrayRef<mlir::Operation *> ops,
                           mlir::ValueRange grid);

/// Returns the launches in `module` that have one workgroup and no tokens.
llvm::SmallVector<air::LaunchOp>
getSingleWorkgroupLaunches(mlir::ModuleOp module);

/// Moves the insertion point into an scf.if that checks that none of the
/// dynamic `sizes` is zero, because a device cannot launch an empty grid.
void createNonEmptyGuard(mlir::OpBuilder &b, mlir::Location loc,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Returns true if `op` has no effects and computes the same value on the host
/// as in a launch, which thread ids, for example, do not.
bool isHostComputable(mlir::Operation *op);

/// Replaces a launch without a space with its body.
void unwrapLaunch(air::LaunchOp launch);

/// Returns whether `used` is known not to be in the memory of `written`. Both
/// are buffers, not views. Either `written` is an allocation, and `used` is
/// another allocation or a value that already existed; or `written` is an
/// argument with `air.separate`, and `used` is an allocation, another argument
/// or a constant.
bool isSeparateBuffer(mlir::Value written, mlir::Value used);

/// Returns whether nothing that `ops` read is in the memory of `result`, so
/// that workgroups can write parts of it before others have read their inputs.
/// Buffers that the launch allocates do not count.
bool isResultSeparate(air::LaunchOp launch, mlir::Value result,
                      llvm::ArrayRef<mlir::Operation *> ops);

/// Wraps each op of a launch without a space into its own launch. Buffers of
/// the launch become memory that the device can access.
void splitLaunch(air::LaunchOp launch);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_WRAPLAUNCH_H
