//===- CrossLane.h - Moving values between the lanes of a wave --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that move values between lanes act on 32-bit registers.
// These functions build such moves for values of any integer, float or index
// type, and 1-D vectors of them. A move reads what the source lane's register
// holds, also where that lane is not active: the caller sees to it that such
// values are not used.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_CROSSLANE_H
#define AIRCC_PIPELINE_CODEGEN_CROSSLANE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace aircc {

/// Takes `value` to 32-bit registers, applies `move` to each, and puts the
/// results together again. `move` is from i32 to i32.
mlir::Value moveRegisters(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value,
                          llvm::function_ref<mlir::Value(mlir::Value)> move);

/// The lane's number in its wave, an i32.
mlir::Value getLane(mlir::OpBuilder &b, mlir::Location loc);

/// Lane i gets the value of lane i + `distance` of its row of 16 lanes, and 0
/// where the row ends before. `distance`: 1 to 15.
mlir::Value moveDownRow(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, unsigned distance);

/// Lane i gets the value of lane i ^ `mask`; `mask`: a power of two below 64.
mlir::Value moveAcross(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value value, unsigned mask);

/// Each lane gets the value of the lane that its own `source` (i32) names.
mlir::Value moveFromLane(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::Value source);

/// All lanes get the value of the lane that `source` (i32, the same in all
/// lanes) names.
mlir::Value broadcastLane(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value, mlir::Value source);

/// All lanes get the value of the first active one.
mlir::Value broadcastFirst(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value value);

/// The set of active lanes: bit i of the integer, which has a bit for each lane
/// of the wave, is lane i.
mlir::Value getActiveLanes(mlir::OpBuilder &b, mlir::Location loc,
                           unsigned waveSize);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_CROSSLANE_H
