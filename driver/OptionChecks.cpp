//===- OptionChecks.cpp - Checks of the options of a compile --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/OptionChecks.h"

#include "driver/commands/Subcommand.h"
#include "driver/compile/PipelinePlan.h"
#include "driver/input/Registry.h"
#include "pipeline/common/Stage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;

static Expected<EmitKind> parseEmitKind(const std::string &name) {
  std::vector<std::string> names;
  for (const EmitInfo &info : getEmitKinds()) {
    if (name == info.name)
      return info.kind;
    names.push_back(info.name.str());
  }
  return fail(ExitCode::BadUsage,
              "there is no --emit kind '" + name + "'" + suggest(name, names),
              {"known kinds: " + join(names, ", ")});
}

static Expected<StageOption> parseStageOption(StringRef text) {
  auto [place, value] = text.split('=');
  auto [stage, key] = place.split('.');
  if (!text.contains('=') || stage.empty() || key.empty())
    return fail(ExitCode::BadUsage,
                "--stage-option expects STAGE.KEY=VALUE, but got '" + text +
                    "'");
  return StageOption{stage.str(), key.str(), value.str()};
}

/// Returns whether a file with this name is an input for the host's linker.
static bool isLinkInput(StringRef path) {
  StringRef extension = sys::path::extension(path);
  return extension == ".o" || extension == ".a" || extension == ".so" ||
         sys::path::filename(path).contains(".so.");
}

/// Rejects combinations of options for constants files that are not supported.
static Error checkConstantsFiles(const CompileOptions &options,
                                 bool makesHostCode) {
  if (options.constantsOut.empty())
    return options.constantsThreshold
               ? fail(ExitCode::BadUsage,
                      "--constants-threshold requires --constants-out")
               : Error::success();
  if (!makesHostCode)
    return fail(ExitCode::BadUsage,
                "--constants-out writes constants of host code; it requires an "
                "executable, -c, --emit host-obj or --emit shared");
  if (options.inputs.size() > 1)
    return fail(ExitCode::BadUsage, "--constants-out supports only one input");
  if (options.constantsOut == "-")
    return fail(ExitCode::BadUsage, "--constants-out requires a file name, "
                                    "because the program refers to it");
  return Error::success();
}

/// Rejects options that cannot be combined.
static Error checkCombinations(const CompileOptions &options) {
  if (!options.stopAfter.empty() && options.emit)
    return fail(ExitCode::BadUsage,
                "--stop-after prints the output of the stage; it cannot be "
                "combined with --emit, -c or -S");
  if (options.replacesPipeline &&
      (!options.stopAfter.empty() || !options.startAt.empty() ||
       !options.stageOptions.empty()))
    return fail(
        ExitCode::BadUsage,
        "--pass-pipeline replaces all stages; it cannot be combined with "
        "--stop-after, --start-at or --stage-option");
  bool linked = !options.stopAfter.empty() || options.replacesPipeline
                    ? false
                    : isLinked(options.emit.value_or(EmitKind::Executable));
  if (options.emit)
    linked = isLinked(*options.emit);
  if (!options.linkInputs.empty() && !linked)
    return fail(ExitCode::BadUsage,
                "'" + options.linkInputs.front() +
                    "' is an input of the linker, but --emit " +
                    (options.emit ? getEmitInfo(*options.emit).name.str()
                                  : std::string("MLIR")) +
                    " does not link");
  if (options.inputs.size() > 1 && !linked && !options.output.empty() &&
      options.output != "-")
    return fail(ExitCode::BadUsage, "-o names a single file, but each of the " +
                                        Twine(options.inputs.size()) +
                                        " inputs has its own output");
  if (llvm::count(options.inputs, "-") > 1)
    return fail(ExitCode::BadUsage, "standard input can be read only once");
  if (options.inputs.size() > 1 && !options.header.empty())
    return fail(ExitCode::BadUsage, "--header supports only one input");
  if (!options.report.empty() && options.inputs.size() > 1)
    return fail(ExitCode::BadUsage, "--report supports only one input");
  bool makesHostCode =
      options.emit ? isHostCode(*options.emit)
                   : options.stopAfter.empty() && !options.replacesPipeline;
  if (!options.header.empty() && !makesHostCode)
    return fail(ExitCode::BadUsage,
                "--header declares the functions of host code for C programs; "
                "it requires -c, --emit host-obj or --emit shared");
  if (Error error = checkConstantsFiles(options, makesHostCode))
    return error;
  if (!options.html.empty() && options.emit != EmitKind::Layout)
    return fail(ExitCode::BadUsage, "--html requires --emit layout");
  if (!options.html.empty() &&
      (options.inputs.size() > 1 || options.targets.size() > 1))
    return fail(ExitCode::BadUsage,
                "--html supports only one input and one target");
  for (size_t i = 0; i < options.targets.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (options.targets[i] == options.targets[j])
        return fail(ExitCode::BadUsage,
                    "--target " + options.targets[i] + " is specified twice");
  return Error::success();
}

/// Checks that the value of an option is one of these words, or not given.
static Error checkWord(const std::string &option, const std::string &value,
                       const std::vector<std::string> &words) {
  if (value.empty() || is_contained(words, value))
    return Error::success();
  return fail(ExitCode::BadUsage, option + " is " +
                                      join(ArrayRef(words).drop_back(), ", ") +
                                      " or " + words.back() + ", not '" +
                                      value + "'" + suggest(value, words));
}

static Error setDiagnosticsFormat(CompileOptions &options,
                                  const RawOptionValues &raw) {
  const std::string &format = raw.diagnosticsFormat;
  options.diagnosticsFormat =
      format == "json" ? DiagnosticsFormat::JSON : DiagnosticsFormat::Text;
  return checkWord("--diagnostics-format", format, {"text", "json"});
}

static Error setFusion(CompileOptions &options, const RawOptionValues &raw) {
  options.fuse = raw.fuse;
  return checkWord("--fuse", raw.fuse, {"all", "none"});
}

static Error setOffload(CompileOptions &options, const RawOptionValues &raw) {
  options.offload = raw.offload;
  return checkWord("--offload", raw.offload, {"auto", "all", "none"});
}

static Error setCache(CompileOptions &options, const RawOptionValues &raw) {
  if (!raw.cache.empty())
    options.cache = raw.cache == "on";
  return checkWord("--cache", raw.cache, {"on", "off"});
}

static Error setJobs(CompileOptions &options, const RawOptionValues &raw) {
  if (!raw.jobs)
    return Error::success();
  if (*raw.jobs < 1 || *raw.jobs > 1024)
    return fail(ExitCode::BadUsage,
                "--jobs must be a number from 1 to 1024, but got " +
                    Twine(*raw.jobs));
  options.jobs = *raw.jobs;
  return Error::success();
}

static Error setOptLevel(CompileOptions &options, const RawOptionValues &raw) {
  if (raw.optLevel.empty())
    return Error::success();
  unsigned level = 0;
  if (StringRef(raw.optLevel).getAsInteger(10, level) || level > 3)
    return fail(ExitCode::BadUsage,
                "the optimization level must be -O0 to -O3, but got -O" +
                    raw.optLevel);
  options.optLevel = level;
  return Error::success();
}

static Error setStages(CompileOptions &options, const RawOptionValues &raw) {
  for (const std::string &text : raw.stageOptions) {
    auto option = parseStageOption(text);
    if (!option)
      return option.takeError();
    if (Error error = checkStageName("--stage-option", option->stage))
      return error;
    options.stageOptions.push_back(*option);
  }
  if (Error error = checkStageName("--stop-after", options.stopAfter))
    return error;
  return checkStageName("--start-at", options.startAt);
}

/// Determines what to emit from --emit, -c, -S and --header.
static Error setEmitKind(CompileOptions &options, const RawOptionValues &raw) {
  if (!raw.emit.empty()) {
    auto kind = parseEmitKind(raw.emit);
    if (!kind)
      return kind.takeError();
    options.emit = *kind;
  }
  if (raw.onlyCompile && raw.onlyAssemble)
    return fail(ExitCode::BadUsage, "-c and -S cannot be combined");
  if (raw.onlyCompile && options.emit && options.emit != EmitKind::Object &&
      options.emit != EmitKind::HostObject)
    return fail(ExitCode::BadUsage,
                "-c writes a host object; it cannot be combined with --emit " +
                    raw.emit);
  if (raw.onlyAssemble && options.emit && options.emit != EmitKind::Assembly &&
      options.emit != EmitKind::LLVM)
    return fail(
        ExitCode::BadUsage,
        "-S writes assembly (or LLVM IR with --emit llvm); it cannot be "
        "combined with --emit " +
            raw.emit);
  if (raw.onlyCompile)
    options.emit = EmitKind::HostObject;
  if (raw.onlyAssemble && !options.emit)
    options.emit = EmitKind::Assembly;
  // An object with a C header is meant for C programs.
  if (options.emit == EmitKind::Object && !options.header.empty())
    options.emit = EmitKind::HostObject;
  options.toFile = raw.onlyAssemble;
  return Error::success();
}

/// Checks the options of `aircc run`. Options that require the simulated device
/// select it.
static Error checkRunOptions(CompileOptions &options) {
  if ((!options.counters.empty() || !options.timing.empty()) &&
      options.device.empty())
    options.device = "sim";
  if (!options.timing.empty() && options.device != "sim")
    return fail(ExitCode::BadUsage,
                "--timing requires the simulated device, but got '" +
                    options.device + "'");
  if (!options.counters.empty() && options.device != "sim")
    return fail(ExitCode::BadUsage,
                "--counters requires the simulated device, but got '" +
                    options.device + "'");
  if (!options.device.empty() &&
      !is_contained({"sim", "hip", "level-zero"}, options.device))
    return fail(ExitCode::BadUsage,
                "--device must be sim, hip or level-zero, but got '" +
                    options.device + "'" +
                    suggest(options.device, {"sim", "hip", "level-zero"}));
  if (Error error = checkKindsError(options.check))
    return error;
  if (!options.check.empty()) {
    if (!options.device.empty() && options.device != "sim")
      return fail(ExitCode::BadUsage,
                  "--check requires the simulated device, but got '" +
                      options.device + "'");
    options.device = "sim";
    options.debugInfo = true;
  }
  constexpr unsigned maxRanks = 1024;
  if (options.ranks && (*options.ranks == 0 || *options.ranks > maxRanks))
    return fail(ExitCode::BadUsage, "-n must be a number of ranks from 1 to " +
                                        Twine(maxRanks) + ", but got " +
                                        Twine(*options.ranks));
  if (options.nodes && !options.ranks)
    return fail(ExitCode::BadUsage, "--nodes requires a number of ranks, -n");
  if (options.nodes && (*options.nodes == 0 || *options.nodes > *options.ranks))
    return fail(ExitCode::BadUsage,
                "--nodes must be from 1 to the number of ranks, " +
                    Twine(*options.ranks) + ", but got " +
                    Twine(*options.nodes));
  return checkTimeout(options.timeout);
}

Error aircc::finishOptions(CompileOptions &options, RawOptionValues &raw) {
  for (std::string &input : raw.inputs)
    (isLinkInput(input) ? options.linkInputs : options.inputs)
        .push_back(std::move(input));
  options.saveTemps = !raw.saveTemps.empty();
  options.saveTempsFolder = raw.saveTemps;
  if (options.dryRun)
    options.verbose = true;
  if (Error error = setDiagnosticsFormat(options, raw))
    return error;
  if (Error error = setCache(options, raw))
    return error;
  if (Error error = setFusion(options, raw))
    return error;
  if (Error error = setOffload(options, raw))
    return error;
  if (Error error = setJobs(options, raw))
    return error;
  if (Error error = setOptLevel(options, raw))
    return error;
  if (Error error = setStages(options, raw))
    return error;
  if (Error error = setEmitKind(options, raw))
    return error;
  if (options.inputs.empty() && !options.printPipeline)
    return fail(ExitCode::BadUsage, "no input file",
                {"usage: aircc INPUT.mlir --target NAME [-o OUT]; see aircc "
                 "--help"});
  if (Error error = checkRunOptions(options))
    return error;
  return checkCombinations(options);
}
