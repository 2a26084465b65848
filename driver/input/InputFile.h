//===- InputFile.h - Reading a program --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_INPUT_INPUTFILE_H
#define AIRCC_DRIVER_INPUT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace aircc {

/// `name` with line breaks and other control characters as escape sequences,
/// for messages: a terminal must not interpret them.
std::string escapeName(llvm::StringRef name);

/// Reads a whole file, or standard input for "-", without a UTF-8 byte order
/// mark. The buffer is called `bufferName`.
///
/// MemoryBuffer::getFile takes a file whose size is not known, or whose reads
/// fail, for an empty one; here every failure to read is an error, and so is a
/// pipe that is closed before anything was written to it. Errors are Failures:
/// Environment where the system is out of something, else BadInput.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path, llvm::StringRef bufferName);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_INPUTFILE_H
