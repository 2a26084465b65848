//===- OutputFile.cpp - Output files that are written atomically ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/files/OutputFile.h"

#include "driver/diagnostics/Failure.h"
#include "driver/files/Cleanup.h"
#include "driver/input/InputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

static Error cannotWrite(StringRef destination, int error) {
  std::string what = "cannot write '" + escapeName(destination) + "': ";
  switch (error) {
  case ENOENT:
    // Some file systems, such as /proc, have directories in which no file can
    // be created.
    if (StringRef folder = sys::path::parent_path(destination);
        !folder.empty() && !sys::fs::exists(folder))
      return fail(ExitCode::BadUsage, what + "its folder '" +
                                          escapeName(folder) +
                                          "' does not exist");
    return fail(ExitCode::Environment, what + strerror(error));
  case EISDIR:
  case ENOTDIR:
    return fail(ExitCode::BadUsage, what + strerror(error));
  default:
    return fail(ExitCode::Environment, what + strerror(error));
  }
}

Expected<std::unique_ptr<OutputFile>>
OutputFile::create(StringRef destination, const OutputFile *sibling) {
  auto file = std::unique_ptr<OutputFile>(new OutputFile(destination));
  if (destination == "-")
    return file;

  struct stat status;
  if (::stat(file->destination.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return cannotWrite(destination, EISDIR);
    if (!S_ISREG(status.st_mode))
      return file;
    // Renaming would replace a write-protected file, but a missing permission
    // means that the user wants to keep it.
    if (::access(file->destination.c_str(), W_OK) != 0)
      return cannotWrite(destination, errno);
  }

  // Create a directory rather than a file: a linker creates its own temporary
  // files next to its output, and a directory can be removed while a linker is
  // still running.
  StringRef parent = sys::path::parent_path(destination);
  if (sibling && sibling->folder &&
      sys::path::parent_path(sibling->destination) == parent)
    file->folder = sibling->folder;
  else
    file->folder = PrivateFolder::create(parent, ".aircc-");
  if (!file->folder)
    return cannotWrite(destination, errno);
  SmallString<128> inside(file->folder->getPath());
  sys::path::append(inside, sys::path::filename(destination));
  file->temporary = std::string(inside);
  registerForCleanup(file->temporary);
  return file;
}

OutputFile::~OutputFile() {
  if (!committed)
    discard();
}

void OutputFile::discard() {
  if (!folder && !scratch)
    return;
  ::unlink(temporary.c_str());
  unregisterFromCleanup(temporary);
  folder.reset();
  scratch.reset();
}

StringRef OutputFile::pathForWriter() {
  isWritten = true;
  // Linkers make their output executable, even if it is /dev/null.
  if (!folder && !scratch && destination != "-") {
    scratch = PrivateFolder::create(getTemporaryFolder(), "aircc-output-");
    if (scratch) {
      SmallString<128> inside(scratch->getPath());
      sys::path::append(inside, "output");
      temporary = std::string(inside);
      registerForCleanup(temporary);
    }
  }
  return folder || scratch ? temporary : destination;
}

/// Calls write(2) until all bytes have been written. Returns the errno of a
/// failure, or 0.
static int writeAll(int fd, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    bytes = bytes.drop_front(n);
  }
  return 0;
}

Error OutputFile::write(ArrayRef<StringRef> pieces) {
  if (!folder) {
    for (StringRef piece : pieces)
      stream << piece;
    return Error::success();
  }
  isWritten = true;
  return writeTo(temporary, /*create=*/true, pieces);
}

Error OutputFile::writeTo(StringRef path, bool create,
                          ArrayRef<StringRef> pieces) {
  int flags = O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0);
  int fd = ::open(path.str().c_str(), flags, 0666);
  if (fd < 0)
    return cannotWrite(destination, errno);
  int error = 0;
  for (StringRef piece : pieces)
    if (!error)
      error = writeAll(fd, piece);
  // Some file systems report a full disk only on close.
  if (::close(fd) != 0 && !error)
    error = errno;
  return error ? cannotWrite(destination, error) : Error::success();
}

Error OutputFile::close() {
  if (closed)
    return Error::success();
  closed = true;
  if (!folder)
    return Error::success(); // commit() writes special files.
  if (!isWritten)
    if (Error error = writeTo(temporary, /*create=*/true, stream.str()))
      return error;
  if (executable) {
    mode_t mask = ::umask(0);
    ::umask(mask);
    if (::chmod(temporary.c_str(), 0777 & ~mask) != 0)
      return cannotWrite(destination, errno);
  }
  return Error::success();
}

Error OutputFile::commit() {
  if (Error error = close())
    return error;
  committed = true;
  if (destination == "-") {
    int error =
        writeAll(STDOUT_FILENO, StringRef(buffer.data(), buffer.size()));
    return error ? cannotWrite("standard output", error) : Error::success();
  }
  if (scratch) {
    auto contents = MemoryBuffer::getFile(temporary);
    if (!contents)
      return cannotWrite(destination, contents.getError().value());
    Error error =
        writeTo(destination, /*create=*/false, (*contents)->getBuffer());
    discard();
    return error;
  }
  if (!folder)
    return isWritten ? Error::success()
                     : writeTo(destination, /*create=*/false, stream.str());
  int error = ::rename(temporary.c_str(), destination.c_str()) ? errno : 0;
  discard();
  return error ? cannotWrite(destination, error) : Error::success();
}

Error aircc::commitAll(ArrayRef<std::unique_ptr<OutputFile>> files) {
  for (const std::unique_ptr<OutputFile> &file : files)
    if (Error error = file->close())
      return error;
  for (const std::unique_ptr<OutputFile> &file : files)
    if (Error error = file->commit())
      return error;
  return Error::success();
}
