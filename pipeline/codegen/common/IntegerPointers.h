//===- IntegerPointers.h - Pointers made of integers ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs take the address of a buffer as an integer and make an `!llvm.ptr`
// of it, for atomic operations of an order or a scope of their own. Its address
// space, 0, is where all of memory is on AMD GPUs, but the stack in SPIR-V.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H

#include "mlir/Support/LLVM.h"

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace aircc {

/// Gives the pointers of address space 0 that `llvm.inttoptr` makes, and those
/// computed from them, the address space `genericSpace`. One of an integer that
/// is the address of memory on the stack stays. An error at the `llvm.inttoptr`
/// where a pointer goes to a place whose type cannot change: a call, memory.
mlir::LogicalResult makeIntegerPointersGeneric(mlir::gpu::GPUModuleOp module,
                                               unsigned genericSpace);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H
