//===- OutputFile.h - A file that appears whole or not at all ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_FILES_OUTPUTFILE_H
#define AIRCC_DRIVER_FILES_OUTPUTFILE_H

#include "driver/files/PrivateFolder.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace aircc {

/// An output of the compiler on its way. Everything is written to a private
/// folder beside the destination; commit() renames it into place. What is not
/// committed is removed: by the destructor, when a signal ends the process, or,
/// after SIGKILL, by the next process that writes to the same folder.
///
/// "-" is standard output, which is written at commit(). A destination that is
/// there and no regular file (/dev/null, a pipe) is written directly.
///
/// Errors are Failures: BadUsage where the path cannot be meant (its folder
/// does not exist, it is a folder), Environment where the system refuses
/// (permission, a full disk).
class OutputFile {
public:
  /// `sibling` is an output of the same job, or null: outputs that lie in one
  /// folder share a private one.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef destination, const OutputFile *sibling = nullptr);
  ~OutputFile();

  /// Where to write the contents, in memory until close().
  llvm::raw_pwrite_stream &os() { return stream; }

  /// For a producer that wants a path instead of a stream (a linker): where to
  /// write. os() is not to be used then.
  llvm::StringRef pathForWriter();

  /// Writes everything to disk, still under the temporary name. Called by
  /// commit() where the caller has not.
  llvm::Error close();

  /// Puts the file into place.
  llvm::Error commit();

  /// Where the contents are after close() and before commit().
  llvm::StringRef getTemporary() const { return temporary; }

  void setExecutable() { executable = true; }
  llvm::StringRef getDestination() const { return destination; }

private:
  explicit OutputFile(llvm::StringRef destination) : destination(destination) {}
  llvm::Error writeTo(llvm::StringRef path, bool create);
  void discard();

  std::string destination;
  std::shared_ptr<PrivateFolder> folder; ///< Null for special files.
  std::string temporary;                 ///< The file in it.
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream{buffer};
  bool writtenByOther = false;
  bool closed = false;
  bool committed = false;
  bool executable = false;
};

/// Closes all files, then puts all into place: a full disk leaves none.
llvm::Error commitAll(llvm::ArrayRef<std::unique_ptr<OutputFile>> files);

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_OUTPUTFILE_H
