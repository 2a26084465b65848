//===- NewerForms.h - Forms of ops that a newer MLIR has --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are written for the MLIR of the day. What MLIR 23 spells in another
// way than MLIR 22, which aircc is built with, is rewritten when a program is
// read, where MLIR 22 has a form that means the same. For other ops a note
// names what to use.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_NEWERFORMS_H
#define AIRCC_DRIVER_INPUT_NEWERFORMS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace aircc {

/// Adds a note to an error about an op that only a newer MLIR has.
void explainNewerOp(mlir::Diagnostic &diagnostic);

/// Rewrites newer forms of ops. The ops in `root` need not be verified.
void rewriteNewerForms(mlir::Operation *root);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_NEWERFORMS_H
