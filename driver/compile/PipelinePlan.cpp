//===- PipelinePlan.cpp - Which stages run, with which options ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/PipelinePlan.h"

#include "driver/commands/Subcommand.h"
#include "driver/input/Registry.h"
#include "pipeline/common/Stage.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aircc;
using namespace llvm;

EmitKind aircc::getEmitKind(const CompileOptions &options) {
  return options.emit.value_or(EmitKind::Executable);
}

bool aircc::printsModule(const CompileOptions &options) {
  if (options.emit)
    return isMLIR(*options.emit);
  return !options.stopAfter.empty() || options.replacesPipeline;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

static void set(Settings &settings, StringRef key, StringRef value) {
  auto it = find_if(settings, [&](auto &s) { return s.first == key; });
  if (it == settings.end())
    settings.emplace_back(key.str(), value.str());
  else
    it->second = value.str();
}

bool aircc::isWholeProgram(const CompileOptions &options) {
  return getEmitKind(options) == EmitKind::Executable &&
         options.inputs.size() == 1 && options.linkInputs.empty();
}

/// What the driver's own flags mean to a stage.
static void applyFlags(StringRef stage, const CompileOptions &options,
                       Settings &settings) {
  if (stage == "codegen") {
    if (options.optLevel)
      set(settings, "opt-level", std::to_string(*options.optLevel));
    if (!options.rocmPath.empty())
      set(settings, "rocm-path", options.rocmPath);
    StringRef format;
    if (options.emit == EmitKind::ROCDL || options.emit == EmitKind::XeVM)
      format = "dialect";
    else if (options.emit == EmitKind::LLVM)
      format = "llvm";
    else if (options.emit == EmitKind::Assembly)
      format = "asm";
    if (!format.empty())
      set(settings, "format", format);
    EmitKind kind = getEmitKind(options);
    if (kind == EmitKind::LLVM || kind == EmitKind::Assembly ||
        kind == EmitKind::Object || kind == EmitKind::CodeObject ||
        kind == EmitKind::SPIRV || kind == EmitKind::Native)
      set(settings, "launched-elsewhere", "true");
  }
  if (stage == "layout" && options.layoutRemarks)
    set(settings, "remarks", "true");
  if ((stage == "codegen" || stage == "link") && options.debugInfo)
    set(settings, "debug", "true");
  if (stage == "link" && isWholeProgram(options))
    set(settings, "whole-program", "true");
}

/// What stages are told in each other's place: `channels` counts puts and gets
/// by points of herds, of which `hierarchy` says what they are.
static void shareOptions(StringRef stage, const TargetProfile &profile,
                         const CompileOptions &options, Settings &settings) {
  if (stage != "channels")
    return;
  std::string pe;
  for (const StageSpec &spec : profile.pipeline)
    if (spec.name == "hierarchy")
      for (const auto &[key, value] : spec.options)
        if (key == "pe")
          pe = value;
  for (const StageOption &option : options.stageOptions)
    if (option.stage == "hierarchy" && option.key == "pe")
      pe = option.value;
  if (!pe.empty())
    set(settings, "pe", pe);
}

/// A value as the textual option syntax takes it.
static std::string quote(StringRef value) {
  if (value.find_first_of(" \t{}'\"") == StringRef::npos)
    return value.str();
  char mark = value.contains('"') ? '\'' : '"';
  return mark + value.str() + mark;
}

static std::string toString(const Settings &settings) {
  std::string text;
  for (const auto &[key, value] : settings)
    text += (text.empty() ? "" : " ") + key + "=" + quote(value);
  return text;
}

std::string aircc::overrideOption(std::string options, StringRef key,
                                  StringRef value) {
  // The last occurrence of an option counts.
  return options + (options.empty() ? "" : " ") + key.str() + "=" + value.str();
}

/// Whether `options` want something that the target's backend has.
static Error checkBackend(const TargetProfile &profile,
                          const CompileOptions &options) {
  const EmitInfo &info = getEmitInfo(getEmitKind(options));
  StringRef name = profile.backend == Backend::ROCDL ? "rocdl" : "xevm";
  if (options.emit && info.backend && *info.backend != profile.backend)
    return fail(ExitCode::BadUsage,
                "target '" + profile.name + "' has the backend '" + name +
                    "', which does not make --emit " + info.name);
  return Error::success();
}

Error aircc::checkStageName(StringRef where, const std::string &name) {
  if (name.empty() || findStage(name))
    return Error::success();
  std::vector<std::string> names;
  for (const Stage *stage : getStages())
    names.push_back(stage->name.str());
  return fail(ExitCode::BadUsage,
              where + ": there is no stage '" + name + "'" +
                  suggest(name, names),
              {"the stages are: " + join(names, ", ")});
}

Expected<std::vector<PlannedStage>>
aircc::planPipeline(const TargetProfile &profile,
                    const CompileOptions &options) {
  if (Error error = checkBackend(profile, options))
    return error;

  std::vector<std::string> names;
  for (const StageSpec &spec : profile.pipeline)
    names.push_back(spec.name);
  auto lacks = [&](const Twine &what, StringRef name) {
    return fail(ExitCode::BadUsage,
                what + " needs the stage '" + name +
                    "', which is not in the pipeline of target '" +
                    profile.name + "'",
                {"its pipeline: " + join(names, ", ")});
  };

  // Where to begin and where to end.
  StringRef last = options.stopAfter;
  std::string why = "--stop-after " + options.stopAfter;
  if (last.empty()) {
    const EmitInfo &info = getEmitInfo(getEmitKind(options));
    last = info.stage;
    why = "--emit " + info.name.str();
  }
  auto end = names.end(), begin = names.begin();
  if (last.empty())
    end = begin;
  else if (end = find(names, last); end == names.end())
    return lacks(why, last);
  else
    ++end;
  if (!options.startAt.empty()) {
    begin = find(names, options.startAt);
    if (begin == names.end())
      return lacks("--start-at " + options.startAt, options.startAt);
    if (begin >= end)
      return fail(ExitCode::BadUsage, "--start-at " + options.startAt +
                                          " comes after the end, " + why);
  }

  for (const StageOption &option : options.stageOptions)
    if (!is_contained(names, option.stage))
      return lacks("--stage-option", option.stage);

  std::vector<PlannedStage> planned;
  for (; begin != end; ++begin) {
    const StageSpec &spec = profile.pipeline[begin - names.begin()];
    const Stage *stage = findStage(spec.name);
    Settings settings = spec.options;
    // Device code is compiled while stage link lowers the host code.
    if (spec.name == "codegen" && std::next(begin) != end)
      set(settings, "async", "true");
    applyFlags(spec.name, options, settings);
    shareOptions(spec.name, profile, options, settings);
    for (const StageOption &option : options.stageOptions)
      if (option.stage == spec.name)
        set(settings, option.key, option.value);
    planned.push_back({stage, toString(settings)});
  }
  return planned;
}

Error aircc::populateStage(const PlannedStage &planned,
                           const TargetProfile &profile,
                           mlir::OpPassManager &pm) {
  std::vector<std::string> problems;
  auto onError = [&](const Twine &message) {
    problems.push_back(message.str());
  };
  if (mlir::succeeded(
          planned.stage->populate(pm, profile, planned.options, onError)) &&
      problems.empty())
    return Error::success();
  std::string what = problems.empty() ? "" : ": " + problems.front();
  return fail(ExitCode::BadUsage,
              "cannot set up the stage '" + planned.stage->name +
                  "' with the options '" + planned.options + "'" + what);
}
