//===- NpuProfile.cpp - Profiles of NPUs ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/NpuProfile.h"

#include "targets/ProfileReader.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;
using nlohmann::json;

static constexpr char schemaText[] =
#include "targets/npu/npu.schema.json.inc"
    ;

static const json &getSchemaDocument() {
  static const json document = json::parse(schemaText);
  return document;
}

/// Converts a complete document.
static NpuProfile convert(const json &value, StringRef file) {
  NpuProfile profile;
  profile.name = value.value("name", sys::path::stem(file).str());
  profile.description = value.value("description", "");
  profile.shimTiles = value["shimTiles"];
  profile.controlLoops = value["controlLoops"];
  const json &dma = value["dma"];
  profile.dma.dims = dma["dims"];
  profile.dma.maxSize = dma.value("maxSize", int64_t(0));
  profile.dma.maxStrideWords = dma.value("maxStrideWords", int64_t(0));
  profile.dma.granuleBits = dma["granuleBits"];
  if (dma.contains("repeatDim"))
    profile.dma.repeatDim = dma["repeatDim"].get<unsigned>();
  profile.dma.descriptors = dma["descriptors"];
  profile.dma.channels = dma["channels"];
  profile.dma.queueDepth = dma["queueDepth"];
  return profile;
}

std::optional<NpuProfile>
aircc::loadNpuProfile(const std::vector<std::string> &folders,
                      StringRef nameOrFile, std::vector<ProfileError> &errors) {
  std::vector<std::string> npuFolders;
  for (const std::string &folder : folders) {
    SmallString<128> path(folder);
    sys::path::append(path, "npu");
    npuFolders.push_back(std::string(path));
  }
  ProfileReader reader(npuFolders, errors, getSchemaDocument());
  std::optional<ProfileDocument> document =
      reader.readProfile(nameOrFile, "an NPU");
  if (!document)
    return std::nullopt;
  if (!reader.checkMerged(*document) || !reader.checkRequired(*document))
    return std::nullopt;
  return convert(document->value, document->files.front());
}
