//===- Donations.h - Arguments that calls may overwrite ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_DONATIONS_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_DONATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::dispatch {

/// Returns whether the memory of arguments of `function` can be overwritten. If
/// not, `why` is the reason.
bool canOverwriteArguments(mlir::ModuleOp module, mlir::func::FuncOp function,
                           llvm::StringRef &why);

/// Removes `air.donated` from the arguments of `function`, and returns which of
/// them had it.
llvm::SmallBitVector takeDonations(mlir::func::FuncOp function);

/// After bufferization: removes the results of `function` that are donated
/// arguments. Returns for each result the number of its argument, or -1.
llvm::SmallVector<int64_t> takeDonors(mlir::func::FuncOp function,
                                      const llvm::SmallBitVector &donated);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_DONATIONS_H
