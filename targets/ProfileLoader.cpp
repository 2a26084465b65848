//===- ProfileLoader.cpp - Finds, reads and checks profiles ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A profile becomes a TargetProfile in four steps. Each file in the chain is
// parsed and checked separately against the schema. The files are merged, base
// first. The result is checked against the schema again, and for completeness.
// Finally, conditions that a schema cannot express are checked on the C++ form.
// The source position of each value is recorded, so that every error names a
// line. The first three steps are in ProfileReader.cpp, the last one is in
// ProfileCheck.cpp.
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileLoader.h"

#include "targets/ChipCheck.h"
#include "targets/ProfileCheck.h"
#include "targets/ProfileForm.h"

#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;
using nlohmann::json;

/// Reads a profile and performs all checks.
static std::optional<std::pair<ProfileDocument, TargetProfile>>
readProfile(const std::vector<std::string> &folders, StringRef nameOrFile,
            const ProfileCheck &check, std::vector<ProfileError> &errors,
            const ProfileSelection &selection, WithPositions withPositions) {
  ProfileReader reader(folders, errors, withPositions);
  std::optional<ProfileDocument> document =
      reader.readProfile(nameOrFile, "a target");
  if (!document)
    return std::nullopt;
  if (!selection.tuningFile.empty() &&
      !reader.addTuning(*document, selection.tuningFile))
    return std::nullopt;
  if (selection.waveSize) {
    document->value["waveSize"] = *selection.waveSize;
    document->hasSelectedWaveSize = true;
  }
  if (!reader.checkComplete(*document))
    return std::nullopt;
  TargetProfile profile = convertProfile(*document);
  if (profile.backend == Backend::ROCDL)
    selectWaveSize(profile);
  std::vector<ProfileProblem> problems = checkProfile(*document, profile);
  if (problems.empty() && check)
    problems = check(profile);
  for (ProfileProblem &problem : problems)
    reader.report(*document, problem.pointer, false, problem.message,
                  problem.notes);
  if (!problems.empty())
    return std::nullopt;
  return std::pair(std::move(*document), std::move(profile));
}

/// Does the same, and determines the positions of values if there are errors.
static std::optional<std::pair<ProfileDocument, TargetProfile>>
readProfile(const std::vector<std::string> &folders, StringRef nameOrFile,
            const ProfileCheck &check, std::vector<ProfileError> &errors,
            const ProfileSelection &selection = {}) {
  std::vector<ProfileError> withoutPositions;
  auto result = readProfile(folders, nameOrFile, check, withoutPositions,
                            selection, WithPositions::No);
  if (result && withoutPositions.empty())
    return result;
  return readProfile(folders, nameOrFile, check, errors, selection,
                     WithPositions::Yes);
}

std::optional<TargetProfile>
ProfileLoader::load(StringRef nameOrFile, std::vector<ProfileError> &errors,
                    const ProfileSelection &selection) const {
  auto result = readProfile(folders, nameOrFile, check, errors, selection);
  if (!result)
    return std::nullopt;
  return std::move(result->second);
}

std::optional<std::string>
ProfileLoader::resolve(StringRef nameOrFile,
                       std::vector<ProfileError> &errors) const {
  auto result = readProfile(folders, nameOrFile, check, errors);
  if (!result)
    return std::nullopt;
  json value = result->first.value;
  value.erase("$schema");
  value.erase("extends");
  value["name"] = result->second.name;
  return value.dump(2);
}

std::optional<TimingFigures>
ProfileLoader::loadTiming(StringRef nameOrFile,
                          std::vector<ProfileError> &errors) const {
  auto result = readProfile(folders, nameOrFile, check, errors);
  if (!result)
    return std::nullopt;
  std::string missing;
  std::optional<TimingFigures> figures = convertTiming(result->first, missing);
  if (!figures)
    errors.push_back(
        {result->first.files[0],
         /*line=*/0,
         /*column=*/0,
         "/" + missing,
         "the profile '" + result->second.name + "' has no \"" + missing + "\"",
         {}});
  return figures;
}

std::vector<ProfileListing>
ProfileLoader::list(std::vector<ProfileError> &errors) const {
  std::vector<ProfileListing> listings;
  for (const std::string &file : listProfileFiles(folders)) {
    ProfileReader reader(folders, errors);
    std::optional<ProfileDocument> document = reader.read(file);
    if (!document || document->value.value("abstract", false))
      continue;
    listings.push_back({sys::path::stem(file).str(),
                        document->value.value("description", ""), file});
  }
  return listings;
}
