//===- AssignBufferLevels.h - Levels of shared buffers ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_ASSIGNBUFFERLEVELS_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_ASSIGNBUFFERLEVELS_H

#include "mlir/IR/Operation.h"

namespace aircc::hierarchy {

/// Changes the memory space of buffers that launches in `root` allocate, and of
/// their views, according to which code uses them:
/// - An L1 buffer of a segment that herds of different sizes share is in L2.
/// - An L2 or L3 buffer of a herd is in L1, because no other PE can access it.
/// - An L3 buffer of a launch or segment is in L2, because no other workgroup
///   can access it.
/// Buffers of herds with per-lane code do not change.
llvm::LogicalResult assignBufferLevels(mlir::Operation *root);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_ASSIGNBUFFERLEVELS_H
