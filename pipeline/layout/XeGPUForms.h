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

/// Replaces undistributed vectors of packed factors, <k/v x n x v>, by vectors
/// <k x n>: packing becomes part of the layout.
void unpackFactors(mlir::gpu::GPUFuncOp function);

/// Splits vectors that are kernel arguments and combines them again: all lanes
/// have the whole argument, and each takes its part of that copy.
void copyVectorArguments(mlir::gpu::GPUFuncOp function);

/// Whether the function uses named barriers.
bool hasNamedBarriers(mlir::gpu::GPUFuncOp function);

/// Lowers named barriers in which all subgroups of the workgroup take part to
/// barriers of the workgroup. Rejects others with an error at the op.
mlir::LogicalResult lowerNamedBarriers(mlir::gpu::GPUFuncOp function,
                                       unsigned lanes);

/// Splits accesses of a lane to tiles that are too large for one block access
/// of the hardware. Descriptors must not have offsets of their own.
mlir::LogicalResult splitLaneBlocks(mlir::gpu::GPUFuncOp function,
                                    unsigned lanes);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H
