//===- JsonPositions.cpp - Source positions of JSON values ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/JsonPositions.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

using namespace aircc;

TextPosition aircc::getTextPosition(std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  TextPosition position;
  position.line += std::count(before.begin(), before.end(), '\n');
  size_t lineStart = before.rfind('\n');
  position.column =
      before.size() - (lineStart == before.npos ? 0 : lineStart + 1) + 1;
  return position;
}

std::string aircc::appendPointer(std::string_view pointer,
                                 std::string_view token) {
  std::string result(pointer);
  result += '/';
  for (char c : token) {
    if (c == '~')
      result += "~0";
    else if (c == '/')
      result += "~1";
    else
      result += c;
  }
  return result;
}

std::optional<size_t> aircc::findTooDeepNesting(std::string_view text,
                                                unsigned limit) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '{' || c == '[') && ++depth > limit)
      return i;
    else if (!inString && (c == '}' || c == ']') && depth)
      --depth;
  }
  return std::nullopt;
}

namespace {

/// Scans a text that is known to be valid JSON.
class Scanner {
public:
  Scanner(std::string_view text,
          std::map<std::string, JsonPositions::Entry, std::less<>> &index,
          std::vector<std::pair<std::string, TextPosition>> &repeated)
      : text(text), index(index), repeated(repeated) {}

  void value(const std::string &pointer, const TextPosition *key) {
    skipSpace();
    TextPosition here = position();
    bool isNew = index
                     .insert_or_assign(
                         pointer, JsonPositions::Entry{key ? *key : here, here})
                     .second;
    if (!isNew)
      repeated.emplace_back(pointer, key ? *key : here);
    switch (peek()) {
    case '{':
      return object(pointer);
    case '[':
      return array(pointer);
    case '"':
      string();
      return;
    default:
      while (offset < text.size() && !strchr(",]} \t\r\n", text[offset]))
        advance();
    }
  }

private:
  void object(const std::string &pointer) {
    advance();
    for (skipSpace(); offset < text.size() && peek() != '}'; skipSpace()) {
      if (peek() == ',') {
        advance();
        continue;
      }
      TextPosition key = position();
      std::string name = nlohmann::json::parse(string()).get<std::string>();
      skipSpace();
      advance(); // The colon.
      value(appendPointer(pointer, name), &key);
    }
    advance();
  }

  void array(const std::string &pointer) {
    advance();
    size_t i = 0;
    for (skipSpace(); offset < text.size() && peek() != ']'; skipSpace()) {
      if (peek() == ',')
        advance();
      else
        value(appendPointer(pointer, std::to_string(i++)), nullptr);
    }
    advance();
  }

  /// Skips a string and returns it with its quotes.
  std::string_view string() {
    size_t start = offset;
    advance();
    while (offset < text.size() && peek() != '"') {
      if (peek() == '\\')
        advance();
      advance();
    }
    advance();
    return text.substr(start, offset - start);
  }

  void skipSpace() {
    while (offset < text.size() && strchr(" \t\r\n", text[offset]))
      advance();
  }

  char peek() const { return offset < text.size() ? text[offset] : '\0'; }

  void advance() {
    if (offset >= text.size())
      return;
    if (text[offset++] == '\n') {
      ++line;
      lineStart = offset;
    }
  }

  TextPosition position() const {
    return {line, static_cast<unsigned>(offset - lineStart + 1)};
  }

  std::string_view text;
  std::map<std::string, JsonPositions::Entry, std::less<>> &index;
  std::vector<std::pair<std::string, TextPosition>> &repeated;
  size_t offset = 0, lineStart = 0;
  unsigned line = 1;
};

} // namespace

JsonPositions::JsonPositions(std::string_view text) {
  Scanner(text, index, repeated).value("", nullptr);
}
