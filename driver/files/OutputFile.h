//===- OutputFile.h - Output files that are written atomically --*- C++ -*-===//
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

/// An output file of the compiler. It is written to a private directory next to
/// the destination, and commit() renames it to the destination. Uncommitted
/// files are removed by the destructor, by the signal handlers or, after
/// SIGKILL, by the next process that writes to the same directory.
///
/// "-" is standard output, which commit() writes. An existing destination that
/// is not a regular file (/dev/null, a pipe) is not replaced, and its
/// permissions are not changed.
///
/// Errors are Failures: BadUsage for an invalid path (its directory does not
/// exist, or it is itself a directory), Environment for system errors
/// (permissions, a full disk).
class OutputFile {
public:
  /// `sibling` is another output of the same job, or null. Outputs in the same
  /// directory share a private directory.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef destination, const OutputFile *sibling = nullptr);
  ~OutputFile();

  /// Returns the stream for the contents, which stay in memory until close().
  llvm::raw_pwrite_stream &os() { return stream; }

  /// Writes the whole contents, without a copy in memory if the destination is
  /// a regular file. Must not be combined with os().
  llvm::Error write(llvm::ArrayRef<llvm::StringRef> pieces);

  /// Returns the path to write to, for a producer that needs a path instead of
  /// a stream (a linker). Must not be combined with os().
  llvm::StringRef pathForWriter();

  /// Writes everything to disk under the temporary name. If the caller does not
  /// call it, commit() does.
  llvm::Error close();

  /// Renames the file to its destination.
  llvm::Error commit();

  /// Returns the path of the contents between close() and commit().
  llvm::StringRef getTemporary() const { return temporary; }

  void setExecutable() { executable = true; }
  llvm::StringRef getDestination() const { return destination; }

private:
  explicit OutputFile(llvm::StringRef destination) : destination(destination) {}
  llvm::Error writeTo(llvm::StringRef path, bool create,
                      llvm::ArrayRef<llvm::StringRef> pieces);
  void discard();

  std::string destination;
  std::shared_ptr<PrivateFolder> folder; ///< Null for special files.
  /// The directory for special files, if a producer needs a path.
  std::unique_ptr<PrivateFolder> scratch;
  std::string temporary; ///< The file in `folder` or `scratch`.
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream{buffer};
  bool isWritten = false; ///< Whether `temporary` has been written, here or by
                          ///< others.
  bool closed = false;
  bool committed = false;
  bool executable = false;
};

/// Closes all files before committing any, so that a full disk leaves no
/// partial set.
llvm::Error commitAll(llvm::ArrayRef<std::unique_ptr<OutputFile>> files);

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_OUTPUTFILE_H
