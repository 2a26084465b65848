//===- XeGPUForms.h - Normalization of XeGPU ops ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites XeGPU ops into equivalent ones, so that later passes have fewer
// forms to handle.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H
#define AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// Replaces undistributed vectors of packed factors, <k/v x n x v>, with
/// vectors <k x n>, so that packing becomes part of the layout.
void unpackFactors(mlir::gpu::GPUFuncOp function);

/// Splits vectors that are kernel arguments and combines them again. All lanes
/// have the whole argument, and each takes its part of that copy.
void copyVectorArguments(mlir::gpu::GPUFuncOp function);

/// Returns whether the function uses named barriers.
bool hasNamedBarriers(mlir::gpu::GPUFuncOp function);

/// Lowers named barriers in which all subgroups of the workgroup participate to
/// workgroup barriers. Emits an error at the op for others.
mlir::LogicalResult lowerNamedBarriers(mlir::gpu::GPUFuncOp function,
                                       unsigned lanes);

/// Splits accesses by lanes to tiles that are too large for one block access of
/// the hardware. Descriptors must not have offsets of their own.
mlir::LogicalResult splitLaneBlocks(mlir::gpu::GPUFuncOp function,
                                    unsigned lanes);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H
