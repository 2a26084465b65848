//===- GuardedParser.h - Recovers from parser crashes -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// MLIR's parsers and verifiers of some attributes and ops crash on invalid
// programs, such as `array<index: 1>` or a linalg op on unsupported types. A
// compile must report the location of the error, and the language server must
// survive while a user is typing such a program.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_GUARDEDPARSER_H
#define AIRCC_DRIVER_INPUT_GUARDEDPARSER_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace aircc {

/// mlir::parseAsmSourceFile, or the function that --wrap replaces.
using ParseFunction = llvm::function_ref<mlir::LogicalResult(
    const llvm::SourceMgr &, mlir::Block *, const mlir::ParserConfig &)>;

/// Calls `run`, which parses `sources`. If it crashes, emits an error at the op
/// or at the location in the text, which it finds by parsing prefixes of the
/// text with `parse`, and returns failure. IR built by the crashed parser is
/// leaked. Crash recovery must be enabled (CrashGuard.h).
mlir::LogicalResult parseGuarded(const llvm::SourceMgr &sources,
                                 const mlir::ParserConfig &config,
                                 ParseFunction parse,
                                 llvm::function_ref<mlir::LogicalResult()> run);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_GUARDEDPARSER_H
