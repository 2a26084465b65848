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

/// The alignment of buffers in LDS, in bytes, which the widest access needs.
inline constexpr int64_t kLDSAlignment = 16;

/// The distance between two elements of the buffer that `alloc` allocates.
/// Unlike DataLayout::getTypeSize, LLVM rounds the size of an integer up to its
/// alignment.
int64_t getElementBytes(mlir::Operation *alloc, mlir::Type element);

/// The bytes of the buffer that `alloc` allocates, or an upper bound if the
/// size is dynamic. Errors: no bound is known; the layout is not strided, or is
/// dynamic.
layout::Result<int64_t> getBufferBytes(mlir::Operation *alloc);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_BUFFERBYTES_H
