//===- GlobalArena.h - Buffers of workgroups in global memory ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// L2 buffers, and L1 buffers of waves, that do not fit into LDS are placed in
// an arena: global memory of which each workgroup has its own part. Workgroup
// barriers order accesses to it as they order accesses to L3.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_GLOBALARENA_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_GLOBALARENA_H

#include "pipeline/hierarchy/buffers/LDSPlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace aircc::hierarchy {

/// A buffer to place in the arena.
struct ArenaBuffer {
  mlir::Operation *alloc = nullptr;
  /// The number of bytes in the buffer, or in that of one wave. Ignored if the
  /// size is dynamic and known to the host.
  int64_t bytes = 0;
  bool isPerWave = false;
  /// The range of positions in which the buffer is live; see LDSRequest.
  int64_t begin = 0, end = 0;
};

/// The location of a buffer: it begins at byte `first` of `memory`, a
/// memref<?xi8>.
struct ArenaPlace {
  mlir::Value memory, first;
  /// The value of `kernel.lds_range`.
  int64_t beginByte = 0, endByte = 0;
};

/// Returns true if the dynamic sizes of an allocation are known to the host, so
/// that the launch can allocate as many bytes as the buffer has.
bool hasSizeKnownToHost(mlir::Operation *alloc);

/// Creates the arenas of a kernel at its start, and returns the location of
/// each of `buffers`. Emits a remark with the number of bytes at each buffer;
/// `ldsNeeded` is the number of bytes of LDS that all buffers of the kernel
/// would need (0 if they were not considered for LDS). `getWave` returns the
/// index of this wave among the `numWaves` waves of a workgroup.
llvm::SmallVector<ArenaPlace>
createGlobalArenas(mlir::gpu::GPUFuncOp kernel,
                   llvm::ArrayRef<ArenaBuffer> buffers, int64_t numWaves,
                   int64_t ldsNeeded, int64_t ldsBytes,
                   llvm::function_ref<mlir::Value(mlir::OpBuilder &)> getWave);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_GLOBALARENA_H
