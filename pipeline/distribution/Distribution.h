//===- Distribution.h - Stage that distributes vectors ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Input: kernels whose undistributed vectors have layouts, as stage `layout`
// produces them, and direct transfers to LDS (`layout.async_dma`).
//
// Output: per-lane code. Each vector is distributed, values move between lanes
// through shuffles and LDS, and no ops or attributes of the `layout` dialect
// remain.
//
// Other kernels are unchanged. The stage has no options.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H
#define AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// Returns the stage `distribution`.
const Stage &getDistributionStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H
