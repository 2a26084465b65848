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

/// An output file of the compiler. It is written to a private folder next to
/// the destination, and commit() renames it to the destination. Uncommitted
/// files are removed by the destructor, by the signal handlers, or, after
/// SIGKILL, by the next process that writes to the same folder.
///
/// "-" is standard output, which is written by commit(). An existing
/// destination that is not a regular file (/dev/null, a pipe) is not replaced,
/// and its permissions are not changed.
///
/// Errors are Failures: BadUsage for an invalid path (its folder does not
/// exist, or it is itself a folder), Environment for system errors (permission,
/// a full disk).
class OutputFile {
public:
  /// `sibling` is another output of the same job, or null. Outputs in the same
  /// folder share a private folder.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef destination, const OutputFile *sibling = nullptr);
  ~OutputFile();

  /// The stream for the contents, which are in memory until close().
  llvm::raw_pwrite_stream &os() { return stream; }

  /// Writes the whole contents, without a copy in memory if the destination is
  /// a regular file. Do not use os() as well.
  llvm::Error write(llvm::ArrayRef<llvm::StringRef> pieces);

  /// The path to write to, for a producer that needs one instead of a stream (a
  /// linker). Do not use os() as well.
  llvm::StringRef pathForWriter();

  /// Writes everything to disk under the temporary name. commit() calls it if
  /// the caller has not.
  llvm::Error close();

  /// Renames the file to its destination.
  llvm::Error commit();

  /// The path of the contents between close() and commit().
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
  /// For special files, if a producer needs a path.
  std::unique_ptr<PrivateFolder> scratch;
  std::string temporary; ///< The file in `folder` or `scratch`.
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream{buffer};
  bool isWritten = false; ///< To `temporary`, or by others.
  bool closed = false;
  bool committed = false;
  bool executable = false;
};

/// Closes all files before committing any: a full disk leaves no partial set.
llvm::Error commitAll(llvm::ArrayRef<std::unique_ptr<OutputFile>> files);

} // namespace aircc

#endif // AIRCC_DRIVER_FILES_OUTPUTFILE_H
