//===- XeGPUAnchors.h - What XeGPU programs ask of layouts ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_XEGPUANCHORS_H
#define AIRCC_PIPELINE_LAYOUT_XEGPUANCHORS_H

#include "pipeline/layout/MatrixAnchors.h"
#include "pipeline/layout/MatrixOp.h"
#include "pipeline/layout/WholeVectors.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace aircc::layout {

/// What is written at an op, of how its operands (and the result, with the
/// accumulator) are laid out. Failure after an error at the op if something
/// else is wanted of a vector than it can have.
mlir::FailureOr<OperandConstraints>
getUserConstraints(const MatrixOp &op, const Workgroup &workgroup);

/// How anchors of the user's deal vectors to subgroups, for vectors that are
/// connected with theirs by elementwise ops and control flow.
class SubgroupHints {
public:
  explicit SubgroupHints(mlir::gpu::GPUFuncOp function);

  /// For the operands of `op`, where there are any.
  OperandConstraints get(const MatrixOp &op, const Workgroup &workgroup) const;
  bool empty() const { return hints.empty(); }

private:
  unsigned numberOf(mlir::Value value);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  llvm::DenseMap<unsigned, PartialLayout> hints; ///< By class.
};

/// Gives each prefetch of a block its `layout.access`.
mlir::LogicalResult setPrefetchLayouts(mlir::gpu::GPUFuncOp function,
                                       const WholeVectors &whole);

/// Writes what the stage has found at XeGPU's ops that have no layout of the
/// user's, as their own attributes, and notes which these are.
void writeXeGPUDefaults(mlir::gpu::GPUFuncOp function,
                        const WholeVectors &whole, bool remarks);

/// Takes out the conversions that users have written, now that layouts are
/// known and to_layout ops are between them where they differ.
void dropXeGPUConversions(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUANCHORS_H
