//===- LayoutMain.cpp - `aircc layout`: shows a layout --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/diagnostics/CrashGuard.h"
#include "driver/files/OutputFile.h"

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/algebra/LayoutPicture.h"
#include "dialects/layout/algebra/LayoutTable.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

/// Parses a layout. On failure, sets `problem` to the error message.
static layout::NestedLayoutAttr
parseLayout(mlir::MLIRContext &context, StringRef text, std::string &problem) {
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          if (problem.empty())
                                            problem = diagnostic.str();
                                        });
  size_t read = 0;
  mlir::Attribute attribute;
  CrashHandlers handlers;
  CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] {
        attribute = mlir::parseAttribute(text, &context, mlir::Type(), &read);
      }))
    problem = "MLIR's parser crashes on it, which is a bug in MLIR";
  if (!attribute)
    return {};
  if (!text.drop_front(read).trim().empty()) {
    problem = "unexpected text after it: '" + text.drop_front(read).str() + "'";
    return {};
  }
  auto layout = dyn_cast<layout::NestedLayoutAttr>(attribute);
  if (!layout)
    problem = "it is not a #layout.nested<…>";
  return layout;
}

ExitCode aircc::layoutMain(Arguments arguments, const Installation &,
                           Diagnostics &diagnostics) {
  CLI::App app("Show which lane and register hold each element of a vector: "
               "as a table, or with -o FILE.svg as a drawing.",
               "aircc layout");
  std::string text, output, format;
  int64_t waves = 0, lanes = 0;
  addOptions(
      app, {{"",
             {{"LAYOUT", "ATTRIBUTE", "The layout, '#layout.nested<…>'", &text,
               /*required=*/true},
              {"-o,--output", "FILE",
               "Output file: a drawing if it ends in .svg, otherwise the table",
               &output},
              {"--waves", "N",
               "Waves of the workgroup (default: as many as hold different "
               "elements)",
               &waves},
              {"--lanes", "N",
               "Lanes of a wave (default: as many as hold different elements)",
               &lanes},
              makeDiagnosticsFormatOption(format)}}});
  for (const char *name : {"--waves", "--lanes"})
    app.get_option(name)->check(CLI::PositiveNumber);
  if (auto code = parseOrExit(app, arguments, diagnostics))
    return *code;

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<layout::LayoutDialect>();
  std::string problem;
  layout::NestedLayoutAttr attribute = parseLayout(context, text, problem);
  if (!attribute)
    return diagnostics.report(
        fail(ExitCode::BadInput, "cannot read the layout: " + problem));
  layout::NestedLayout nested = attribute.getLayout();
  bool isPicture = StringRef(output).ends_with(".svg");
  layout::LayoutTableOptions table;
  table.numSubgroups = waves;
  table.numLanes = lanes;
  layout::LayoutPictureOptions picture;
  picture.numSubgroups = waves;
  picture.numLanes = lanes;
  layout::Result<std::string> drawn =
      isPicture ? layout::layoutPicture(nested, picture)
                : layout::layoutTable(nested, table);
  if (!drawn)
    return diagnostics.report(fail(ExitCode::BadInput, drawn.message()));
  auto file = OutputFile::create(output.empty() ? "-" : output);
  if (!file)
    return diagnostics.report(file.takeError());
  (*file)->os() << *drawn;
  if (Error error = (*file)->commit())
    return diagnostics.report(std::move(error));
  return ExitCode::Done;
}
