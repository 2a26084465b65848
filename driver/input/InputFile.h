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

/// Replaces line breaks and other control characters in `name` with escape
/// sequences, so that a message cannot control the terminal.
std::string escapeName(llvm::StringRef name);

/// Reads a whole file, or standard input for "-", and removes a UTF-8 byte
/// order mark. The buffer is named `bufferName`.
///
/// MemoryBuffer::getFile treats a file as empty if its size is unknown or
/// reading it fails. Here, every failed read is an error, and so is a pipe that
/// is closed before anything was written to it. Errors are Failures:
/// Environment if the system has run out of a resource, otherwise BadInput.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path, llvm::StringRef bufferName);

} // namespace aircc

#endif // AIRCC_DRIVER_INPUT_INPUTFILE_H
