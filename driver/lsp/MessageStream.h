//===- MessageStream.h - Messages of the language server protocol -*- C++
//-*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The protocol's messages are JSON values, each after a header with its length:
//
//   Content-Length: 12\r\n\r\n{"id": 1, …}
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_MESSAGESTREAM_H
#define AIRCC_DRIVER_LSP_MESSAGESTREAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace aircc {

/// Splits a stream of bytes into messages. Malformed parts are skipped.
class MessageReader {
public:
  struct Result {
    /// Unset if the message is malformed; `problem` says why.
    std::optional<llvm::json::Value> message;
    std::string problem;
  };

  void append(llvm::StringRef bytes) { buffer += bytes; }
  /// Returns the next message, or nothing until more bytes arrive.
  std::optional<Result> next();

private:
  std::optional<Result> parseHeader();

  std::string buffer;
  /// Of the message whose header has been read.
  std::optional<size_t> length;
  /// Bytes of a message beyond the size limit that remain to be skipped.
  size_t skipped = 0;
};

/// Returns the message with its header.
std::string encodeMessage(const llvm::json::Value &message);

/// Parses JSON. Unlike llvm::json::parse, rejects text whose values are nested
/// so deeply that functions on them would run out of stack.
llvm::Expected<llvm::json::Value> parseShallowJson(llvm::StringRef text);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_MESSAGESTREAM_H
