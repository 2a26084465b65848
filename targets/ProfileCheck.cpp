//===- ProfileCheck.cpp - Checks the consistency of a profile -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileCheck.h"

#include "targets/ChipCheck.h"
#include "targets/MatrixCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <map>

using namespace aircc;
using namespace llvm;

/// Checks the entries of an Intel GPU's profile.
static std::vector<ProfileProblem> checkXe(const TargetProfile &profile) {
  Triple triple(profile.triple);
  if (triple.getArch() != Triple::spirv64)
    return {{"/triple",
             "the xevm backend generates code for spirv64, but got '" +
                 profile.triple + "'",
             {"the usual triple is spirv64-unknown-unknown"}}};
  if (profile.hasSelectedWaveSize && profile.waveSize != 16 &&
      !profile.matrixInstructions.empty())
    return {{"/waveSize",
             "the matrix instructions of " + profile.chip +
                 " require subgroups of 16 lanes",
             {"a profile with \"matrixInstructions\": null can use another "
              "subgroup size"}}};
  std::vector<ProfileProblem> problems;
  auto refuse = [&](bool given, const char *pointer, const char *message) {
    if (given)
      problems.push_back({pointer, message, {}});
  };
  refuse(!profile.features.empty(), "/features",
         "the xevm backend has no subtarget features");
  refuse(profile.codeObjectVersion != 0, "/codeObjectVersion",
         "the xevm backend does not produce code objects");
  refuse(!profile.dmaWidths.empty(), "/dmaWidths",
         "the xevm backend has no direct loads to shared local memory");
  refuse(!profile.ldsTransposeBits.empty(), "/ldsTransposeBits",
         "the xevm backend has no transposing reads from shared local memory");
  refuse(!profile.deviceLibs.empty(), "/deviceLibs",
         "the xevm backend links no device libraries");
  return problems;
}

/// Checks that the limits are consistent with each other.
static void checkLimits(const TargetProfile &profile,
                        std::vector<ProfileProblem> &problems) {
  const TargetLimits &limits = profile.limits;
  if (limits.threadsPerWorkgroup % profile.waveSize)
    problems.push_back({"/limits/threadsPerWorkgroup",
                        "a workgroup of " +
                            std::to_string(limits.threadsPerWorkgroup) +
                            " lanes does not consist of whole waves of " +
                            std::to_string(profile.waveSize),
                        {}});
  if (limits.cus < limits.xcds)
    problems.push_back({"/limits/xcds",
                        std::to_string(limits.xcds) +
                            " dies cannot have a total of " +
                            std::to_string(limits.cus) + " compute units",
                        {}});
}

/// Checks the entries of "tuning".
static void checkTuning(const TargetProfile &profile,
                        std::vector<ProfileProblem> &problems) {
  for (size_t i = 0; i < profile.tuning.size(); ++i) {
    const TunedProduct &product = profile.tuning[i];
    std::string pointer = "/tuning/" + std::to_string(i);
    auto report = [&](const char *key, std::string message) {
      problems.push_back({pointer + key, std::move(message), {}});
    };
    for (size_t j = 0; j < i; ++j)
      if (profile.tuning[j].key == product.key)
        report("", "entry " + std::to_string(j) + " is for the same product");
    if (product.key.k % product.splits)
      report("/splits", "a depth of " + std::to_string(product.key.k) +
                            " cannot be divided into " +
                            std::to_string(product.splits) + " equal parts");
    for (auto [key, size, waves] :
         {std::tuple("/tile/0", product.tileM, product.wavesM),
          std::tuple("/tile/1", product.tileN, product.wavesN)})
      if (size % waves)
        report(key, "a tile of " + std::to_string(size) +
                        " cannot be divided among " + std::to_string(waves) +
                        " waves");
  }
}

/// Checks that the runtime devices can execute code of the backend.
static void checkDevices(const TargetProfile &profile,
                         std::vector<ProfileProblem> &problems) {
  StringRef other = profile.backend == Backend::ROCDL ? "level-zero" : "hip";
  for (size_t i = 0; i < profile.runtimeDevices.size(); ++i)
    if (profile.runtimeDevices[i] == other)
      problems.push_back(
          {"/runtimeDevices/" + std::to_string(i),
           "'" + other.str() + "' cannot execute the code of " +
               "the backend '" +
               (profile.backend == Backend::ROCDL ? "rocdl" : "xevm") + "'",
           {}});
}

/// Returns the pointer to the document entry from which `instruction` was
/// created. An entry with several types represents several instructions, which
/// have the types in their names.
static std::string getPointer(const ProfileDocument &document,
                              const MatrixInstruction &instruction) {
  StringRef key = instruction.name;
  const nlohmann::json &entries = document.value["matrixInstructions"];
  if (!entries.contains(key.str()))
    key = key.rsplit('.').first.rsplit('.').first;
  return appendPointer("/matrixInstructions", key.str());
}

/// Reports instructions that the chip lacks. The error is at the chip if the
/// instruction comes from a base of the file that names the chip, otherwise at
/// the instruction.
static void checkInstructionsOfChip(const ProfileDocument &document,
                                    const TargetProfile &profile,
                                    const ChipFeatures &features,
                                    std::vector<ProfileProblem> &problems) {
  auto fileOf = [&](const std::string &pointer) {
    auto it = document.origins.find(pointer);
    return it == document.origins.end() ? 0 : it->second.file;
  };
  std::map<std::string, std::string> inherited; // By pointer.
  for (const MatrixInstruction &instruction : profile.matrixInstructions) {
    std::string missing = findMissingFeature(instruction, features);
    if (missing.empty())
      continue;
    std::string reason =
        StringRef(missing).starts_with("-")
            ? "which excludes it by LLVM's feature '" + missing.substr(1) + "'"
            : "which lacks LLVM's feature '" + missing + "'";
    std::string pointer = getPointer(document, instruction);
    if (fileOf("/chip") < fileOf(pointer))
      inherited[pointer] = "'" + instruction.op +
                           "' is not an instruction of " + profile.chip + ", " +
                           reason;
    else
      problems.push_back({pointer,
                          "'" + instruction.op + "' is not an instruction of " +
                              profile.chip + ", " + reason,
                          {}});
  }
  if (inherited.empty())
    return;
  std::string message = inherited.begin()->second;
  if (inherited.size() > 1)
    message += ", and so are " + std::to_string(inherited.size() - 1) +
               " more that this profile inherits";
  problems.push_back({"/chip",
                      message,
                      {"extend a profile of the chip's family, or remove an "
                       "instruction by setting it to null"}});
}

static void checkMatrixInstructions(const ProfileDocument &document,
                                    const TargetProfile &profile,
                                    const ChipFeatures &features,
                                    std::vector<ProfileProblem> &problems) {
  bool amd = profile.backend == Backend::ROCDL;
  std::set<std::string> names;
  for (const MatrixInstruction &instruction : profile.matrixInstructions) {
    std::string pointer = getPointer(document, instruction);
    auto report = [&](ProfileProblem problem) {
      problem.pointer = pointer + problem.pointer;
      // An entry with several types would repeat the same error.
      if (none_of(problems, [&](const ProfileProblem &other) {
            return other.pointer == problem.pointer;
          }))
        problems.push_back(std::move(problem));
    };
    if (!names.insert(instruction.name).second)
      report({"", "there are two instructions '" + instruction.name + "'", {}});
    std::vector<ProfileProblem> layouts =
        checkMatrixLayouts(instruction, profile.waveSize);
    for (ProfileProblem &problem : layouts)
      report(std::move(problem));
    if (!layouts.empty())
      continue;
    if (auto problem =
            amd ? checkAMDGPUMatrixInstruction(instruction, features,
                                               profile.waveSize)
                : checkXeMatrixInstruction(instruction, profile.waveSize))
      report(std::move(*problem));
  }
}

std::vector<ProfileProblem> aircc::checkProfile(const ProfileDocument &document,
                                                const TargetProfile &profile) {
  bool amd = profile.backend == Backend::ROCDL;
  ChipFeatures features;
  std::vector<ProfileProblem> problems =
      amd ? checkAMDGPUChip(profile, features) : checkXe(profile);
  if (!problems.empty())
    return problems;

  if (amd)
    checkInstructionsOfChip(document, profile, features, problems);
  if (!problems.empty())
    return problems;

  if (amd)
    problems = checkAMDGPUFigures(profile, features);
  checkLimits(profile, problems);
  checkDevices(profile, problems);
  checkTuning(profile, problems);
  checkMatrixInstructions(document, profile, features, problems);
  return problems;
}
