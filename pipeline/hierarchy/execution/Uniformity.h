//===- Uniformity.h - Which values differ between lanes ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_EXECUTION_UNIFORMITY_H
#define AIRCC_PIPELINE_HIERARCHY_EXECUTION_UNIFORMITY_H

#include "dialects/air/AIROps.h"
#include "pipeline/hierarchy/execution/ExecutionModel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc::hierarchy {

/// How far a value is the same: in the whole workgroup, in each wave, or
/// perhaps only in one lane.
enum class Extent { Workgroup, Wave, Lane };

/// Computes the extents of all values in a kernel, to a fixed point, on the
/// safe side. A value that comes from memory is as uniform as its address,
/// unless the memory belongs to a lane or a wave.
class Uniformity {
public:
  explicit Uniformity(mlir::Operation *kernel);

  Extent getExtent(mlir::Value value) const { return extents.lookup(value); }
  /// The largest extent that `op` is reached in by all or by none.
  Extent getControlExtent(mlir::Operation *op) const;

private:
  bool raise(mlir::Value value, Extent extent);
  bool raiseAll(mlir::ValueRange values, Extent extent);
  Extent join(mlir::ValueRange values) const;
  bool visit(mlir::Operation *op);
  bool visitRegions(mlir::Operation *op, Extent control);
  bool visitParallel(mlir::scf::ParallelOp loop);

  bool peIsLane = false;
  llvm::DenseMap<mlir::Value, Extent> extents;
  /// For an op with regions: what it adds to the control extent of its regions.
  llvm::DenseMap<mlir::Operation *, Extent> controls;
};

/// Who shares a transfer: the workgroup's threads, the wave's lanes, or nobody,
/// so that each lane makes its own.
Scope getTransferScope(air::TransferInterface transfer,
                       const Uniformity &uniformity);

/// What the workers of `scope` share out between them, or one of them does for
/// all (`what` says which), must be the same op for each: an error at `op` if a
/// value that it uses differs between them. What `sameWorker` define does not
/// count.
mlir::LogicalResult
checkSameForWorkers(mlir::Operation *op, Scope scope,
                    const Uniformity &uniformity,
                    llvm::StringRef what = "is shared out in the",
                    llvm::ArrayRef<mlir::Operation *> sameWorker = {});

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_EXECUTION_UNIFORMITY_H
