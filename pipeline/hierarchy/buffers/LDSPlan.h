//===- LDSPlan.h - Allocate LDS by lifetimes --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assigns bytes of the LDS of a workgroup, or of another arena, to buffers.
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
  /// If the buffers do not fit, others move to global memory before this one.
  bool isPreferred = false;
};

/// An offset in bytes for each request, and the total size. Buffers that are
/// live at the same position never overlap. The plan is deterministic.
struct LDSPlan {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Allocates large buffers first, each at the lowest offset that is free.
LDSPlan planLDS(llvm::ArrayRef<LDSRequest> requests);

/// The same for other memory, or a plan that allocates first what is used first
/// if that needs fewer bytes.
LDSPlan planArena(llvm::ArrayRef<LDSRequest> requests);

/// Chooses the buffers that do not get LDS, so that a plan of the others needs
/// at most `ldsBytes`: one flag for each request. Chooses among the buffers
/// that are not preferred as long as there are any. If one buffer suffices,
/// chooses the smallest that does; otherwise, chooses large buffers first.
llvm::SmallVector<bool> chooseOutsideLDS(llvm::ArrayRef<LDSRequest> requests,
                                         int64_t ldsBytes);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H
