//===- TileOps.h - Parts of kernels on undistributed vectors ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_TILEOPS_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_TILEOPS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace aircc::hierarchy {

/// Creates a launch whose code the workgroup executes as one program
/// (layout.scope). `build` creates the code at the insertion point.
mlir::gpu::LaunchOp
createWorkgroupLaunch(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::gpu::KernelDim3 grid, int64_t threads,
                      llvm::StringRef name, mlir::TypeRange buffers,
                      llvm::function_ref<void(mlir::gpu::LaunchOp)> build);

/// A factor of a product of tiles: M x K or K x M for the left one, N x K or
/// K x N for the right one.
struct Factor {
  mlir::Value value;
  bool isAlongK; ///< K is the last dimension.
};

/// Adds the product of two tiles to `sums`, which is M x N.
mlir::vector::ContractionOp createProduct(mlir::OpBuilder &b,
                                          mlir::Location loc, Factor lhs,
                                          Factor rhs, mlir::Value sums);

/// Converts scalars or vectors to another type of the same kind: floating-point
/// numbers, or signed integers.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value value, mlir::Type element);

/// Returns the input of `op` that is `value`; there must be one.
mlir::OpOperand *findInput(mlir::linalg::GenericOp op, mlir::Value value);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_TILEOPS_H
