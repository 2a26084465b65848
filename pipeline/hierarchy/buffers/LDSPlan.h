//===- LDSPlan.h - Allocate LDS by lifetimes --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Assigns bytes of a workgroup's LDS, or of another arena, to buffers.
// Independent of IR: a buffer is a size and a lifetime.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace aircc::hierarchy {

/// A buffer to allocate, which is live in the positions [begin, end].
struct LDSRequest {
  int64_t bytes = 0;
  int64_t alignment = 1; ///< A power of two.
  int64_t begin = 0;
  int64_t end = 0;
  /// Whether to move other buffers to global memory before this one if the
  /// buffers do not fit.
  bool isPreferred = false;
};

/// An offset in bytes for each request, and the total size. Buffers that are
/// live at the same position never overlap. The plan is deterministic.
struct LDSPlan {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Allocates large buffers first, each at the lowest free offset.
LDSPlan planLDS(llvm::ArrayRef<LDSRequest> requests);

/// Does the same for other memory. Alternatively, allocates buffers in the
/// order of their first use if that needs fewer bytes.
LDSPlan planArena(llvm::ArrayRef<LDSRequest> requests);

/// Chooses the buffers that do not get LDS, so that a plan for the others needs
/// at most `ldsBytes`, and returns one flag for each request. Chooses among the
/// buffers that are not preferred as long as there are any. If removing one
/// buffer is sufficient, chooses the smallest such buffer; otherwise, chooses
/// large buffers first.
llvm::SmallVector<bool> chooseOutsideLDS(llvm::ArrayRef<LDSRequest> requests,
                                         int64_t ldsBytes);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H
