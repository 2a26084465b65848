//===- Attributions.h - The buffers in LDS that a kernel has ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gpu.func lists its buffers in LDS as workgroup attributions. The attribute
// `kernel.alignment` of one, an i64, is the alignment of the buffer in bytes;
// stage `codegen` verifies it and hands it to the back end.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H
#define AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::kernel {

inline constexpr llvm::StringLiteral kAlignmentAttr = "kernel.alignment";

/// Adds a buffer in LDS of `type` to the kernel.
mlir::BlockArgument addWorkgroupBuffer(mlir::gpu::GPUFuncOp kernel,
                                       mlir::MemRefType type,
                                       mlir::Location loc, int64_t alignment);

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_ATTRIBUTIONS_H
