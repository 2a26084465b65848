//===- LaneIds.h - Which lane this is, and what it holds --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that every lane computes once, at the entry of the kernel: its
// wave, its lane, their positions in the tiles of a layout, and the coordinate
// at which its share begins.
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

  /// Number of waves of the workgroup; 0 where the kernel does not say its
  /// block size.
  int64_t getNumWaves() const { return waves; }
  int64_t waveSize() const { return lanes; }
  /// The block's number of threads; 0 where unknown.
  int64_t numThreads() const { return threads; }

  /// Ids as values of type index. wave() needs a known block size.
  mlir::Value lane();
  mlir::Value wave();
  mlir::Value constant(int64_t value);

  /// Positions in the tiles of a dimension; none where that is always 0.
  mlir::Value virtualThread(const layout::DimTiles &dim);
  mlir::Value virtualSubgroup(const layout::DimTiles &dim);
  /// The coordinate of the lane's value 0 along the dimension; none where it is
  /// 0. That of value k is larger by dim.coordinate(0, 0, k).
  mlir::Value base(const layout::DimTiles &dim);

  /// Whether this lane (this wave, of `numWaves`) is the first to hold its
  /// share: true (i1) in exactly one of the holders. None where no lane holds
  /// what another does.
  mlir::Value isFirstHolder(const layout::NestedLayout &layout,
                            int64_t numWaves);

  /// Simplest forms of the arithmetic on indices, all of them at `b`.
  static mlir::Value add(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, int64_t rhs);
  /// A sum of what is there; none of none is 0.
  static mlir::Value sum(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value lhs, mlir::Value rhs);

private:
  mlir::Value digit(mlir::Value id, int64_t period, int64_t stride,
                    int64_t tile);
  mlir::Value scale(mlir::Value value, int64_t factor);
  /// What remains of the id if the positions of the tiles are taken away is
  /// zero in the first holder.
  mlir::Value isSmallest(mlir::Value id,
                         llvm::ArrayRef<std::pair<int64_t, int64_t>> digits,
                         int64_t numIds);

  mlir::gpu::GPUFuncOp func;
  mlir::OpBuilder b;
  int64_t lanes, threads = 0, waves = 0;
  /// Lanes and waves are what the hardware calls so, not what the block's shape
  /// makes likely.
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
