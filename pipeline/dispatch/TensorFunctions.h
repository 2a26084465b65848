//===- TensorFunctions.h - Functions on tensors -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_TENSORFUNCTIONS_H
#define AIRCC_PIPELINE_DISPATCH_TENSORFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::dispatch {

/// Returns the functions of `module` that use tensors, in program order.
llvm::SmallVector<mlir::func::FuncOp> getTensorFunctions(mlir::ModuleOp module);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_TENSORFUNCTIONS_H
