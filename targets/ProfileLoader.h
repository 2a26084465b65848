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

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// What is wrong with a profile, and where.
struct ProfileError {
  std::string file; ///< Empty where no file is to blame (no such profile).
  unsigned line = 0;
  unsigned column = 0;
  std::string pointer; ///< JSON pointer of the value; "" is the whole document.
  std::string message;
  std::vector<std::string> notes;
};

/// A contradiction within a profile that is well-formed.
struct ProfileProblem {
  std::string pointer; ///< JSON pointer of the value to blame, "/chip".
  std::string message;
  std::vector<std::string> notes;
};

/// Further checks of a profile, by a caller that knows more than the profile.
using ProfileCheck =
    std::function<std::vector<ProfileProblem>(const TargetProfile &)>;

/// A line of `aircc targets`.
struct ProfileListing {
  std::string name;
  std::string description;
  std::string file;
};

class ProfileLoader {
public:
  /// `folders` is where profiles are looked for by name, best first. `check`
  /// runs last, on profiles without any other mistake.
  explicit ProfileLoader(std::vector<std::string> folders,
                         ProfileCheck check = nullptr)
      : folders(std::move(folders)), check(std::move(check)) {}

  /// Reads the profile called `nameOrFile`: a file where it ends in ".json" or
  /// holds a slash, otherwise NAME.json in one of the folders. Returns nothing
  /// after appending at least one error.
  std::optional<TargetProfile> load(llvm::StringRef nameOrFile,
                                    std::vector<ProfileError> &errors) const;

  /// The profile as JSON, `extends` applied and everything checked.
  std::optional<std::string> resolve(llvm::StringRef nameOrFile,
                                     std::vector<ProfileError> &errors) const;

  /// The profiles in the folders, bases left out, sorted by name. A file that
  /// cannot be read or parsed is an error, but does not end the listing.
  std::vector<ProfileListing> list(std::vector<ProfileError> &errors) const;

private:
  std::vector<std::string> folders;
  ProfileCheck check;
};

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILELOADER_H
