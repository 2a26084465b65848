//===- MemoryPlan.h - Kernels and buffers of host functions -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The output of --emit plan lists the kernels of each function in the order of
// their launches, and the buffers that they use. docs/plan.schema.json
// describes the file. The plan is derived from the code that is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_REPORT_MEMORYPLAN_H
#define AIRCC_DRIVER_REPORT_MEMORYPLAN_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace aircc {

/// Returns whether buffers of a function are parts of this allocation.
bool isArena(mlir::gpu::AllocOp alloc);

/// Returns the plan of all functions with kernels in `module`, the output of
/// the stage after which launches have kernels.
llvm::json::Value describeMemoryPlan(mlir::ModuleOp module,
                                     llvm::StringRef target);

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_MEMORYPLAN_H
