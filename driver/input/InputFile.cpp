//===- InputFile.cpp - Reading a program ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/InputFile.h"

#include "driver/diagnostics/Failure.h"
#include "pipeline/common/Exhaustion.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

std::string aircc::escapeName(StringRef name) {
  std::string escaped;
  for (unsigned char c : name) {
    if (c == '\n')
      escaped += "\\n";
    else if (c == '\t')
      escaped += "\\t";
    else if (c < 0x20 || c == 0x7f)
      escaped += "\\x" + toHex(StringRef(reinterpret_cast<char *>(&c), 1),
                               /*LowerCase=*/true);
    else
      escaped += c;
  }
  return escaped;
}

static Error cannotRead(StringRef path, std::error_code error) {
  return fail(isExhaustion(error) ? ExitCode::Environment : ExitCode::BadInput,
              "cannot read '" + escapeName(path) + "': " + error.message());
}

Expected<std::unique_ptr<MemoryBuffer>> aircc::readInput(StringRef path,
                                                         StringRef bufferName) {
  int fd = STDIN_FILENO;
  if (path != "-") {
    Expected<sys::fs::file_t> opened = sys::fs::openNativeFileForRead(path);
    if (!opened)
      return cannotRead(path, errorToErrorCode(opened.takeError()));
    fd = *opened;
  }
  scope_exit close([&] {
    if (fd != STDIN_FILENO)
      ::close(fd);
  });

  struct stat status;
  if (::fstat(fd, &status) != 0)
    return cannotRead(path, std::error_code(errno, std::generic_category()));
  SmallString<0> bytes;
  if (S_ISREG(status.st_mode))
    bytes.reserve(status.st_size + 1);
  if (Error error = sys::fs::readNativeFileToEOF(fd, bytes))
    return cannotRead(path, errorToErrorCode(std::move(error)));
  if (bytes.empty() && S_ISFIFO(status.st_mode))
    return fail(ExitCode::BadInput,
                "cannot read '" + escapeName(path) +
                    "': the pipe was closed before anything was written to it");

  StringRef text = bytes;
  text.consume_front("\xef\xbb\xbf");
  return MemoryBuffer::getMemBufferCopy(text, bufferName);
}
