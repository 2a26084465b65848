//===- BufferLevels.h - The memory levels of a kernel's buffers -*- C++ -*-===//
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

/// Returns true for ops that allocate a buffer.
bool isAllocation(mlir::Operation *op);

/// Returns true if a buffer is passed to a herd whose code has scope `scope`,
/// directly or through views, loops and branches.
bool reachesHerd(mlir::Value buffer, Scope scope);

/// The level of a buffer in a kernel: which workers share it.
enum class BufferLevel { Global, Workgroup, PerWave, PerLane, Unknown };

/// Returns the value that `memref` is a view of, looking through views, casts
/// and the arguments of herds; null if there may be several.
mlir::Value getBuffer(mlir::Value memref);
/// Returns the buffers that `memref` may be a view of. If these are unknown,
/// returns `memref` itself or a view of it.
llvm::SmallVector<mlir::Value> getBuffers(mlir::Value memref);
/// Returns the level of `memref`. Before memory spaces are assigned, an L2
/// buffer has level Workgroup; an L1 buffer has level PerLane or PerWave,
/// depending on the scope of the code that allocates it.
BufferLevel getBufferLevel(mlir::Value memref);
/// Returns true if `memref` may be a buffer that is shared like LDS (level
/// Workgroup or PerWave) but is in global memory, in a `kernel.arena`, because
/// LDS is too small for it.
bool isInArena(mlir::Value memref);
/// Returns the level of a memref that may be any of `buffers`, which is the
/// most private of their levels.
BufferLevel joinBufferLevels(llvm::ArrayRef<mlir::Value> buffers);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_BUFFERLEVELS_H
