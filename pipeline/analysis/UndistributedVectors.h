//===- UndistributedVectors.h - Vectors that lanes hold together -*- C++ -*-==//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stages before and after the choice of layouts must agree on: which
// vectors belong together, and which ops can work on vectors that the lanes of
// a wave or a workgroup hold together.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_UNDISTRIBUTEDVECTORS_H
#define AIRCC_PIPELINE_ANALYSIS_UNDISTRIBUTEDVECTORS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::layout {

/// Values that one op of control flow makes one: what goes in (inits, what
/// regions yield) and what comes out (block arguments, results).
struct Slot {
  mlir::Operation *op;
  llvm::SmallVector<mlir::OpOperand *> operands;
  llvm::SmallVector<mlir::Value> values;
};

/// Whether `op` is control flow that may carry undistributed vectors: scf.for,
/// scf.while, scf.if, scf.index_switch, scf.execute_region.
bool isControlFlow(mlir::Operation *op);
/// Whether `op` passes values to its parent, which is control flow.
bool isControlFlowTerminator(mlir::Operation *op);
/// The slots of `op`, which is control flow.
llvm::SmallVector<Slot> getSlots(mlir::Operation *op);

/// Whether `value` is a constant that has no scope of its own.
bool isUnscopedConstant(mlir::Value value);

/// The vectors of a function in the order of its text, and which of them belong
/// together: those of one op, and those that control flow connects. A constant
/// connects nothing, as ops that have nothing to do with each other may share
/// it.
class VectorGroups {
public:
  explicit VectorGroups(mlir::gpu::GPUFuncOp function);

  llvm::ArrayRef<mlir::Value> getVectors() const { return vectors; }
  unsigned size() const { return classes.getNumClasses(); }
  /// The group of a vector.
  unsigned operator[](mlir::Value vector) const {
    return classes[numbers.lookup(vector)];
  }

private:
  void join(mlir::ValueRange values);

  llvm::SmallVector<mlir::Value> vectors;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
};

/// The vectors among an op's operands and results.
llvm::SmallVector<mlir::Value> getVectors(mlir::Operation *op);

/// Whether ops of this kind can work on undistributed vectors. Stage layout has
/// a rule for each of them, and for no others.
bool supportsUndistributedVectors(mlir::Operation *op);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_ANALYSIS_UNDISTRIBUTEDVECTORS_H
