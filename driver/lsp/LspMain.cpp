//===- LspMain.cpp - `aircc lsp` ------------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Version.h"
#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/diagnostics/CrashGuard.h"
#include "driver/input/Registry.h"
#include "driver/lsp/CompileWorker.h"
#include "driver/lsp/LanguageServer.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

/// Runs MLIR's language server, which LanguageServer starts.
static ExitCode runMlirServer() {
  setBugReportMsg(AIRCC_BUG_REPORT "\n");
  mlir::DialectRegistry registry;
  registerEverything(registry);
  CrashHandlers handlers; // For the parser (WrappedParser.cpp).
  char program[] = "aircc lsp", quiet[] = "-log=error";
  char *arguments[] = {program, quiet, nullptr};
  return mlir::failed(mlir::MlirLspServerMain(2, arguments, registry))
             ? ExitCode::BadInput
             : ExitCode::Done;
}

ExitCode aircc::lspMain(Arguments arguments, const Installation &installation,
                        Diagnostics &diagnostics) {
  auto *dashes = llvm::find(arguments, "--");
  CLI::App app("Serve an editor on standard input and output, by the language "
               "server protocol.",
               "aircc lsp");
  app.footer("A file aircc.json in the folder of a program, or above it, "
             "selects the\ntarget and options of its compiles.");
  bool usesStreams = false, isMlirServer = false, isWorker = false;
  std::string folder;
  addOptions(app, {{"",
                    {{"--stdio", "",
                      "Accepted because editors pass it: there is no other way",
                      &usesStreams},
                     {"--mlir-server", "", "", &isMlirServer, false, true},
                     {"--compile", "", "", &isWorker, false, true},
                     {"--folder", "DIR", "", &folder, false, true}}}});
  if (auto code = parseOrExit(
          app, arguments.take_front(dashes - arguments.begin()), diagnostics))
    return *code;
  if (isMlirServer)
    return runMlirServer();
  if (isWorker) {
    if (std::error_code error = sys::fs::set_current_path(folder))
      return diagnostics.report(
          fail(ExitCode::Environment,
               "cannot enter the folder '" + folder + "': " + error.message()));
    return runCompileWorker(
        arguments.drop_front(
            std::min<size_t>(dashes - arguments.begin() + 1, arguments.size())),
        installation);
  }
  return static_cast<ExitCode>(LanguageServer(installation).run());
}
