//===- CyclicLoop.h - Loops whose iterations workers share ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work of `total` pieces is dealt out in rounds: in each, worker number w does
// the piece `base + w`. The loop over the rounds is the same for all workers,
// so that the backend sees its trip count, and no lane is off but in the last
// round of a total that is no multiple of the number of workers.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H
#define AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H

#include "pipeline/analysis/ExecutionModel.h"

#include <optional>

namespace aircc::hierarchy {

/// The number of a piece of work, in two parts.
struct CyclicIndex {
  /// The same for all workers; a multiple of `span` where that is known.
  mlir::Value base;
  /// The worker's own part, in [0, span); null for 0.
  mlir::Value own;
  std::optional<int64_t> span;
};

/// Coordinates of a piece in a box of `sizes`, outermost first, in row-major
/// order. What is the same for all workers is computed from values that are,
/// where sizes and span divide each other.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &b,
                                           mlir::Location loc,
                                           CyclicIndex index,
                                           llvm::ArrayRef<mlir::Value> sizes);

/// Emits the rounds in which the workers of `scope` (not Scope::Lane) do
/// `total` pieces. `body` emits the work of one piece at the builder's place;
/// it may be called twice, for the full rounds and for the rest. The ops that
/// now stand in the shared program carry `kernel.every_lane`.
void createCyclicLoop(
    mlir::OpBuilder &b, mlir::Location loc, Scope scope, mlir::Value total,
    llvm::function_ref<void(mlir::OpBuilder &, const CyclicIndex &)> body);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H
