//===- ProfileLoader.h - Finds, reads and checks profiles -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_PROFILELOADER_H
#define AIRCC_TARGETS_PROFILELOADER_H

#include "targets/TargetProfile.h"
#include "targets/TimingFigures.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// An error in a profile and its position.
struct ProfileError {
  std::string file; ///< Empty if no file is the cause (no such profile).
  unsigned line = 0;
  unsigned column = 0;
  std::string pointer; ///< The JSON pointer of the value, where "" is the whole
                       ///< document.
  std::string message;
  std::vector<std::string> notes;
};

/// A contradiction within a well-formed profile.
struct ProfileProblem {
  std::string pointer; ///< The JSON pointer of the wrong value, such as
                       ///< "/chip".
  std::string message;
  std::vector<std::string> notes;
};

/// Additional checks that need information from outside the profile.
using ProfileCheck =
    std::function<std::vector<ProfileProblem>(const TargetProfile &)>;

/// A line in the output of `aircc targets`.
struct ProfileListing {
  std::string name;
  std::string description;
  std::string file;
};

/// The user's choices besides the profile.
struct ProfileSelection {
  ProfileSelection() = default;
  ProfileSelection(std::optional<unsigned> waveSize,
                   std::string tuningFile = "")
      : waveSize(waveSize), tuningFile(std::move(tuningFile)) {}

  std::optional<unsigned> waveSize; ///< Replaces the profile's.
  std::string tuningFile; ///< Replaces the profile's "tuning", unless empty.
};

class ProfileLoader {
public:
  /// `folders` are searched for profiles by name, highest priority first.
  /// `check` runs last, on profiles without other errors.
  explicit ProfileLoader(std::vector<std::string> folders,
                         ProfileCheck check = nullptr)
      : folders(std::move(folders)), check(std::move(check)) {}

  /// Reads the profile `nameOrFile`, which is a file if it ends in ".json" or
  /// contains a slash, otherwise NAME.json in one of the directories. Returns
  /// nullopt after appending at least one error.
  std::optional<TargetProfile>
  load(llvm::StringRef nameOrFile, std::vector<ProfileError> &errors,
       const ProfileSelection &selection = {}) const;

  /// Returns the checked profile as JSON, with `extends` applied.
  std::optional<std::string> resolve(llvm::StringRef nameOrFile,
                                     std::vector<ProfileError> &errors) const;

  /// Returns the parameters of the timing model. Returns nullopt after
  /// appending at least one error, also if the profile lacks a parameter.
  std::optional<TimingFigures>
  loadTiming(llvm::StringRef nameOrFile,
             std::vector<ProfileError> &errors) const;

  /// Lists the profiles in the directories, without bases, sorted by name. A
  /// file that cannot be read or parsed is an error but does not end the
  /// listing.
  std::vector<ProfileListing> list(std::vector<ProfileError> &errors) const;

private:
  std::vector<std::string> folders;
  ProfileCheck check;
};

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILELOADER_H
