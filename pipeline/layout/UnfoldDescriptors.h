//===- UnfoldDescriptors.h - Descriptors at their accesses ------*- C++ -*-===//
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

/// Gives XeGPU's accesses the offsets that their descriptors have: an nd access
/// takes its descriptor from a create_nd_tdesc without offsets, and has one
/// offset for each dimension of the descriptor; a scattered one takes memory
/// and a vector of offsets (an atomic_rmw, which cannot, a create_tdesc of its
/// own); in code of lanes, each takes its own offset out of a descriptor of
/// all. What loops and branches carry are offsets instead of descriptors. Fails
/// after an error at an op whose descriptor may be of one memory or another.
mlir::LogicalResult unfoldDescriptors(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_UNFOLDDESCRIPTORS_H
