//===- ForwardTiles.h - Keep tiles in registers -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_FORWARDTILES_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_FORWARDTILES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::hierarchy {

/// Replaces reads of undistributed vectors whose elements are known: those of a
/// buffer of the kernel that an earlier op has written or filled, and those
/// that an earlier op has read from the same memory. Erases buffers that are
/// then only written.
void forwardTiles(mlir::gpu::GPUFuncOp kernel);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_FORWARDTILES_H
