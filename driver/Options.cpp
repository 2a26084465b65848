//===- Options.cpp - The command line of a compile ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"

#include "driver/OptionChecks.h"
#include "driver/Version.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>

using namespace aircc;
using namespace llvm;

char HelpPrinted::ID = 0;

//===----------------------------------------------------------------------===//
// Options that CLI11 cannot express
//===----------------------------------------------------------------------===//

namespace {

/// An option in clang's spelling and the spelling that CLI11 can parse.
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
        return fail(ExitCode::BadUsage, "-mllvm requires an LLVM option");
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
          return fail(ExitCode::BadUsage, argument + " requires a value");
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
    "Other commands: aircc run, sim, report, tune, opt, opt-llvm, lsp, "
    "targets,\nlayout, cache, doctor. "
    "Exit codes: 0 success, 1 invalid input, 2 invalid command\n"
    "line or profile, 3 a dependency is missing or a file is not writable, "
    "70 a bug.";

/// Returns the options that only `aircc run` has.
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
       {"--nodes", "N",
        "Simulate that the ranks are on N nodes, which communicate by MPI",
        &options.nodes},
       {"--timeout", "SECONDS", "End the program after this many seconds",
        &options.timeout}},
      /*enabled=*/forRun};
}

/// Returns the options for constants files.
static OptionGroup getConstantsGroup(CompileOptions &options, bool forRun) {
  OptionGroup group = {
      "Constants",
      {rare({"--constants-in", "FILE",
             "A safetensors file with values of dense_resource constants and "
             "ml_program globals, by name",
             &options.constantsIn})}};
  if (forRun)
    return group;
  group.options.push_back(
      rare({"--constants-out", "FILE",
            "Write large constants to a safetensors file, which the program "
            "reads when it needs them, instead of to the program",
            &options.constantsOut}));
  group.options.push_back(
      rare({"--constants-threshold", "BYTES",
            "With --constants-out: the least size of a constant in the file "
            "(default: 4096)",
            &options.constantsThreshold}));
  return group;
}

static OptionDeclaration makeTuningOption(std::string &file) {
  return {"--tuning", "FILE",
          "Choices for kernels that `aircc tune` has written; they replace "
          "those of the profile",
          &file};
}

/// Returns the options of `aircc` or of `aircc run`.
static std::vector<OptionGroup> getOptionTable(CompileOptions &options,
                                               RawOptionValues &raw,
                                               bool forRun, bool all) {
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
        rare(makeWaveSizeOption(options.waveSize)),
        rare(makeTuningOption(options.tuning)),
        rare({"--fuse", "OPS",
              "all or none: which ops of functions on tensors share a kernel "
              "(default: all)",
              &raw.fuse}),
        rare({"--offload", "OPS",
              "auto, all or none: which ops of host code run on the device "
              "(default: auto, those of functions on tensors)",
              &raw.offload}),
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
      getConstantsGroup(options, forRun),
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
  RawOptionValues raw;
  bool all = is_contained(*normalized, "--help-all");
  addOptions(app, getOptionTable(options, raw, forRun, all), all);
  app.set_version_flag("--version",
                       "aircc " AIRCC_VERSION " (LLVM " AIRCC_LLVM_VERSION ")",
                       "Print the versions and exit");
  app.footer(footer);
  if (Error error = runParser(app, *normalized))
    return error;

  if (!forRun && app.count("--output") && options.output.empty())
    return fail(ExitCode::BadUsage, "-o requires a file name");
  options.replacesPipeline = !forRun && app.count("--pass-pipeline");
  if (Error error = finishOptions(options, raw))
    return error;
  return options;
}
