//===- DeviceFunctions.h - Calls of functions of OpenCL ------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL's functions are known by their mangled names: the SPIR-V backend makes
// instructions of some calls and imports of the others, which the device's
// compiler resolves (IntelFunctions.h says which it has).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace aircc {

/// What the optimizer may assume of a function.
struct FunctionEffects {
  /// It depends on which lanes call it together.
  bool isConvergent = false;
  /// It neither reads nor writes memory.
  bool isPure = false;
};

/// Calls `name`, with types of the LLVM dialect, and declares it in `module`
/// where it is not yet. (What is being built need not be in the module
/// already.) No result type: returns null.
mlir::Value callDeviceFunction(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::gpu::GPUModuleOp module,
                               llvm::StringRef name, mlir::Type result,
                               mlir::ValueRange args, FunctionEffects effects);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_DEVICEFUNCTIONS_H
