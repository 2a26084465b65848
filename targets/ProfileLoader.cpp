//===- ProfileLoader.cpp - Finds, reads and checks profiles ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile becomes a TargetProfile in four steps: each file of the chain is
// parsed and checked on its own against the schema; the files are merged, base
// first; the whole is checked for completeness; and what a schema cannot say is
// checked on the C++ form. All the while the place that each value came from is
// kept, so that every error names a line.
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileLoader.h"

#include "targets/ChipCheck.h"
#include "targets/JsonPositions.h"
#include "targets/JsonSchema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

using namespace aircc;
using namespace llvm;
using nlohmann::json;

// The schema is part of the program: checking must not depend on where it was
// installed. The build wraps profile.schema.json into a raw string.
static constexpr char schemaText[] =
#include "targets/profile.schema.json.inc"
    ;

namespace {

/// Where a value of the merged profile was written.
struct Origin {
  unsigned file = 0;
  JsonPositions::Entry position;
};

/// A merged profile on its way.
struct Document {
  json value;
  std::map<std::string, Origin, std::less<>> origins;
  std::vector<std::string> files; // itself first, then what it extends
};

const json &getSchemaDocument() {
  static const json document = json::parse(schemaText);
  return document;
}

/// Keys that say something of one file only, and are not inherited.
constexpr StringLiteral ownKeys[] = {"$schema", "name", "description",
                                     "extends", "abstract"};

class Reader {
public:
  Reader(const std::vector<std::string> &folders,
         std::vector<ProfileError> &errors)
      : folders(folders), errors(errors), schema(getSchemaDocument(), problem) {
    // The schema is a constant of the program; a unit test checks this.
    assert(problem.empty() && "profile.schema.json is beyond JsonSchema");
  }

  /// The file that `nameOrFile` means, or the error `at` with its text. Names
  /// are looked for beside `referrer` first (a file, or empty), but do not mean
  /// `referrer` itself where there is another: so a user's gfx942.json may
  /// extend the one that is installed.
  std::optional<std::string> find(StringRef nameOrFile, StringRef referrer,
                                  ProfileError at);

  /// Reads `file` and all it extends.
  std::optional<Document> read(const std::string &file);

  /// Checks that nothing is missing in `document`.
  bool checkComplete(const Document &document);

  bool report(const Document &document, const std::string &pointer, bool atKey,
              std::string message, std::vector<std::string> notes = {});

private:
  std::optional<Document> readOne(const std::string &file);

  const std::vector<std::string> &folders;
  std::vector<ProfileError> &errors;
  std::string problem;
  JsonSchema schema;
  std::vector<std::string> chain; // files being read, for cycles
};

} // namespace

static bool isFileName(StringRef nameOrFile) {
  return nameOrFile.ends_with(".json") || nameOrFile.contains('/');
}

/// The names of the profiles in `folders`, sorted; bases too where wanted.
static std::vector<std::string>
listFiles(const std::vector<std::string> &folders) {
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
  for (auto &[name, file] : byName)
    files.push_back(file);
  return files;
}

/// Whether `file` says that it is a base for others. What cannot be read is a
/// matter for whoever reads it.
static bool isAbstract(const std::string &file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return false;
  json value = json::parse((*buffer)->getBuffer(), nullptr,
                           /*allow_exceptions=*/false);
  return value.is_object() && value.contains("abstract") &&
         value["abstract"] == true;
}

bool Reader::report(const Document &document, const std::string &pointer,
                    bool atKey, std::string message,
                    std::vector<std::string> notes) {
  // A value that is not there is reported at what should hold it.
  std::string known = pointer;
  auto origin = document.origins.find(known);
  while (origin == document.origins.end() && !known.empty()) {
    known.resize(known.rfind('/'));
    origin = document.origins.find(known);
  }
  Origin where = origin == document.origins.end() ? Origin() : origin->second;
  TextPosition position = atKey ? where.position.key : where.position.value;
  errors.push_back({document.files[where.file], position.line, position.column,
                    pointer, std::move(message), std::move(notes)});
  return false;
}

std::optional<std::string> Reader::find(StringRef nameOrFile,
                                        StringRef referrer, ProfileError at) {
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
    return itself; // a cycle, which the caller reports
  // A target must be whole; what a profile extends need not be.
  std::vector<std::string> names;
  for (const std::string &file : listFiles(looked))
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

/// Parses one file and checks it by itself.
std::optional<Document> Reader::readOne(const std::string &file) {
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

  Document document;
  document.files.push_back(file);
  try {
    document.value = json::parse(text);
  } catch (const json::parse_error &e) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: what"
    StringRef what = e.what();
    size_t colon = what.find(": ");
    if (colon != StringRef::npos)
      what = what.drop_front(colon + 2);
    TextPosition place = getTextPosition(text, e.byte ? e.byte - 1 : 0);
    errors.push_back({file, place.line, place.column, "", what.str(), {}});
    return std::nullopt;
  }

  JsonPositions positions(text);
  for (const auto &[pointer, position] : positions.entries())
    document.origins[pointer] = {0, position};
  bool ok = true;
  for (const auto &[pointer, position] : positions.duplicates()) {
    StringRef key = StringRef(pointer).rsplit('/').second;
    errors.push_back({file,
                      position.line,
                      position.column,
                      pointer,
                      "key '" + key.str() + "' is given twice",
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

/// Removes what is known of `pointer` and everything in it.
static void eraseOrigins(std::map<std::string, Origin, std::less<>> &origins,
                         const std::string &pointer) {
  origins.erase(pointer);
  auto it = origins.lower_bound(pointer + "/");
  while (it != origins.end() && StringRef(it->first).starts_with(pointer + "/"))
    it = origins.erase(it);
}

/// Takes `from`'s place of `pointer` and of everything in it into `to`.
static void takeOrigins(std::map<std::string, Origin, std::less<>> &to,
                        const Document &from, const std::string &pointer) {
  if (auto it = from.origins.find(pointer); it != from.origins.end())
    to[pointer] = it->second;
  for (auto it = from.origins.lower_bound(pointer + "/");
       it != from.origins.end() &&
       StringRef(it->first).starts_with(pointer + "/");
       ++it)
    to[it->first] = it->second;
}

/// Lays `derived` over `base`, as RFC 7386 (JSON Merge Patch) does.
static void merge(json &base,
                  std::map<std::string, Origin, std::less<>> &origins,
                  const Document &derived, const json &value,
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
      base[key] = member;
      eraseOrigins(origins, here);
      takeOrigins(origins, derived, here);
    }
  }
}

std::optional<Document> Reader::read(const std::string &file) {
  SmallString<128> identity;
  if (sys::fs::real_path(file, identity))
    identity = file;
  chain.push_back(std::string(identity));

  std::optional<Document> document = readOne(file);
  if (!document)
    return std::nullopt;
  auto extends = document->value.find("extends");
  if (extends == document->value.end())
    return document;

  const Origin &where = document->origins["/extends"];
  ProfileError at{file,
                  where.position.value.line,
                  where.position.value.column,
                  "/extends",
                  "",
                  {}};
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

  std::optional<Document> base = read(*baseFile);
  if (!base)
    return std::nullopt;
  for (StringRef key : ownKeys) {
    base->value.erase(key.str());
    eraseOrigins(base->origins, "/" + key.str());
  }
  // The derived file is number 0; the base's files follow.
  for (auto &[pointer, origin] : base->origins)
    ++origin.file;
  base->files.insert(base->files.begin(), file);
  base->origins[""] = document->origins[""];
  merge(base->value, base->origins, *document, document->value, "");
  return base;
}

bool Reader::checkComplete(const Document &document) {
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

//===----------------------------------------------------------------------===//
// The C++ form
//===----------------------------------------------------------------------===//

static OperandLayout convertOperand(const json &value) {
  OperandLayout layout;
  layout.type = value["type"].get<std::string>();
  auto tile = [&](const char *key) {
    return value.contains(key) ? value[key].get<std::vector<int64_t>>()
                               : std::vector<int64_t>{1, 1};
  };
  layout.outerTile = tile("outerTile");
  layout.threadTile = tile("threadTile");
  layout.elementTile = tile("elementTile");
  layout.threadStrides = tile("threadStrides");
  return layout;
}

/// The instructions that an entry stands for: one for each combination of the
/// types of A and B.
static void addInstructions(std::vector<MatrixInstruction> &instructions,
                            const MatrixInstruction &first, const json &entry) {
  auto typesOf = [&](const char *key, const OperandLayout &operand) {
    std::vector<std::string> types{operand.type};
    if (entry[key].contains("otherTypes"))
      for (const json &type : entry[key]["otherTypes"])
        types.push_back(type.get<std::string>());
    return types;
  };
  for (const std::string &a : typesOf("a", first.a))
    for (const std::string &b : typesOf("b", first.b)) {
      MatrixInstruction instruction = first;
      instruction.a.type = a;
      instruction.b.type = b;
      if (entry["a"].contains("otherTypes") ||
          entry["b"].contains("otherTypes"))
        instruction.name += "." + a + "." + b;
      instructions.push_back(std::move(instruction));
    }
}

static StageSpec convertStage(const json &value) {
  StageSpec stage;
  if (value.is_string()) {
    stage.name = value.get<std::string>();
    return stage;
  }
  stage.name = value["stage"].get<std::string>();
  if (value.contains("options"))
    for (const auto &[key, option] : value["options"].items())
      stage.options.emplace_back(
          key, option.is_string() ? option.get<std::string>() : option.dump());
  return stage;
}

/// `value` has passed the schema, so that every access below is safe.
static TargetProfile convert(const Document &document) {
  const json &value = document.value;
  TargetProfile profile;
  profile.files = document.files;
  profile.name = value.value("name", sys::path::stem(document.files[0]).str());
  profile.description = value.value("description", "");
  profile.vendor = value["vendor"].get<std::string>();
  profile.backend =
      value["backend"] == "rocdl" ? Backend::ROCDL : Backend::XeVM;
  profile.triple = value["triple"].get<std::string>();
  profile.chip = value["chip"].get<std::string>();
  profile.features = value.value("features", "");
  profile.codeObjectVersion = value.value("codeObjectVersion", 0u);
  profile.waveSize = value["waveSize"].get<unsigned>();
  std::string fp8 = value.value("fp8", "none");
  profile.fp8 = fp8 == "fnuz"  ? Fp8Kind::FNUZ
                : fp8 == "ocp" ? Fp8Kind::OCP
                               : Fp8Kind::None;

  const json &limits = value["limits"];
  profile.limits.ldsBytes = limits["ldsBytes"].get<int64_t>();
  profile.limits.ldsBanks = limits.value("ldsBanks", int64_t(32));
  profile.limits.threadsPerWorkgroup =
      limits["threadsPerWorkgroup"].get<int64_t>();
  profile.limits.wavesPerCU = limits["wavesPerCU"].get<int64_t>();
  profile.limits.vgprs = limits["vgprs"].get<int64_t>();
  profile.limits.xcds = limits["xcds"].get<int64_t>();
  profile.limits.cus = limits["cus"].get<int64_t>();

  if (value.contains("dmaWidths"))
    profile.dmaWidths = value["dmaWidths"].get<std::vector<unsigned>>();
  llvm::sort(profile.dmaWidths);
  if (value.contains("matrixInstructions"))
    for (const auto &[name, entry] : value["matrixInstructions"].items()) {
      MatrixInstruction instruction;
      instruction.name = name;
      instruction.op = entry.value("op", name);
      instruction.m = entry["shape"][0].get<int64_t>();
      instruction.n = entry["shape"][1].get<int64_t>();
      instruction.k = entry["shape"][2].get<int64_t>();
      instruction.a = convertOperand(entry["a"]);
      instruction.b = convertOperand(entry["b"]);
      instruction.c = convertOperand(entry["c"]);
      if (entry.contains("scales")) {
        instruction.scaleA = convertOperand(entry["scales"]["a"]);
        instruction.scaleB = convertOperand(entry["scales"]["b"]);
      }
      addInstructions(profile.matrixInstructions, instruction, entry);
    }
  llvm::sort(profile.matrixInstructions,
             [](const MatrixInstruction &x, const MatrixInstruction &y) {
               return x.name < y.name;
             });
  for (const json &stage : value["pipeline"])
    profile.pipeline.push_back(convertStage(stage));
  if (value.contains("deviceLibs"))
    profile.deviceLibs = value["deviceLibs"].get<std::vector<std::string>>();
  profile.host.triple = value["host"]["triple"].get<std::string>();
  profile.host.cc = value["host"]["cc"].get<std::string>();
  if (value["host"].contains("linkFlags"))
    profile.host.linkFlags =
        value["host"]["linkFlags"].get<std::vector<std::string>>();
  profile.runtimeDevices =
      value["runtimeDevices"].get<std::vector<std::string>>();
  return profile;
}

/// Checks that an operand's layout has `shape`, and that a wave can hold it.
static std::string checkOperand(const OperandLayout &layout,
                                ArrayRef<int64_t> shape, unsigned waveSize) {
  int64_t lanes = 1;
  for (unsigned i = 0; i < 2; ++i) {
    int64_t size =
        layout.outerTile[i] * layout.threadTile[i] * layout.elementTile[i];
    if (size != shape[i])
      return "dimension " + std::to_string(i) + " has " + std::to_string(size) +
             " elements (outer " + std::to_string(layout.outerTile[i]) +
             " * thread " + std::to_string(layout.threadTile[i]) +
             " * element " + std::to_string(layout.elementTile[i]) +
             "), but the instruction's shape gives it " +
             std::to_string(shape[i]);
    lanes *= layout.threadTile[i];
    if ((layout.threadStrides[i] == 0) != (layout.threadTile[i] == 1))
      return "dimension " + std::to_string(i) +
             ": a thread stride of 0 goes with a thread tile of 1, and only "
             "with it";
  }
  if (lanes > waveSize)
    return "the thread tiles take " + std::to_string(lanes) +
           " lanes, but a wave has " + std::to_string(waveSize);
  // Two distributed dimensions must not claim the same bits of the lane number.
  unsigned inner = layout.threadStrides[0] < layout.threadStrides[1] ? 0 : 1;
  unsigned outer = 1 - inner;
  if (layout.threadTile[inner] > 1 && layout.threadTile[outer] > 1 &&
      layout.threadStrides[outer] %
              (layout.threadStrides[inner] * layout.threadTile[inner]) !=
          0)
    return "the thread strides of the two dimensions overlap";
  return "";
}

static bool checkMeaning(Reader &reader, const Document &document,
                         const TargetProfile &profile) {
  bool ok = true;
  for (const MatrixInstruction &instruction : profile.matrixInstructions) {
    std::string pointer =
        appendPointer("/matrixInstructions", instruction.name);
    const auto &[m, n, k] =
        std::tie(instruction.m, instruction.n, instruction.k);
    std::tuple<const char *, const OperandLayout &, std::array<int64_t, 2>>
        operands[] = {{"a", instruction.a, {m, k}},
                      {"b", instruction.b, {k, n}},
                      {"c", instruction.c, {m, n}}};
    for (auto &[key, layout, shape] : operands) {
      std::string wrong = checkOperand(layout, shape, profile.waveSize);
      if (!wrong.empty())
        ok = reader.report(document, appendPointer(pointer, key), false, wrong);
    }
    if (!instruction.scaleA)
      continue;
    int64_t block = instruction.getScaleBlock();
    if (block == 0 || k % block) {
      ok = reader.report(
          document, pointer + "/scales/a", false,
          "its columns do not divide the instruction's depth of " +
              std::to_string(k));
      continue;
    }
    std::tuple<const char *, const OperandLayout &, std::array<int64_t, 2>>
        scales[] = {{"a", *instruction.scaleA, {m, k / block}},
                    {"b", *instruction.scaleB, {k / block, n}}};
    for (auto &[key, layout, shape] : scales) {
      std::string wrong = checkOperand(layout, shape, profile.waveSize);
      if (!wrong.empty())
        ok = reader.report(document, pointer + "/scales/" + key, false, wrong);
    }
  }
  if (profile.backend == Backend::ROCDL)
    for (ChipProblem &problem : checkAMDGPUChip(profile))
      ok = reader.report(document, "/" + problem.key, false, problem.message,
                         problem.notes);
  return ok;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Reads a profile and checks everything about it.
static std::optional<std::pair<Document, TargetProfile>>
readProfile(const std::vector<std::string> &folders, StringRef nameOrFile,
            std::vector<ProfileError> &errors) {
  Reader reader(folders, errors);
  auto file = reader.find(nameOrFile, "", {});
  if (!file)
    return std::nullopt;
  std::optional<Document> document = reader.read(*file);
  if (!document)
    return std::nullopt;
  if (document->value.value("abstract", false)) {
    reader.report(*document, "/abstract", true,
                  "this profile is a base for others, not a target");
    return std::nullopt;
  }
  if (!reader.checkComplete(*document))
    return std::nullopt;
  TargetProfile profile = convert(*document);
  if (!checkMeaning(reader, *document, profile))
    return std::nullopt;
  return std::pair(std::move(*document), std::move(profile));
}

std::optional<TargetProfile>
ProfileLoader::load(StringRef nameOrFile,
                    std::vector<ProfileError> &errors) const {
  auto result = readProfile(folders, nameOrFile, errors);
  if (!result)
    return std::nullopt;
  return std::move(result->second);
}

std::optional<std::string>
ProfileLoader::resolve(StringRef nameOrFile,
                       std::vector<ProfileError> &errors) const {
  auto result = readProfile(folders, nameOrFile, errors);
  if (!result)
    return std::nullopt;
  json value = result->first.value;
  value.erase("$schema");
  value.erase("extends");
  value["name"] = result->second.name;
  return value.dump(2);
}

std::vector<ProfileListing>
ProfileLoader::list(std::vector<ProfileError> &errors) const {
  std::vector<ProfileListing> listings;
  for (const std::string &file : listFiles(folders)) {
    Reader reader(folders, errors);
    std::optional<Document> document = reader.read(file);
    if (!document || document->value.value("abstract", false))
      continue;
    listings.push_back({sys::path::stem(file).str(),
                        document->value.value("description", ""), file});
  }
  return listings;
}
