//===- Maskable.h - Ops that support vector.mask ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ops whose distribution takes a mask, which is either their own or that of a
// vector.mask.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MASKABLE_H
#define AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MASKABLE_H

#include "dialects/layout/LayoutOps.h"
#include "pipeline/distribution/Distributor.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace aircc::distribution {

/// `mask` is an undistributed vector, or null.
mlir::LogicalResult
distributeMultiReduction(Distributor &d, mlir::vector::MultiDimReductionOp op,
                         mlir::Value mask);
mlir::LogicalResult distributeFlatReduction(Distributor &d,
                                            mlir::vector::ReductionOp op,
                                            mlir::Value mask);
mlir::LogicalResult distributeTransferRead(Distributor &d,
                                           mlir::vector::TransferReadOp op,
                                           mlir::Value mask);
mlir::LogicalResult distributeTransferWrite(Distributor &d,
                                            mlir::vector::TransferWriteOp op,
                                            mlir::Value mask);
mlir::LogicalResult distributeContraction(Distributor &d,
                                          mlir::vector::ContractionOp op,
                                          mlir::Value mask);

/// Returns the registers of each matrix-instruction tile in the distributed
/// vector of the accumulator `value`. Returns an empty list if no matrix
/// instruction computes it.
llvm::SmallVector<llvm::SmallVector<int64_t>>
getAccumulatorTiles(Distributor &d, mlir::Value value);
/// Does the same for a loop argument that is a factor in the loop's body.
llvm::SmallVector<llvm::SmallVector<int64_t>>
getFactorTiles(Distributor &d, mlir::Value argument);

/// Does the same for a layout.scaled_contract.
llvm::SmallVector<llvm::SmallVector<int64_t>>
getScaledAccumulatorTiles(Distributor &d, layout::ScaledContractOp op);

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_MEMORY_MASKABLE_H
