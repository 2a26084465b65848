//===- Attributions.h - LDS buffers of kernels ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LDS buffers of a gpu.func are its workgroup attributions. The attribute
// `kernel.alignment` (i64) of an attribution is the alignment of the buffer in
// bytes; stage `codegen` verifies it and passes it to the backend.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H
#define AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::kernel {

inline constexpr llvm::StringLiteral kAlignmentAttr = "kernel.alignment";

/// Adds an LDS buffer of `type` to the kernel.
mlir::BlockArgument addWorkgroupBuffer(mlir::gpu::GPUFuncOp kernel,
                                       mlir::MemRefType type,
                                       mlir::Location loc, int64_t alignment);

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H
