//===- FactorProducers.h - Ops that compute factors -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_FACTORPRODUCERS_H
#define AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_FACTORPRODUCERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {

/// Returns the ops that compute factor `operand` in the kernel: an elementwise
/// op, or an op that copies windows of an image, and possibly the padding of
/// the image and a reshape of the result. Returns an empty list if the kernel
/// should read the factor from memory.
llvm::SmallVector<mlir::Operation *>
findFactorProducers(mlir::linalg::LinalgOp contraction,
                    mlir::OpOperand *operand);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_CONTRACTIONS_FACTORPRODUCERS_H
