//===- CyclicLoop.h - Cyclic loops over iterations --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Distributes `total` iterations cyclically: in each iteration of the emitted
// loop, worker w executes iteration `base + w`. The loop is the same for all
// workers, so the backend knows its trip count. Lanes are inactive only in the
// last iteration, if `total` is not a multiple of the number of workers.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H
#define AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H

#include "pipeline/analysis/ExecutionModel.h"

#include <optional>

namespace aircc::hierarchy {

/// The index of an iteration, as the sum of two parts.
struct CyclicIndex {
  /// Uniform across the workers; a multiple of `span` if `span` is known.
  mlir::Value base;
  /// Specific to the worker, in [0, span); null for 0.
  mlir::Value own;
  std::optional<int64_t> span;
};

/// Returns the coordinates of an iteration in a space of sizes `sizes`, in
/// row-major order. If sizes and span divide each other, uniform coordinates
/// are computed from uniform values.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &b,
                                           mlir::Location loc,
                                           CyclicIndex index,
                                           llvm::ArrayRef<mlir::Value> sizes);

/// Emits the loop in which the workers of `scope` (not Scope::Lane) execute
/// `total` iterations. `body` emits one iteration; it may be called twice, for
/// the loop and for the remainder. The emitted ops have `kernel.every_lane`.
void createCyclicLoop(
    mlir::OpBuilder &b, mlir::Location loc, Scope scope, mlir::Value total,
    llvm::function_ref<void(mlir::OpBuilder &, const CyclicIndex &)> body);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TRANSFERS_CYCLICLOOP_H
