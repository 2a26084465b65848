//===- DirectTransfer.h - Transfers by direct LDS loads ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TRANSFERS_DIRECTTRANSFER_H
#define AIRCC_PIPELINE_HIERARCHY_TRANSFERS_DIRECTTRANSFER_H

#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/common/Transfer.h"

namespace aircc::hierarchy {

/// A transfer of a tile from global memory to LDS with direct loads.
struct DirectTransfer {
  /// The shape of the tile in the dimensions of the source.
  llvm::SmallVector<int64_t> shape;
  Scope scope;
  /// An i1 that specifies whether the dynamic strides of the source are small
  /// enough for the offsets of direct loads; null if all strides are constant.
  mlir::Value fits;
};

/// Returns `op`, which `transfer` describes and which is distributed over the
/// workers of `scope`, as a direct transfer if the rules of layout.async_dma
/// hold for loads of `widths` bits per lane. Builds the check of the strides at
/// the insertion point.
std::optional<DirectTransfer> getDirectTransfer(mlir::OpBuilder &b,
                                                air::DmaMemcpyNdOp op,
                                                const Transfer &transfer,
                                                Scope scope,
                                                llvm::ArrayRef<int64_t> widths);

/// Emits a layout.async_dma, which is `counted` if a layout.async_wait waits
/// for it.
void emitDirectTransfer(mlir::OpBuilder &b, mlir::Location loc,
                        const Transfer &transfer, const DirectTransfer &direct,
                        bool counted);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TRANSFERS_DIRECTTRANSFER_H
