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

/// A new folder `parent`/`prefix`XXXXXX for temporary files of this process. It
/// is removed, with its contents, by the destructor and by the signal handlers.
/// SIGKILL leaves it behind. Therefore the process holds a lock on its folder,
/// and create() removes unlocked folders of the same prefix and user in
/// `parent`.
class PrivateFolder {
public:
  /// Returns null and sets errno if the folder cannot be created.
  static std::unique_ptr<PrivateFolder> create(llvm::StringRef parent,
                                               llvm::StringRef prefix);
  PrivateFolder(const PrivateFolder &) = delete;
  ~PrivateFolder();

  llvm::StringRef getPath() const { return path; }

private:
  PrivateFolder(std::string path, int lock)
      : path(std::move(path)), lock(lock) {}

  std::string path;
  int lock; ///< File descriptor of the folder; -1 if not locked.
};

/// Removes a folder with everything in it, as far as possible.
void removeFolder(const std::string &path);

/// The folder for temporary files ($TMPDIR, or else /tmp).
std::string getTemporaryFolder();

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_PRIVATEFOLDER_H
