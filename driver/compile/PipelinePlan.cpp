//===- PipelinePlan.cpp - Selects the stages and their options ------------===//
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

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

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

/// Returns the value of `option`, or nullopt if the command line does not set
/// it.
static std::optional<std::string> getDriverOption(DriverOption option,
                                                  const CompileOptions &options,
                                                  bool stagesFollow) {
  auto flag = [](bool isSet) -> std::optional<std::string> {
    return isSet ? std::optional<std::string>("true") : std::nullopt;
  };
  switch (option) {
  case DriverOption::OptLevel:
    if (options.optLevel)
      return std::to_string(*options.optLevel);
    return std::nullopt;
  case DriverOption::RocmPath:
    if (!options.rocmPath.empty())
      return options.rocmPath;
    return std::nullopt;
  case DriverOption::DebugInfo:
    return flag(options.debugInfo);
  case DriverOption::LayoutRemarks:
    return flag(options.layoutRemarks);
  case DriverOption::KernelReport:
    return flag(options.kernelRemarks || !options.report.empty() ||
                options.emit == EmitKind::Plan);
  case DriverOption::DeviceCodeOnly:
    return flag(isDeviceCode(getEmitKind(options)));
  case DriverOption::WholeProgram:
    return flag(isWholeProgram(options));
  case DriverOption::ListProducts:
    return flag(options.listProducts);
  case DriverOption::StagesFollow:
    return flag(stagesFollow);
  case DriverOption::Fuse:
    if (!options.fuse.empty())
      return options.fuse;
    return std::nullopt;
  case DriverOption::Offload:
    if (!options.offload.empty())
      return options.offload;
    return std::nullopt;
  case DriverOption::ConstantsFile:
    if (!options.constantsOut.empty())
      return sys::path::filename(options.constantsOut).str();
    return std::nullopt;
  case DriverOption::ConstantsThreshold:
    if (options.constantsThreshold)
      return std::to_string(*options.constantsThreshold);
    return std::nullopt;
  case DriverOption::EntryChecks:
    if (options.noEntryChecks || isDeviceCode(getEmitKind(options)))
      return "false";
    return std::nullopt;
  }
  llvm_unreachable("not an option of the driver");
}

/// Sets the options of `stage` that come from the command line.
static void applyDriverOptions(const Stage &stage,
                               const CompileOptions &options, bool stagesFollow,
                               Settings &settings) {
  for (const TakenOption &taken : stage.takenOptions)
    if (auto value = getDriverOption(taken.option, options, stagesFollow))
      set(settings, taken.key, *value);
  if (!options.emit)
    return;
  for (const StageOutput &output : stage.outputs)
    if (output.emit == getEmitInfo(*options.emit).name && !output.key.empty())
      set(settings, output.key, output.value);
}

/// Sets the options of `stage` that are shared with other stages.
static void applySharedOptions(const Stage &stage, const TargetProfile &profile,
                               const CompileOptions &options,
                               Settings &settings) {
  for (const SharedOption &shared : stage.sharedOptions) {
    for (const StageSpec &spec : profile.pipeline)
      for (const auto &[key, value] : spec.options)
        if (spec.name == shared.stage && key == shared.key)
          set(settings, key, value);
    for (const StageOption &option : options.stageOptions)
      if (option.stage == shared.stage && option.key == shared.key)
        set(settings, option.key, option.value);
  }
}

/// Quotes a value for the textual option syntax.
static std::string quote(StringRef value) {
  if (value.find_first_of(" \t\n\v\f\r{}'\"") == StringRef::npos)
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

std::string aircc::overrideOption(StringRef options, StringRef key,
                                  StringRef value) {
  // The last occurrence of an option takes effect.
  return (options + (options.empty() ? "" : " ") + key + "=" + value).str();
}

/// Checks that the target's backend supports `options`.
static Error checkBackend(const TargetProfile &profile,
                          const CompileOptions &options) {
  const EmitInfo &info = getEmitInfo(getEmitKind(options));
  const bool isROCDL = profile.backend == Backend::ROCDL;
  StringRef name = isROCDL ? "rocdl" : "xevm";
  StringRef binary = isROCDL ? "hsaco" : "spirv";
  if (options.emit && info.backend && *info.backend != profile.backend)
    return fail(ExitCode::BadUsage,
                "target '" + profile.name + "' has the backend '" + name +
                    "', which does not support --emit " + info.name +
                    "; use --emit " + (isMLIR(info.kind) ? name : binary));
  return Error::success();
}

Error aircc::checkStageName(StringRef where, const std::string &name) {
  if (name.empty() || findStage(name))
    return Error::success();
  std::vector<std::string> names;
  for (const Stage *stage : getStages())
    names.push_back(stage->name.str());
  return fail(ExitCode::BadUsage,
              where + ": unknown stage '" + name + "'" + suggest(name, names),
              {"the stages are: " + join(names, ", ")});
}

/// Checks that the stage accepts the option, so that the error can say where
/// the option comes from.
static Error checkStageOption(const StageOption &option,
                              const TargetProfile &profile) {
  std::string problem;
  auto onError = [&](const Twine &message) { problem = message.str(); };
  mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
  if (mlir::succeeded(findStage(option.stage)
                          ->populate(pm, profile,
                                     option.key + "=" + quote(option.value),
                                     onError)))
    return Error::success();
  return fail(ExitCode::BadUsage, "--stage-option " + option.stage + "." +
                                      option.key + "=" + option.value + ": " +
                                      problem);
}

Expected<std::vector<PlannedStage>>
aircc::planPipeline(const TargetProfile &profile,
                    const CompileOptions &options) {
  if (Error error = checkBackend(profile, options))
    return error;

  std::vector<std::string> names;
  names.reserve(profile.pipeline.size());
  for (const StageSpec &spec : profile.pipeline)
    names.push_back(spec.name);
  auto lacks = [&](const Twine &what, StringRef name) {
    return fail(ExitCode::BadUsage,
                what + " requires the stage '" + name +
                    "', which is not in the pipeline of target '" +
                    profile.name + "'",
                {"its pipeline: " + join(names, ", ")});
  };

  // Find the first and the last stage.
  StringRef last = options.stopAfter;
  std::string why = "--stop-after " + options.stopAfter;
  if (last.empty()) {
    const EmitInfo &info = getEmitInfo(getEmitKind(options));
    if (const Stage *stage = findStageOfOutput(info.name))
      last = stage->name;
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
                                          " is after the end, " + why);
  }

  for (const StageOption &option : options.stageOptions) {
    if (!is_contained(names, option.stage))
      return lacks("--stage-option", option.stage);
    if (Error error = checkStageOption(option, profile))
      return error;
  }

  std::vector<PlannedStage> planned;
  for (; begin != end; ++begin) {
    const StageSpec &spec = profile.pipeline[begin - names.begin()];
    const Stage *stage = findStage(spec.name);
    Settings settings = spec.options;
    applyDriverOptions(*stage, options, std::next(begin) != end, settings);
    applySharedOptions(*stage, profile, options, settings);
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
