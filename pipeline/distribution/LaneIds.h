//===- LaneIds.h - Lane ids and coordinates ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The ids that every lane computes once, at kernel entry: its wave, its lane,
// their positions in the tiles of a layout, and the first coordinate of its
// part of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_LANEIDS_H
#define AIRCC_PIPELINE_DISTRIBUTION_LANEIDS_H

#include "dialects/layout/algebra/NestedLayout.h"
#include "pipeline/distribution/DistributionTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <map>
#include <optional>
#include <tuple>

namespace aircc::distribution {

class LaneIds {
public:
  LaneIds(mlir::gpu::GPUFuncOp func, const DistributionTarget &target);

  /// Returns the number of waves in the workgroup; 0 if the block size is
  /// unknown or not a multiple of the wave size.
  int64_t getNumWaves() const { return waves; }
  int64_t waveSize() const { return lanes; }
  /// Returns the number of threads in the workgroup; 0 if unknown.
  int64_t numThreads() const { return threads; }

  /// Return the ids, of type index. wave() requires a known block size.
  mlir::Value lane();
  mlir::Value wave();
  mlir::Value constant(int64_t value);

  /// Return the positions in the tiles of a dimension; null for 0.
  mlir::Value virtualThread(const layout::DimTiles &dim);
  mlir::Value virtualSubgroup(const layout::DimTiles &dim);
  /// Returns the coordinate of the lane's value 0 along the dimension; null for
  /// 0. The coordinate of value k exceeds it by dim.coordinate(0, 0, k).
  mlir::Value base(const layout::DimTiles &dim);

  /// Returns an i1 that is true in exactly one of the lanes (of `numWaves`
  /// waves) that hold the same elements; null if the layout does not replicate
  /// elements.
  mlir::Value isFirstHolder(const layout::NestedLayout &layout,
                            int64_t numWaves);

  /// Perform index arithmetic that folds trivial cases.
  static mlir::Value add(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, int64_t rhs);
  /// Returns the sum; a null operand counts as 0.
  static mlir::Value sum(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, mlir::Value rhs);

private:
  mlir::Value digit(mlir::Value id, int64_t period, int64_t stride,
                    int64_t tile);
  mlir::Value scale(mlir::Value value, int64_t factor);
  /// Returns an i1 that is true if the digits of `id` that no tile uses are all
  /// zero.
  mlir::Value isSmallest(mlir::Value id,
                         llvm::ArrayRef<std::pair<int64_t, int64_t>> digits,
                         int64_t numIds);

  mlir::gpu::GPUFuncOp func;
  mlir::OpBuilder b;
  int64_t lanes, threads = 0, waves = 0;
  /// Whether lane and wave ids come from the hardware instead of the thread
  /// ids.
  bool usesHardwareIds;
  llvm::SmallVector<int64_t, 3> blockSize;
  mlir::Value linearId, laneId, waveId;
  mlir::Value linear();
  std::map<int64_t, mlir::Value> constants;
  std::map<std::tuple<bool, int64_t, int64_t>, mlir::Value> digits;
  std::map<std::vector<int64_t>, mlir::Value> bases;
  std::map<std::pair<std::string, int64_t>, mlir::Value> holders;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_LANEIDS_H
