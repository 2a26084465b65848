//===- LDSPlan.h - Bytes for buffers by their lifetimes ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans which bytes of a workgroup's LDS each buffer gets. There is no IR in
// it: a buffer is a size and a lifetime.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H
#define AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace aircc::hierarchy {

/// A buffer to be placed. It is alive in the positions [begin, end].
struct LDSRequest {
  int64_t bytes = 0;
  int64_t alignment = 1; ///< A power of two.
  int64_t begin = 0;
  int64_t end = 0;
};

/// Where the buffers go: an offset in bytes for each request, and the size of
/// what holds them all. Buffers that are alive at the same position never
/// overlap. The same requests give the same plan.
struct LDSPlan {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Places large buffers first, each as low as it fits.
LDSPlan planLDS(llvm::ArrayRef<LDSRequest> requests);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_BUFFERS_LDSPLAN_H
