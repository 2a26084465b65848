//===- UndistributedVectors.h - Vectors shared by several lanes -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Definitions shared by the stages before and after layouts are assigned: which
// vectors are connected, and which ops support undistributed vectors.
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

/// Values that a control-flow op connects: its inputs (inits and yielded
/// values) and its outputs (block arguments and results).
struct Slot {
  mlir::Operation *op;
  llvm::SmallVector<mlir::OpOperand *> operands;
  llvm::SmallVector<mlir::Value> values;

  /// Returns `values` and the values of `operands`.
  llvm::SmallVector<mlir::Value> getAllValues() const;
};

/// Returns whether `op` is control flow that may carry undistributed vectors:
/// scf.for, scf.while, scf.if, scf.index_switch or scf.execute_region.
bool isControlFlow(mlir::Operation *op);
/// Returns whether `op` passes values to its parent, which is control flow.
bool isControlFlowTerminator(mlir::Operation *op);
/// Returns the slots of `op`, which is control flow.
llvm::SmallVector<Slot> getSlots(mlir::Operation *op);

/// Returns whether `value` is a constant without a scope.
bool isUnscopedConstant(mlir::Value value);

/// The vectors of a function in program order, grouped by connection: vectors
/// of the same op, or connected by control flow, are in the same group.
/// Constants do not connect ops, because unrelated ops may share them.
class VectorGroups {
public:
  explicit VectorGroups(mlir::gpu::GPUFuncOp function);

  llvm::ArrayRef<mlir::Value> getVectors() const { return vectors; }
  unsigned size() const { return classes.getNumClasses(); }
  /// Returns the group of a vector.
  unsigned operator[](mlir::Value vector) const {
    return classes[numbers.lookup(vector)];
  }

private:
  void join(mlir::ValueRange values);

  llvm::SmallVector<mlir::Value> vectors;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
};

/// Returns the vectors among an op's operands and results.
llvm::SmallVector<mlir::Value> getVectors(mlir::Operation *op);

/// Returns whether ops of this kind support undistributed vectors. Stage layout
/// has a rule for exactly these ops.
bool supportsUndistributedVectors(mlir::Operation *op);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_ANALYSIS_UNDISTRIBUTEDVECTORS_H
