//===- KernelArguments.h - Argument types of kernels ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_KERNELARGUMENTS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_KERNELARGUMENTS_H

#include "targets/TargetProfile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace aircc {

/// Returns true for a gpu.func, and for an llvm.func that is a kernel.
bool isKernelFunction(mlir::FunctionOpInterface function);

/// Emits an error at `kernel` if one of its arguments has a type that a launch
/// cannot pass by value.
mlir::LogicalResult checkKernelArguments(mlir::FunctionOpInterface kernel,
                                         Backend backend);

/// Returns why device code cannot compute with numbers of type `type` (also as
/// elements of a vector or a memref), or "".
std::string findMissingNumber(mlir::Type type, Backend backend);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_KERNELARGUMENTS_H
