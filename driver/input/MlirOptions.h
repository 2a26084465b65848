//===- MlirOptions.h - MLIR's own command-line options ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_MLIROPTIONS_H
#define AIRCC_DRIVER_INPUT_MLIROPTIONS_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// Passes `options` (--mlir-…, and the arguments of -mllvm) to LLVM's command
/// line. If there are none, nothing is registered, which saves compile time.
/// Otherwise, pass managers, contexts and timers then use them through MLIR's
/// apply functions. Failures are BadUsage.
llvm::Error parseMLIROptions(llvm::ArrayRef<std::string> options);

/// Returns the flags with which modules are printed. Long constants in
/// dense_resource are elided, unless --mlir-elide-resource-strings-if-larger
/// sets another limit.
mlir::OpPrintingFlags getPrintingFlags();

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_MLIROPTIONS_H
