//===- CooperativeOps.h - Ops that workers do together ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_COOPERATIVEOPS_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_COOPERATIVEOPS_H

#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::hierarchy {

/// True if whoever runs the code of `op` does so with all its lanes, and the
/// buffers among its operands are theirs together.
bool isExecutedCooperatively(mlir::Operation *op, Scope scope);

/// Says on `op` that its vectors are held by the workers of `scope` together.
void tagUndistributed(mlir::Operation *op, Scope scope);

/// Makes ops on whole vectors of an elementwise op, a reduction, a fill, a copy
/// or a transpose of buffers of constant shape, where every lane has something
/// to do and its share fits in few registers. False, and nothing done, where it
/// does not.
bool vectorizeCooperatively(mlir::RewriterBase &rewriter,
                            mlir::linalg::LinalgOp op, int64_t waveSize);

/// Says of vector code that a wave or the workgroup runs, and that multiplies
/// matrices as an instruction of the target does, or has anchors, that its
/// vectors are held together. Left alone, every lane would compute all of them.
/// Fails after an error where an anchor stands in code that is not run
/// together.
mlir::LogicalResult tagUndistributedVectors(mlir::gpu::GPUFuncOp kernel,
                                            const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_COOPERATIVEOPS_H
