//===- OpenCLMath.h - Lower math ops to OpenCL functions --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_XEVM_OPENCLMATH_H
#define AIRCC_PIPELINE_CODEGEN_XEVM_OPENCLMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc {

/// Replaces math ops on f32, f64 and vectors of them with calls to OpenCL's
/// functions if LLVM has no intrinsic or if the SPIR-V backend computes the
/// intrinsic less accurately than OpenCL requires.
void callOpenCLMath(mlir::gpu::GPUModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_OPENCLMATH_H
