//===- MessageStream.cpp - Messages of the language server protocol -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/MessageStream.h"

#include "targets/JsonPositions.h"

#include "llvm/Support/Error.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;

/// Messages larger than this are skipped.
static constexpr size_t kMaxMessage = size_t(256) << 20;
/// A header that has not ended after this many bytes is garbage.
static constexpr size_t kMaxHeader = 8192;
/// The JSON parser is recursive.
static constexpr unsigned kMaxNesting = 500;

Expected<json::Value> aircc::parseShallowJson(StringRef text) {
  if (findTooDeepNesting(text, kMaxNesting))
    return createStringError("the JSON values are nested too deeply");
  return json::parse(text);
}

/// Reads the length of the next message. Returns a result if the header is
/// malformed.
std::optional<MessageReader::Result> MessageReader::parseHeader() {
  StringRef text = buffer;
  size_t end = text.find("\r\n\r\n"), separator = 4;
  if (size_t other = text.find("\n\n"); other < end) {
    end = other;
    separator = 2;
  }
  if (end == StringRef::npos) {
    if (text.size() < kMaxHeader)
      return std::nullopt;
    buffer.clear();
    return Result{std::nullopt, "there is no header of a message"};
  }
  std::optional<size_t> found;
  StringRef header = text.take_front(end);
  while (!header.empty()) {
    auto [line, rest] = header.split('\n');
    header = rest;
    auto [name, value] = line.split(':');
    size_t number;
    if (name.trim().equals_insensitive("content-length") &&
        !value.trim().getAsInteger(10, number))
      found = number;
  }
  buffer.erase(0, end + separator);
  if (!found)
    return Result{std::nullopt, "the header has no valid Content-Length"};
  if (*found > kMaxMessage) {
    skipped = *found;
    return Result{std::nullopt, "the message is too large"};
  }
  length = found;
  return std::nullopt;
}

std::optional<MessageReader::Result> MessageReader::next() {
  size_t dropped = std::min(skipped, buffer.size());
  buffer.erase(0, dropped);
  skipped -= dropped;
  if (skipped || buffer.empty())
    return std::nullopt;
  if (!length)
    if (std::optional<Result> malformed = parseHeader())
      return malformed;
  if (!length || buffer.size() < *length)
    return std::nullopt;
  std::string text = buffer.substr(0, *length);
  buffer.erase(0, *length);
  length.reset();
  Expected<json::Value> message = parseShallowJson(text);
  if (!message)
    return Result{std::nullopt, toString(message.takeError())};
  return Result{std::move(*message), ""};
}

std::string aircc::encodeMessage(const json::Value &message) {
  std::string text;
  raw_string_ostream(text) << message;
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}
