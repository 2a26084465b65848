//===- Main.cpp - The aircc binary: selects the command -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/commands/Commands.h"
#include "driver/commands/MpiJob.h"
#include "driver/commands/OptMain.h"
#include "driver/commands/Subcommand.h"
#include "driver/diagnostics/Exhaustion.h"
#include "driver/tune/CallLibrary.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <unistd.h>
#include <vector>

using namespace aircc;
using namespace llvm;

/// Flushes the output streams. Fails if output could not be written.
static ExitCode flush(ExitCode code, Diagnostics &diagnostics) {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return code;
  std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  diagnostics.error("cannot write standard output: " + why);
  return ExitCode::Environment;
}

/// Reports a first argument that is neither an option nor an existing file,
/// because it is probably a misspelled command.
static Error checkCommand(StringRef first) {
  if (first.empty() || first.starts_with("-") ||
      first.find_first_of("./") != StringRef::npos || sys::fs::exists(first))
    return Error::success();
  std::string suggestion =
      suggest(first, {"run", "opt", "opt-llvm", "lsp", "sim", "report", "tune",
                      "targets", "layout", "cache", "doctor", "help"});
  if (suggestion.empty())
    return Error::success();
  return fail(ExitCode::BadUsage,
              "there is no command or file '" + first + "'" + suggestion,
              {"see aircc --help"});
}

int main(int argc, char **argv) {
  StringRef first = argc > 1 ? argv[1] : "";
  if (first == mpiAgentCommand && argc == 3)
    return runMpiAgent(argv[2]);
  if (first == callLibraryCommand)
    return callLibrary(argc - 2, argv + 2);
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  installExhaustionHandlers(findDiagnosticsFormat(arguments));

  // mlir-opt parses its own command line.
  if (first == "opt")
    return optMain(argc - 1, argv + 1);

  if (first == "help")
    arguments = {"--help"};
  Installation installation(argv[0]);
  Diagnostics diagnostics(findDiagnosticsFormat(arguments));
  Arguments rest = arguments;
  ExitCode code;
  if (first == "run")
    code = runMain(rest.drop_front(), installation, diagnostics);
  else if (first == "opt-llvm")
    code = optLLVMMain(rest.drop_front(), installation, diagnostics);
  else if (first == "sim")
    code = simMain(rest.drop_front(), installation, diagnostics);
  else if (first == "report")
    code = reportMain(rest.drop_front(), installation, diagnostics);
  else if (first == "tune")
    code = tuneMain(rest.drop_front(), installation, diagnostics);
  else if (first == "lsp")
    code = lspMain(rest.drop_front(), installation, diagnostics);
  else if (first == "targets")
    code = targetsMain(rest.drop_front(), installation, diagnostics);
  else if (first == "layout")
    code = layoutMain(rest.drop_front(), installation, diagnostics);
  else if (first == "cache")
    code = cacheMain(rest.drop_front(), installation, diagnostics);
  else if (first == "doctor")
    code = doctorMain(rest.drop_front(), installation, diagnostics);
  else if (Error error = checkCommand(first))
    code = diagnostics.report(std::move(error));
  else
    code = compileMain(rest, installation, diagnostics);
  code = flush(code, diagnostics);
  // After a crash, background threads may still use objects that destructors of
  // globals would destroy.
  if (code == ExitCode::Internal)
    ::_exit(static_cast<int>(code));
  return static_cast<int>(code);
}
