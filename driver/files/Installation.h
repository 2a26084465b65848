//===- Installation.h - Locations of the installed files --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// aircc finds its profiles and its runtime relative to its own binary, both in
// the build tree and after installation:
//
//   bin/aircc
//   lib/libaircc_runtime.a, and the plug-ins of the runtime
//   share/aircc/targets/*.json
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_INSTALLATION_H
#define AIRCC_DRIVER_FILES_INSTALLATION_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace aircc {

class Installation {
public:
  /// `argv0` as passed to main(); used on systems that cannot otherwise locate
  /// the binary.
  explicit Installation(const char *argv0);

  /// Folders to search for profiles, highest priority first: `extra` (from the
  /// command line), AIRCC_TARGETS_PATH (colon-separated), the installed folder.
  std::vector<std::string>
  getTargetFolders(llvm::ArrayRef<std::string> extra) const;

  /// The path of the aircc binary.
  const std::string &getBinary() const { return binary; }
  /// The folder of the runtime's libraries and plug-ins.
  std::string getRuntimeFolder() const;
  /// The documentation of ops for editors; it may not exist.
  std::string getOpDocumentation() const;
  /// The runtime's static library; it may not exist.
  std::string getRuntimeArchive() const;
  /// The runtime's shared library; it may not exist.
  std::string getRuntimeLibrary() const;

private:
  std::string binary;
  std::string prefix;
};

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_INSTALLATION_H
