//===- DeviceFunctions.h - Calls of OpenCL functions -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// OpenCL functions are identified by their mangled names: the SPIR-V backend
// lowers some calls to instructions and the others to imports, which the device
// compiler resolves (see IntelFunctions.h).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Properties of a function that the optimizer may assume.
struct FunctionEffects {
  /// Whether the result depends on which lanes call it together.
  bool isConvergent = false;
  /// Whether it neither reads nor writes memory.
  bool isPure = false;
};

/// Calls `name`, with types of the LLVM dialect, and declares it in `module` if
/// necessary. (The op being built need not be in the module yet.) Returns null
/// if there is no result type.
mlir::Value callDeviceFunction(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::gpu::GPUModuleOp module,
                               llvm::StringRef name, mlir::Type result,
                               mlir::ValueRange args, FunctionEffects effects);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H
