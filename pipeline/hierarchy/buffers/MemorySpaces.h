//===- MemorySpaces.h - Carry a buffer's place to its uses ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a buffer has got its place, every value that it flows through must say
// so in its type: views and casts of it, arguments of herds and functions, what
// loops and branches pass on.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"

namespace aircc::hierarchy {

/// The memref type `type` with the memory space `space` instead of its own.
mlir::Type changeMemorySpace(mlir::Type type, mlir::Attribute space);

/// Calls `visit` for each value that may be the buffer of `use` or a view of
/// it, directly through the op that uses it.
void forEachForwarded(mlir::OpOperand &use,
                      llvm::function_ref<void(mlir::Value)> visit);

/// Gives the memory space of `value` to everything that it flows through and
/// that still has `oldSpace`. Errors at the op where two places meet.
llvm::LogicalResult propagateMemorySpace(mlir::Value value,
                                         mlir::Attribute oldSpace);

/// Errors at the first op below `kernel` with a value that is still in L1 or
/// L2.
llvm::LogicalResult verifyMemorySpaces(mlir::Operation *kernel);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_MEMORYSPACES_H
