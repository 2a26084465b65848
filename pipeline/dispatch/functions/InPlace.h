//===- InPlace.h - Functions that work on memory of callers -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_INPLACE_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_INPLACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace aircc::dispatch {

/// Returns a private function that computes the same results as `device`, takes
/// arguments in device memory, and writes the results to additional arguments,
/// which do not share memory with anything else. Results that are not memrefs
/// are written to memrefs of rank 0. `device` itself is changed if nothing
/// calls it. It may omit results of `results` that are in the memory of an
/// argument (listed in `donors`, which is -1 for other results); the additional
/// arguments for these are unused. The device copies results if it `offloads`.
mlir::func::FuncOp createInPlaceFunction(mlir::ModuleOp module,
                                         mlir::func::FuncOp device,
                                         mlir::TypeRange results,
                                         llvm::ArrayRef<int64_t> donors,
                                         bool offloads);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_INPLACE_H
