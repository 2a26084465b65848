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

/// True for ops that only describe a buffer: its shape and memory space.
bool isAllocation(mlir::Operation *op);

/// True if a buffer is passed to a herd whose code has scope `scope`, directly
/// or through views, loops and branches.
bool reachesHerd(mlir::Value buffer, Scope scope);

/// The level of a buffer in a kernel: which workers share it.
enum class BufferLevel { Global, Workgroup, PerWave, PerLane, Unknown };

/// Returns the value that `memref` is a view of, looking through views, casts
/// and the arguments of herds; null if there may be several.
mlir::Value getBuffer(mlir::Value memref);
/// Returns the buffers that `memref` may be a view of; if these are unknown,
/// `memref` itself or a view of it.
llvm::SmallVector<mlir::Value> getBuffers(mlir::Value memref);
/// Returns the level of `memref`. Before memory spaces are assigned, L2 counts
/// as Workgroup, and L1 as PerLane or PerWave by the scope of its allocation.
BufferLevel getBufferLevel(mlir::Value memref);
/// True if `memref` may be a buffer of the workgroup or of waves that is in
/// global memory, in a `kernel.arena`. Such a buffer is not in LDS, and its
/// level is Workgroup or PerWave all the same.
bool isInArena(mlir::Value memref);
/// Returns the level of a memref that may be any of `buffers`. A private buffer
/// of each worker makes the others count as private: L1 buffers of one type.
BufferLevel joinBufferLevels(llvm::ArrayRef<mlir::Value> buffers);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_BUFFERLEVELS_H
