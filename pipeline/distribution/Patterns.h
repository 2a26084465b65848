//===- Patterns.h - Distribution of each kind of op -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each of these functions creates the per-lane ops for one op on undistributed
// vectors, and passes their results to the Distributor. It emits an error at an
// op that it cannot distribute.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H
#define AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H

#include "pipeline/distribution/Distributor.h"

namespace aircc::distribution {

/// The result of a pattern: nullopt if it does not apply to the op; otherwise
/// success, or failure after an error.
using Distributed = std::optional<mlir::LogicalResult>;

Distributed distributeTransfer(Distributor &d, mlir::Operation *op);
Distributed distributeGather(Distributor &d, mlir::Operation *op);
Distributed distributeElementwise(Distributor &d, mlir::Operation *op);
Distributed distributeConstant(Distributor &d, mlir::Operation *op);
Distributed distributeShape(Distributor &d, mlir::Operation *op);
Distributed distributeSlice(Distributor &d, mlir::Operation *op);
Distributed distributeContract(Distributor &d, mlir::Operation *op);
Distributed distributeScaledContract(Distributor &d, mlir::Operation *op);
Distributed distributeReduction(Distributor &d, mlir::Operation *op);
Distributed distributeScan(Distributor &d, mlir::Operation *op);
Distributed distributeMask(Distributor &d, mlir::Operation *op);
Distributed distributeConversion(Distributor &d, mlir::Operation *op);
Distributed distributeControlFlow(Distributor &d, mlir::Operation *op);
Distributed distributePrint(Distributor &d, mlir::Operation *op);
Distributed distributeXeGPUBlock(Distributor &d, mlir::Operation *op);
Distributed distributeXeGPUScatter(Distributor &d, mlir::Operation *op);
Distributed distributeXeGPUMatrix(Distributor &d, mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Utilities
//===----------------------------------------------------------------------===//

/// Clones an op with distributed operands and results.
mlir::Operation *cloneForLane(Distributor &d, mlir::Operation *op);

/// Emits an error at an op whose operand does not have the expected layout.
mlir::InFlightDiagnostic
emitLayoutMismatch(mlir::Operation *op, llvm::StringRef what,
                   const layout::NestedLayout &actual,
                   const layout::NestedLayout &expected);

/// Returns the layout of an undistributed vector, or that of a scalar for any
/// other value.
layout::NestedLayout layoutOrScalar(Distributor &d, mlir::Value value);

/// Emits an error if a vector of the op has no layout. Vectors of rank 0 do not
/// need one if `allowScalars` is set.
mlir::LogicalResult checkHaveLayouts(Distributor &d, mlir::Operation *op,
                                     bool allowScalars = false);

/// Converts the distributed vector `source` from layout `from` to layout `to`,
/// and returns the elements of the result.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
convertLayout(Distributor &d, mlir::Operation *op, mlir::Value source,
              const layout::NestedLayout &from, const layout::NestedLayout &to);

/// Distributes an op whose only result is a rearrangement of `source` (see
/// Exchange).
mlir::LogicalResult distributeByExchange(Distributor &d, mlir::Operation *op,
                                         mlir::Value source,
                                         mlir::AffineMap map,
                                         mlir::ValueRange symbols = {});

/// Returns the conjunction of two conditions; null means true.
mlir::Value createAnd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                      mlir::Value rhs);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H
