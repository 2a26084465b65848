//===- Subcommand.cpp - Arguments of a subcommand -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Subcommand.h"

#include "driver/diagnostics/Failure.h"
#include "driver/input/InputFile.h"
#include "simulator/api/CheckKinds.h"
#include "targets/JsonSchema.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

std::string aircc::suggest(StringRef text,
                           const std::vector<std::string> &candidates) {
  std::string near = findNearest(text.str(), candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::string aircc::describeUnknown(const CLI::App &app,
                                   std::vector<std::string> others) {
  std::vector<std::string> unknown = app.remaining();
  StringRef first = unknown.empty() ? StringRef() : unknown.front();
  if (!first.starts_with("-"))
    return "unexpected argument '" + escapeName(first) + "'";
  std::vector<std::string> names = std::move(others);
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return "unknown option '" + escapeName(first) + "'" +
         suggest(first.split('=').first, names);
}

Expected<bool> aircc::parseSubcommand(CLI::App &app,
                                      ArrayRef<std::string> arguments) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    outs() << app.help();
    return false;
  } catch (const CLI::ExtrasError &) {
    return fail(ExitCode::BadUsage, describeUnknown(app),
                {"see " + app.get_name() + " --help"});
  } catch (const CLI::ParseError &e) {
    return fail(ExitCode::BadUsage, e.what(),
                {"see " + app.get_name() + " --help"});
  }
  return true;
}

std::optional<ExitCode> aircc::parseOrExit(CLI::App &app,
                                           ArrayRef<std::string> arguments,
                                           Diagnostics &diagnostics) {
  Expected<bool> parsed = parseSubcommand(app, arguments);
  if (!parsed)
    return diagnostics.report(parsed.takeError());
  if (!*parsed)
    return ExitCode::Done;
  return std::nullopt;
}

Error aircc::checkKindsError(StringRef kinds) {
  sim::CheckSelection selection;
  std::string problem = sim::CheckSelection::parse(kinds, selection);
  if (problem.empty())
    return Error::success();
  return fail(ExitCode::BadUsage, "--check=" + kinds + ": " + problem);
}

Error aircc::checkTimeout(std::optional<double> seconds) {
  if (seconds && !(*seconds > 0 && *seconds < 1e9))
    return fail(ExitCode::BadUsage,
                "--timeout must be a positive number of seconds");
  return Error::success();
}
