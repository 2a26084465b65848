//===- CompileWorker.cpp - The compiles of the language server ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/CompileWorker.h"

#include "driver/Options.h"
#include "driver/compile/CompileJob.h"
#include "driver/lsp/EditorFacts.h"
#include "driver/sim/OpenSimulator.h"

#include "llvm/Support/raw_ostream.h"

using namespace aircc;
using namespace llvm;

/// Drops the outputs that the options request. All stages and the host code are
/// compiled, but the object is discarded.
static void dropOutputs(CompileOptions &options) {
  options.emit = EmitKind::HostObject;
  options.output = "/dev/null";
  for (std::string *output :
       {&options.header, &options.html, &options.report, &options.stopAfter})
    output->clear();
  options.toFile = options.writeDependencies = options.saveTemps = false;
  options.verbose = options.dryRun = options.printPipeline =
      options.timeReport = false;
  options.linkInputs.clear();
  options.diagnosticsFormat = DiagnosticsFormat::JSON;
}

ExitCode aircc::runCompileWorker(ArrayRef<std::string> arguments,
                                 const Installation &installation) {
  Diagnostics diagnostics(DiagnosticsFormat::JSON);
  std::vector<std::string> all = {"-"};
  append_range(all, arguments);
  Expected<CompileOptions> options = parseCompileOptions(all, /*forRun=*/false);
  if (!options) {
    Error error = options.takeError();
    if (error.isA<HelpPrinted>()) {
      consumeError(std::move(error));
      error =
          fail(ExitCode::BadUsage, "--help and --version cannot be used here");
    }
    return diagnostics.report(std::move(error));
  }
  dropOutputs(*options);
  if (options->inputs.size() != 1)
    return diagnostics.report(
        fail(ExitCode::BadUsage, "'options' must not contain inputs"));

  std::unique_ptr<simulator::Simulator> simulator;
  if (Expected<simulator::Simulator *> opened = openSimulator(installation))
    simulator.reset(*opened);
  else
    consumeError(opened.takeError()); // The facts then lack resources.
  EditorFacts facts(simulator.get());
  ExitCode code = CompileJob(*options, installation, diagnostics, &facts).run();
  outs() << facts.toJSON() << "\n";
  return code;
}
