//===- BufferBytes.h - How large L1 and L2 buffers are ---------*- C++ -*-===//
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

/// Every buffer in LDS starts at a multiple of this many bytes, which the
/// widest LDS access needs.
inline constexpr int64_t kLDSAlignment = 16;

/// The bytes from one element of the buffer that `alloc` allocates to the next:
/// LLVM rounds the size of an integer up to its alignment, which
/// DataLayout::getTypeSize does not.
int64_t getElementBytes(mlir::Operation *alloc, mlir::Type element);

/// The bytes of the buffer that `alloc` allocates; of one whose size run time
/// tells, the most that it can be. Errors: no bound is known; the layout is not
/// strided, or dynamic.
layout::Result<int64_t> getBufferBytes(mlir::Operation *alloc);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_BUFFERBYTES_H
