//===- ResultSizes.h - Sizes of a function's results ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_RESULTSIZES_H
#define AIRCC_PIPELINE_DISPATCH_RESULTSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace aircc::dispatch {

/// Creates a function that computes the dynamic sizes of the tensors that
/// `function` returns, in order, from the same arguments, as a
/// tensor<Nxindex>. It contains as much of the body as the sizes depend on,
/// which usually are only the sizes of the arguments. Returns null if all sizes
/// are static, or if the body has several blocks.
mlir::func::FuncOp createResultSizes(mlir::func::FuncOp function,
                                     llvm::StringRef name);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_RESULTSIZES_H
