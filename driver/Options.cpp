//===- Options.cpp - The command line of a compile ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"

#include "driver/Version.h"
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

/// Whether the host's linker, not aircc, reads a file of this name.
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
                    "' is for the linker, but --emit " +
                    (options.emit ? getEmitInfo(*options.emit).name.str()
                                  : std::string("MLIR")) +
                    " links nothing");
  if (options.inputs.size() > 1 && !linked && !options.output.empty() &&
      options.output != "-")
    return fail(ExitCode::BadUsage, "one -o, but " +
                                        Twine(options.inputs.size()) +
                                        " inputs that each give a file");
  if (llvm::count(options.inputs, "-") > 1)
    return fail(ExitCode::BadUsage, "standard input can be read only once");
  if (options.inputs.size() > 1 && !options.header.empty())
    return fail(ExitCode::BadUsage, "--header takes one input");
  bool makesHostCode =
      options.emit ? isHostCode(*options.emit)
                   : options.stopAfter.empty() && !options.replacesPipeline;
  if (!options.header.empty() && !makesHostCode)
    return fail(ExitCode::BadUsage,
                "--header is for C programs that call the functions of host "
                "code; it requires -c, --emit host-obj or --emit shared");
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

static std::string describeEmitKinds() {
  std::string text = "What to write:";
  for (const EmitInfo &info : getEmitKinds())
    text += "\n  " + info.name.str() +
            std::string(12 - std::min<size_t>(11, info.name.size()), ' ') +
            info.summary.str();
  return text;
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
  app.get_formatter()->column_width(34);
  std::string emit, optLevel, saveTemps, format;
  std::vector<std::string> inputs, stageOptions;
  bool onlyCompile = false, onlyAssemble = false;

  auto list = [](CLI::Option *option) {
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  app.add_option("INPUT", inputs,
                 "MLIR sources ('-': standard input); objects and libraries to "
                 "link (.o, .a, .so)")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  list(app.add_option("-t,--target", options.targets,
                      "Target profile, a name or a .json file; several make a "
                      "fat binary")
           ->type_name("PROFILE"));
  auto *outputOption =
      app.add_option("-o,--output", options.output, "Output file")
          ->type_name("FILE");
  if (forRun) {
    app.add_option("--device", options.device,
                   "The runtime's device: sim, hip or level-zero")
        ->type_name("DEVICE");
    app.add_flag("--counters{-}", options.counters,
                 "Count instructions, memory accesses and bank conflicts on "
                 "the simulated device: print a table, or write =FILE as JSON");
    app.add_flag("--check{all}", options.check,
                 "Run on the simulated device and check for faults that "
                 "hardware does not report: all, or KINDS of races, waits, "
                 "hazards, barriers, undefined, bounds (--check=KIND,KIND); "
                 "implies -g");
    app.add_option("-n,--ranks", options.ranks,
                   "Run the program as N processes, its ranks")
        ->type_name("N");
    app.add_option("--timeout", options.timeout,
                   "End the program after this many seconds")
        ->type_name("SECONDS");
    app.remove_option(outputOption); // the program is not kept
  }
  app.set_version_flag("--version",
                       "aircc " AIRCC_VERSION " (LLVM " AIRCC_LLVM_VERSION ")",
                       "Print the versions and exit");

  const char *group = "Output";
  if (!forRun) {
    app.add_option("--emit", emit, describeEmitKinds())
        ->type_name("KIND")
        ->group(group);
    app.add_flag("-c", onlyCompile, "As --emit host-obj, into a file")
        ->group(group);
    app.add_flag("-S", onlyAssemble, "As --emit asm, into a file")
        ->group(group);
    app.add_option("--header", options.header,
                   "Write a C header that declares the public functions")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--html", options.html,
                   "With --emit layout: write a page that shows the layouts")
        ->type_name("FILE")
        ->group(group);
    app.add_flag("--write-dependencies", options.writeDependencies,
                 "-MD: write a dependency file for make")
        ->group(group);
    app.add_option(
           "--dependency-file", options.dependencyFile,
           "-MF: name of the dependency file (default: the output's, with .d)")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--dependency-target", options.dependencyTarget,
                   "-MT: target in the dependency file (default: the output)")
        ->type_name("NAME")
        ->group(group);
  }

  group = "Code";
  app.add_option("-O", optLevel, "Optimization level, 0 to 3 (default: 2)")
      ->type_name("LEVEL")
      ->group(group);
  app.add_flag("-g", options.debugInfo, "Keep debug information")->group(group);
  app.add_option("--rocm-path", options.rocmPath,
                 "ROCm installation that provides the device libraries")
      ->type_name("FOLDER")
      ->group(group);
  list(app.add_option("--targets-dir", options.targetFolders,
                      "Folder to search for profiles first")
           ->type_name("FOLDER")
           ->group(group));

  group = "Pipeline";
  list(app.add_option("--stage-option", stageOptions,
                      "Set an option of a stage; overrides the profile")
           ->type_name("STAGE.KEY=VALUE")
           ->group(group));
  if (!forRun) {
    app.add_option("--start-at", options.startAt,
                   "Skip the stages before this one")
        ->type_name("STAGE")
        ->group(group);
    app.add_option("--stop-after", options.stopAfter,
                   "Print the output of this stage")
        ->type_name("STAGE")
        ->group(group);
    app.add_option("--pass-pipeline", options.passPipeline,
                   "Run these passes instead of the stages")
        ->type_name("PASSES")
        ->group(group);
    app.add_flag("--print-pipeline", options.printPipeline,
                 "Print the passes that would run, in the syntax of "
                 "--pass-pipeline and aircc opt")
        ->group(group);
  }

  group = "Looking inside";
  app.add_flag("-v,--verbose", options.verbose,
               "Print the steps of the compile")
      ->group(group);
  app.add_flag("--dry-run", options.dryRun,
               "-###: print the steps without performing them")
      ->group(group);
  app.add_flag("--layout-remarks", options.layoutRemarks,
               "-Rlayout: explain the layouts of vectors: each anchor, each "
               "conversion")
      ->group(group);
  app.add_flag("--time-report", options.timeReport,
               "Print the time that each step took")
      ->group(group);
  app.add_flag("--save-temps{.}", saveTemps,
               "Save the output of each stage, in this folder or in =DIR")
      ->group(group);
  app.add_option("--diagnostics-format", format, "text (default) or json")
      ->type_name("FORMAT")
      ->group(group);
  app.add_flag("--crash-on-purpose", options.crashOnPurpose)->group("");
  app.footer(
      "Options that begin with --mlir- are MLIR's own, for instance\n"
      "--mlir-print-ir-after-all; `-mllvm OPTION` is one of LLVM's.\n\n"
      "Other commands: aircc run, sim, opt, opt-llvm, lsp, targets, "
      "layout, doctor; "
      "aircc --version.\n"
      "Exit codes: 0 success, 1 invalid input, 2 invalid command line or "
      "profile,\n3 a dependency is missing or a file is not writable, 70 a "
      "bug in aircc.");

  std::vector<std::string> reversed(normalized->rbegin(), normalized->rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp &) {
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
    return fail(ExitCode::BadUsage, describeUnknown(app, clangNames),
                {forRun ? "see aircc run --help" : "see aircc --help"});
  } catch (const CLI::ParseError &e) {
    return fail(ExitCode::BadUsage, e.what(),
                {forRun ? "see aircc run --help" : "see aircc --help"});
  }

  for (std::string &input : inputs)
    (isLinkInput(input) ? options.linkInputs : options.inputs)
        .push_back(std::move(input));
  if (!forRun && outputOption->count() && options.output.empty())
    return fail(ExitCode::BadUsage, "-o needs a file name");
  options.saveTemps = !saveTemps.empty();
  options.saveTempsFolder = saveTemps;
  options.replacesPipeline = !forRun && app.count("--pass-pipeline");
  if (!format.empty() && format != "text" && format != "json")
    return fail(ExitCode::BadUsage,
                "--diagnostics-format is text or json, not '" + format + "'" +
                    suggest(format, {"text", "json"}));
  options.diagnosticsFormat =
      format == "json" ? DiagnosticsFormat::JSON : DiagnosticsFormat::Text;
  if (!optLevel.empty()) {
    unsigned level = 0;
    if (StringRef(optLevel).getAsInteger(10, level) || level > 3)
      return fail(ExitCode::BadUsage,
                  "the optimization levels are -O0 to -O3, not -O" + optLevel);
    options.optLevel = level;
  }
  for (const std::string &text : stageOptions) {
    auto option = parseStageOption(text);
    if (!option)
      return option.takeError();
    if (Error error = checkStageName("--stage-option", option->stage))
      return error;
    options.stageOptions.push_back(*option);
  }
  if (Error error = checkStageName("--stop-after", options.stopAfter))
    return error;
  if (Error error = checkStageName("--start-at", options.startAt))
    return error;

  if (!emit.empty()) {
    auto kind = parseEmitKind(emit);
    if (!kind)
      return kind.takeError();
    options.emit = *kind;
  }
  if (onlyCompile && onlyAssemble)
    return fail(ExitCode::BadUsage, "-c and -S exclude each other");
  if (onlyCompile && options.emit && options.emit != EmitKind::Object &&
      options.emit != EmitKind::HostObject)
    return fail(ExitCode::BadUsage,
                "-c writes a host object; it cannot be combined with --emit " +
                    emit);
  if (onlyAssemble && options.emit && options.emit != EmitKind::Assembly &&
      options.emit != EmitKind::LLVM)
    return fail(
        ExitCode::BadUsage,
        "-S writes assembly (or LLVM IR with --emit llvm); it cannot be "
        "combined with --emit " +
            emit);
  if (onlyCompile)
    options.emit = EmitKind::HostObject;
  if (onlyAssemble && !options.emit)
    options.emit = EmitKind::Assembly;
  // An object with a C header is meant for C programs.
  if (options.emit == EmitKind::Object && !options.header.empty())
    options.emit = EmitKind::HostObject;
  options.toFile = onlyAssemble;

  if (options.dryRun)
    options.verbose = true;
  if (options.inputs.empty() && !options.printPipeline)
    return fail(ExitCode::BadUsage, "no input file",
                {"usage: aircc INPUT.mlir --target NAME [-o OUT]; see aircc "
                 "--help"});
  if (!options.counters.empty() && options.device.empty())
    options.device = "sim";
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
      return fail(
          ExitCode::BadUsage,
          "--check looks at programs on the simulated device, not on '" +
              options.device + "'");
    options.device = "sim";
    options.debugInfo = true;
  }
  constexpr unsigned maxRanks = 1024;
  if (options.ranks && (*options.ranks == 0 || *options.ranks > maxRanks))
    return fail(ExitCode::BadUsage, "-n is a number of ranks from 1 to " +
                                        Twine(maxRanks) + ", not " +
                                        Twine(*options.ranks));
  if (options.timeout && !(*options.timeout > 0 && *options.timeout < 1e9))
    return fail(ExitCode::BadUsage, "--timeout is a number of seconds above 0");
  if (Error error = checkCombinations(options))
    return error;
  return options;
}
