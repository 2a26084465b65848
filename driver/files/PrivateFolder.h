//===- PrivateFolder.h - A temporary folder of this process -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_PRIVATEFOLDER_H
#define AIRCC_DRIVER_FILES_PRIVATEFOLDER_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace aircc {

/// A new folder `parent`/`prefix`XXXXXX for the temporary files of this
/// process. It is removed, with its contents, by the destructor and when a
/// signal ends the process. SIGKILL leaves it behind: the process holds a lock
/// on its folder while it lives, and create() removes those of the same prefix
/// and user in `parent` that nobody has locked.
class PrivateFolder {
public:
  /// Returns null, with the reason in errno, where no folder can be made.
  static std::unique_ptr<PrivateFolder> create(llvm::StringRef parent,
                                               llvm::StringRef prefix);
  PrivateFolder(const PrivateFolder &) = delete;
  ~PrivateFolder();

  llvm::StringRef getPath() const { return path; }

private:
  PrivateFolder(std::string path, int lock)
      : path(std::move(path)), lock(lock) {}

  std::string path;
  int lock; ///< A descriptor of the folder; -1 if it cannot be locked.
};

/// The folder for temporary files ($TMPDIR, or else /tmp).
std::string getTemporaryFolder();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_PRIVATEFOLDER_H
