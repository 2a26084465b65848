//===- WrapLaunch.h - Ops into launches and out of them ---------*- C++ -*-===//
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

/// Puts `ops`, which stand in this order and have no results, into a launch of
/// `grid` at the builder's place. What they and their bodies use becomes the
/// launch's arguments.
air::LaunchOp wrapInLaunch(mlir::OpBuilder &b,
                           llvm::ArrayRef<mlir::Operation *> ops,
                           mlir::ValueRange grid);

/// The launches in `module` that are one workgroup's, and that nothing waits
/// for but what stands behind them.
llvm::SmallVector<air::LaunchOp>
getSingleWorkgroupLaunches(mlir::ModuleOp module);

/// Puts the builder under the condition that none of `sizes` is zero, as far as
/// that is not known: without elements there is no grid that a device can be
/// asked to run.
void createNonEmptyGuard(mlir::OpBuilder &b, mlir::Location loc,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// True if `op` computes the same on the host as in a launch, and nothing else:
/// ids of the device's threads, say, do not.
bool isHostComputable(mlir::Operation *op);

/// Puts the body of a launch without a space in its place.
void unwrapLaunch(air::LaunchOp launch);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_WRAPLAUNCH_H
