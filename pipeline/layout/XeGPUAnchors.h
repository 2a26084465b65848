//===- XeGPUAnchors.h - User constraints in XeGPU programs ------*- C++ -*-===//
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
#include "pipeline/layout/VectorScopes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace aircc::layout {

/// Returns the user constraints at an op on the layouts of its operands, where
/// constraints on the result count for the accumulator. Fails after an error at
/// the op if constraints on a vector conflict.
mlir::FailureOr<OperandConstraints>
getUserConstraints(const MatrixOp &op, const Workgroup &workgroup);

/// The distribution over subgroups by user anchors, for vectors that are
/// connected to those of the anchors through elementwise ops and control flow.
class SubgroupHints {
public:
  explicit SubgroupHints(mlir::gpu::GPUFuncOp function);

  /// Returns the hints for the operands of `op`, if there are any.
  OperandConstraints get(const MatrixOp &op, const Workgroup &workgroup) const;
  bool empty() const { return hints.empty(); }

private:
  unsigned numberOf(mlir::Value value);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  llvm::DenseMap<unsigned, PartialLayout> hints; ///< By class.
};

/// Sets `layout.access` on each prefetch of a block.
mlir::LogicalResult setPrefetchLayouts(mlir::gpu::GPUFuncOp function,
                                       const VectorScopes &scopes);

/// Writes the layouts that the stage assigned as attributes of the XeGPU ops
/// for which the user specified none, and records the names of these
/// attributes.
void writeXeGPUDefaults(mlir::gpu::GPUFuncOp function,
                        const VectorScopes &scopes, bool remarks);

/// Removes the conversions that users wrote, now that all layouts are assigned
/// and to_layout ops convert between them.
void dropXeGPUConversions(mlir::gpu::GPUFuncOp function);

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_XEGPUANCHORS_H
