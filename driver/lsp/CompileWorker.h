//===- CompileWorker.h - The compiles of the language server ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_COMPILEWORKER_H
#define AIRCC_DRIVER_LSP_COMPILEWORKER_H

#include "driver/diagnostics/Failure.h"
#include "driver/files/Installation.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace aircc {

/// Compiles the program on standard input with the options of an aircc.json, in
/// a separate process that the language server starts. A crash terminates only
/// this compile, and a compile of an outdated text can be killed. Writes
/// diagnostics to standard error as JSON, and facts (EditorFacts.h) to standard
/// output.
ExitCode runCompileWorker(llvm::ArrayRef<std::string> options,
                          const Installation &installation);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_COMPILEWORKER_H
