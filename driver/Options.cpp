//===- Options.cpp - The command line of a compile ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"

#include "driver/Version.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/PipelinePlan.h"
#include "driver/input/Registry.h"
#include "pipeline/common/Stage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

char HelpPrinted::ID = 0;

//===----------------------------------------------------------------------===//
// Options that CLI11 cannot express
//===----------------------------------------------------------------------===//

namespace {

/// An option in clang's spelling, and the spelling that CLI11 can parse.
struct Spelling {
  StringLiteral clang;
  StringLiteral ours;
  bool takesValue;
};

constexpr Spelling spellings[] = {
    {"-###", "--dry-run", false},
    {"-MD", "--write-dependencies", false},
    {"-MF", "--dependency-file", true},
    {"-MT", "--dependency-target", true},
    {"-Rkernels", "--kernel-remarks", false},
    {"-Rlayout", "--layout-remarks", false},
    {"-save-temps", "--save-temps", false},
    {"-shared", "--emit=shared", false},
};

} // namespace

/// Converts clang's spellings to CLI11's, and separates the options for MLIR
/// and for the linker.
static Expected<std::vector<std::string>>
normalize(ArrayRef<std::string> arguments, CompileOptions &options) {
  std::vector<std::string> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument.starts_with("--mlir-") || argument.starts_with("-mlir-")) {
      options.mlirOptions.push_back(argument.str());
      continue;
    }
    if (argument == "-mllvm") {
      if (++i == arguments.size())
        return fail(ExitCode::BadUsage, "-mllvm needs an option of LLVM");
      options.mlirOptions.push_back(arguments[i]);
      continue;
    }
    if (argument.starts_with("-Wl,")) {
      options.linkInputs.push_back(argument.str());
      continue;
    }
    if (argument.starts_with("-l") || argument.starts_with("-L")) {
      std::string joined = argument.str();
      if (argument.size() == 2) {
        if (++i == arguments.size())
          return fail(ExitCode::BadUsage, argument + " needs a value");
        joined += arguments[i];
      }
      options.linkInputs.push_back(joined);
      continue;
    }
    if (argument.starts_with("-save-temps=")) {
      result.push_back("-" + argument.str());
      continue;
    }
    bool replaced = false;
    for (const Spelling &spelling : spellings) {
      if (argument == spelling.clang) {
        result.push_back(spelling.ours.str());
        replaced = true;
      } else if (spelling.takesValue && argument.starts_with(spelling.clang)) {
        result.push_back(
            (spelling.ours + "=" + argument.drop_front(spelling.clang.size()))
                .str());
        replaced = true;
      }
    }
    if (!replaced)
      result.push_back(argument.str());
  }
  return result;
}

DiagnosticsFormat
aircc::findDiagnosticsFormat(ArrayRef<std::string> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--diagnostics-format=json" ||
        (arguments[i] == "--diagnostics-format" && i + 1 < arguments.size() &&
         arguments[i + 1] == "json"))
      return DiagnosticsFormat::JSON;
  return DiagnosticsFormat::Text;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

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
                "--stage-option takes STAGE.KEY=VALUE, got '" + text + "'");
  return StageOption{stage.str(), key.str(), value.str()};
}

/// Whether a file of this name is an input of the host's linker.
static bool isLinkInput(StringRef path) {
  StringRef extension = sys::path::extension(path);
  return extension == ".o" || extension == ".a" || extension == ".so" ||
         sys::path::filename(path).contains(".so.");
}

/// Rejects options that exclude each other.
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
                    " links nothing");
  if (options.inputs.size() > 1 && !linked && !options.output.empty() &&
      options.output != "-")
    return fail(ExitCode::BadUsage, "-o names one file, but each of the " +
                                        Twine(options.inputs.size()) +
                                        " inputs has an output");
  if (llvm::count(options.inputs, "-") > 1)
    return fail(ExitCode::BadUsage, "standard input can be read only once");
  if (options.inputs.size() > 1 && !options.header.empty())
    return fail(ExitCode::BadUsage, "--header takes one input");
  if (!options.report.empty() && options.inputs.size() > 1)
    return fail(ExitCode::BadUsage, "--report takes one input");
  bool makesHostCode =
      options.emit ? isHostCode(*options.emit)
                   : options.stopAfter.empty() && !options.replacesPipeline;
  if (!options.header.empty() && !makesHostCode)
    return fail(ExitCode::BadUsage,
                "--header declares the functions of host code for C programs; "
                "it requires -c, --emit host-obj or --emit shared");
  if (!options.html.empty() && options.emit != EmitKind::Layout)
    return fail(ExitCode::BadUsage, "--html requires --emit layout");
  if (!options.html.empty() &&
      (options.inputs.size() > 1 || options.targets.size() > 1))
    return fail(ExitCode::BadUsage, "--html takes one input and one target");
  for (size_t i = 0; i < options.targets.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (options.targets[i] == options.targets[j])
        return fail(ExitCode::BadUsage,
                    "--target " + options.targets[i] + " is given twice");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Parser
//===----------------------------------------------------------------------===//

static std::string describeEmitKinds(bool all) {
  if (!all)
    return "exe (default), shared, host-obj, hsaco, spirv, asm, llvm, "
           "gpu, ...: what to write (--help-all explains it)";
  std::string text = "What to write:";
  for (const EmitInfo &info : getEmitKinds())
    text += "\n  " + info.name.str() +
            std::string(13 - std::min<size_t>(11, info.name.size()), ' ') +
            info.summary.str();
  return text;
}

static constexpr const char *footer =
    "Options that begin with --mlir- are MLIR's; `-mllvm OPTION` is one of "
    "LLVM's.\n"
    "Other commands: aircc run, sim, report, opt, opt-llvm, lsp, targets, "
    "layout,\ncache, doctor. "
    "Exit codes: 0 success, 1 invalid input, 2 invalid command\n"
    "line or profile, 3 a dependency is missing or a file is not writable, "
    "70 a bug.";

namespace {

/// Values that need a check or a conversion after parsing.
struct RawValues {
  std::vector<std::string> inputs;
  std::vector<std::string> stageOptions;
  std::string emit;
  std::string optLevel;
  std::string saveTemps;
  std::string diagnosticsFormat;
  std::string cache;
  std::string fuse;
  std::optional<unsigned> jobs;
  bool onlyCompile = false;
  bool onlyAssemble = false;
};

} // namespace

/// The options of `aircc run` alone.
static OptionGroup getRunGroup(CompileOptions &options, bool forRun) {
  return {
      "",
      {{"--device", "DEVICE", "The runtime's device: sim, hip or level-zero",
        &options.device},
       {"--counters{-}", "FILE",
        "Count instructions, memory accesses and bank conflicts on the "
        "simulated device: print a table, or write FILE as JSON",
        &options.counters},
       {"--timing{-}", "WHAT",
        "Estimate the time on the GPU with the simulated device: print it, or "
        "FILE.json, profile=FILE, timeline=FILE, full",
        &options.timing},
       {"--check{all}", "KIND,...",
        "Run on the simulated device and check for faults that hardware does "
        "not report: all, or KINDs of races, waits, hazards, barriers, "
        "undefined, bounds; implies -g",
        &options.check},
       {"-n,--ranks", "N", "Run the program as N processes, its ranks",
        &options.ranks},
       {"--timeout", "SECONDS", "End the program after this many seconds",
        &options.timeout}},
      /*enabled=*/forRun};
}

/// The options of a compile, or of `aircc run`.
static std::vector<OptionGroup>
getOptionTable(CompileOptions &options, RawValues &raw, bool forRun, bool all) {
  return {
      {"",
       {{"INPUT", "FILE", "MLIR ('-': standard input); .o, .a and .so to link",
         &raw.inputs},
        {"-t,--target", "PROFILE",
         "Target profile: a name or a .json file; repeatable",
         &options.targets}}},
      {"",
       {{"-o,--output", "FILE", "Output file", &options.output}},
       /*enabled=*/!forRun},
      getRunGroup(options, forRun),
      {"Output",
       {{"--emit", "KIND", describeEmitKinds(all), &raw.emit},
        {"-c", "", "As --emit host-obj, into a file", &raw.onlyCompile},
        {"-S", "", "As --emit asm, into a file", &raw.onlyAssemble},
        {"--header", "FILE",
         "Write a C header that declares the public functions",
         &options.header},
        rare({"--html", "FILE",
              "With --emit layout: write a page that shows the layouts",
              &options.html}),
        rare({"--report", "FILE",
              "Write what each kernel of functions on tensors computes, as "
              "JSON",
              &options.report}),
        {"--write-dependencies", "", "-MD: write a dependency file for make",
         &options.writeDependencies},
        rare({"--dependency-file", "FILE",
              "-MF: name of the dependency file (default: the output's, with "
              ".d)",
              &options.dependencyFile}),
        rare({"--dependency-target", "NAME",
              "-MT: target in the dependency file (default: the output)",
              &options.dependencyTarget})},
       /*enabled=*/!forRun},
      {"Code",
       {{"-O", "LEVEL", "Optimization level, 0 to 3 (default: 2)",
         &raw.optLevel},
        {"-g", "", "Keep debug information", &options.debugInfo},
        rare({"--fuse", "OPS",
              "all or none: which ops of functions on tensors share a kernel "
              "(default: all)",
              &raw.fuse}),
        rare({"--no-entry-checks", "",
              "Do not check the arguments of functions on tensors at run time",
              &options.noEntryChecks}),
        makeRocmPathOption(options.rocmPath),
        rare(makeTargetsDirOption(options.targetFolders)),
        rare({"--cache", "SWITCH",
              "on or off: reuse results of earlier compiles (default: on, or "
              "AIRCC_CACHE)",
              &raw.cache}),
        {"-j,--jobs", "N",
         "Threads that compile kernels (default: all processors)", &raw.jobs}}},
      {"Pipeline",
       {{"--stage-option", "STAGE.KEY=VALUE",
         "Set an option of a stage; overrides the profile",
         &raw.stageOptions}}},
      {"Pipeline",
       {rare({"--start-at", "STAGE", "Skip the stages before this one",
              &options.startAt}),
        {"--stop-after", "STAGE", "Print the output of this stage",
         &options.stopAfter},
        rare({"--pass-pipeline", "PASSES",
              "Run these passes instead of the stages", &options.passPipeline}),
        {"--print-pipeline", "", "Print the passes, in the syntax of aircc opt",
         &options.printPipeline}},
       /*enabled=*/!forRun},
      {"Inspection",
       {{"-v,--verbose", "", "Print the steps of the compile",
         &options.verbose},
        {"--dry-run", "", "-###: print the steps without performing them",
         &options.dryRun},
        {"--kernel-remarks", "",
         "-Rkernels: say what each kernel of functions on tensors computes",
         &options.kernelRemarks},
        {"--layout-remarks", "", "-Rlayout: explain the layouts of vectors",
         &options.layoutRemarks},
        rare({"--time-report", "", "Print the time that each step took",
              &options.timeReport}),
        {"--save-temps{.}", "DIR",
         "Save the output of each stage, here or in DIR", &raw.saveTemps},
        makeDiagnosticsFormatOption(raw.diagnosticsFormat),
        {"--crash-on-purpose", "", "", &options.crashOnPurpose,
         /*required=*/false, /*hidden=*/true}}},
  };
}

/// Runs CLI11 on `arguments`. Returns HelpPrinted if help or the version was
/// requested.
static Error runParser(CLI::App &app, ArrayRef<std::string> arguments) {
  std::vector<std::string> hints = {"see " + app.get_name() + " --help"};
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    outs() << app.help();
    outs().flush();
    return make_error<HelpPrinted>();
  } catch (const CLI::CallForAllHelp &) {
    outs() << app.help();
    outs().flush();
    return make_error<HelpPrinted>();
  } catch (const CLI::CallForVersion &) {
    outs() << app.version() << "\n";
    outs().flush();
    return make_error<HelpPrinted>();
  } catch (const CLI::ExtrasError &) {
    std::vector<std::string> clangNames;
    for (const Spelling &spelling : spellings)
      clangNames.push_back(spelling.clang.str());
    return fail(ExitCode::BadUsage, describeUnknown(app, clangNames), hints);
  } catch (const CLI::ParseError &e) {
    return fail(ExitCode::BadUsage, e.what(), hints);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Checks and conversions of parsed values
//===----------------------------------------------------------------------===//

static Error setDiagnosticsFormat(CompileOptions &options,
                                  const RawValues &raw) {
  const std::string &format = raw.diagnosticsFormat;
  if (!format.empty() && format != "text" && format != "json")
    return fail(ExitCode::BadUsage,
                "--diagnostics-format is text or json, not '" + format + "'" +
                    suggest(format, {"text", "json"}));
  options.diagnosticsFormat =
      format == "json" ? DiagnosticsFormat::JSON : DiagnosticsFormat::Text;
  return Error::success();
}

static Error setFusion(CompileOptions &options, const RawValues &raw) {
  const std::string &fuse = raw.fuse;
  if (!fuse.empty() && fuse != "all" && fuse != "none")
    return fail(ExitCode::BadUsage, "--fuse is all or none, not '" + fuse +
                                        "'" + suggest(fuse, {"all", "none"}));
  options.fuse = fuse;
  return Error::success();
}

static Error setCache(CompileOptions &options, const RawValues &raw) {
  const std::string &cache = raw.cache;
  if (!cache.empty() && cache != "on" && cache != "off")
    return fail(ExitCode::BadUsage, "--cache is on or off, not '" + cache +
                                        "'" + suggest(cache, {"on", "off"}));
  if (!cache.empty())
    options.cache = cache == "on";
  return Error::success();
}

static Error setJobs(CompileOptions &options, const RawValues &raw) {
  if (!raw.jobs)
    return Error::success();
  if (*raw.jobs < 1 || *raw.jobs > 1024)
    return fail(ExitCode::BadUsage,
                "--jobs takes a number of threads from 1 to "
                "1024, not " +
                    Twine(*raw.jobs));
  options.jobs = *raw.jobs;
  return Error::success();
}

static Error setOptLevel(CompileOptions &options, const RawValues &raw) {
  if (raw.optLevel.empty())
    return Error::success();
  unsigned level = 0;
  if (StringRef(raw.optLevel).getAsInteger(10, level) || level > 3)
    return fail(ExitCode::BadUsage,
                "the optimization levels are -O0 to -O3, not -O" +
                    raw.optLevel);
  options.optLevel = level;
  return Error::success();
}

static Error setStages(CompileOptions &options, const RawValues &raw) {
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
static Error setEmitKind(CompileOptions &options, const RawValues &raw) {
  if (!raw.emit.empty()) {
    auto kind = parseEmitKind(raw.emit);
    if (!kind)
      return kind.takeError();
    options.emit = *kind;
  }
  if (raw.onlyCompile && raw.onlyAssemble)
    return fail(ExitCode::BadUsage, "-c and -S exclude each other");
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
                "--timing is for the simulated device, not for '" +
                    options.device + "'");
  if (!options.counters.empty() && options.device != "sim")
    return fail(ExitCode::BadUsage,
                "--counters is for the simulated device, not for '" +
                    options.device + "'");
  if (!options.device.empty() &&
      !is_contained({"sim", "hip", "level-zero"}, options.device))
    return fail(ExitCode::BadUsage,
                "--device is sim, hip or level-zero, not '" + options.device +
                    "'" +
                    suggest(options.device, {"sim", "hip", "level-zero"}));
  if (Error error = checkKindsError(options.check))
    return error;
  if (!options.check.empty()) {
    if (!options.device.empty() && options.device != "sim")
      return fail(ExitCode::BadUsage,
                  "--check requires the simulated device, not '" +
                      options.device + "'");
    options.device = "sim";
    options.debugInfo = true;
  }
  constexpr unsigned maxRanks = 1024;
  if (options.ranks && (*options.ranks == 0 || *options.ranks > maxRanks))
    return fail(ExitCode::BadUsage, "-n is a number of ranks from 1 to " +
                                        Twine(maxRanks) + ", not " +
                                        Twine(*options.ranks));
  return checkTimeout(options.timeout);
}

/// Completes `options` from the raw values and checks them, as far as possible
/// without reading a file.
static Error finishOptions(CompileOptions &options, RawValues &raw) {
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

Expected<CompileOptions>
aircc::parseCompileOptions(ArrayRef<std::string> allArguments, bool forRun) {
  CompileOptions options;
  options.commandLine = allArguments;

  // Arguments after "--" belong to the program that `run` starts.
  ArrayRef<std::string> arguments = allArguments;
  if (forRun) {
    auto dashes = llvm::find(arguments, "--");
    options.programArguments.assign(
        dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
    arguments = arguments.take_front(dashes - arguments.begin());
  }
  auto normalized = normalize(arguments, options);
  if (!normalized)
    return normalized.takeError();

  CLI::App app(forRun ? "Compile a program and run it."
                      : "Compile a program in MLIR (the AIR dialect and "
                        "upstream dialects) for a GPU.",
               forRun ? "aircc run" : "aircc");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_all_flag("--help-all", "Print all options and exit");
  RawValues raw;
  bool all = is_contained(*normalized, "--help-all");
  addOptions(app, getOptionTable(options, raw, forRun, all), all);
  app.set_version_flag("--version",
                       "aircc " AIRCC_VERSION " (LLVM " AIRCC_LLVM_VERSION ")",
                       "Print the versions and exit");
  app.footer(footer);
  if (Error error = runParser(app, *normalized))
    return error;

  if (!forRun && app.count("--output") && options.output.empty())
    return fail(ExitCode::BadUsage, "-o needs a file name");
  options.replacesPipeline = !forRun && app.count("--pass-pipeline");
  if (Error error = finishOptions(options, raw))
    return error;
  return options;
}
