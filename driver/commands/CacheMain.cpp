//===- CacheMain.cpp - `aircc cache` --------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/cache/CompileCache.h"
#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

static void printStatistics(const CacheSettings &settings) {
  CacheContents contents = measureCacheFolder(settings.folder);
  CacheStatistics statistics = readStatistics(settings.folder);
  outs() << "folder   " << settings.folder << "\n"
         << "remote   " << (settings.remote.empty() ? "none" : "set") << "\n"
         << "entries  " << contents.entries << "\n"
         << "size     " << contents.bytes << " of " << settings.maxSize
         << " bytes\n"
         << "hits     " << statistics.hits << "\n"
         << "misses   " << statistics.misses << "\n";
}

ExitCode aircc::cacheMain(Arguments arguments, const Installation &installation,
                          Diagnostics &diagnostics) {
  CLI::App app("Show or empty the cache of compiled code.", "aircc cache");
  std::string format;
  bool statistics = false, clear = false, prune = false;
  addOptions(
      app,
      {{"",
        {{"--stats", "",
          "Print the folder, its entries and the numbers of hits and misses "
          "(default)",
          &statistics},
         {"--clear", "", "Remove all entries and the statistics", &clear},
         {"--prune", "",
          "Remove the entries that were used least recently until the size is "
          "below AIRCC_CACHE_SIZE; compiles do it, too",
          &prune},
         makeDiagnosticsFormatOption(format)}}});
  if (auto code = parseOrExit(app, arguments, diagnostics))
    return *code;
  auto settings = CacheSettings::fromEnvironment();
  if (!settings)
    return diagnostics.report(settings.takeError());
  if (settings->folder.empty())
    return diagnostics.report(fail(
        ExitCode::Environment,
        "there is no directory for the cache; set AIRCC_CACHE_DIR or HOME"));
  if (clear)
    if (Error error = clearCacheFolder(settings->folder))
      return diagnostics.report(std::move(error));
  if (prune)
    pruneCacheFolder(*settings);
  if (statistics || !(clear || prune))
    printStatistics(*settings);
  return ExitCode::Done;
}
