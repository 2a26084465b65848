//===- WidenIntegers.h - Whole bytes for integers of callers ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_WIDENINTEGERS_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_WIDENINTEGERS_H

#include "mlir/IR/BuiltinOps.h"

namespace aircc::dispatch {

/// Converts arguments and results of tensor functions whose integers neither C
/// nor numpy has, such as i4 and i48, to integers of the next width of 8, 16,
/// 32 or 64 bits. Arguments are truncated, and results are sign-extended.
void widenIntegers(mlir::ModuleOp module);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_WIDENINTEGERS_H
