//===- BufferLevels.h - Where the buffers of a kernel lie -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_BUFFERLEVELS_H
#define AIRCC_PIPELINE_ANALYSIS_BUFFERLEVELS_H

#include "pipeline/analysis/ExecutionModel.h"

namespace aircc {

/// True for ops that tell only the shape or place of a buffer.
bool isAllocation(mlir::Operation *op);

/// True if a buffer is handed to a herd whose code is of scope `scope`,
/// directly or as a view, around a loop or out of a branch.
bool reachesHerd(mlir::Value buffer, Scope scope);

/// Where a buffer lies, seen from a kernel.
enum class BufferLevel { Global, Workgroup, PerWave, PerLane, Unknown };

/// The value that `memref` is a view of, through views, casts and the arguments
/// of herds; null where it may be one of several.
mlir::Value getBuffer(mlir::Value memref);
/// The buffers that `memref` may be a view of; `memref` itself or a view
/// of it where that cannot be followed.
llvm::SmallVector<mlir::Value> getBuffers(mlir::Value memref);
/// Where `memref` lies. Before buffers are placed, L2 counts as Workgroup and
/// L1 as PerLane or PerWave by the scope of its allocation.
BufferLevel getBufferLevel(mlir::Value memref);
/// Where a memref lies that may be any of `buffers`. A buffer of which each
/// worker has its own makes the others count as such: L1 buffers of one type.
BufferLevel joinBufferLevels(llvm::ArrayRef<mlir::Value> buffers);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_BUFFERLEVELS_H
