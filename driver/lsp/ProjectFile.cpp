//===- ProjectFile.cpp - The file aircc.json ------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/ProjectFile.h"

#include "targets/ProfileReader.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <nlohmann/json.hpp>

using namespace aircc;
using namespace llvm;
using nlohmann::json;

static constexpr char schemaText[] =
#include "driver/lsp/aircc.schema.json.inc"
    ;

std::string aircc::findProjectFile(StringRef folder) {
  while (!folder.empty()) {
    SmallString<128> path(folder);
    sys::path::append(path, "aircc.json");
    if (sys::fs::is_regular_file(path))
      return std::string(path);
    folder = sys::path::parent_path(folder);
  }
  return "";
}

std::optional<ProjectFile>
aircc::readProjectFile(const std::string &path,
                       std::vector<ProfileError> &errors) {
  const json schema = json::parse(schemaText);
  const std::vector<std::string> folders;
  std::optional<ProfileDocument> document =
      ProfileReader(folders, errors, schema).read(path);
  if (!document)
    return std::nullopt;
  ProjectFile file{path, {"--target", document->value["target"]}};
  for (const json &option : document->value.value("options", json::array()))
    file.options.push_back(option);
  return file;
}
