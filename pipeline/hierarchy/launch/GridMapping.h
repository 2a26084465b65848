//===- GridMapping.h - Map iteration spaces to a grid -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A grid of workgroups has three dimensions, but the iteration spaces of a
// launch and its segments may have more in total. If each instance of a segment
// must run on one XCD, workgroup ids are permuted, because the hardware assigns
// consecutive workgroups to the XCDs in round-robin order.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::hierarchy {

/// The spaces that form a grid: that of the launch, followed by those of the
/// segments, outermost first. Sizes are index values.
struct GridSpaces {
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> spaces;
  /// Which of `spaces` is distributed over the XCDs; -1 if none is.
  int xcdSpace = -1;
  int64_t xcds = 1;
};

/// Computes the sizes of the grid on the host.
llvm::SmallVector<mlir::Value, 3> createGridSizes(mlir::OpBuilder &b,
                                                  mlir::Location loc,
                                                  const GridSpaces &spaces);

/// The point that a workgroup executes.
struct GridPoint {
  /// For each space, the id in each dimension.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> ids;
  /// An i1 that is false in the workgroups that only pad the grid to a multiple
  /// of the number of XCDs. Null if there is no padding.
  mlir::Value isUsed;
};
/// Computes the point of this workgroup in the kernel.
GridPoint createGridPoint(mlir::OpBuilder &b, mlir::Location loc,
                          const GridSpaces &spaces,
                          mlir::ValueRange workgroupIds);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H
