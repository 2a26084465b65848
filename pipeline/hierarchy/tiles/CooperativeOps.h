//===- CooperativeOps.h - Ops that workers run together ---------*- C++ -*-===//
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

/// Returns whether elements of `type` can be in vectors of which each lane
/// holds a part.
bool isVectorizableType(mlir::Type type);

/// Returns whether `op`, in the body of a structured op, also supports vectors.
bool isVectorizableScalar(mlir::Operation *op);

/// Returns true if all lanes of `scope` execute `op` together and share the
/// buffers among its operands.
bool isExecutedCooperatively(mlir::Operation *op, Scope scope);

/// Tags the vectors of `op` as undistributed vectors of `scope`.
void tagUndistributed(mlir::Operation *op, Scope scope);

/// Returns the number of lanes that compute the elements of `op` together;
/// nullopt if `op` cannot be vectorized, or each lane executes it.
std::optional<int64_t> getCooperatingWorkers(mlir::linalg::LinalgOp op,
                                             int64_t waveSize);

/// Returns the number of bits that an element takes in registers.
int64_t countElementBits(mlir::linalg::LinalgOp op);

/// Replaces `op` with undistributed vectors of sizes `sizes`, one for each
/// loop, which are at least as large as the loops. Returns false without
/// changing anything if that is not possible.
bool vectorizeUndistributed(mlir::RewriterBase &rewriter,
                            mlir::linalg::LinalgOp op,
                            llvm::ArrayRef<int64_t> sizes);

/// Vectorizes an elementwise op, a reduction, a fill, a copy or a transpose of
/// buffers of static shape with undistributed vectors. Returns false without
/// changing anything if most lanes would be idle, or if the distributed vectors
/// would need too many registers.
bool vectorizeCooperatively(mlir::RewriterBase &rewriter,
                            mlir::linalg::LinalgOp op, int64_t waveSize);

/// Like vectorizeCooperatively, for an op whose last loop has a dynamic size or
/// is too long for registers: creates a loop over chunks of it. The loop
/// accumulates a reduction in a vector, which is reduced after the loop.
bool vectorizeInChunks(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       int64_t waveSize);

/// Tags the vectors in wave-level or workgroup-level code as undistributed if
/// the code has anchors, or a product that a matrix instruction of the target
/// supports. Otherwise, every lane computes the entire vectors. Fails after an
/// error at an anchor in code that the lanes do not execute together.
mlir::LogicalResult tagUndistributedVectors(mlir::gpu::GPUFuncOp kernel,
                                            const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_COOPERATIVEOPS_H
