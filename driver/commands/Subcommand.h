//===- Subcommand.h - Arguments of a subcommand -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H
#define AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H

#include "driver/diagnostics/Diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace aircc {

/// Parses the arguments after the name of a subcommand. `app` has the full name
/// of the command ("aircc doctor"). Returns false if help was requested, which
/// has then been printed.
llvm::Expected<bool> parseSubcommand(CLI::App &app,
                                     llvm::ArrayRef<std::string> arguments);

/// Like parseSubcommand, but reports errors. Returns the exit code if the
/// command should exit.
std::optional<ExitCode> parseOrExit(CLI::App &app,
                                    llvm::ArrayRef<std::string> arguments,
                                    Diagnostics &diagnostics);

/// Returns a message about the first argument that `app` does not accept. The
/// message suggests the nearest option of `app` or of `others`.
std::string describeUnknown(const CLI::App &app,
                            std::vector<std::string> others = {});

/// Returns "; did you mean 'NAME'?" for the candidate nearest to `text`, or ""
/// if none is near.
std::string suggest(llvm::StringRef text,
                    const std::vector<std::string> &candidates);

/// Returns an error if --check names an invalid kind.
llvm::Error checkKindsError(llvm::StringRef kinds);

/// Returns an error if --timeout is not a positive number of seconds.
llvm::Error checkTimeout(std::optional<double> seconds);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H
