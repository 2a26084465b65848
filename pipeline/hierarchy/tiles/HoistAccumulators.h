//===- HoistAccumulators.h - Keep accumulators in registers ---*- C++ -*-===//
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

/// Where a loop reads a whole vector from a buffer in LDS, and stores one there
/// at the same place in the end, and nothing else in the loop touches the
/// buffer, the vector is read before the loop, carried in registers, and stored
/// after it. Herds have been inlined; buffers still carry their places.
void hoistAccumulators(mlir::gpu::GPUFuncOp kernel);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_HOISTACCUMULATORS_H
