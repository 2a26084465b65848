//===- Subcommand.h - Arguments of a subcommand -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H
#define AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace aircc {

/// Adds options that several subcommands have.
void addTargetsDirOption(CLI::App &app, std::vector<std::string> &folders);
void addDiagnosticsFormatOption(CLI::App &app, std::string &format);

/// Parses what follows the name of a subcommand. `app` is named as a user calls
/// it ("aircc doctor"). False if help was asked for, which is printed then.
llvm::Expected<bool> parseSubcommand(CLI::App &app,
                                     llvm::ArrayRef<std::string> arguments);

/// What to say of the first argument that `app` does not take: the option that
/// it is nearest to, of its own or of `others`, is probably meant.
std::string describeUnknown(const CLI::App &app,
                            std::vector<std::string> others = {});

/// "; did you mean 'NAME'?" for the candidate that is nearest to `text`; empty
/// if none is near.
std::string suggest(llvm::StringRef text,
                    const std::vector<std::string> &candidates);

/// What is wrong with the kinds that --check names.
llvm::Error checkKindsError(llvm::StringRef kinds);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_SUBCOMMAND_H
