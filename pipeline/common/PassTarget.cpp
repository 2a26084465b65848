//===- PassTarget.cpp - The target profile of a pass ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/PassTarget.h"

#include "targets/ProfileLoader.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aircc {

std::string PassTarget::getOption() const {
  if (!profile)
    return "";
  // Base profiles are searched for next to the profile first.
  std::string text = profile->files.front();
  llvm::SmallVector<StringRef> folders = {llvm::sys::path::parent_path(text)};
  for (StringRef file : llvm::drop_begin(profile->files)) {
    if (file == profile->tuningFile)
      continue;
    StringRef folder = llvm::sys::path::parent_path(file);
    if (!llvm::is_contained(folders, folder))
      folders.push_back(folder);
  }
  if (profile->hasSelectedWaveSize)
    text += "@" + std::to_string(profile->waveSize);
  for (StringRef folder : llvm::drop_begin(folders))
    text += ":" + folder.str();
  // A part that begins with "=" is the file that the user selected for tuning.
  if (!profile->tuningFile.empty())
    text += ":=" + profile->tuningFile;
  return text;
}

/// Splits "FILE@64" into the file and the wave size.
static std::pair<StringRef, std::optional<unsigned>>
splitWaveSize(StringRef text) {
  auto [file, size] = text.rsplit('@');
  unsigned waveSize;
  if (size.getAsInteger(10, waveSize))
    return {text, std::nullopt};
  return {file, waveSize};
}

const TargetProfile *PassTarget::get(StringRef pass, StringRef file,
                                     Operation *op) {
  if (profile)
    return profile.get();
  if (file.empty()) {
    op->emitError("'")
        << pass
        << "' requires the option target=FILE.json, the profile of the target "
           "GPU";
    return nullptr;
  }
  auto [first, folders] = file.split(':');
  auto [name, waveSize] = splitWaveSize(first);
  SmallVector<StringRef> parts;
  folders.split(parts, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  ProfileSelection selection(waveSize);
  if (!parts.empty() && parts.back().consume_front("="))
    selection.tuningFile = parts.pop_back_val().str();
  ProfileLoader loader({parts.begin(), parts.end()});
  std::vector<ProfileError> errors;
  auto loaded = loader.load(name, errors, selection);
  if (loaded) {
    profile = std::make_shared<const TargetProfile>(std::move(*loaded));
    return profile.get();
  }
  for (const ProfileError &error : errors) {
    InFlightDiagnostic diagnostic = op->emitError("cannot use the target '")
                                    << name << "': " << error.message;
    if (!error.file.empty())
      diagnostic.attachNote() << error.file << ":" << error.line << ":"
                              << error.column << ": " << error.pointer;
  }
  return nullptr;
}

} // namespace aircc
