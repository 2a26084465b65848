//===- ProfileReader.cpp - Reads, checks and merges profile files ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;
using nlohmann::json;

// The schema is compiled in, so that checks do not depend on the installation.
// The build wraps profile.schema.json in a raw string.
static constexpr char schemaText[] =
#include "targets/profile.schema.json.inc"
    ;

static const json &getSchemaDocument() {
  static const json document = json::parse(schemaText);
  return document;
}

/// Keys that apply to one file only and are not inherited.
static constexpr StringLiteral ownKeys[] = {"$schema", "name", "description",
                                            "extends", "abstract"};

ProfileReader::ProfileReader(const std::vector<std::string> &folders,
                             std::vector<ProfileError> &errors,
                             WithPositions withPositions)
    : ProfileReader(folders, errors, getSchemaDocument(), withPositions) {}

ProfileReader::ProfileReader(const std::vector<std::string> &folders,
                             std::vector<ProfileError> &errors,
                             const json &schemaDocument,
                             WithPositions withPositions)
    : folders(folders), errors(errors),
      withPositions(withPositions == WithPositions::Yes),
      schema(schemaDocument) {
  // The schemas are constant; unit tests check that they are supported.
  assert(JsonSchema::findUnsupported(schemaDocument).empty() &&
         "the schema is beyond JsonSchema");
}

static bool isFileName(StringRef nameOrFile) {
  return nameOrFile.ends_with(".json") || nameOrFile.contains('/');
}

std::vector<std::string>
aircc::listProfileFiles(const std::vector<std::string> &folders) {
  std::map<std::string, std::string> byName;
  for (const std::string &folder : folders) {
    std::error_code ec;
    for (sys::fs::directory_iterator it(folder, ec), end; !ec && it != end;
         it.increment(ec)) {
      StringRef name = sys::path::filename(it->path());
      if (name.ends_with(".json") && !name.ends_with(".schema.json"))
        byName.try_emplace(name.drop_back(5).str(), it->path());
    }
  }
  std::vector<std::string> files;
  files.reserve(byName.size());
  for (auto &[name, file] : byName)
    files.push_back(file);
  return files;
}

/// Returns whether `file` is marked as a base. The caller that reads an
/// unreadable file reports it.
static bool isAbstract(const std::string &file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return false;
  json value = json::parse((*buffer)->getBuffer(), nullptr,
                           /*allow_exceptions=*/false);
  return value.is_object() && value.contains("abstract") &&
         value["abstract"] == true;
}

bool ProfileReader::report(const ProfileDocument &document,
                           const std::string &pointer, bool atKey,
                           std::string message,
                           std::vector<std::string> notes) {
  if (document.hasSelectedWaveSize && pointer == "/waveSize") {
    errors.push_back({"", 0, 0, pointer, std::move(message), std::move(notes)});
    return false;
  }
  // Report a missing value at its parent.
  std::string known = pointer;
  auto origin = document.origins.find(known);
  while (origin == document.origins.end() && !known.empty()) {
    known.resize(known.rfind('/'));
    origin = document.origins.find(known);
  }
  ProfileOrigin where =
      origin == document.origins.end() ? ProfileOrigin() : origin->second;
  TextPosition position = atKey ? where.position.key : where.position.value;
  errors.push_back({document.files[where.file], position.line, position.column,
                    pointer, std::move(message), std::move(notes)});
  return false;
}

std::optional<std::string>
ProfileReader::find(StringRef nameOrFile, StringRef referrer, ProfileError at) {
  StringRef relativeTo = sys::path::parent_path(referrer);
  if (isFileName(nameOrFile)) {
    SmallString<128> path;
    if (!relativeTo.empty() && sys::path::is_relative(nameOrFile))
      path = relativeTo;
    sys::path::append(path, nameOrFile);
    if (sys::fs::exists(path))
      return std::string(path);
    at.message = "there is no profile file '" + std::string(path) + "'";
    errors.push_back(at);
    return std::nullopt;
  }

  std::vector<std::string> looked;
  if (!referrer.empty())
    looked.push_back(relativeTo.empty() ? "." : relativeTo.str());
  looked.insert(looked.end(), folders.begin(), folders.end());
  std::optional<std::string> itself;
  for (const std::string &folder : looked) {
    SmallString<128> path(folder);
    sys::path::append(path, nameOrFile + ".json");
    bool isItself = false;
    if (!referrer.empty())
      isItself = sys::fs::equivalent(path, referrer);
    if (isItself)
      itself = std::string(path);
    else if (sys::fs::exists(path))
      return std::string(path);
  }
  if (itself)
    return itself; // This is a cycle, which the caller reports.
  // A target must be complete, but a profile that is extended may be a base.
  std::vector<std::string> names;
  for (const std::string &file : listProfileFiles(looked))
    if (!referrer.empty() || !isAbstract(file))
      names.push_back(sys::path::stem(file).str());
  at.message = "there is no target profile '" + nameOrFile.str() + "'";
  if (std::string near = findNearest(nameOrFile.str(), names); !near.empty())
    at.message += "; did you mean '" + near + "'?";
  at.notes.push_back("looked in: " + join(looked, ", "));
  if (!names.empty())
    at.notes.push_back("there are: " + join(names, ", "));
  errors.push_back(at);
  return std::nullopt;
}

/// The indexer is recursive, so the nesting depth must be bounded. A profile
/// needs six levels.
static constexpr unsigned kMaxDepth = 64;

/// Parses and checks a single file.
std::optional<ProfileDocument> ProfileReader::readOne(const std::string &file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    errors.push_back({file,
                      0,
                      0,
                      "",
                      "cannot read the profile: " + buffer.getError().message(),
                      {}});
    return std::nullopt;
  }
  std::string_view text = (*buffer)->getBuffer();

  ProfileDocument document;
  document.files.push_back(file);
  if (auto deep = findTooDeepNesting(text, kMaxDepth)) {
    TextPosition place = getTextPosition(text, *deep);
    errors.push_back({file,
                      place.line,
                      place.column,
                      "",
                      "values are nested more than " +
                          std::to_string(kMaxDepth) + " levels deep",
                      {}});
    return std::nullopt;
  }
  try {
    document.value = json::parse(text);
  } catch (const json::parse_error &e) {
    // The text is "[json.exception.parse_error.101] parse error at line 3,
    // column 5: what".
    StringRef what = e.what();
    size_t colon = what.find(": ");
    if (colon != StringRef::npos)
      what = what.drop_front(colon + 2);
    TextPosition place = getTextPosition(text, e.byte ? e.byte - 1 : 0);
    errors.push_back({file, place.line, place.column, "", what.str(), {}});
    return std::nullopt;
  }

  JsonPositions positions(text);
  if (withPositions)
    for (const auto &[pointer, position] : positions.entries())
      document.origins[pointer] = {0, position};
  bool ok = true;
  for (const auto &[pointer, position] : positions.duplicates()) {
    StringRef key = StringRef(pointer).rsplit('/').second;
    errors.push_back({file,
                      position.line,
                      position.column,
                      pointer,
                      "key '" + key.str() + "' appears twice",
                      {}});
    ok = false;
  }
  bool extends =
      document.value.is_object() && document.value.contains("extends");
  for (SchemaViolation &v : schema.validate(document.value, "", extends))
    ok = report(document, v.pointer, v.atKey, std::move(v.message),
                std::move(v.notes));
  if (!ok)
    return std::nullopt;
  return document;
}

/// Removes the origins of `pointer` and of all values in it.
static void
eraseOrigins(std::map<std::string, ProfileOrigin, std::less<>> &origins,
             const std::string &pointer) {
  if (origins.empty())
    return;
  origins.erase(pointer);
  std::string inside = pointer + "/";
  auto it = origins.lower_bound(inside);
  while (it != origins.end() && StringRef(it->first).starts_with(inside))
    it = origins.erase(it);
}

/// Copies the origins of `pointer` and of all values in it from `from` to `to`.
static void takeOrigins(std::map<std::string, ProfileOrigin, std::less<>> &to,
                        const ProfileDocument &from,
                        const std::string &pointer) {
  if (auto it = from.origins.find(pointer); it != from.origins.end())
    to[pointer] = it->second;
  std::string inside = pointer + "/";
  for (auto it = from.origins.lower_bound(inside);
       it != from.origins.end() && StringRef(it->first).starts_with(inside);
       ++it)
    to[it->first] = it->second;
}

/// Merges `derived` into `base`, following RFC 7386 (JSON Merge Patch).
static void merge(json &base,
                  std::map<std::string, ProfileOrigin, std::less<>> &origins,
                  const ProfileDocument &derived, const json &value,
                  const std::string &pointer) {
  for (const auto &[key, member] : value.items()) {
    std::string here = appendPointer(pointer, key);
    if (member.is_null()) {
      base.erase(key);
      eraseOrigins(origins, here);
    } else if (member.is_object() && base.contains(key) &&
               base[key].is_object()) {
      if (auto it = derived.origins.find(here); it != derived.origins.end())
        origins[here] = it->second;
      merge(base[key], origins, derived, member, here);
    } else {
      eraseOrigins(origins, here);
      takeOrigins(origins, derived, here);
      if (!member.is_object()) {
        base[key] = member;
        continue;
      }
      base[key] = json::object();
      merge(base[key], origins, derived, member, here);
    }
  }
}

std::optional<ProfileDocument> ProfileReader::read(const std::string &file) {
  SmallString<128> identity;
  if (sys::fs::real_path(file, identity))
    identity = file;
  chain.push_back(std::string(identity));

  std::optional<ProfileDocument> document = readOne(file);
  if (!document)
    return std::nullopt;
  auto extends = document->value.find("extends");
  if (extends == document->value.end())
    return document;

  ProfileOrigin where;
  if (withPositions)
    where = document->origins["/extends"];
  ProfileError at{file,
                  where.position.value.line,
                  where.position.value.column,
                  "/extends",
                  "",
                  {}};
  // The schema allows null for any key in a profile that extends another one.
  if (!extends->is_string()) {
    at.message = "expected the name or the path of a profile";
    errors.push_back(at);
    return std::nullopt;
  }
  std::string wanted = extends->get<std::string>();
  auto baseFile = find(wanted, file, at);
  if (!baseFile)
    return std::nullopt;
  SmallString<128> baseIdentity;
  if (sys::fs::real_path(*baseFile, baseIdentity))
    baseIdentity = *baseFile;
  if (is_contained(chain, baseIdentity.str())) {
    at.message = "this profile extends itself";
    auto start = std::find(chain.begin(), chain.end(), baseIdentity.str());
    std::vector<std::string> cycle(start, chain.end());
    cycle.push_back(std::string(baseIdentity));
    at.notes.push_back("the cycle: " + join(cycle, " -> "));
    errors.push_back(at);
    return std::nullopt;
  }

  std::optional<ProfileDocument> base = read(*baseFile);
  if (!base)
    return std::nullopt;
  for (StringRef key : ownKeys) {
    base->value.erase(key.str());
    eraseOrigins(base->origins, "/" + key.str());
  }
  // The derived file is number 0, and the files of the base come next.
  for (auto &[pointer, origin] : base->origins)
    ++origin.file;
  base->files.insert(base->files.begin(), file);
  if (withPositions)
    base->origins[""] = document->origins[""];
  merge(base->value, base->origins, *document, document->value, "");
  return base;
}

std::optional<ProfileDocument> ProfileReader::readProfile(StringRef nameOrFile,
                                                          StringRef kind) {
  std::optional<std::string> file = find(nameOrFile, "", {});
  if (!file)
    return std::nullopt;
  std::optional<ProfileDocument> document = read(*file);
  if (document && document->value.value("abstract", false)) {
    report(*document, "/abstract", true,
           "this profile is a base for others, not " + kind.str());
    return std::nullopt;
  }
  return document;
}

bool ProfileReader::addTuning(ProfileDocument &document,
                              const std::string &file) {
  std::optional<ProfileDocument> tuning = readOne(file);
  if (!tuning)
    return false;
  if (!tuning->value.contains("tuning"))
    return report(*tuning, "", false,
                  "a tuning file must have the key 'tuning'",
                  {"aircc tune writes such files"});
  for (const auto &[key, value] : tuning->value.items())
    if (key != "tuning" && key != "$schema" && key != "description")
      return report(*tuning, appendPointer("", key), true,
                    "a tuning file may only have the key 'tuning'",
                    {"use --target for a profile with other keys"});
  tuning->value = {{"tuning", tuning->value["tuning"]}};
  for (auto &[pointer, origin] : tuning->origins)
    origin.file = document.files.size();
  document.files.push_back(file);
  document.tuningFile = file;
  merge(document.value, document.origins, *tuning, tuning->value, "");
  return true;
}

bool ProfileReader::checkMerged(const ProfileDocument &document) {
  bool ok = true;
  // Files that are valid separately may be invalid together, because null in
  // one may remove a required key of another.
  for (SchemaViolation &v : schema.validate(document.value))
    ok = report(document, v.pointer, v.atKey, std::move(v.message),
                std::move(v.notes));
  return ok;
}

bool ProfileReader::checkRequired(const ProfileDocument &document) {
  bool ok = true;
  for (SchemaViolation &v :
       schema.validate(document.value, "/definitions/complete")) {
    if (document.files.size() > 1 && StringRef(v.message).ends_with("missing"))
      v.notes.push_back("neither this file nor what it extends has it");
    ok = report(document, v.pointer, v.atKey, std::move(v.message),
                std::move(v.notes));
  }
  return ok;
}

bool ProfileReader::checkComplete(const ProfileDocument &document) {
  if (!checkMerged(document))
    return false;

  // The backend determines the required keys, so it must be valid.
  const json &value = document.value;
  static constexpr std::pair<StringLiteral, StringLiteral> backends[] = {
      {"amd", "rocdl"}, {"intel", "xevm"}};
  if (value.contains("vendor") && value.contains("backend"))
    for (auto &[vendor, backend] : backends)
      if (value["vendor"] == vendor.str() && value["backend"] != backend.str())
        return report(document, "/backend", false,
                      "the backend of the vendor '" + vendor.str() + "' is '" +
                          backend.str() + "', not " + value["backend"].dump());
  return checkRequired(document);
}
