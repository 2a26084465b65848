//===- HoistAccumulators.h - Accumulate in registers ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_HOISTACCUMULATORS_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_HOISTACCUMULATORS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace aircc::hierarchy {

/// If a loop reads an undistributed vector from a buffer in LDS, writes it back
/// at the same indices, and does not access the buffer otherwise, moves the
/// read before the loop and the write after it, and lets the loop carry the
/// vector in registers. Must run after herds are inlined, while views of LDS
/// still have `kernel.lds_range`.
void hoistAccumulators(mlir::gpu::GPUFuncOp kernel);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_HOISTACCUMULATORS_H
