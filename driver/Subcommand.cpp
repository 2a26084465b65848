//===- Subcommand.cpp - Arguments of a subcommand -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Subcommand.h"

#include "driver/Failure.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace llvm;

Expected<bool> aircc::parseSubcommand(CLI::App &app,
                                      ArrayRef<std::string> arguments) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    outs() << app.help();
    return false;
  } catch (const CLI::ParseError &e) {
    return fail(ExitCode::BadUsage, e.what(),
                {"see " + app.get_name() + " --help"});
  }
  return true;
}
