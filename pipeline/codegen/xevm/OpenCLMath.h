//===- OpenCLMath.h - Functions of the math dialect as OpenCL's  -*- C++
//-*-===//
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

/// Turns ops of the math dialect, on f32 and f64 and vectors of them, into
/// calls of OpenCL's functions where LLVM has no intrinsic, or one that the
/// SPIR-V backend computes less exactly than OpenCL asks for.
void callOpenCLMath(mlir::gpu::GPUModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_OPENCLMATH_H
