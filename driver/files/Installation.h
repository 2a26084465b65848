//===- Installation.h - Where the parts of aircc lie ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// aircc finds its profiles and its runtime relative to its own binary, in the
// build tree and after an installation alike:
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
  /// `argv0` as main() got it, for systems that do not tell otherwise.
  explicit Installation(const char *argv0);

  /// Folders to look for profiles in, best first: `extra` (from the command
  /// line), those of AIRCC_TARGETS_PATH (colon-separated), the installed ones.
  std::vector<std::string>
  getTargetFolders(llvm::ArrayRef<std::string> extra) const;

  /// The binary itself.
  const std::string &getBinary() const { return binary; }
  /// The folder of the runtime's libraries and plug-ins.
  std::string getRuntimeFolder() const;
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
