//===- GridMapping.h - From spaces of points to a grid ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid of workgroups has three dimensions; the space of a launch and those of
// the segments in it may have more together. And where the instances of a
// segment are to lie on one XCD each, the ids of the workgroups are not the
// points in their order, because the hardware deals workgroups out to the XCDs
// one after another.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::hierarchy {

/// Spaces that make up a grid together: the launch's first, then the segments'
/// from the outside in. Sizes are index values.
struct GridSpaces {
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> spaces;
  /// Which of `spaces` goes over the XCDs, -1 for none.
  int xcdSpace = -1;
  /// XCDs of the device.
  int64_t xcds = 1;
};

/// The sizes of the grid, made on the host.
llvm::SmallVector<mlir::Value, 3> createGridSizes(mlir::OpBuilder &b,
                                                  mlir::Location loc,
                                                  const GridSpaces &spaces);

/// What a workgroup is, made in the kernel.
struct GridPoint {
  /// For each space, an id for each dimension.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> ids;
  /// i1: false in workgroups that are only there to fill up a round of XCDs.
  /// Null where there are none.
  mlir::Value isUsed;
};
GridPoint createGridPoint(mlir::OpBuilder &b, mlir::Location loc,
                          const GridSpaces &spaces,
                          mlir::ValueRange workgroupIds);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_GRIDMAPPING_H
