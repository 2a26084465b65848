//===- MemorySpaces.h - Propagate memory spaces -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// After a buffer is allocated, its memory space must be in the type of every
// value through which it flows: views and casts, arguments of herds and
// functions, and values that loops and branches carry.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"

namespace aircc::hierarchy {

/// Returns the memref type `type` with memory space `space`.
mlir::Type changeMemorySpace(mlir::Type type, mlir::Attribute space);

/// Calls `visit` for each value to which the user of `use` forwards the buffer
/// or a view of it: a result, or an argument of a region.
void forEachForwarded(mlir::OpOperand &use,
                      llvm::function_ref<void(mlir::Value)> visit);

/// Propagates the memory space of `value` to every value through which it flows
/// and that still has `oldSpace`. Emits an error at an op where two memory
/// spaces conflict.
llvm::LogicalResult propagateMemorySpace(mlir::Value value,
                                         mlir::Attribute oldSpace);

/// Emits an error at the first op below `kernel` with a value that is still in
/// L1 or L2.
llvm::LogicalResult verifyMemorySpaces(mlir::Operation *kernel);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H
