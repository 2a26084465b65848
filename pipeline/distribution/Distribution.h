//===- Distribution.h - Stage that distributes vectors ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: kernels whose undistributed vectors have layouts, as the stage
// `layout` leaves them, and direct transfers to LDS (`layout.async_dma`).
//
// Output: per-lane code. Each vector is distributed, values move between lanes
// by shuffles and through LDS, and no op or attribute of the dialect `layout`
// is left.
//
// Other kernels are not changed. The stage has no options.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H
#define AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H

#include "pipeline/common/Stage.h"

namespace aircc {

/// The stage `distribution`.
const Stage &getDistributionStage();

} // namespace aircc

#endif // AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTION_H
