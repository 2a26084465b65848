//===- KernelRegion.h - Group ops into kernels ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_KERNELREGION_H
#define AIRCC_PIPELINE_DISPATCH_KERNELREGION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// Returns whether `op` is in a loop whose iterations are workgroups.
bool isInKernel(mlir::Operation *op);

/// Returns the elementwise op that is the only user of `op` and that a kernel
/// can compute on a tile of its result; null if there is none.
mlir::linalg::GenericOp findEpilogue(mlir::linalg::LinalgOp op);

/// Moves structured ops with one result each, and views of them, into a loop of
/// one iteration that represents a kernel. `ops` is sorted so that definitions
/// precede uses. Only the result of the last op is used outside the kernel.
/// Each result gets its own workgroup memory, and the result of the loop gets
/// memory that nothing else uses.
void createKernelRegion(llvm::ArrayRef<mlir::Operation *> ops);

/// Replaces the sizes of results with sizes of operands, so that they do not
/// count as uses of the results.
void resolveSizes(mlir::func::FuncOp function);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_KERNELREGION_H
