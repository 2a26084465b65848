//===- KernelArguments.h - What a launch can pass to a kernel ---*- C++ -*-===//
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

/// True for a gpu.func and for an llvm.func that is a kernel.
bool isKernelFunction(mlir::FunctionOpInterface function);

/// Refuses argument types of a kernel that no launch can pass by value, with an
/// error at the kernel.
mlir::LogicalResult checkKernelArguments(mlir::FunctionOpInterface kernel,
                                         Backend backend);

/// Why code for the backend cannot compute with numbers of `type` (also as
/// elements of a vector or a memref), or "".
std::string findMissingNumber(mlir::Type type, Backend backend);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_KERNELARGUMENTS_H
