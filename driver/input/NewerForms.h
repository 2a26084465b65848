//===- NewerForms.h - Ops in the syntax of a newer MLIR ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Programs may be written for a newer MLIR. Ops that have another form in MLIR
// 23 are rewritten when a program is read, if MLIR 22, with which aircc is
// built, has an equivalent form. For other ops, a note names the replacement.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_NEWERFORMS_H
#define AIRCC_DRIVER_INPUT_NEWERFORMS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace aircc {

/// Adds a note to an error about an op that exists only in a newer MLIR.
void explainNewerOp(mlir::Diagnostic &diagnostic);

/// Rewrites newer forms of ops to those of MLIR 22. The ops in `root` need not
/// be verified.
void rewriteNewerForms(mlir::Operation *root);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_NEWERFORMS_H
