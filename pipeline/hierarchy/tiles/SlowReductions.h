//===- SlowReductions.h - Reductions by few lanes ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_SLOWREDUCTIONS_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_SLOWREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::hierarchy {

/// Emits a remark at a reduction that was not vectorized if most lanes will be
/// idle while a few reduce many elements one after another. The remark explains
/// why, and what would be faster.
void remarkSlowReduction(mlir::linalg::LinalgOp op);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_SLOWREDUCTIONS_H
