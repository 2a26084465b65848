//===- MlirOptions.h - MLIR's own command-line options ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_MLIROPTIONS_H
#define AIRCC_DRIVER_INPUT_MLIROPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// Hands `options` (--mlir-…, and what followed -mllvm) to LLVM's command line.
/// Nothing is registered when there are none: that would cost every compile.
/// Pass managers, contexts and timers then take them by MLIR's apply functions,
/// if `options` is not empty. Failures are BadUsage.
llvm::Error parseMLIROptions(llvm::ArrayRef<std::string> options);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_MLIROPTIONS_H
