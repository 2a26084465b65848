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

/// True if all lanes of `scope` execute `op` together and share the buffers
/// among its operands.
bool isExecutedCooperatively(mlir::Operation *op, Scope scope);

/// Tags the vectors of `op` as undistributed vectors of `scope`.
void tagUndistributed(mlir::Operation *op, Scope scope);

/// Vectorizes an elementwise op, a reduction, a fill, a copy or a transpose of
/// buffers of static shape, such that the vectors are undistributed. Returns
/// false without a change if some lanes would be idle, or if the distributed
/// vectors would need too many registers.
bool vectorizeCooperatively(mlir::RewriterBase &rewriter,
                            mlir::linalg::LinalgOp op, int64_t waveSize);

/// Tags vector code of a wave or workgroup as undistributed if it has anchors
/// or a product that a matrix instruction of the target supports. Otherwise,
/// every lane computes the entire vectors. Fails after an error at an anchor in
/// code that the lanes do not execute together.
mlir::LogicalResult tagUndistributedVectors(mlir::gpu::GPUFuncOp kernel,
                                            const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_COOPERATIVEOPS_H
