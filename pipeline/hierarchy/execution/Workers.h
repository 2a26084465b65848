//===- Workers.h - Workers of a scope ---------------------------*- C++ -*-===//
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

/// The id of a worker and the number of workers in a scope, as SSA values.
struct Workers {
  mlir::Value id;    ///< An index, 0 <= id < count.
  mlir::Value count; ///< An index.
};

/// Returns the lanes of the wave (Scope::Wave) or the threads of the workgroup
/// (Scope::Workgroup) around the builder's insertion point.
Workers getWorkers(mlir::OpBuilder &b, mlir::Location loc, Scope scope);
/// Returns the number of workers, if known.
std::optional<int64_t> getWorkerCount(mlir::Operation *at, Scope scope);

/// Returns `a / b`, rounded up, of non-negative index values.
mlir::Value createCeilDiv(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value a, mlir::Value b);

/// Returns the function around `op`, whose attributes hold the block size.
mlir::Operation *getKernel(mlir::Operation *op);
/// Returns the number of lanes in a wave, according to the kernel.
int64_t getWaveSize(mlir::Operation *op);
/// Returns the block size in dimension 0..2, as a constant if it is known.
mlir::Value getBlockDim(mlir::OpBuilder &b, mlir::Location loc, unsigned dim);
std::optional<int64_t> getKnownBlockDim(mlir::Operation *at, unsigned dim);
/// Returns the coordinate of this PE in dimension 0..2 of the block. If a PE is
/// a wave, the value is uniform across the wave.
mlir::Value createPeId(mlir::OpBuilder &b, mlir::Location loc, unsigned dim);

/// Checks an op that is distributed over the workers of `scope`, or that one of
/// them executes for all (`what` describes it). Emits an error at `op` if it
/// uses a value that differs between the workers. Does not check values that
/// the ops in `sameWorker` define.
mlir::LogicalResult
checkSameForWorkers(mlir::Operation *op, Scope scope,
                    const Uniformity &uniformity,
                    llvm::StringRef what = "is distributed over the",
                    llvm::ArrayRef<mlir::Operation *> sameWorker = {});

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_EXECUTION_WORKERS_H
