//===- MessageStream.h - Language server protocol messages ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The protocol's messages are JSON values. A header with the length precedes
// each of them:
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
    /// Unset if the message is malformed, in which case `problem` says why.
    std::optional<llvm::json::Value> message;
    std::string problem;
  };

  void append(llvm::StringRef bytes) { buffer += bytes; }
  /// Returns the next message, or nothing until more bytes arrive.
  std::optional<Result> next();

private:
  std::optional<Result> parseHeader();

  std::string buffer;
  /// The length of the message whose header has been read.
  std::optional<size_t> length;
  /// The number of bytes that remain to be skipped of a message beyond the size
  /// limit.
  size_t skipped = 0;
};

/// Returns the message with its header.
std::string encodeMessage(const llvm::json::Value &message);

/// Parses JSON. Unlike llvm::json::parse, rejects text with values nested so
/// deeply that functions on them would overflow the stack.
llvm::Expected<llvm::json::Value> parseShallowJson(llvm::StringRef text);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_MESSAGESTREAM_H
