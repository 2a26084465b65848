//===- Patterns.h - How each kind of op is distributed ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of these makes the ops of a lane for one op on whole vectors, and tells
// the Distributor their results. They report what they cannot do at the op.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H
#define AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H

#include "pipeline/distribution/Distributor.h"

namespace aircc::distribution {

/// What the patterns of a file say of an op: it is none of theirs, or they have
/// distributed it, or they have reported why not.
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
// What several of them use
//===----------------------------------------------------------------------===//

/// Clones an op with shares for its operands and results.
mlir::Operation *cloneForLane(Distributor &d, mlir::Operation *op);

/// Reports an op whose operand has another layout than it needs.
mlir::InFlightDiagnostic
emitLayoutMismatch(mlir::Operation *op, llvm::StringRef what,
                   const layout::NestedLayout &actual,
                   const layout::NestedLayout &expected);

/// The layout of a whole vector, and of any other value that of a scalar.
layout::NestedLayout layoutOrScalar(Distributor &d, mlir::Value value);

/// A lane's share of `value` that has these elements.
mlir::Value assembleDistributed(Distributor &d, mlir::Value value,
                                mlir::ValueRange elements);

/// The elements of a lane's share of a vector in layout `to`, of which it has
/// the share `source` in layout `from`.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
convertLayout(Distributor &d, mlir::Operation *op, mlir::Value source,
              const layout::NestedLayout &from, const layout::NestedLayout &to);

/// Both conditions; a null one is true, and so is the result of two.
mlir::Value createAnd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                      mlir::Value rhs);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_PATTERNS_H
