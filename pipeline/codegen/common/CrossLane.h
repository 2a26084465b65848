//===- CrossLane.h - Moving values between the lanes of a wave --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that move values between lanes act on 32-bit registers.
// These build such moves for values of any integer, float or index
// type, and 1-D vectors of them. A move reads what the source lane's register
// holds, also where that lane is not active: the caller sees to it that such
// values are not used.
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

/// Takes `value` to 32-bit registers, applies `move` to each, and puts the
/// results together again. `move` is from i32 to i32.
mlir::Value moveRegisters(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value,
                          llvm::function_ref<mlir::Value(mlir::Value)> move);

/// The lane's number in its wave, an i32.
mlir::Value getLane(mlir::OpBuilder &b, mlir::Location loc);

/// The moves of one backend.
struct CrossLane {
  virtual ~CrossLane() = default;

  /// Lane i gets the value of lane i + `distance` of its row of 16 lanes, and
  /// any value where the row ends before. `distance`: 1 to 15.
  virtual mlir::Value moveDownRow(mlir::OpBuilder &b, mlir::Location loc,
                                  mlir::Value value, unsigned distance) = 0;

  /// Lane i gets the value of lane i ^ `mask`; `mask`: a power of two smaller
  /// than the wave.
  virtual mlir::Value moveAcross(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value value, unsigned mask) = 0;

  /// Each lane gets the value of the lane that its own `source` (i32) names.
  virtual mlir::Value moveFromLane(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value value, mlir::Value source) = 0;

  /// All lanes get the value of the lane that `source` (i32, the same in all
  /// lanes) names.
  virtual mlir::Value broadcastLane(mlir::OpBuilder &b, mlir::Location loc,
                                    mlir::Value value, mlir::Value source) = 0;

  /// All lanes get the value of the first active one.
  virtual mlir::Value broadcastFirst(mlir::OpBuilder &b, mlir::Location loc,
                                     mlir::Value value) = 0;

  /// The set of active lanes: bit i of the integer, which has a bit for each
  /// lane of the wave and at least 32, is lane i.
  virtual mlir::Value getActiveLanes(mlir::OpBuilder &b, mlir::Location loc,
                                     unsigned waveSize) = 0;
};

/// The moves of a backend, for code in `module`.
std::unique_ptr<CrossLane> createCrossLane(Backend backend,
                                           mlir::gpu::GPUModuleOp module);
std::unique_ptr<CrossLane> createROCDLCrossLane();
std::unique_ptr<CrossLane> createXeVMCrossLane(mlir::gpu::GPUModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_CROSSLANE_H
