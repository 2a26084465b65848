//===- PrivateFolder.cpp - Temporary folders of the process ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/files/PrivateFolder.h"

#include "driver/files/Cleanup.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral kRandomPart = "XXXXXX";

/// Opens a directory owned by this user without following links. Returns -1 for
/// anything else.
static int openFolder(const std::string &path) {
  int fd =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && (::fstat(fd, &status) != 0 || status.st_uid != ::geteuid())) {
    ::close(fd);
    return -1;
  }
  return fd;
}

/// Returns whether `path` still refers to the directory that was opened as
/// `fd`.
static bool isStillThere(int fd, const std::string &path) {
  struct stat opened, named;
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void aircc::removeFolder(const std::string &path) {
  // LLVM's function does not remove named pipes.
  std::error_code ec;
  std::filesystem::remove_all(path, ec);
}

/// Removes the directories of processes that were killed.
static void removeAbandoned(StringRef parent, StringRef prefix) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(parent.empty() ? "." : parent, ec,
                                      /*follow_symlinks=*/false),
       end;
       !ec && it != end; it.increment(ec)) {
    StringRef name = sys::path::filename(it->path());
    if (!name.starts_with(prefix) ||
        name.size() != prefix.size() + kRandomPart.size())
      continue;
    int fd = openFolder(it->path());
    if (fd < 0)
      continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
      removeFolder(it->path());
    ::close(fd);
  }
}

std::unique_ptr<PrivateFolder> PrivateFolder::create(StringRef parent,
                                                     StringRef prefix) {
  removeAbandoned(parent, prefix);
  SmallString<128> pattern(parent);
  sys::path::append(pattern, prefix + kRandomPart);
  while (true) {
    std::string path(pattern);
    if (!::mkdtemp(path.data()))
      return nullptr;
    // Until the directory is locked, another process may consider it abandoned
    // and remove it, before or after this process opens it.
    int fd = openFolder(path);
    if (fd < 0 && errno == ENOENT)
      continue;
    if (fd < 0) {
      int error = errno;
      ::rmdir(path.c_str());
      errno = error;
      return nullptr;
    }
    bool locked = ::flock(fd, LOCK_EX) == 0;
    bool isThere = isStillThere(fd, path);
    if (!locked || !isThere)
      ::close(fd);
    if (!isThere)
      continue;
    // On a file system without locks, no directory is considered abandoned.
    if (!locked)
      fd = -1;
    registerForCleanup(path);
    return std::unique_ptr<PrivateFolder>(
        new PrivateFolder(std::move(path), fd));
  }
}

std::string aircc::getTemporaryFolder() {
  SmallString<128> folder;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
  return std::string(folder);
}

PrivateFolder::~PrivateFolder() {
  removeFolder(path);
  unregisterFromCleanup(path);
  if (lock >= 0)
    ::close(lock);
}
