//===- TuneMain.cpp - `aircc tune` ----------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/CompileJob.h"
#include "driver/compile/StageCheck.h"
#include "driver/diagnostics/Logging.h"
#include "driver/files/Cleanup.h"
#include "driver/files/OutputFile.h"
#include "driver/files/PrivateFolder.h"
#include "driver/tune/ProductProgram.h"
#include "driver/tune/Tuner.h"
#include "pipeline/strategy/Tuning.h"
#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

#include <CLI/CLI.hpp>

#include <cmath>

using namespace aircc;
using namespace llvm;

namespace {

struct TuneOptions {
  std::string input, target, output, format, rocmPath;
  std::vector<std::string> targetFolders;
  std::optional<unsigned> waveSize, jobs, candidates;
  bool verbose = false;
};

/// Collects the products of a program.
class ProductList : public CompileObserver {
public:
  void addStage(StringRef stage, mlir::ModuleOp module,
                const TargetProfile &profile) override {
    auto list = module->getAttrOfType<mlir::ArrayAttr>("tuning.products");
    if (!list || !products.empty())
      return;
    for (auto entry : list.getAsRange<mlir::DictionaryAttr>()) {
      if (llvm::is_contained(entries, entry))
        continue;
      entries.push_back(entry);
      products.push_back(readProduct(entry));
    }
  }
  void addDeviceCode(ArrayRef<DeviceCode> codes) override {}

  std::vector<strategy::MatmulProblem> products;

private:
  SmallVector<mlir::DictionaryAttr> entries;
};

/// Runs the command.
class TuneCommand {
public:
  TuneCommand(const TuneOptions &options, const Installation &installation,
              Diagnostics &diagnostics)
      : options(options), installation(installation), diagnostics(diagnostics) {
  }

  Error run();

private:
  Error loadProfile();
  Error listProducts(StringRef folder);
  CandidateSettings getSettings() const;
  Error write(json::Array entries);

  const TuneOptions &options;
  const Installation &installation;
  Diagnostics &diagnostics;
  TargetProfile profile;
  TimingFigures figures;
  ProductList list;
};

} // namespace

Error TuneCommand::loadProfile() {
  ProfileLoader loader = makeProfileLoader(
      installation.getTargetFolders(options.targetFolders), options.rocmPath);
  auto loaded =
      aircc::loadProfile(loader, options.target, options.waveSize, diagnostics);
  if (!loaded)
    return loaded.takeError();
  std::vector<ProfileError> errors;
  std::optional<TimingFigures> timing =
      loader.loadTiming(options.target, errors);
  for (const ProfileError &error : errors)
    diagnostics.error(error);
  if (!timing)
    return fail(ExitCode::BadUsage);
  profile = std::move(*loaded);
  figures = *timing;
  if (StringRef(profile.files.front()).contains(','))
    return fail(ExitCode::BadUsage, "the name of the profile '" +
                                        profile.files.front() +
                                        "' contains a comma");
  return Error::success();
}

/// Compiles the program until its products are known.
Error TuneCommand::listProducts(StringRef folder) {
  CompileOptions compile;
  compile.inputs = {options.input};
  compile.targets = {options.target};
  compile.targetFolders = options.targetFolders;
  compile.waveSize = options.waveSize;
  compile.rocmPath = options.rocmPath;
  compile.emit = EmitKind::GPU;
  compile.output = (folder + "/gpu.mlir").str();
  compile.listProducts = true;
  compile.diagnosticsFormat = options.format == "json"
                                  ? DiagnosticsFormat::JSON
                                  : DiagnosticsFormat::Text;
  compile.commandLine = {"tune", options.input, "--target", options.target};
  ExitCode code = CompileJob(compile, installation, diagnostics, &list).run();
  // The job has already reported its errors.
  return code == ExitCode::Done ? Error::success() : fail(code);
}

CandidateSettings TuneCommand::getSettings() const {
  CandidateSettings settings;
  settings.aircc = installation.getBinary();
  settings.options = {"--target", options.target};
  for (const std::string &folder : options.targetFolders)
    settings.options.insert(settings.options.end(), {"--targets-dir", folder});
  if (options.waveSize)
    settings.options.insert(settings.options.end(),
                            {"--wave-size", std::to_string(*options.waveSize)});
  if (!options.rocmPath.empty())
    settings.options.insert(settings.options.end(),
                            {"--rocm-path", options.rocmPath});
  SmallString<128> folder, file(profile.files.front());
  if (!sys::fs::current_path(folder))
    sys::path::make_absolute(folder, file);
  settings.profile = std::string(file);
  return settings;
}

Error TuneCommand::write(json::Array entries) {
  std::string path = options.output;
  if (path.empty())
    path = (sys::path::stem(options.input) + ".tuning.json").str();
  auto output = OutputFile::create(path);
  if (!output)
    return output.takeError();
  (*output)->os() << writeTuning(std::move(entries));
  return (*output)->commit();
}

Error TuneCommand::run() {
  if (Error error = loadProfile())
    return error;
  auto folder = PrivateFolder::create(getTemporaryFolder(), "aircc-tune-");
  if (!folder)
    return fail(ExitCode::Environment, "cannot create a temporary directory");
  if (Error error = listProducts(folder->getPath()))
    return error;
  Tuner tuner(
      profile, figures, getSettings(), options.candidates.value_or(16),
      options.jobs.value_or(hardware_concurrency().compute_thread_count()));
  auto log = [&](const std::string &message) {
    if (options.verbose)
      logInfo(message);
  };
  json::Array entries;
  for (const strategy::MatmulProblem &product : list.products) {
    std::string name = describeProduct(product);
    if (std::string why = getTuningObstacle(product); !why.empty()) {
      diagnostics.warning(
          formatv("the product {0} is skipped: {1}", name, why).str());
      continue;
    }
    auto result = tuner.tune(product, folder->getPath(), log);
    if (!result)
      return result.takeError();
    outs() << formatv("{0}: {1:f2} us, {2:f2} us before; {3} candidates\n",
                      name, result->nanoseconds / 1000,
                      result->nanosecondsBefore / 1000, result->timed);
    outs().flush();
    if (result->isUnchanged())
      continue;
    json::Object entry = toJson(result->product);
    entry["nanoseconds"] = int64_t(std::llround(result->nanoseconds));
    entry["nanosecondsBefore"] =
        int64_t(std::llround(result->nanosecondsBefore));
    entries.push_back(std::move(entry));
  }
  if (list.products.empty())
    diagnostics.warning(
        "'" + options.input +
        "' has no matrix product that uses matrix instructions");
  return write(std::move(entries));
}

ExitCode aircc::tuneMain(Arguments arguments, const Installation &installation,
                         Diagnostics &diagnostics) {
  TuneOptions options;
  CLI::App app(
      "Search for fast tiles of the products of matrices in a program, "
      "by their times on the simulated device.",
      "aircc tune");
  addOptions(
      app, {{"",
             {{"INPUT", "FILE", "A program in MLIR", &options.input, true},
              {"-t,--target", "PROFILE",
               "Target profile: a name or a .json file", &options.target, true},
              {"-o,--output", "FILE",
               "The file for --tuning (default: the input's name, with "
               ".tuning.json)",
               &options.output},
              {"--candidates", "N",
               "Time the N candidates with the least estimates (default: 16)",
               &options.candidates},
              {"-j,--jobs", "N",
               "Candidates at the same time (default: all processors)",
               &options.jobs},
              {"-v,--verbose", "", "Print the time of each candidate",
               &options.verbose},
              makeWaveSizeOption(options.waveSize),
              makeRocmPathOption(options.rocmPath),
              makeTargetsDirOption(options.targetFolders),
              makeDiagnosticsFormatOption(options.format)}}});
  if (auto code = parseOrExit(app, arguments, diagnostics))
    return *code;
  diagnostics.setFormat(options.format == "json" ? DiagnosticsFormat::JSON
                                                 : DiagnosticsFormat::Text);
  if (options.input == "-")
    return diagnostics.report(
        fail(ExitCode::BadUsage,
             "aircc tune requires a file; it cannot read standard input"));
  if (options.jobs == 0u || options.candidates == 0u)
    return diagnostics.report(
        fail(ExitCode::BadUsage, "-j and --candidates must be at least 1"));
  installCleanupHandlers();
  if (Error error = TuneCommand(options, installation, diagnostics).run())
    return diagnostics.report(std::move(error));
  return ExitCode::Done;
}
