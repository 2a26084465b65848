//===- TileLanes.h - Lanes and waves of a transfer --------------*- C++ -*-===//
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

/// The lanes and waves of one kernel and scope. Their ids are computed once, at
/// kernel entry.
class TileLanes {
public:
  /// `numWaves` is the number of waves in the workgroup. In scope wave, each
  /// wave is number 0 of 1.
  TileLanes(mlir::gpu::GPUFuncOp kernel, layout::Scope scope, int64_t waveSize,
            int64_t numWaves)
      : kernel(kernel), scope(scope), waveSize(waveSize),
        numWaves(scope == layout::Scope::Wave ? 1 : numWaves) {}

  int64_t getWaveSize() const { return waveSize; }
  int64_t getNumWaves() const { return numWaves; }

  /// Returns (id / stride) mod tile for the id of the lane or of the wave. The
  /// latter is uniform across the wave.
  mlir::Value getLanePosition(mlir::OpBuilder &b, int64_t stride, int64_t tile);
  mlir::Value getWavePosition(mlir::OpBuilder &b, int64_t stride, int64_t tile);
  /// Returns the id of the lane among all lanes of the scope.
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
