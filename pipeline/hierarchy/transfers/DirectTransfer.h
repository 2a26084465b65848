//===- DirectTransfer.h - Transfers straight to LDS -------------*- C++ -*-===//
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

/// A transfer of a tile from global memory to LDS that loads straight to LDS
/// can carry out.
struct DirectTransfer {
  /// The tile, as the source's dimensions have it.
  llvm::SmallVector<int64_t> shape;
  Scope scope;
  /// Null, or whether the source's strides, known only now, are short enough
  /// for the offsets of such loads (i1).
  mlir::Value fits;
};

/// `op`, which is described by `transfer` and shared by the workers of `scope`,
/// as such, if the rules of layout.async_dma hold for loads of `widths` bits a
/// lane; nothing otherwise. Builds the check of the strides at the builder's
/// place.
std::optional<DirectTransfer> getDirectTransfer(mlir::OpBuilder &b,
                                                air::DmaMemcpyNdOp op,
                                                const Transfer &transfer,
                                                Scope scope,
                                                llvm::ArrayRef<int64_t> widths);

/// Emits it as a layout.async_dma, which is `counted` if a layout.async_wait
/// waits for it.
void emitDirectTransfer(mlir::OpBuilder &b, mlir::Location loc,
                        const Transfer &transfer, const DirectTransfer &direct,
                        bool counted);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TRANSFERS_DIRECTTRANSFER_H
