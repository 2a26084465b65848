//===- CrossLane.h - Move values between the lanes of a wave ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The instructions that move values between lanes operate on 32-bit registers.
// These functions build such moves for any integer, float or index type, and
// for 1-D vectors. A move reads the source lane's register even if that lane is
// inactive, in which case the caller must not use the value.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_CROSSLANE_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_CROSSLANE_H

#include "targets/TargetProfile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <memory>

namespace aircc {

/// Splits `value` into 32-bit registers, applies `move` (from i32 to i32) to
/// each, and reassembles the results.
mlir::Value moveRegisters(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value,
                          llvm::function_ref<mlir::Value(mlir::Value)> move);

/// Returns the lane's number in its wave, an i32.
mlir::Value getLane(mlir::OpBuilder &b, mlir::Location loc);

/// Which lanes of a wave execute an operation.
enum class ActiveLanes {
  All, ///< All lanes of the wave.
  Some ///< Unknown.
};

/// The cross-lane moves of one backend.
struct CrossLane {
  virtual ~CrossLane() = default;

  /// Creates a move by which lane i gets the value of lane i + `distance` in
  /// its row of 16 lanes, or an undefined value beyond the end of the row.
  /// `distance` is 1 to 15.
  virtual mlir::Value moveDownRow(mlir::OpBuilder &b, mlir::Location loc,
                                  mlir::Value value, unsigned distance) = 0;

  /// Creates a move by which lane i gets the value of lane i ^ `mask`. `mask`
  /// is a power of two smaller than the wave.
  virtual mlir::Value moveAcross(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value value, unsigned mask) = 0;

  /// Creates a move by which each lane gets the value of the lane given by its
  /// own `source` (i32). `active` specifies which lanes are known to execute
  /// the move.
  virtual mlir::Value moveFromLane(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value value, mlir::Value source,
                                   ActiveLanes active) = 0;

  /// Returns whether moveFromLane, and moveAcross with the mask 32, can move
  /// values between all lanes of a wave, rather than only within each half.
  virtual bool reachesWholeWave() const { return true; }

  /// Creates a move by which lane i of each row of 16 lanes gets the value of
  /// lane `sources[i]` of its row.
  virtual mlir::Value permuteRow(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value value,
                                 llvm::ArrayRef<int32_t> sources);

  /// Creates a move by which all lanes get the value of lane `source` (i32),
  /// which is the same in all lanes.
  virtual mlir::Value broadcastLane(mlir::OpBuilder &b, mlir::Location loc,
                                    mlir::Value value, mlir::Value source) = 0;

  /// Creates a move by which all lanes get the value of the first active lane.
  virtual mlir::Value broadcastFirst(mlir::OpBuilder &b, mlir::Location loc,
                                     mlir::Value value) = 0;

  /// Returns, in every lane, the combination of the values of all lanes of the
  /// wave, in any order. Returns null if no operation of the target computes
  /// it.
  virtual mlir::Value reduceWave(mlir::OpBuilder &, mlir::Location, mlir::Value,
                                 mlir::gpu::AllReduceOperation) {
    return {};
  }

  /// Returns the set of active lanes as an integer with at least 32 bits and at
  /// least one bit for each lane of the wave; bit i is lane i.
  virtual mlir::Value getActiveLanes(mlir::OpBuilder &b, mlir::Location loc,
                                     unsigned waveSize) = 0;
};

/// Creates the cross-lane moves of a backend, for code in `module` and waves of
/// `waveSize` lanes. `chip` is the processor, which only ROCDL needs. Returns
/// null after an error.
std::unique_ptr<CrossLane> createCrossLane(Backend backend,
                                           mlir::gpu::GPUModuleOp module,
                                           llvm::StringRef chip,
                                           unsigned waveSize);
std::unique_ptr<CrossLane> createROCDLCrossLane(mlir::gpu::GPUModuleOp module,
                                                llvm::StringRef chip,
                                                unsigned waveSize);
std::unique_ptr<CrossLane> createXeVMCrossLane(mlir::gpu::GPUModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_CROSSLANE_H
