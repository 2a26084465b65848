//===- UnknownDialects.h - Uses of unregistered dialects --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A program in the generic form may contain ops, types and attributes of any
// dialect. MLIR's parser rejects unregistered ones and gives advice for its own
// tools. Therefore, the driver allows them in the parser and reports them
// itself.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H
#define AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace aircc {

/// Reports every op in `root` that belongs to an unregistered dialect, or has a
/// type or an attribute of one.
mlir::LogicalResult checkDialects(mlir::Operation *root);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H
