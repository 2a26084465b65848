//===- StageCheck.cpp - A profile's stages and libraries ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/StageCheck.h"

#include "driver/input/Registry.h"
#include "pipeline/codegen/rocdl/DeviceLibraries.h"
#include "pipeline/common/Stage.h"
#include "targets/JsonPositions.h"
#include "targets/JsonSchema.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aircc;
using namespace llvm;

/// Checks each option of `spec` separately, so that the error names the invalid
/// one.
static void checkOptions(const Stage &stage, const StageSpec &spec,
                         const TargetProfile &profile,
                         const std::string &pointer,
                         std::vector<ProfileProblem> &problems) {
  for (const auto &[key, value] : spec.options) {
    const std::string option = join_items("=", key, value);
    std::vector<std::string> messages;
    auto onError = [&](const Twine &message) {
      messages.push_back(StringRef(message.str()).trim().str());
    };
    mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
    if (mlir::succeeded(stage.populate(pm, profile, option, onError)) &&
        messages.empty())
      continue;
    problems.push_back({appendPointer(pointer + "/options", key),
                        "the stage '" + stage.name.str() +
                            "' does not take the option '" + option + "'",
                        std::move(messages)});
  }
}

static void checkStages(const TargetProfile &profile,
                        std::vector<ProfileProblem> &problems) {
  std::vector<std::string> names;
  for (const Stage *stage : getStages())
    names.push_back(stage->name.str());
  std::string order = "the stages are, in order: " + join(names, ", ");
  const Stage *const *previous = nullptr;
  for (const auto &[i, spec] : enumerate(profile.pipeline)) {
    std::string pointer = "/pipeline/" + std::to_string(i);
    const auto *stage = find_if(
        getStages(), [&](const Stage *s) { return s->name == spec.name; });
    if (stage == getStages().end()) {
      std::string message = "unknown stage '" + spec.name + "'";
      if (std::string near = findNearest(spec.name, names); !near.empty())
        message += "; did you mean '" + near + "'?";
      problems.push_back({pointer, message, {order}});
      continue;
    }
    if (previous && stage <= previous)
      problems.push_back(
          {pointer,
           stage == previous ? "the stage '" + spec.name + "' appears twice"
                             : "the stage '" + spec.name + "' cannot follow '" +
                                   (*previous)->name.str() + "'",
           {order}});
    else
      previous = stage;
    checkOptions(**stage, spec, profile, pointer, problems);
  }
}

/// Bitcode libraries that every ROCm installation provides.
static constexpr StringLiteral rocmLibraries[] = {"ocml", "ockl", "opencl",
                                                  "hip", "asanrtl"};

static void checkLibraries(const TargetProfile &profile, StringRef rocmPath,
                           std::vector<ProfileProblem> &problems) {
  std::vector<std::string> known(std::begin(rocmLibraries),
                                 std::end(rocmLibraries));
  for (const auto &[i, name] : enumerate(profile.deviceLibs)) {
    if (is_contained(known, name))
      continue;
    std::vector<std::string> folders = getDeviceLibraryFolders(rocmPath);
    if (!findDeviceLibrary(folders, name).empty())
      continue;
    std::string message = "there is no device library '" + name + "'";
    if (std::string near = findNearest(name, known); !near.empty())
      message += "; did you mean '" + near + "'?";
    problems.push_back({"/deviceLibs/" + std::to_string(i),
                        message,
                        {"ROCm's are: " + join(known, ", "),
                         "searched for others in: " + join(folders, ", ")}});
  }
}

ProfileLoader aircc::makeProfileLoader(std::vector<std::string> folders,
                                       StringRef rocmPath) {
  return ProfileLoader(std::move(folders), [rocmPath = rocmPath.str()](
                                               const TargetProfile &profile) {
    std::vector<ProfileProblem> problems;
    checkStages(profile, problems);
    checkLibraries(profile, rocmPath, problems);
    return problems;
  });
}

Expected<TargetProfile> aircc::loadProfile(const ProfileLoader &loader,
                                           StringRef nameOrFile,
                                           const ProfileSelection &selection,
                                           Diagnostics &diagnostics) {
  std::vector<ProfileError> errors;
  auto profile = loader.load(nameOrFile, errors, selection);
  for (const ProfileError &error : errors)
    diagnostics.error(error);
  if (!profile)
    return fail(ExitCode::BadUsage);
  return std::move(*profile);
}
