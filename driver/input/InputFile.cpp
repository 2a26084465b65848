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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral kByteOrderMark = "\xef\xbb\xbf";

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

/// Files of at least this size are mapped instead of read, so that large
/// constants are in memory only once. If such a file changes during the
/// compile, only these constants can be wrong.
static constexpr off_t kMappedSize = 16 << 20;

static unsigned getPageSize() { return sys::Process::getPageSizeEstimate(); }

static bool isBytecodeFile(int fd) {
  char magic[4];
  return ::pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
         StringRef(magic, sizeof(magic)) == "ML\xefR";
}

static Expected<std::unique_ptr<MemoryBuffer>>
mapFile(int fd, StringRef path, StringRef bufferName, uint64_t size) {
  auto buffer = MemoryBuffer::getOpenFile(
      sys::fs::convertFDToNativeFile(fd), bufferName, size,
      /*RequiresNullTerminator=*/size % getPageSize() != 0);
  if (!buffer)
    return cannotRead(path, buffer.getError());
  if (!(*buffer)->getBuffer().starts_with(kByteOrderMark))
    return std::move(*buffer);
  return MemoryBuffer::getMemBufferCopy(
      (*buffer)->getBuffer().drop_front(kByteOrderMark.size()), bufferName);
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
  // The parsers need a zero after text.
  bool isLarge =
      path != "-" && S_ISREG(status.st_mode) && status.st_size >= kMappedSize;
  if (isLarge && (isBytecodeFile(fd) || status.st_size % getPageSize() != 0))
    return mapFile(fd, path, bufferName, status.st_size);
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
  text.consume_front(kByteOrderMark);
  // MLIR's reader of bytecode needs sections to be aligned in memory.
  std::unique_ptr<WritableMemoryBuffer> buffer =
      WritableMemoryBuffer::getNewUninitMemBuffer(text.size(), bufferName,
                                                  Align(getPageSize()));
  if (!buffer)
    return cannotRead(path, std::make_error_code(std::errc::not_enough_memory));
  llvm::copy(text, buffer->getBufferStart());
  return std::move(buffer);
}
