//===- PrivateFolder.h - Temporary folders of the process -------*- C++ -*-===//
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

/// A new directory `parent`/`prefix`XXXXXX for temporary files of this process.
/// The destructor and the signal handlers remove it with its contents, but
/// SIGKILL leaves it behind. Therefore, the process holds a lock on its
/// directory, and create() removes unlocked directories of the same prefix and
/// user in `parent`.
class PrivateFolder {
public:
  /// Returns null and sets errno if the directory cannot be created.
  static std::unique_ptr<PrivateFolder> create(llvm::StringRef parent,
                                               llvm::StringRef prefix);
  PrivateFolder(const PrivateFolder &) = delete;
  ~PrivateFolder();

  llvm::StringRef getPath() const { return path; }

private:
  PrivateFolder(std::string path, int lock)
      : path(std::move(path)), lock(lock) {}

  std::string path;
  int lock; ///< The file descriptor of the directory, or -1 if not locked.
};

/// Removes a directory with everything in it, as far as possible.
void removeFolder(const std::string &path);

/// Returns the directory for temporary files ($TMPDIR, or else /tmp).
std::string getTemporaryFolder();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_PRIVATEFOLDER_H
