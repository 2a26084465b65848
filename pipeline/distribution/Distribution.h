//===- Distribution.h - The stage from whole vectors to lanes ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels whose whole vectors have layouts, as the stage `layout` leaves
// them, and transfers straight to LDS (`layout.async_dma`).
//
// Out: code of lanes: each vector is a lane's share, values move by shuffles
// and through LDS, no op and no attribute of the dialect `layout` is left.
//
// Kernels without either pass unchanged. The stage has no options.
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
