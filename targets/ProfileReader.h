//===- ProfileReader.h - Reads, checks and merges profile files -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_PROFILEREADER_H
#define AIRCC_TARGETS_PROFILEREADER_H

#include "targets/JsonPositions.h"
#include "targets/JsonSchema.h"
#include "targets/ProfileLoader.h"

#include <nlohmann/json.hpp>

#include <map>

namespace aircc {

/// Where a value of the merged profile was written.
struct ProfileOrigin {
  unsigned file = 0;
  JsonPositions::Entry position;
};

/// A merged profile on its way.
struct ProfileDocument {
  nlohmann::json value;
  std::map<std::string, ProfileOrigin, std::less<>> origins;
  std::vector<std::string> files; // itself first, then what it extends
};

/// The profiles in `folders`, sorted by name; bases too.
std::vector<std::string>
listProfileFiles(const std::vector<std::string> &folders);

class ProfileReader {
public:
  ProfileReader(const std::vector<std::string> &folders,
                std::vector<ProfileError> &errors);

  /// The file that `nameOrFile` means, or the error `at` with its text. Names
  /// are looked for beside `referrer` first (a file, or empty), but do not mean
  /// `referrer` itself where there is another: so a user's gfx942.json may
  /// extend the one that is installed.
  std::optional<std::string> find(llvm::StringRef nameOrFile,
                                  llvm::StringRef referrer, ProfileError at);

  /// Reads `file` and all it extends.
  std::optional<ProfileDocument> read(const std::string &file);

  /// Checks that nothing is missing in `document`.
  bool checkComplete(const ProfileDocument &document);

  bool report(const ProfileDocument &document, const std::string &pointer,
              bool atKey, std::string message,
              std::vector<std::string> notes = {});

private:
  std::optional<ProfileDocument> readOne(const std::string &file);

  const std::vector<std::string> &folders;
  std::vector<ProfileError> &errors;
  std::string problem;
  JsonSchema schema;
  std::vector<std::string> chain; // files being read, for cycles
};

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILEREADER_H
