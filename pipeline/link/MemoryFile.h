//===- MemoryFile.h - Anonymous files in memory -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_MEMORYFILE_H
#define AIRCC_PIPELINE_LINK_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aircc {

/// An anonymous file in memory. It disappears with its last descriptor, so
/// nothing is left behind however the process ends.
class MemoryFile {
public:
  /// Creates the file. With `inherit`, child processes can also open it.
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           bool inherit = false);
  MemoryFile(MemoryFile &&other) noexcept;
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile();

  llvm::Error write(llvm::StringRef bytes);
  /// Returns the size in bytes.
  uint64_t getSize() const;
  llvm::Error read(llvm::SmallVectorImpl<char> &bytes);

  /// Returns a path that opens the file, valid during the lifetime of this
  /// object (in a child, as long as the inherited descriptor).
  std::string getPath() const;

private:
  explicit MemoryFile(int fd) : fd(fd) {}
  int fd;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_MEMORYFILE_H
