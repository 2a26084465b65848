//===- TargetsMain.cpp - `aircc targets` ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/StageCheck.h"
#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

static ExitCode printList(const ProfileLoader &loader,
                          Diagnostics &diagnostics) {
  std::vector<ProfileError> errors;
  std::vector<ProfileListing> listings = loader.list(errors);
  size_t width = 0;
  for (const ProfileListing &listing : listings)
    width = std::max(width, listing.name.size());
  for (const ProfileListing &listing : listings)
    outs() << left_justify(listing.name, width) << "  " << listing.description
           << "\n";
  for (const ProfileError &error : errors)
    diagnostics.error(error);
  return errors.empty() ? ExitCode::Done : ExitCode::BadUsage;
}

ExitCode aircc::targetsMain(Arguments arguments,
                            const Installation &installation,
                            Diagnostics &diagnostics) {
  CLI::App app(
      "List the target profiles, or print one as JSON with all inherited "
      "values.",
      "aircc targets");
  std::string name, format;
  std::vector<std::string> folders;
  addOptions(app,
             {{"",
               {{"NAME", "PROFILE", "A profile's name, or a .json file", &name},
                makeTargetsDirOption(folders),
                makeDiagnosticsFormatOption(format)}}});
  if (auto code = parseOrExit(app, arguments, diagnostics))
    return *code;

  ProfileLoader loader = makeProfileLoader(
      installation.getTargetFolders(folders), /*rocmPath=*/"");
  if (name.empty())
    return printList(loader, diagnostics);
  std::vector<ProfileError> errors;
  auto text = loader.resolve(name, errors);
  for (const ProfileError &error : errors)
    diagnostics.error(error);
  if (!text)
    return ExitCode::BadUsage;
  outs() << *text << "\n";
  return ExitCode::Done;
}
