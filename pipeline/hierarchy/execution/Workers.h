//===- Workers.h - Who shares the work of a kernel --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_EXECUTION_WORKERS_H
#define AIRCC_PIPELINE_HIERARCHY_EXECUTION_WORKERS_H

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/analysis/Uniformity.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace aircc::hierarchy {

/// The ids and counts of those who share work in a scope, as SSA values.
struct Workers {
  mlir::Value id;    ///< index, 0 <= id < count
  mlir::Value count; ///< index
};

/// The lanes of the wave (Scope::Wave) or the threads of the workgroup
/// (Scope::Workgroup) around the builder's insertion point.
Workers getWorkers(mlir::OpBuilder &b, mlir::Location loc, Scope scope);
/// The number of workers where it is known.
std::optional<int64_t> getWorkerCount(mlir::Operation *at, Scope scope);

/// `a / b`, rounded up, of index values that are not negative.
mlir::Value createCeilDiv(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value a, mlir::Value b);

/// The function that holds the code around `op` and knows the block's size.
mlir::Operation *getKernel(mlir::Operation *op);
/// Lanes in a wave, as the kernel says.
int64_t getWaveSize(mlir::Operation *op);
/// The block's size in dimension 0..2: a constant where it is known.
mlir::Value getBlockDim(mlir::OpBuilder &b, mlir::Location loc, unsigned dim);
std::optional<int64_t> getKnownBlockDim(mlir::Operation *at, unsigned dim);
/// The coordinate of this wave (or, where a PE is a lane, of this lane) in
/// dimension 0..2 of the block; the same value in all lanes of a wave.
mlir::Value createPeId(mlir::OpBuilder &b, mlir::Location loc, unsigned dim);

/// An op that the workers of `scope` share, or that one of them does for all
/// (`what` says which), must be the same op for each of them. Emits an error at
/// `op` if a value that it uses differs between them. Values that the ops in
/// `sameWorker` define do not count.
mlir::LogicalResult
checkSameForWorkers(mlir::Operation *op, Scope scope,
                    const Uniformity &uniformity,
                    llvm::StringRef what = "is shared out in the",
                    llvm::ArrayRef<mlir::Operation *> sameWorker = {});

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_EXECUTION_WORKERS_H
