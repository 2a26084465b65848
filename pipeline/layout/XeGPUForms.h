//===- XeGPUForms.h - Other forms for some XeGPU ops ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites of XeGPU ops into others that mean the same, so that what follows
// has fewer forms to know.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H
#define AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// Replaces undistributed vectors of packed factors, <k/v x n x v>, by ones of
/// <k x n>: packing is the layout's business.
void unpackFactors(mlir::gpu::GPUFuncOp function);

/// Takes vectors that a kernel has as arguments apart and puts them together
/// again: all lanes have the whole of an argument, and each takes its part of
/// the copy.
void copyVectorArguments(mlir::gpu::GPUFuncOp function);

/// True if the function has ops of named barriers.
bool hasNamedBarriers(mlir::gpu::GPUFuncOp function);

/// Lowers named barriers in which all subgroups of the workgroup take part to
/// barriers of the workgroup. Refuses others with an error at the op.
mlir::LogicalResult lowerNamedBarriers(mlir::gpu::GPUFuncOp function,
                                       unsigned lanes);

/// Splits a lane's accesses to tiles that no block access of the hardware can
/// do alone. Descriptors must not have offsets of their own.
mlir::LogicalResult splitLaneBlocks(mlir::gpu::GPUFuncOp function,
                                    unsigned lanes);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUFORMS_H
