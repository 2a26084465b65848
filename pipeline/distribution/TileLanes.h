//===- TileLanes.h - The lanes and waves that share a transfer --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_TILELANES_H
#define AIRCC_PIPELINE_DISTRIBUTION_TILELANES_H

#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace aircc::distribution {

/// The workers of one kernel and scope, as numbers and as SSA values that are
/// computed once, at the head of the kernel.
class TileLanes {
public:
  /// For scope wave the wave stands alone: it is number 0 of 1. `numWaves` is
  /// the number of waves in a workgroup.
  TileLanes(mlir::gpu::GPUFuncOp kernel, layout::Scope scope, int64_t waveSize,
            int64_t numWaves)
      : kernel(kernel), scope(scope), waveSize(waveSize),
        numWaves(scope == layout::Scope::Wave ? 1 : numWaves) {}

  int64_t getWaveSize() const { return waveSize; }
  int64_t getNumWaves() const { return numWaves; }

  /// (lane / stride) mod tile, and the same of the number of the wave; the
  /// latter is the same value in all lanes.
  mlir::Value getLanePosition(mlir::OpBuilder &b, int64_t stride, int64_t tile);
  mlir::Value getWavePosition(mlir::OpBuilder &b, int64_t stride, int64_t tile);
  /// The number of the lane among all that work together.
  mlir::Value getThread(mlir::OpBuilder &b);

private:
  void create();

  mlir::gpu::GPUFuncOp kernel;
  const layout::Scope scope;
  const int64_t waveSize, numWaves;
  mlir::Value lane, wave, thread;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_TILELANES_H
