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
  /// `argv0` is the value passed to main(), for systems that cannot otherwise
  /// locate the binary.
  explicit Installation(const char *argv0);

  /// Returns the directories to search for profiles, highest priority first:
  /// `extra` (from the command line), AIRCC_TARGETS_PATH (separated by colons)
  /// and the installed directory.
  std::vector<std::string>
  getTargetFolders(llvm::ArrayRef<std::string> extra) const;

  /// Returns the path of the aircc binary.
  const std::string &getBinary() const { return binary; }
  /// Returns the directory of the runtime's libraries and plug-ins.
  std::string getRuntimeFolder() const;
  /// Returns the path of the op documentation for editors, which may not exist.
  std::string getOpDocumentation() const;
  /// Returns the path of the runtime's static library, which may not exist.
  std::string getRuntimeArchive() const;
  /// Returns the path of the runtime's shared library, which may not exist.
  std::string getRuntimeLibrary() const;

private:
  std::string binary;
  std::string prefix;
};

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_INSTALLATION_H
