//===- UnknownDialects.h - What a program uses that is not here -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program in the generic form may hold ops, types and attributes of any
// dialect. MLIR's parser refuses those that are not registered with advice for
// its own tools, so the driver lets it read them and says itself what is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H
#define AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace aircc {

/// Reports every op of `root` that is of a dialect that is not registered, or
/// has a type or an attribute of one.
mlir::LogicalResult checkDialects(mlir::Operation *root);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_UNKNOWNDIALECTS_H
