//===- HostValues.h - Values of kernels that the host knows -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of a kernel that is computed without memory from constants, the
// kernel's arguments and the sizes of its grid and workgroups can also be
// computed by the host before the launch.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_LAUNCH_HOSTVALUES_H
#define AIRCC_PIPELINE_HIERARCHY_LAUNCH_HOSTVALUES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace aircc::hierarchy {

/// Returns true if the host can compute `value` of a kernel.
bool isKnownToHost(mlir::Value value);

/// Recomputes `value`, for which isKnownToHost() must be true, at the insertion
/// point of `b` in the same kernel, outside all regions.
mlir::Value computeInKernel(mlir::Value value, mlir::OpBuilder &b,
                            mlir::IRMapping &mapping);

/// Computes `value` of `kernel`, for which isKnownToHost() must be true, for
/// `launch` at the insertion point of `b` in host code.
mlir::Value computeOnHost(mlir::Value value, mlir::gpu::LaunchFuncOp launch,
                          mlir::OpBuilder &b);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_LAUNCH_HOSTVALUES_H
