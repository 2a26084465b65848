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

/// The position where a value of the merged profile was written.
struct ProfileOrigin {
  unsigned file = 0;
  JsonPositions::Entry position;
};

/// A merged profile before conversion.
struct ProfileDocument {
  nlohmann::json value;
  std::map<std::string, ProfileOrigin, std::less<>> origins; ///< The origins,
                                                             ///< by pointer.
  std::vector<std::string> files; // The profile itself, then its bases.
  std::string tuningFile; ///< The last file, if it was specified for "tuning".
  /// Whether the user, rather than a file, selected the value of `waveSize`.
  bool hasSelectedWaveSize = false;
};

/// Returns all profiles in `directories`, including bases, sorted by name.
std::vector<std::string>
listProfileFiles(const std::vector<std::string> &folders);

/// The positions of values are needed only for errors, but take as long to
/// determine as the rest of reading.
enum class WithPositions { No, Yes };

class ProfileReader {
public:
  /// Without positions, errors have none, and documents have no origins.
  ProfileReader(const std::vector<std::string> &folders,
                std::vector<ProfileError> &errors,
                WithPositions withPositions = WithPositions::Yes);

  /// Creates a reader for files with another schema, which must outlive it.
  ProfileReader(const std::vector<std::string> &folders,
                std::vector<ProfileError> &errors,
                const nlohmann::json &schemaDocument,
                WithPositions withPositions = WithPositions::Yes);

  /// Finds the file for `nameOrFile`, or reports an error at `at`. Names are
  /// first searched for in the directory of `referrer` (a file, or empty).
  /// `referrer` itself is skipped if there is another match, so that a user's
  /// gfx942.json may extend the installed one.
  std::optional<std::string> find(llvm::StringRef nameOrFile,
                                  llvm::StringRef referrer, ProfileError at);

  /// Reads `file` and all its bases.
  std::optional<ProfileDocument> read(const std::string &file);

  /// Finds and reads a profile. Reports an error, which says that it is not
  /// `kind`, for a profile that is only a base for others.
  std::optional<ProfileDocument> readProfile(llvm::StringRef nameOrFile,
                                             llvm::StringRef kind);

  /// Replaces the "tuning" of `document` with that of `file`, which contains
  /// nothing else.
  bool addTuning(ProfileDocument &document, const std::string &file);

  /// Checks that `document`, a profile of a GPU, has all required values.
  bool checkComplete(const ProfileDocument &document);

  /// Checks the merged `document` against the schema.
  bool checkMerged(const ProfileDocument &document);
  /// Checks `document` against the definition `complete` of the schema.
  bool checkRequired(const ProfileDocument &document);

  bool report(const ProfileDocument &document, const std::string &pointer,
              bool atKey, std::string message,
              std::vector<std::string> notes = {});

private:
  std::optional<ProfileDocument> readOne(const std::string &file);

  const std::vector<std::string> &folders;
  std::vector<ProfileError> &errors;
  bool withPositions;
  JsonSchema schema;
  std::vector<std::string> chain; // The files being read, to detect cycles.
};

} // namespace aircc

#endif // AIRCC_TARGETS_PROFILEREADER_H
