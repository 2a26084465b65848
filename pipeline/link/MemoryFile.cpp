//===- MemoryFile.cpp - Anonymous files in memory -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/MemoryFile.h"

#include "pipeline/common/Exhaustion.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aircc {

static llvm::Error makeError(const char *what) {
  checkExhaustion(std::error_code(errno, std::generic_category()));
  return llvm::createStringError(std::string("cannot ") + what +
                                 " a file in memory: " + llvm::sys::StrError());
}

llvm::Expected<MemoryFile> MemoryFile::create(llvm::StringRef name,
                                              bool inherit) {
  int fd = memfd_create(name.str().c_str(), inherit ? 0 : MFD_CLOEXEC);
  if (fd < 0)
    return makeError("create");
  return MemoryFile(fd);
}

MemoryFile::MemoryFile(MemoryFile &&other) noexcept : fd(other.fd) {
  other.fd = -1;
}

MemoryFile::~MemoryFile() {
  if (fd >= 0)
    close(fd);
}

llvm::Error MemoryFile::write(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = llvm::sys::RetryAfterSignal(-1, ::write, fd, bytes.data(),
                                                  bytes.size());
    if (written < 0)
      return makeError("write");
    bytes = bytes.drop_front(written);
  }
  return llvm::Error::success();
}

uint64_t MemoryFile::getSize() const {
  struct stat status;
  return fstat(fd, &status) == 0 ? status.st_size : 0;
}

llvm::Error MemoryFile::read(llvm::SmallVectorImpl<char> &bytes) {
  if (lseek(fd, 0, SEEK_SET) < 0)
    return makeError("read");
  return llvm::sys::fs::readNativeFileToEOF(fd, bytes);
}

std::string MemoryFile::getPath() const {
  return "/proc/self/fd/" + std::to_string(fd);
}

} // namespace aircc
