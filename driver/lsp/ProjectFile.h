//===- ProjectFile.h - The file aircc.json ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A file `aircc.json` tells the language server how to compile the programs in
// its directory and below:
//
//   {"target": "gfx942", "options": ["-Rkernels"]}
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_PROJECTFILE_H
#define AIRCC_DRIVER_LSP_PROJECTFILE_H

#include "targets/ProfileLoader.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

struct ProjectFile {
  std::string path;
  /// The options of a compile, including --target.
  std::vector<std::string> options;
};

/// Returns the path of the aircc.json for a file in `folder`, which is in this
/// directory or the nearest one above it. Returns "" if there is none.
std::string findProjectFile(llvm::StringRef folder);

/// Reads aircc.json. Appends to `errors` if it is invalid.
std::optional<ProjectFile> readProjectFile(const std::string &path,
                                           std::vector<ProfileError> &errors);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_PROJECTFILE_H
