//===- Work.h - What an op computes, for reports ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The attribute `air.work` describes a structured op while it becomes part of a
// kernel. It is present only in compilations that write a report, and does not
// affect the generated code.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_KERNELS_WORK_H
#define AIRCC_PIPELINE_COMMON_KERNELS_WORK_H

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc {

/// Returns the description of `op`.
air::WorkAttr describeWork(mlir::linalg::LinalgOp op);

/// Sets `air.work` on `op` to its description.
void setWork(mlir::linalg::LinalgOp op);

/// Returns the value of `air.work` on `op`.
llvm::SmallVector<air::WorkAttr> getWorks(mlir::Operation *op);

/// Moves the descriptions of `ops` to `launch`, which replaces them.
void moveWorks(llvm::ArrayRef<mlir::Operation *> ops, mlir::Operation *launch);

/// If the contraction `op` has a description, sets the types of the factors in
/// it to those that its kernel multiplies.
void setFactorTypes(mlir::Operation *op, mlir::Type lhs, mlir::Type rhs);

/// If `op` has a description, adds to it the reason that no matrix instruction
/// computes it.
void setMatrixReason(mlir::Operation *op, llvm::StringRef reason);

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_KERNELS_WORK_H
