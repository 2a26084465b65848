//===- Commands.h - The subcommands of aircc --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_COMMANDS_H
#define AIRCC_DRIVER_COMMANDS_COMMANDS_H

#include "driver/diagnostics/Diagnostics.h"
#include "driver/files/Installation.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace aircc {

/// The arguments after the command name.
using Arguments = llvm::ArrayRef<std::string>;

/// `aircc INPUT…`
ExitCode compileMain(Arguments arguments, const Installation &installation,
                     Diagnostics &diagnostics);

/// `aircc run INPUT… [-- ARGUMENTS]`: compiles and then executes the program in
/// this process.
ExitCode runMain(Arguments arguments, const Installation &installation,
                 Diagnostics &diagnostics);

/// `aircc opt-llvm [FILE]`: LLVM's opt, extended with aircc's passes on LLVM
/// IR.
ExitCode optLLVMMain(Arguments arguments, const Installation &installation,
                     Diagnostics &diagnostics);

/// `aircc sim IMAGE`
ExitCode simMain(Arguments arguments, const Installation &installation,
                 Diagnostics &diagnostics);

/// `aircc report INPUT`: writes a page about the kernels of a program.
ExitCode reportMain(Arguments arguments, const Installation &installation,
                    Diagnostics &diagnostics);

/// `aircc tune INPUT`: compares choices for kernels on the simulated device.
ExitCode tuneMain(Arguments arguments, const Installation &installation,
                  Diagnostics &diagnostics);

/// `aircc lsp`: runs a language server.
ExitCode lspMain(Arguments arguments, const Installation &installation,
                 Diagnostics &diagnostics);

/// `aircc targets [NAME]`
ExitCode targetsMain(Arguments arguments, const Installation &installation,
                     Diagnostics &diagnostics);

/// `aircc layout '#layout.nested<…>'`
ExitCode layoutMain(Arguments arguments, const Installation &installation,
                    Diagnostics &diagnostics);

/// `aircc cache`
ExitCode cacheMain(Arguments arguments, const Installation &installation,
                   Diagnostics &diagnostics);

/// `aircc doctor`
ExitCode doctorMain(Arguments arguments, const Installation &installation,
                    Diagnostics &diagnostics);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_COMMANDS_H
