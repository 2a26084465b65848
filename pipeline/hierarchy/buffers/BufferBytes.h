//===- BufferBytes.h - Sizes of L1 and L2 buffers ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_BUFFERBYTES_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_BUFFERBYTES_H

#include "dialects/layout/algebra/Result.h"

#include "mlir/IR/Operation.h"

namespace aircc::hierarchy {

/// The alignment of buffers in LDS in bytes, which the widest access requires.
inline constexpr int64_t kLDSAlignment = 16;

/// Returns the distance between two elements of the buffer that `alloc`
/// allocates. This differs from DataLayout::getTypeSize, because LLVM rounds
/// the size of an integer up to its alignment.
int64_t getElementBytes(mlir::Operation *alloc, mlir::Type element);

/// Returns the number of bytes in the buffer that `alloc` allocates, or an
/// upper bound if the size is dynamic. Fails if no bound is known, or if the
/// layout is dynamic or not strided.
layout::Result<int64_t> getBufferBytes(mlir::Operation *alloc);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_BUFFERBYTES_H
