//===- UnfoldDescriptors.h - Offsets from descriptors -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_UNFOLDDESCRIPTORS_H
#define AIRCC_PIPELINE_LAYOUT_UNFOLDDESCRIPTORS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::layout {

/// Moves the offsets of descriptors to XeGPU accesses. An nd access takes its
/// descriptor from a create_nd_tdesc without offsets, and has one offset for
/// each dimension of the descriptor. A scattered access takes memory and a
/// vector of offsets (except for an atomic_rmw, which takes its own
/// create_tdesc). In per-lane code, each lane extracts its own offset from the
/// descriptor of all lanes. Loops and branches carry offsets instead of
/// descriptors. Fails after an error at an op whose descriptor may refer to
/// different memory.
mlir::LogicalResult unfoldDescriptors(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_UNFOLDDESCRIPTORS_H
