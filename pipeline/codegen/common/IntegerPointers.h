//===- IntegerPointers.h - Pointers from inttoptr ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Programs convert the address of a buffer to an integer and back to an
// `!llvm.ptr`, for atomic operations with a particular ordering or scope. The
// address space of this pointer, 0, covers all memory on AMD GPUs, but is the
// stack in SPIR-V.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H

#include "mlir/Support/LLVM.h"

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace aircc {

/// Changes the address space of pointers that `llvm.inttoptr` creates in
/// address space 0, and of pointers computed from them, to `genericSpace`,
/// unless the integer is the address of stack memory. Emits an error at the
/// `llvm.inttoptr` if the pointer has a use whose type cannot change, in a call
/// or in memory.
mlir::LogicalResult makeIntegerPointersGeneric(mlir::gpu::GPUModuleOp module,
                                               unsigned genericSpace);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_INTEGERPOINTERS_H
